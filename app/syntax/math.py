"""Formulas: `$…$` in a line, `$$…$$` on their own, LaTeX turned into MathML; never read as Markdown, and money stays money."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape, unescape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath.index import math_block_dollar

from app.syntax.latex import USUAL, FormulaError, mathml
from app.syntax.places import Place, at, locator, place_inside, plain_source
from app.syntax.trouble import note

# `$` opens before a non-space and closes behind one, not before a digit: the rules of dollarmath with spaces and digits off
_INLINE = re.compile(r"\$(?!\s)(?P<tex>(?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)", re.DOTALL)
_DOUBLE = re.compile(r"\$\$(?P<tex>(?:\\.|\$(?!\$)|[^$\\])+?)\$\$", re.DOTALL)
# an amount up to the mark-up, the quote, the bracket or the dash before the next `$`
_MARKED = re.compile(r"(?<![\^_\\])[*_~\"“‘«\[{/–—-]$")
# the sign by itself: `($) and ($)`
_ALONE = re.compile(r"[,;:.!?)\]»”](?!\d)[^$]*\s|\)[^$]*\($")
# `US$5`, and `$5, not 5$`: an amount, and then bare words, which no formula has
_MONEY = re.compile(r"\d[\d.,]*(?:\s|[^\s$\w\\^_{}+*/=<>-])(?:[^$\\]*\s)?[A-Za-z]{2,}(?:[^$\\]*)$", re.DOTALL)

# what is left in the text where a formula was meant
_LEFT_OVER = re.compile(
    r"(?<![\dA-Z])(?P<opened>\$)(?:[^\W\d_]|[\\{]|\d+[\\^_{])[^$]*"
    r"|(?<!\d)(?<!\d\s)(?P<spaced>\$)\s+(?:\w|[^$]*[\\_^=][^$]*)\s*\$"
    r"|(?<=[a-z}])(?P<closed>\$)(?![\w{\\])"
    r"|(?P<command>\\[A-Za-z]+)"
)
_LEFT_OVERS = {
    "opened": ("'$' opens a formula that is never closed", "write $ close behind it, or \\$ for the sign"),
    "spaced": ("'$' with a space behind it opens no formula", "write $x$ without spaces, or \\$ for the sign"),
    "closed": ("'$' closes a formula that was never opened", "write $ close before it, or \\$ for the sign"),
    "command": ("a formula's command stands in the text", "put the formula between $ and $"),
}
_LIKE_A_FORMULA = re.compile(r"\([A-Za-z]$|[(\[]\s*[^ ]* ?[\\_^=]")


def inline_math(state: StateInline, silent: bool) -> bool:
    """The inline rule for `$…$` and for `$$…$$` inside a paragraph."""
    source, start = state.src, state.pos
    if source[start] != "$":
        return False
    double = source.startswith("$$", start)
    match = (_DOUBLE if double else _INLINE).match(source, start, state.posMax)
    if not match or (not double and _is_money(source, start, match["tex"])):
        return _left_open(state, silent) if double else False
    if not silent:
        token = state.push("math_display" if double else "math_inline", "math", 0)
        token.content, token.markup = match["tex"], "$$" if double else "$"
        token.meta["inside"] = len(token.markup)
    state.pos = match.end()
    return True


def _is_money(source: str, start: int, tex: str) -> bool:
    before, first = source[start - 1] if start else "", tex[0]
    if before.isdigit() or (before.isupper() and not (first.isalpha() or first in "\\{([_^=+<>")):
        return True  # 5$, US$5; in US$, A$ or €
    if first.isdigit() and (tex.count("(") != tex.count(")") or _MARKED.search(tex)):
        return True  # $5 (or $x$); **$5**–*$x*
    return tex.count("`") % 2 == 1 or bool(_MONEY.match(tex) or _ALONE.match(tex))  # the next `$` stands in code


def _left_open(state: StateInline, silent: bool) -> bool:
    """`$$` that nothing closes: shown as it is, and told."""
    if not silent:
        token = state.push("math_open", "", 0)
        token.content = "$$"
    state.pos += 2
    return True


def split_cells(row: str) -> list[tuple[int, str]]:
    """The cells of a table's row with their columns from 0: split at `|`, but not inside a formula or code, nor at `\\|`.

    >>> split_cells("a | $P(A|B)$ | `b|c`")
    [(0, 'a '), (3, ' $P(A|B)$ '), (14, ' `b|c`')]
    """
    cells, start, position = [], 0, 0
    while position < len(row):
        if whole := formula_at(row, position) or _CODE.match(row, position):
            position = whole.end()
        elif row[position] == "\\":
            position += 2
        elif row[position] == "`":  # marks that nothing closes
            position += len(row[position:]) - len(row[position:].lstrip("`"))
        else:
            if row[position] == "|":
                cells.append((start, row[start:position]))
                start = position + 1
            position += 1
    return [*cells, (start, row[start:])]


_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")


def formula_at(row: str, position: int) -> re.Match[str] | None:
    """The formula that begins there in a table's row; `$5 | 6 $` is money in two cells."""
    if row[position] != "$":
        return None
    formula = (_DOUBLE if row.startswith("$$", position) else _INLINE).match(row, position)
    if formula and (_is_money(row, position, formula["tex"]) or re.match(r"\d[\d.,]*\s*\|", formula["tex"])):
        return None
    return formula


_dollar_block = math_block_dollar(allow_labels=False, label_normalizer=None, allow_blank_lines=False)


def block_math(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The block rule: dollarmath's, with the place of each line of the formula."""
    if not _dollar_block(state, start_line, end_line, silent):
        return False
    if silent:
        return True
    token = state.tokens[-1]
    if "$$" in token.content:  # two formulas with words between them: a paragraph's
        state.tokens.pop()
        state.line = start_line
        return False
    token.type = "math_block"
    lines = state.src.split("\n")
    content = token.content.split("\n")
    token.meta["lines"] = [_line_place(lines, start_line + row, text, first=row == 0) for row, text in enumerate(content)]
    return True


def _line_place(lines: list[str], line: int, text: str, first: bool) -> Place:
    source = lines[line]
    column = source.find("$$") + 2 if first else source.rfind(text) if text else 0
    return line + 1, column + 1


def convert(state: StateCore) -> None:
    """A core rule, after `places`: converts every formula once, and tells what is wrong with it."""
    for token in state.tokens:
        _convert_tokens(state, [token])


def _convert_tokens(state: StateCore, tokens: Sequence[Token]) -> None:
    for token in tokens:
        _convert_tokens(state, token.children or ())  # in the words of images too
        if token.type == "math_open":
            note(state.env, at(token), "'$$' is never closed", "write $$ behind the formula, with no empty line in it")
        elif token.tag == "math":
            try:
                token.meta["html"] = mathml(token.content, display=token.type != "math_inline")
            except FormulaError as error:
                note(state.env, place_inside(token, error.offset), f"formula: {error.message}", error.hint)


def tell_left_overs(state: StateCore) -> None:
    """A core rule, before texts are joined with escaped signs: formulas that are none would be printed as they are written."""
    lines = state.src.split("\n")
    for token in (token for token in state.tokens if token.type == "inline"):
        locate = locator(token, lines)
        for match in _LEFT_OVER.finditer(plain_source(token)):
            kind = str(match.lastgroup)
            if kind != "command" or match[0][1:] in USUAL:
                note(state.env, locate(match.start(kind)), *_LEFT_OVERS[kind])
        _tell_parentheses(state, token, locate)


def _tell_parentheses(state: StateCore, inline: Token, locate: Callable[[int], Place]) -> None:
    """LaTeX's own `\\(…\\)` and `\\[…\\]`, of which Markdown leaves the brackets."""
    opened: tuple[str, int] | None = None
    for child in inline.children or ():
        if child.type != "text_special":
            continue
        if child.markup in ("\\(", "\\["):
            opened = child.markup, child.meta["offset"]
        elif opened and child.markup == opened[0].translate(_CLOSING):
            if _LIKE_A_FORMULA.match(inline.content[opened[1] + 1 : child.meta["offset"]]):
                dollars = "$" if opened[0] == "\\(" else "$$"
                note(state.env, locate(opened[1]), f"'{opened[0]}' opens no formula", f"write it between {dollars} and {dollars}")
            opened = None


_CLOSING = str.maketrans("([", ")]")


# A formula cannot be broken into lines: a wide one scrolls alone. Browsers let the keyboard reach what scrolls, and only that; a
# `tabindex` would stop it at every formula. The name is what it hears there.

WIDEST = 24
"""Signs of a formula that a phone's line is sure to hold."""


def render_inline(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    shown = _shown(tokens[index])
    if "html" not in tokens[index].meta or len(unescape(re.sub(r"<[^>]*>", "", shown))) <= WIDEST:
        return shown
    return f'<span class="math-long" role="group" aria-label="Formula">{shown}</span>'


def render_display(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<span class="math-display" role="group" aria-label="Formula">{_shown(tokens[index])}</span>'


def render_block(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<div class="math-display" role="group" aria-label="Formula">{_shown(tokens[index])}</div>\n'


def _shown(token: Token) -> str:
    return token.meta.get("html") or f"<code>{escape(token.content, quote=False)}</code>"


def install(md: MarkdownIt) -> None:
    md.block.ruler.before("fence", "math_block", block_math)
    md.inline.ruler.before("escape", "math", inline_math)
    md.core.ruler.after("places", "math", convert)
    md.core.ruler.after("places", "math_left_overs", tell_left_overs)
    md.add_render_rule("math_inline", render_inline)
    md.add_render_rule("math_display", render_display)
    md.add_render_rule("math_block", render_block)
    md.add_render_rule("math_open", lambda *_: "$$")
