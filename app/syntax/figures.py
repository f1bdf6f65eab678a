"""Live figures: a directive with a figure's tag, its id, its options, and the caption as body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.page import page_of

NAME = re.compile(r"[a-z][a-z0-9_]*")
"""What expressions can ask, and links can lead to."""


def names_of(tokens: Iterable[Token]) -> frozenset[str]:
    """The names of all figures of a page, those that cannot be names left out."""
    arguments = (token.meta["directive"].argument for token in tokens if token.type == "figure_open")
    return frozenset(filter(NAME.fullmatch, arguments))


def caption_of(tokens: Sequence[Token], opening: int) -> Sequence[Token]:
    """The tokens between a figure's opening and its close.

    Figures do not nest, so the next close is its own.
    """
    closing = next(i for i in range(opening, len(tokens)) if tokens[i].type == "figure_close")
    return tokens[opening + 1 : closing]


def tighten_captions(state: StateCore) -> None:
    """The caption's first paragraph follows the figure's number on the same line, so it has no `<p>` of its own."""
    for index, token in enumerate(state.tokens):
        following = state.tokens[index + 1 : index + 4]
        if token.type == "figure_open" and following and following[0].type == "paragraph_open":
            following[0].hidden = following[2].hidden = True


def render_open(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    figure = page_of(env).figure(token)
    if figure is None:  # the problem is told; show the caption at least
        return '<figure class="figure figure-failed">\n<figcaption>'
    tag, name = token.info, escape(token.meta["directive"].argument)
    return (
        f'<figure class="figure figure-{tag}">\n'
        f'<{tag} id="{name}">{figure.html}</{tag}>\n'
        f'<figcaption><span class="figure-number">Figure {figure.number}</span> '
    )


UNSCRIPTED = '<p class="unscripted quiet">This figure stays as it is printed here: its script does not run.</p>\n'
"""Shown by the style sheet alone, where there is no script, or where it has not come after a while."""


def render_close(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    opening = next(token for token in reversed(tokens[:index]) if token.type == "figure_open")  # figures do not nest
    return f"{UNSCRIPTED if page_of(env).figure(opening) else ''}</figcaption>\n</figure>\n"


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("block", "captions", tighten_captions)
    md.add_render_rule("figure_open", render_open)
    md.add_render_rule("figure_close", render_close)
