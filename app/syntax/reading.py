"""Guided readings, `:::{reading}`: "look here, now there". Every number in one is a value, so bare ones are refused."""

from __future__ import annotations

import re

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

_BARE = re.compile(r"\d+(?:[.,]\d+)?[ \u00a0\u202f]?(?:%|per ?cent\b)|(?<![\d.])\d+\.\d+(?![\d.]|\w)")


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
    for child in inline.children or []:
        begin = child.meta.get("offset", 0)
        for match in _BARE.finditer(child.content) if child.type == "text" else ():
            begin = max(inline.content.find(match[0], begin), 0)
            hint = "write a {value} that asks the figure, so that it stays true"
            note(state.env, locate(begin), f"bare number '{match[0]}' in a guided reading", hint)


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("places", "reading", refuse_bare_numbers)
