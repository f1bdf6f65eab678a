"""Formulas: `$…$` in a line, `$$…$$` on their own, LaTeX turned into MathML; never read as Markdown, and money stays money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath.index import math_block_dollar

from app.syntax.places import Place, at, place_inside
from app.syntax.trouble import note

_LATEX = LatexToMathML(fancy_error=False)

# `$` opens before a non-space and closes behind one, not before a digit: the rules of dollarmath with spaces and digits off
_INLINE = re.compile(r"\$(?!\s)(?P<tex>(?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)", re.DOTALL)
_DOUBLE = re.compile(r"\$\$(?P<tex>(?:\\.|\$(?!\$)|[^$\\])+?)\$\$", re.DOTALL)
# `US$5`, and `$5, not 5$`: an amount, and then bare words, which no formula has
_MONEY = re.compile(r"\d[\d.,]*(?:\s|[^\s$\w\\^_{}+*/=<>-])(?:[^$\\]*\s)?[A-Za-z]{2,}(?:[^$\\]*)$", re.DOTALL)

CLASSES = {
    "text-align: right": "math-right",
    "text-align: left": "math-left",
    "justify-items: end": "",  # goes with text-align
    "justify-items: start": "",
    "padding-right: 0": "math-tight-right",
    "padding-left: 0": "math-tight-left",
    "padding-left: 1em": "math-apart",
    "border-top: 0.05em solid currentcolor": "math-line-top",
    "border-bottom: 0.05em solid currentcolor": "math-line-bottom",
    "border-left: 0.05em solid currentcolor": "math-line-left",
    "border-right: 0.05em solid currentcolor": "math-line-right",
    "border-top: 0.05em dashed currentcolor": "math-dash-top",
    "border-bottom: 0.05em dashed currentcolor": "math-dash-bottom",
    "border-left: 0.05em dashed currentcolor": "math-dash-left",
    "border-right: 0.05em dashed currentcolor": "math-dash-right",
    "padding-top: 0.1667em": "math-room-top",
    "padding-top: 0": "math-tight-top",
    "padding-bottom: 0": "math-tight-bottom",
    "padding-left: 0.1em": "math-near-left",
    "padding-right: 0.1em": "math-near-right",
    "font-variant-caps: small-caps": "math-small-caps",
    "math-shift: compact": "math-compact",
}
"""Each style that the converter writes, as a class of the stylesheet: the page's policy allows no `style=`."""


LONGEST = 2000
"""Characters of a formula; a page-wide one needs a tenth of that."""


class FormulaError(Exception):
    """A formula that cannot be shown; `offset` is the character at fault."""

    def __init__(self, message: str, offset: int = 0, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def mathml(tex: str, display: bool) -> str:
    """LaTeX → MathML Core without styles.

    Raises FormulaError, with the place inside the formula.
    """
    if len(tex) > LONGEST:  # the converter overflows the stack on some thousands of braces
        raise FormulaError(f"it has {len(tex)} characters", 0, f"at most {LONGEST}: say it in two")
    try:
        markup = _LATEX.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        offset, _, message = str(error).partition(": ")
        message = message.rstrip(".")
        raise FormulaError(message[:1].lower() + message[1:], int(offset)) from None
    if "<menclose" in markup:
        found = re.search(r"\\(boxed|fbox|[bx]?cancel|cancelto|enclose|sout)\b", tex)
        name = found[0] if found else "a box"
        raise FormulaError(f"browsers do not draw {name}", found.start() if found else 0, "say it in words")
    markup = markup.replace("&ApplyFunction;", "\u2061")
    return re.sub(r' style="([^"]*)"', lambda style: _class_of(style[1], tex), markup)


def _class_of(style: str, tex: str) -> str:
    names = []
    for declaration in filter(None, style.split(";")):
        name, _, value = declaration.partition(":")
        key = f"{name.strip()}: {value.strip()}"
        if key not in CLASSES:
            where = re.search(r"\\\w*color\b", tex)
            raise FormulaError(f"a formula cannot set '{key}'", where.start() if where else 0, "leave it out")
        names.append(CLASSES[key])
    return f' class="{" ".join(filter(None, names))}"'


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
    before = source[start - 1] if start else ""
    return before.isdigit() or (before.isupper() and tex[:1].isdigit()) or bool(_MONEY.match(tex))


def _left_open(state: StateInline, silent: bool) -> bool:
    """`$$` that nothing closes: shown as it is, and told."""
    if not silent:
        token = state.push("math_open", "", 0)
        token.content = "$$"
    state.pos += 2
    return True


def split_cells(row: str) -> list[tuple[int, str]]:
    """The cells of a table's row with their columns from 0: split at `|`, but not inside a formula, nor at `\\|`.

    >>> split_cells("a | $P(A|B)$ | b")
    [(0, 'a '), (3, ' $P(A|B)$ '), (14, ' b')]
    """
    cells, start, position = [], 0, 0
    while position < len(row):
        formula = _INLINE.match(row, position) if row[position] == "$" else None
        if formula and not _is_money(row, position, formula["tex"]):
            position = formula.end()
        elif row[position] == "\\":
            position += 2
        else:
            if row[position] == "|":
                cells.append((start, row[start:position]))
                start = position + 1
            position += 1
    return [*cells, (start, row[start:])]


_dollar_block = math_block_dollar(allow_labels=False, label_normalizer=None, allow_blank_lines=False)


def block_math(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The block rule: dollarmath's, with the place of each line of the formula."""
    if not _dollar_block(state, start_line, end_line, silent):
        return False
    token = state.tokens[-1]
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
        _convert_tokens(state, [token, *(token.children or [])])


def _convert_tokens(state: StateCore, tokens: list[Token]) -> None:
    for token in tokens:
        if token.type == "math_open":
            note(state.env, at(token), "'$$' is never closed", "write $$ behind the formula, with no empty line in it")
        elif token.tag == "math":
            try:
                if not token.content.strip():
                    raise FormulaError("formula is empty")
                token.meta["html"] = mathml(token.content, display=token.type != "math_inline")
            except FormulaError as error:
                note(state.env, place_inside(token, error.offset), f"formula: {error.message}", error.hint)


def render_inline(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return _shown(tokens[index])


def render_display(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<span class="math-display" tabindex="0" role="group" aria-label="Formula">{_shown(tokens[index])}</span>'


def render_block(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    # wide ones scroll by themselves, so they must be reachable by keyboard
    return f'<div class="math-display" tabindex="0" role="group" aria-label="Formula">{_shown(tokens[index])}</div>\n'


def _shown(token: Token) -> str:
    return token.meta.get("html") or f"<code>{escape(token.content, quote=False)}</code>"


def install(md: MarkdownIt) -> None:
    md.block.ruler.before("fence", "math_block", block_math)
    md.inline.ruler.before("escape", "math", inline_math)
    md.core.ruler.after("places", "math", convert)
    md.add_render_rule("math_inline", render_inline)
    md.add_render_rule("math_display", render_display)
    md.add_render_rule("math_block", render_block)
    md.add_render_rule("math_open", lambda *_: "$$")
