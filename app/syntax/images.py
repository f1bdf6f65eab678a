"""Images: files beside the chapters, with words for whoever does not see them; values work in those words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.page import page_of
from app.syntax.places import at
from app.syntax.text import plain_text


def render_image(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token, page = tokens[index], page_of(env)
    alt = plain_text(token.children, page).strip()
    if not alt:
        page.problem(at(token), "image without a text", "say in the brackets what it shows: ![A cat on a mat](…)")
    source = page.image(str(token.attrGet("src") or ""), at(token))
    if source is None:
        return escape(alt)
    title = token.attrGet("title")
    shown = f' title="{escape(str(title))}"' if title else ""
    return f'<img src="{escape(source)}" alt="{escape(alt)}"{shown} loading="lazy">'


def install(md: MarkdownIt) -> None:
    md.add_render_rule("image", render_image)
