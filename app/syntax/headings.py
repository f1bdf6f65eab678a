"""Headings with addresses: ids made of their words in any script, unique in the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax import closed
from app.syntax.places import at
from app.syntax.text import html_with_formulas, plain_text
from app.syntax.trouble import note

RESERVED: tuple[str, ...] = ("main", "beside-title", "terms-title", "lookback-assets")
"""Ids of the page around the text; a heading of that name gets another, a figure is refused.

Notes and terms have ids with two hyphens in a row (`fn--1`, `term--softmax`), which no heading's words make.
"""


def slug(text: str) -> str:
    """Words joined by hyphens, in whatever script; "section" where there are none.

    >>> slug("Ünicode & Co."), slug("日本語"), slug("☂️"), slug("Why √d?")
    ('ünicode-co', '日本語', 'section', 'why-d')
    """
    text = unicodedata.normalize("NFC", text).casefold()
    kept = "".join(c if c in "-_" or unicodedata.category(c)[0] in "LN" or _joins(c) else " " for c in text)
    return re.sub(r"[\s-]+", "-", kept).strip("-_") or "section"


def _joins(character: str) -> bool:
    """Vowel signs and accents belong to their letter; variation selectors, which are also marks, do not."""
    return unicodedata.category(character) in ("Mn", "Mc") and not "\ufe00" <= character <= "\ufe0f"


def address_headings(state: StateCore) -> None:
    """A core rule, after `places` and `math`: gives ids, and refuses levels that cannot be."""
    taken = dict.fromkeys(RESERVED, 1)
    level = 1
    for index, token in enumerate(state.tokens):
        if token.type != "heading_open":
            continue
        text = plain_text(state.tokens[index + 1].children).strip()
        base = slug(text)
        taken[base] = taken.get(base, 0) + 1
        name = base if taken[base] == 1 else _free(base, taken)
        token.attrSet("id", name)
        token.meta["text"] = text
        token.meta["html"] = html_with_formulas(state.tokens[index + 1].children)
        level = _check_level(state, token, text, level)


def _free(base: str, taken: dict[str, int]) -> str:
    while (name := f"{base}-{taken[base]}") in taken:
        taken[base] += 1
    taken[name] = 1
    return name


def _check_level(state: StateCore, token: Token, text: str, above: int) -> int:
    level = int(token.tag[1])
    if not text:
        note(state.env, at(token), "heading without words", "write it, or remove the #")
    elif level == 1:
        note(state.env, at(token), f"'# {text}' in the text", "the title stands in the front matter; begin with ##")
        return 1
    elif level > above + 1:
        note(state.env, at(token), f"heading '{text}' skips a level", f"write {'#' * (above + 1)}")
    return level


def render_close(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    return f"</{token.tag}>" + (closed.BODY if "directive" in token.meta else "\n")


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("math", "headings", address_headings)
    md.add_render_rule("heading_close", render_close)
