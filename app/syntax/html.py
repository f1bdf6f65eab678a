"""Raw HTML is refused: the page's policy, its accessibility and its paper form could not be vouched for."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.places import at
from app.syntax.trouble import note


def refuse_html(state: StateCore) -> None:
    """A core rule, after `places`."""
    for token in state.tokens:
        for part in (token, *(token.children or ())):
            is_end = part.content.startswith("</")  # its beginning is told
            if part.type == "html_block" or (part.type == "html_inline" and not is_end):
                first = part.content.strip().split("\n")[0]
                shown = first if len(first) <= 40 else first[:39] + "…"
                hint = "use Markdown or a directive; to show it, put it between backticks"
                note(state.env, at(part), f"raw HTML '{shown}'", hint)


def render_html(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    text = escape(tokens[index].content.strip(), quote=False)
    return f"<p>{text}</p>\n" if tokens[index].type == "html_block" else text


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("places", "html", refuse_html)
    md.add_render_rule("html_block", render_html)
    md.add_render_rule("html_inline", render_html)
