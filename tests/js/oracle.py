"""What Python says, for the JavaScript tests to compare with: prints one JSON object. Made at test time, never committed.

The names of the model's tensors, tokens of 2,000 strings of every script as [id, start, end],
and patterns by onnxruntime for 1, 2, 17 and 128 tokens.
"""

import json
import random
import sys
import unicodedata

from model import manifest as contract
from model.runtime import Runtime

LENGTHS = (1, 2, 17, 128)
SPACES = " \u00a0\u0085\ufeff\u3000\u2009\u200b\u2028\u180e\t\n\r\x0b\x0c\x1c"
# fmt: off
ODD = [
    '', ' ', '  ', ' \n', '\n\n a', 'trailing ', '\r\n', '<|endoftext|>', '<s>[UNK]</s>',
    'Seán', 'naïve', 'na\u0131\u0308ve', 'Ωmega', 'e\u0301', 'שׁלום', 'ב\u05b0\u05bc',
    '👩‍👩‍👧‍👦', '🏳️‍🌈', '🇬🇧🇫🇷', '日本語', 'ไทย', 'हिन्दी', 'العربية', '\u202eabc', '\u0000', '<b>&amp;</b>',
    "don't we'll I'VE it’s", "''s", '3rd 1,000 ½ ٣', 'a' * 300, ' ' * 300,
    '\ud800', 'a\udc00b', '\ud800\ud800', '\udc00\ud800', '\ud83d', '\ud800\ud83d\ude00',
    '\U0010ffff', '\ue000', '\ufffd',
]
# fmt: on


def strings(count: int) -> list[str]:
    """The odd ones, then every block of Unicode that has letters or signs, alone and mixed with white space."""
    chance = random.Random(1)
    blocks = []
    for first in range(0, 0x110000, 128):
        block = [chr(c) for c in range(first, first + 128) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
        if len(block) > 3:
            blocks.append(block)
    made = list(ODD)
    while len(made) < count:
        block = blocks[len(made) % len(blocks)]
        alphabets = [block, block, list(SPACES), [" "], chance.choice(blocks[:4]), list("'stdmlve019.,!?-")]
        made.append("".join(chance.choice(chance.choice(alphabets)) for _ in range(chance.randint(1, 40))))
    return made


def main() -> None:
    runtime = Runtime.load()
    config = runtime.manifest.config
    chance = random.Random(2)
    patterns = []
    for length in LENGTHS:
        ids = [chance.randrange(config.vocabulary) for _ in range(length)]
        patterns.append({"tokens": ids, "pattern": runtime.run(ids)["pattern"].ravel().tolist()})
    texts = [[text, [[t.id, t.start, t.end] for t in runtime.encode(text)]] for text in strings(2000)]
    shape = {name: getattr(config, name) for name in ("layers", "heads", "width", "vocabulary", "context")}
    names = {"inputs": list(contract.INPUTS), "outputs": list(contract.OUTPUTS)}
    json.dump(names | {"config": shape | {"headSize": config.head_size}, "patterns": patterns, "texts": texts}, sys.stdout)


if __name__ == "__main__":
    main()
