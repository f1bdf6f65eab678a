"""Inline tokens as plain text: for alt texts, descriptions, and the words of a heading."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from markdown_it.token import Token

from app.syntax import references, terms, values
from app.syntax.page import Page
from app.syntax.places import place_inside


def plain_text(tokens: Sequence[Token] | None, page: Page | None = None) -> str:
    """The words alone; roles are spelled out by `page`, or left out where there is none yet (headings)."""
    return "".join(_text_of(token, page) for token in tokens or ())


def html_with_formulas(tokens: Sequence[Token] | None) -> str:
    """HTML of the words alone with formulas as MathML; empty where there is none."""
    if not any("html" in token.meta for token in tokens or ()):
        return ""
    return "".join(token.meta.get("html") or escape(_text_of(token, None)) for token in tokens or ())


def _text_of(token: Token, page: Page | None) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return plain_text(token.children, page)
    if token.type == "role":
        return _role_text(token, page)
    return token.content


def _role_text(token: Token, page: Page | None) -> str:
    if token.info == "term":
        words, key = terms.words_and_key(token)
        if page:
            page.term_target(key, place_inside(token, 0))  # which tells of an unknown one
        return words
    if page is None:
        return ""
    if token.info == "value":
        return values.value_text(token, page)
    if token.info == "claim":
        return values.claim_html(token, page)
    find = _REFERENCES.get(token.info)
    target = find(token, page) if find else None
    return target.text if target else token.content if find else ""  # roles.py told the rest


_REFERENCES = {"fig": references.figure_target, "chapter": references.chapter_target}
