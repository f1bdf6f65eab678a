"""Lookback's Markdown: CommonMark, and one file per addition, each its syntax and its HTML together.

places       where every token stands            fences      which ::: closes which
directives   :::{name}                           admonitions, closed, reading, figures: what the names mean
roles        {name}`…`                           values, references, terms: what the names mean
latex        formulas → MathML, for math
math, code, tables, footnotes, headings, links, images, html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.deflist import deflist_plugin

from app.syntax import (
    admonitions,
    closed,
    code,
    directives,
    figures,
    footnotes,
    headings,
    html,
    images,
    links,
    math,
    places,
    reading,
    references,
    roles,
    tables,
    terms,
    values,
)
from app.syntax.page import Page, page_of

KINDS = {**admonitions.KINDS, **closed.KINDS, **reading.KINDS}
"""Every directive but the figures, by name."""

ROLES: dict[str, Callable[[Token, Page], str]] = {
    "value": values.value_html,
    "claim": values.claim_html,
    "chapter": references.chapter_html,
    "fig": references.figure_html,
    "term": terms.term_html,
}


def render_role(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    draw = ROLES.get(token.info)
    return draw(token, page_of(env)) if draw and token.content.strip() else ""  # roles.py told the rest


@cache
def markdown() -> MarkdownIt:
    """The one parser and renderer. It keeps nothing between texts, so one serves all."""
    md = MarkdownIt("commonmark", {"html": True})
    places.use_own_parsers(md)
    md.enable(["table", "strikethrough"])
    deflist_plugin(md)
    directives.install(md, KINDS)
    for syntax in (roles, references, math, tables, code, footnotes, headings, links, images, html, admonitions, figures, reading):
        syntax.install(md)
    md.add_render_rule("role", render_role)
    return md
