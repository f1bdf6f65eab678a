"""The mathematics font: STIX Two Math (OFL), taken from the wheel of `ziamath` and cut to a fixed list of characters.

The list never depends on the book: a new symbol in a chapter must not need a new set-up.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import chain
from pathlib import Path

from fontTools import subset

SIGNS = (
    "\u00a0¬°±²³·¹×÷ϑϕϱϵ–‖†…′″\u2061\u2062\u2063\u20d7ℎℒℓℝℕℤ←↑→↓↔↦⇐⇑⇒⇓⇔∀∂∃∅∇∈∉∋∏∑−∓∗∘√∝∞∣∥∧∨∩∪∫∼≃≅≈≜≠≡≤≥≪≫⊂⊃⊆⊇⊕⊗⊙⊤⊥⋅⋆⋮⋯⋱⌈⌉⌊⌋⎴⎵⏞⏟⟨⟩"
    "␣⍽⏎↵⇥"  # white space made visible, for tokens
)
# The pictures of control characters, which hardly any device has, are drawn with these.
ALIASES = {ord("␠"): ord("␣"), ord("␍"): ord("↵")}
RANGES = [
    (0x20, 0x7E),
    (0x391, 0x3C9),  # Greek
    (0x1D400, 0x1D49B),  # bold, italic and bold italic Latin
    (0x1D6A4, 0x1D6A5),  # dotless i and j
    (0x1D6E2, 0x1D71B),  # italic Greek
]
CHARACTERS = sorted({*map(ord, SIGNS), *chain.from_iterable(range(first, last + 1) for first, last in RANGES)})


def make(path: Path) -> None:
    """Write the woff2 (41 KB) with its MATH table, and with the stretched and displayed forms that the table names."""
    options = subset.Options(flavor="woff2", layout_features=[], hinting=False)
    source = files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    with subset.load_font(str(source), options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=CHARACTERS)
        subsetter.subset(font)
        for table in font["cmap"].tables:
            table.cmap.update({alias: table.cmap[sign] for alias, sign in ALIASES.items() if sign in table.cmap})
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        subset.save_font(font, str(partial), options)
        partial.rename(path)
