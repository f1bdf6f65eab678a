"""`{chapter}`embeddings`` is "chapter 9", linked; `{fig}`queen`` is "Figure 10.1", linked."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.syntax.page import Page, Target
from app.syntax.places import place_inside


def chapter_target(token: Token, page: Page) -> Target | None:
    target = page.chapter_target(token.content.strip(), place_inside(token, 0))
    if target and token.meta.get("begins"):
        return replace(target, text=target.text[:1].upper() + target.text[1:])
    return target


_SENTENCE_END = re.compile(r"[.!?…][\"'»”’)]*\s+[\"'«“‘(]*$")


def note_beginnings(state: StateCore) -> None:
    """A core rule, after `text_join`: whether a reference begins a sentence, where "chapter 9" has a capital."""
    for token in state.tokens:
        before = ""
        for child in token.children or []:
            if child.type == "role":
                child.meta["begins"] = not before.strip(" \"'«“‘(") or bool(_SENTENCE_END.search(before))
            before += _words(child)


def _words(token: Token) -> str:
    """What a reader has read of a token, as far as it matters to where sentences begin."""
    if token.type == "role":
        return "" if token.info == "claim" else "x"
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content if token.nesting == 0 else ""


def install(md: MarkdownIt) -> None:
    md.core.ruler.push("beginnings", note_beginnings)


def figure_target(token: Token, page: Page) -> Target | None:
    return page.figure_target(token.content.strip(), place_inside(token, 0))


def link(target: Target | None, css_class: str, fallback: str) -> str:
    """An anchor, or plain text where there is nothing to lead to yet."""
    if target is None:
        return escape(fallback)
    if target.href is None:
        return f'<span class="planned">{escape(target.text)}</span>'
    return f'<a class="{css_class}" href="{escape(target.href)}">{escape(target.text)}</a>'


def chapter_html(token: Token, page: Page) -> str:
    return link(chapter_target(token, page), "chapter-reference", token.content)


def figure_html(token: Token, page: Page) -> str:
    return link(figure_target(token, page), "figure-reference", token.content)
