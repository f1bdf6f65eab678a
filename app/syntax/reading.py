"""Guided readings, `:::{reading}`: "look here, now there". Every number in one is a value, so bare ones are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.syntax.directives import Kind
from app.syntax.places import Place, locator, place_inside
from app.syntax.trouble import note

KINDS = {
    "reading": Kind(
        help="A guided reading of a figure; its percentages and decimals must be values.",
        open='<div class="reading" role="group" aria-label="Guided reading">\n',
        close="</div>\n",
    )
}

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
).replace(" ", "|")
_PER_CENT = r"(?:\s|\\[,;:! ])*(?:\\?[%％٪‰]|per[\s-]?cent(?:age)?\b|pct\b)"
_BARE = re.compile(
    rf"(?:\d+(?:[.,]\d+)?|[.,]\d+){_PER_CENT}"  # 88%, .5 per cent
    rf"|\b(?:(?:{_WORDS})[\s-]+(?:and[\s-]+)?)+per[\s-]?cent(?:age)?\b"  # eighty-five per cent
    rf"|\b(?:{_WORDS})[\s-]point[\s-](?:{_WORDS})\b"
    r"|(?<![\w.])(?:\d*(?:[.·٫]|\{[.,]\})\d+|0,\d+)(?!\.?\d)"  # 0.5, .5 and 3.5x, but not 1.2.3
    r"|(?<![\w.])\d+e[-−]\d+|10(?:⁻[⁰¹²³⁴-⁹]+|\^\{?[-−]\d+)"  # 1e-5, 10⁻³
    r"|\d+\s+out\s+of\s+\d+"
    r"|(?<![\w/])(?P<above>\d+)\s?[/⁄∕]\s?(?P<below>\d+)(?![\w/])|[¼-¾⅐-⅞]"  # 1/2, but neither 24/7 nor 01/02/2026
    r"|\\[dtc]?frac\s*(?:\{\s*\d+\s*\}|\d)\s*(?:\{\s*\d+\s*\}|\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:\b(?:versions?|releases?|sections?|appendix|equations?|tables?|python|pytorch|node)\s|§\s?|[a-z]-)$", re.IGNORECASE
)
"""Before a number that is a name: section 3.2, Python 3.11, GPT-2.5."""

_RELATION = re.compile(r"=|[<>≈≤≥]|\\(?:approx|sim|simeq|leq?|geq?|ll|gg|equiv)(?![A-Za-z])")
_LETTER = re.compile(r"[^\W\d_]|\\(?!%)[A-Za-z]+")
_HARMLESS = re.compile(r"\\(?:text|mathrm|textbf|mathbf|quad|left|right|[dtc]?frac)(?![A-Za-z])|per[\s-]?cent(?:age)?")


def refuse_bare_numbers(state: StateCore) -> None:
    """A core rule, after `places`. A note that a reading calls is a part of it."""
    called = {
        child.meta["label"] for token in _inside(state.tokens) for child in token.children or () if child.type == "footnote_ref"
    }
    lines = state.src.split("\n")
    for token in _inside(state.tokens, called):
        if token.type == "inline":
            locate = locator(token, lines)
            _refuse_in(state, list(_read(token.children or [], 0)), locate)
        elif token.type == "math_block":
            _refuse_in(state, list(_formula(token, 0)), partial(place_inside, token))


def _inside(tokens: Sequence[Token], labels: Collection[str] = ()) -> Iterator[Token]:
    """The tokens of all readings, and of the notes with these labels."""
    depth = 0
    for token in tokens:
        is_reading = token.info == "reading" and token.type.startswith("directive_")
        is_note = token.type.startswith("footnote_reference_") and (token.nesting < 0 or token.meta["label"] in labels)
        if is_reading or (is_note and (token.nesting > 0 or depth)):
            depth += token.nesting
        elif depth:
            yield token


def _refuse_in(state: StateCore, read: Sequence[tuple[str, int]], locate: Callable[[int], Place]) -> None:
    text = "".join(character for character, _ in read)
    for match in _BARE.finditer(text):
        if _NAMED.search(text[: match.start()]) or (match["above"] and int(match["above"]) > int(match["below"])):
            continue
        hint = "write a {value} that asks the figure, so that it stays true"
        if re.search(r"\bfig(?:ure|\.)\s$", text[: match.start()], re.IGNORECASE):
            hint = "refer to a figure by its name: {fig}`…`"
        note(state.env, locate(read[match.start()][1]), f"bare number '{match[0]}' in a guided reading", hint)


def _read(tokens: Sequence[Token], base: int) -> Iterator[tuple[str, int]]:
    """The characters that a reader sees, with their offsets: **88**% is 88%. Code is quoted, not said."""
    for token in tokens:
        offset = base + token.meta.get("offset", 0)
        if token.attrs.get("title"):
            yield from ((character, offset) for character in f"\0{token.attrs['title']}\0")
        if token.type == "image":
            yield from _read(token.children or [], offset + len("!["))
        elif token.type in ("role", "code_inline"):
            yield "\0", offset
        elif token.type in ("softbreak", "hardbreak"):
            yield " ", offset
        elif token.tag == "math":
            yield from _formula(token, offset + token.meta["inside"])
        else:
            yield from ((character, offset + index) for index, character in enumerate(token.content))


def _formula(token: Token, start: int) -> Iterator[tuple[str, int]]:
    """The sides of a formula that are nothing but a number, as in $0.88$ and $w = 0.88$; the rest is mathematics."""
    begin = 0
    for end in [*(relation.start() for relation in _RELATION.finditer(token.content)), len(token.content)]:
        side = _RELATION.sub("", token.content[begin:end], count=1)
        is_number = not _LETTER.search(_HARMLESS.sub("", side))
        yield from ((token.content[i] if is_number else "\0", start + i) for i in range(begin, end))
        begin = end


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("places", "reading", refuse_bare_numbers)
