"""Links: to chapters by their file, `[words](embeddings.md#a-heading)`; within the page, `[words](#queen)`; to the world."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.page import page_of
from app.syntax.places import at, locator
from app.syntax.trouble import note

# what is left of `[words](address)` and `[words][name]` when markdown-it does not take them for links
_LEFT_OVER = re.compile(r"\[[^\[\]]+\](?:\((?P<address>[a-z]+:[^()\s]*)\)|\[(?P<name>[^\[\]]*)\])")


def refuse_left_overs(state: StateCore) -> None:
    """A core rule, after all others: links that are none would be printed as they are written."""
    lines = state.src.split("\n")
    for token in state.tokens:
        begin = 0
        for child in token.children or []:
            for match in _LEFT_OVER.finditer(child.content) if child.type == "text" else ():
                begin = max(token.content.find(match[0], begin), 0)
                place = locator(token, lines)(begin)
                if match["address"]:
                    note(
                        state.env,
                        place,
                        f"link to '{match['address']}'",
                        "link to a chapter's file, to #a-heading, or to https://…",
                    )
                else:
                    hint = f"write a line [{match['name']}]: address, or \\[ for a bracket"
                    note(state.env, place, f"link by the name '{match['name']}', which is not defined", hint)


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
    md.core.ruler.push("left_overs", refuse_left_overs)
    md.add_render_rule("link_open", render_open)
    md.add_render_rule("link_close", render_close)
