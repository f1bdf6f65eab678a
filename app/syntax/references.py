"""`{chapter}`embeddings`` is "chapter 9", linked; `{fig}`queen`` is "Figure 10.1", linked."""

from __future__ import annotations

from html import escape

from markdown_it.token import Token

from app.syntax.page import Page, Target
from app.syntax.places import place_inside


def chapter_target(token: Token, page: Page) -> Target | None:
    return page.chapter_target(token.content.strip(), place_inside(token, 0))


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
