"""How good the model is, in numbers that another model can be held against, and what its heads do.

Bits per byte: the last tenth by characters of each work, never seen by tokenizer or training, cut into windows of the
context length, each beginning with the last token of the one before, so that every token but a work's first is
predicted exactly once; the sum of the surprises in bits over the number of bytes predicted.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from model.corpus import Text, tales
from model.gpt import GPT, Switches
from model.manifest import Head, Role

IGNORE = -1  # a target that does not count
BATCH = 64


@dataclass(frozen=True)
class Score:
    """The surprise of a text: nats in all, over how many tokens and bytes."""

    nats: float
    tokens: int
    bytes: int

    @property
    def loss(self) -> float:
        """Nats a token."""
        return self.nats / self.tokens

    @property
    def bits_per_byte(self) -> float:
        return self.nats / math.log(2) / self.bytes

    def __add__(self, other: "Score") -> "Score":
        return Score(self.nats + other.nats, self.tokens + other.tokens, self.bytes + other.bytes)


def windows(ids: list[int], context: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs and targets (N, context): each token but the first is a target once; what pads the last row is IGNORE.

    >>> windows([5, 6, 7, 8], 2)[1].tolist()
    [[6, 7], [8, -1]]
    """
    rows = -(-(len(ids) - 1) // context)
    padded = np.full(rows * context + 1, IGNORE)
    padded[: len(ids)] = ids
    inputs = np.maximum(padded[:-1], 0).reshape(rows, context)
    return torch.from_numpy(inputs), torch.from_numpy(padded[1:].reshape(rows, context))


@torch.no_grad()
def nats(model: GPT, inputs: torch.Tensor, targets: torch.Tensor) -> float:
    """The sum of -ln p(target) over every target that counts; dropout off."""
    was_training = model.training
    model.eval()
    total = 0.0
    for x, y in zip(inputs.split(BATCH), targets.split(BATCH), strict=True):
        logits = model.predict(x)  # (B, T, V)
        total += F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=IGNORE, reduction="sum").item()
    model.train(was_training)
    return total


def score(model: GPT, tokenizer: Tokenizer, text: str) -> Score:
    ids = tokenizer.encode(text).ids
    first = len(tokenizer.decode(ids[:1]).encode())
    return Score(nats(model, *windows(ids, model.config.context)), len(ids) - 1, len(text.encode()) - first)


def score_works(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> dict[str, Score]:
    """The held-out score of each work that has such a part, by name."""
    return {text.work.name: score(model, tokenizer, text.held_out) for text in tales(texts)}


def overall(scores: dict[str, Score]) -> Score:
    return sum(scores.values(), Score(0.0, 0, 0))


# --- what the heads do ----------------------------------------------------------------------------------------------
#
# Never measured on what a reader types: in a short text the first token is often the one before, and any head has "roles".

STORIES = 64  # windows of held-out text
REPEATS = 64
SPAN = 32  # tokens of a random span that is read twice
EARLIEST = 16  # queries before this one have too few keys to choose from
# A verdict names the strongest role that takes at least this share, and this many times what an even spread would give.
LEAST_SHARE, LEAST_LIFT = 0.3, 3.0

Keys = Callable[[torch.Tensor, "Spelling"], torch.Tensor]  # tokens (N, T) -> (N, T, S), True where a role wants the key


@dataclass(frozen=True)
class Spelling:
    """What the tokens of some windows are as text, each (N, T)."""

    punctuation: torch.Tensor  # marks alone, with or without a space before them
    opens: torch.Tensor  # the first token after the end of a sentence
    persons: torch.Tensor  # pieces of a word with a capital that opens no sentence, and of a personal pronoun

    @staticmethod
    def of(tokenizer: Tokenizer, tokens: torch.Tensor) -> "Spelling":
        rows = [[tokenizer.decode([i]) for i in row] for row in tokens.tolist()]
        marks = [[(MARKS.fullmatch(piece) is not None, *place(row, t)) for t, piece in enumerate(row)] for row in rows]
        return Spelling(*torch.tensor(marks).unbind(-1))


MARKS = re.compile(r""" ?[-.,;:!?'"()\[\]_*]+""")
PERSONAL = "i me my myself you your yourself he him his himself she her herself we us our they them their themselves"
PRONOUNS = set(PERSONAL.split())
# What stands before the first word of a sentence or a speech, the word's own space included.
OPENING = re.compile(r"""([.!?]["')]*\s+["'(]*|\n\W*|\s["'(]+)$""")


def whole_word(pieces: list[str], first: int) -> str:
    end = first + 1
    while end < len(pieces) and pieces[end][:1].isalpha():
        end += 1
    return "".join(pieces[first:end]).strip()


def place(pieces: list[str], t: int) -> tuple[bool, bool]:
    """Whether a token opens a sentence, and whether it is part of a name or pronoun.

    What opens a sentence is not known to be a name.

    >>> [place([" and", " Al", "ice", " said", ".", " The", "n", " she"], t) for t in (1, 2, 3, 5, 6, 7)]
    [(False, True), (False, True), (False, False), (True, False), (False, False), (False, True)]
    """
    if not pieces[t].strip()[:1].isalpha():
        return False, False
    first = t
    while first > 0 and pieces[first][:1].isalpha():
        first -= 1
    if first < t and not pieces[first].strip()[:1].isalpha():
        first += 1  # what comes before the word is no letter: a quotation mark
    start, word = pieces[first], whole_word(pieces, first)
    pronoun = word.lower() in PRONOUNS
    before = "".join(pieces[max(0, first - 4) : first]) + start[: len(start) - len(start.lstrip())]
    if not before.strip() or not start.lstrip()[:1].isupper():
        return False, pronoun
    if OPENING.search(before):
        return first == t, pronoun
    return False, pronoun or re.match(r"[A-Z][a-z]", word) is not None  # in capitals a word is no name, but loud


def previous_token(tokens: torch.Tensor, _: Spelling | None = None) -> torch.Tensor:
    N, T = tokens.shape
    return torch.eye(T, dtype=torch.bool).roll(-1, 1).tril().expand(N, T, T)


def first_token(tokens: torch.Tensor, _: Spelling | None = None) -> torch.Tensor:
    """The first position, for every query but the first, which has nothing else."""
    N, T = tokens.shape
    keys = torch.zeros(N, T, T, dtype=torch.bool)
    keys[:, 1:, 0] = True
    return keys


def same_token(tokens: torch.Tensor, _: Spelling | None = None) -> torch.Tensor:
    """Earlier occurrences of the asking token."""
    return earlier(tokens[:, :, None] == tokens[:, None, :])


def induction(tokens: torch.Tensor, _: Spelling | None = None) -> torch.Tensor:
    """The token after the asking token's earlier occurrence."""
    return same_token(tokens).roll(1, 2)


def earlier(keys: torch.Tensor) -> torch.Tensor:
    """(N, T, S) or (N, 1, S) -> (N, T, S), without what the query itself is and what comes later."""
    T = keys.shape[-1]
    return keys & torch.ones(T, T, dtype=torch.bool).tril(-1)


IN_STORIES: dict[str, Keys] = {
    "previous token": previous_token,
    "first token": first_token,
    "same token": same_token,
    "punctuation": lambda _, spelling: earlier(spelling.punctuation[:, None]),
    "sentence start": lambda _, spelling: earlier(spelling.opens[:, None]),
    "person": lambda _, spelling: earlier(spelling.persons[:, None]),
}
IN_REPEATS: dict[str, Keys] = {"induction": induction}


def heads(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> list[Head]:
    """Every head's roles and measures, beside an even spread and an untrained model; a verdict that may be "no role found"."""
    torch.manual_seed(0)
    untrained = GPT(model.config).eval()
    stories, repeats = story_windows(model, tokenizer, texts), repeated_spans(model)
    spelling = Spelling.of(tokenizer, stories)
    rows = []  # name, unit, (L, H) of the model, of the untrained one, of an even spread, text
    for tokens, kinds, text in (
        (stories, IN_STORIES, f"{len(stories)} windows of held-out text"),
        (repeats, IN_REPEATS, f"{REPEATS} spans of {SPAN} random tokens, each read twice"),
    ):
        trained, blank = patterns(model, tokens), patterns(untrained, tokens)
        for name, keys in kinds.items():
            wanted = keys(tokens, spelling)
            (score, even), (before, _) = role(trained, wanted), role(blank, wanted)
            rows.append((name, "share", score, before, even, text))
        if kinds is IN_STORIES:
            rows += [(name, unit, of(trained), of(blank), of(uniform(trained)).mean(), text) for name, unit, of in MEASURES]
    found = []
    for layer, head in np.ndindex(model.config.layers, model.config.heads):
        roles = [
            Role(name, unit, *(round(float(x), 4) for x in (score[layer, head], even, before[layer, head])), text)
            for name, unit, score, before, even, text in rows
        ]
        found.append(Head(layer, head, roles, verdict(roles)))
    return found


def story_windows(model: GPT, tokenizer: Tokenizer, texts: list[Text]) -> torch.Tensor:
    """Whole windows of held-out text (N, T), spread over all works."""
    cut = [windows(tokenizer.encode(text.held_out).ids, model.config.context) for text in tales(texts)]
    whole = torch.cat([inputs[(targets != IGNORE).all(1)] for inputs, targets in cut])
    return whole[:: max(1, len(whole) // STORIES)][:STORIES]


def repeated_spans(model: GPT) -> torch.Tensor:
    """Spans of random tokens, each read twice: (N, 2·SPAN)."""
    spans = np.random.default_rng(0).integers(model.config.vocabulary, size=(REPEATS, SPAN))
    return torch.from_numpy(np.concatenate([spans, spans], 1))


def verdict(roles: list[Role]) -> str:
    """The role whose share is furthest on the way from an even spread to the whole budget, among those that are strong."""

    def strong(role: Role) -> bool:
        return role.unit == "share" and role.score >= max(LEAST_SHARE, LEAST_LIFT * max(role.baseline, role.untrained))

    found = [role for role in roles if strong(role)]
    return max(found, key=lambda role: (role.score - role.baseline) / (1 - role.baseline)).name if found else "no role found"


@torch.no_grad()
def patterns(model: GPT, tokens: torch.Tensor) -> torch.Tensor:
    """tokens (N, T) -> (N, L, H, T, S)."""
    _, _, attended = model(tokens, torch.arange(tokens.shape[1]), Switches.off(model.config))
    return torch.stack([layer.pattern for layer in attended], 1)


def uniform(pattern: torch.Tensor) -> torch.Tensor:
    """Heads that spread their budget evenly over all they may see, in the same shape."""
    T = pattern.shape[-1]
    return (torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]).expand_as(pattern)


def role(pattern: torch.Tensor, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean share (L, H) that each head gives to the keys a role wants, and the share an even spread would give.

    `pattern` (N, L, H, T, S), `wanted` (N, T, S). Only queries count that may look at such a key, from the 17th token on.
    """
    T = wanted.shape[1]
    keys = wanted & torch.ones(T, T, dtype=torch.bool).tril()  # (N, T, S)
    asks = keys.any(-1) & (torch.arange(T) >= EARLIEST)  # (N, T)
    share = (pattern * keys[:, None, None]).sum(-1)  # (N, L, H, T)
    even = keys.sum(-1) / torch.arange(1, T + 1)  # (N, T)
    count = asks.sum().clamp_min(1)  # where no text has such a key, the share is 0
    return (share * asks[:, None, None]).sum((0, 3)) / count, even[asks].sum() / count


def reach(pattern: torch.Tensor) -> torch.Tensor:
    """How many tokens back a head looks on average, (N, L, H, T, S) -> (L, H)."""
    T = pattern.shape[-1]
    distance = torch.arange(T)[:, None] - torch.arange(T)  # (T, S)
    return (pattern * distance).sum(-1)[..., EARLIEST:].mean((0, 3))


def entropy(pattern: torch.Tensor) -> torch.Tensor:
    """How spread out a head's rows are, in bits (Shannon, 1948), (N, L, H, T, S) -> (L, H)."""
    bits = -(pattern * pattern.clamp_min(1e-30).log2()).sum(-1)  # (N, L, H, T)
    return bits[..., EARLIEST:].mean((0, 3))


MEASURES = (("reach", "tokens", reach), ("entropy", "bits", entropy))


# --- copying, and persons -------------------------------------------------------------------------------------------


def copying(model: GPT) -> tuple[float, float]:
    """Nats a token on random spans read twice: on the first pass, and on the repeat."""
    tokens = repeated_spans(model)
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    first = torch.where(torch.arange(2 * SPAN - 1) < SPAN - 1, targets, IGNORE)
    again = torch.where(torch.arange(2 * SPAN - 1) < SPAN, IGNORE, targets)  # the first repeated token is no repeat yet
    return tuple(nats(model, inputs, wanted) / int((wanted != IGNORE).sum()) for wanted in (first, again))  # type: ignore


SENTENCES = Path(__file__).parent / "sentences.txt"


@dataclass(frozen=True)
class Sentence:
    """One who says something, and the name of the one it is said to."""

    text: str
    speaker: str
    name: str


def sentences() -> list[Sentence]:
    """The sentences built like chapter 10's."""
    lines = [line for line in SENTENCES.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [Sentence(re.sub("[*_]", "", line), line.split("_")[1], line.split("*")[1]) for line in lines]


def on_word(model: GPT, tokenizer: Tokenizer, sentence: str, word: str) -> torch.Tensor:
    """What the last token gives to all pieces of a word, in each head: (L, H)."""
    encoding = tokenizer.encode(sentence)
    start = sentence.index(f" {word}")
    end = start + 1 + len(word)
    pieces = [i for i, (a, b) in enumerate(encoding.offsets) if a < end and b > start + 1]
    return patterns(model, torch.tensor([encoding.ids]))[0, :, :, -1, pieces].sum(-1)
