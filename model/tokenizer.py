"""Byte-pair encoding over bytes (Sennrich et al., 2016; Radford et al., 2019), 1,024 tokens, the same in two languages.

The pre-tokenizer spells white space as `\\p{White_Space}`, because JavaScript's `\\s` and Rust's differ; with this
pattern the browser's tokenizer and Python's give equal ids. There are no special tokens, so nothing that a reader
types can become one, and every byte is a token, so every character of every script can be typed.
"""

from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from model import corpus

VOCABULARY = 1024
# A word with its space before it; a number; a run of signs; white space. Contractions come off their word.
PATTERN = (
    r"'(?:[sdmt]|ll|ve|re)"
    r"| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+"
    r"|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+"
)


def train(texts: list[corpus.Text], vocabulary: int = VOCABULARY) -> Tokenizer:
    """A tokenizer learned from the training parts, each work as often as the model reads it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    diet = (text.train for text in texts for _ in range(text.work.weight))
    tokenizer.train_from_iterator(diet, trainer)
    return tokenizer


def save(tokenizer: Tokenizer, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path), pretty=False)
