"""Code blocks, coloured by Pygments with classes; nothing in them is ever evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.util import ClassNotFound

from app.problems import did_you_mean
from app.syntax.places import at
from app.syntax.trouble import note

_FORMATTER = HtmlFormatter(nowrap=True)


@cache
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


def check_languages(state: StateCore) -> None:
    """A core rule, after `places`."""
    for token in state.tokens:
        language = _language(token)
        if token.type == "fence" and language and _lexer(language) is None:
            line, column = at(token)
            place = (line, column + len(token.markup))
            note(state.env, place, f"unknown language '{language}'", _hint(language))


def _hint(language: str) -> str:
    if language.startswith("{"):
        return f"a directive is written :::{language}"
    near = did_you_mean(language, (alias for _, aliases, *_ in get_all_lexers() for alias in aliases))
    return near or "write 'text' for none"


def _language(token: Token) -> str:
    return token.info.strip().split(maxsplit=1)[0] if token.info.strip() else ""


def render_code(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    language = _language(token)
    lexer = _lexer(language) if language else None
    code = highlight(token.content, lexer, _FORMATTER) if lexer else escape(token.content, quote=False)
    attribute = f' class="language-{escape(language)}"' if language else ""
    # it scrolls on a phone, so it must be reachable by keyboard
    return f'<pre class="code" tabindex="0"><code{attribute}>{code}</code></pre>\n'


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("places", "code_languages", check_languages)
    md.add_render_rule("fence", render_code)
    md.add_render_rule("code_block", render_code)
