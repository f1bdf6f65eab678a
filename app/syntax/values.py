"""`{value}` shows what a figure answers; `{claim}` shows nothing and must hold."""

from __future__ import annotations

from html import escape

from markdown_it.token import Token

from app.syntax.page import Page


def value_html(token: Token, page: Page) -> str:
    shown = page.value(token)
    if shown is None:
        return '<data class="value value-failed">?</data>'
    figure = f' data-figure="{escape(shown.figure)}"' if shown.figure else ""
    # a cell can be pointed at, so it can be reached by keyboard too
    cell = f' data-cell="{escape(shown.cell)}" tabindex="0"' if shown.cell and shown.figure else ""
    return f'<data class="value" value="{escape(shown.number)}"{figure}{cell}>{escape(shown.text)}</data>'


def value_text(token: Token, page: Page) -> str:
    shown = page.value(token)
    return shown.text if shown else "?"


def claim_html(token: Token, page: Page) -> str:
    page.claim(token)
    return ""
