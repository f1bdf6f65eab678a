"""Guided readings, `:::{reading}`: "look here, now there". Every number in one is a value, so bare ones are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.syntax.directives import Kind
from app.syntax.places import locator
from app.syntax.trouble import note

KINDS = {
    "reading": Kind(
        help="A guided reading of a figure; its percentages and decimals must be values.",
        open='<div class="reading" role="group" aria-label="Guided reading">\n',
        close="</div>\n",
    )
}

# 88%, .5 per cent; 0.5, .5 and 3.5x, but not 1.2.3
_BARE = re.compile(r"(?:\d+(?:[.,]\d+)?|[.,]\d+)\s?\\?(?:[%‰]|per ?cent(?:age)?\b)|(?<![\w.])(?:\d*\.\d+|0,\d+)(?!\.?\d)")


def refuse_bare_numbers(state: StateCore) -> None:
    """A core rule, after `places`."""
    lines = state.src.split("\n")
    depth = 0
    for token in state.tokens:
        if token.info == "reading" and token.type.startswith("directive_"):
            depth += token.nesting
        elif depth and token.type == "inline":
            _refuse_in(state, token, lines)


def _refuse_in(state: StateCore, inline: Token, lines: list[str]) -> None:
    locate = locator(inline, lines)
    read = list(_read(inline.children or [], 0))
    for match in _BARE.finditer("".join(character for character, _ in read)):
        hint = "write a {value} that asks the figure, so that it stays true"
        note(state.env, locate(read[match.start()][1]), f"bare number '{match[0]}' in a guided reading", hint)


def _read(tokens: Sequence[Token], base: int) -> Iterator[tuple[str, int]]:
    """The characters that a reader sees, with their offsets: **88**% is 88%. Code is quoted, not said."""
    for token in tokens:
        offset = base + token.meta.get("offset", 0)
        if token.type == "image":
            yield from _read(token.children or [], offset + len("!["))
        elif token.type in ("role", "code_inline"):
            yield "\0", offset
        elif token.type in ("softbreak", "hardbreak"):
            yield " ", offset
        else:
            start = offset + token.meta.get("inside", 0)
            yield from ((character, start + index) for index, character in enumerate(token.content))


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("places", "reading", refuse_bare_numbers)
