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
from app.syntax.places import at, locator, plain_source
from app.syntax.trouble import note

# what is left of links, and of the lines that give links their addresses, when markdown-it does not take them for such
_LEFT_OVER = re.compile(
    r"\]\((?P<address>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)?"
    r"|\[[^\[\]]+\]\[(?P<name>[^\[\]]*)\]"
    r"|^\[(?P<definition>[^\[\]\n^][^\[\]\n]*)\]:"
    r"|<(?P<automatic>[A-Za-z][\w+.-]{1,31}:[^<>\s]*)>",
    re.MULTILINE,
)
_HINT = "link to a chapter's file, to #a-heading, or to https://…"


def tell_left_overs(state: StateCore) -> None:
    """A core rule, before texts are joined with escaped signs: links that are none would be printed as they are written."""
    lines = state.src.split("\n")
    figures = {token.meta["directive"].argument for token in state.tokens if token.type == "figure_open"}
    for token in (token for token in state.tokens if token.type == "inline"):
        locate = locator(token, lines)
        source = plain_source(token)
        for match in _LEFT_OVER.finditer(source):
            begin, what, hint = match.start(), "", _HINT
            if match["name"] is not None:
                what = f"link by the name '{match['name']}', which is not defined"
                hint = f"write a line [{match['name']}]: address, or \\[ for a bracket"
            elif match["definition"] is not None:
                what = f"'[{match['definition']}]:' gives no address"
                hint = f"{_HINT}; or write \\[ for a bracket"
            elif match["automatic"] is not None:
                what = f"link to '{match['automatic']}'"
            else:
                begin = max(source.rfind("[", 0, begin), source.rfind("![", 0, begin), 0)
                address = token.content[match.start("address") : match.end("address")]
                if address.startswith("#") and address[1:].split("?")[0] in figures:
                    continue  # the figure's name is told
                what = f"link to '{address}'"
                hint = "write %20 for a space in an address" if " " in address.strip() else _HINT
            note(state.env, locate(begin), what, hint)


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
    md.core.ruler.after("places", "link_left_overs", tell_left_overs)
    md.add_render_rule("link_open", render_open)
    md.add_render_rule("link_close", render_close)
