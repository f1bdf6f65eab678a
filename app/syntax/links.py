"""Links: to chapters by their file, `[words](embeddings.md#a-heading)`; within the page, `[words](#queen)`; to the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.page import page_of
from app.syntax.places import at


def render_open(renderer: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    target = page_of(env).link_target(str(token.attrGet("href") or ""), at(token))
    if target is None or target.href is None:
        return '<span class="planned">'
    shown = token.copy(attrs={**token.attrs, "href": target.href})
    return renderer.renderToken([shown], 0, options, env)


def render_close(renderer: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    # the close must match what the opening became; asking again costs nothing, since problems are told once
    opening = next(t for t in reversed(tokens[:index]) if t.type == "link_open" and t.level == tokens[index].level)
    target = page_of(env).link_target(str(opening.attrGet("href") or ""), at(opening))
    return "</a>" if target and target.href is not None else "</span>"


def install(md: MarkdownIt) -> None:
    md.add_render_rule("link_open", render_open)
    md.add_render_rule("link_close", render_close)
