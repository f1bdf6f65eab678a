"""LaTeX → MathML Core, without styles and without scripts; what cannot be shown is told with its place and what to write."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches

from math_core import LatexError, LatexToMathML

_LATEX = LatexToMathML(fancy_error=False)

LONGEST = 2000
"""Characters of a formula; a page-wide one needs a tenth of that. The converter overflows the stack on some thousands of braces."""

OPENEST = 12
"""Brackets open at once without their closing ones: for each of them the converter takes twice as long, for 60 it never ends."""

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
    "margin-left: -0.0833em": "math-closer",  # between the fifth prime and the fourth
    "font-variant-caps: small-caps": "math-small-caps",
    "math-shift: compact": "math-compact",
}
"""Each style that the converter writes, as a class of the stylesheet: the page's policy allows no `style=`."""

_USUAL = """
alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi chi psi
omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega frac dfrac tfrac sqrt sum prod int lim max min exp log ln sin cos tan tanh
operatorname cdot times div pm le ge leq geq neq ne approx equiv sim propto infty partial nabla in notin subset cup cap to mapsto
rightarrow leftarrow Rightarrow left right mathbb mathbf mathrm mathcal mathsf text textbf hat bar tilde vec dot overline underline
underbrace overbrace begin end top odot oplus otimes ldots cdots vdots ddots quad qquad lVert rVert lvert rvert langle rangle lfloor
rfloor lceil rceil mid Vert forall exists ell circ bigl bigr
"""
USUAL = frozenset(_USUAL.split())
"""The commands that authors use, for "did you mean": the converter knows hundreds more, and does not list them."""

_HINTS = {
    "expected argument": "write it in braces: x_{i}, \\frac{a}{b}",
    "duplicate subscript or superscript": "put braces around the first: {x_1}_2",
    "unmatched closing token": "remove it, or write its opening above",
    'found "&"': "put the lines between \\begin{aligned} and \\end{aligned}, or write \\& for the sign",
    "expected parameter number": "write \\# for the sign",
    "invalid parameter number": "write \\# for the sign",
    "not valid in text mode": "write it outside of \\text{…}, or behind a backslash: \\_",
    'found "\\tag': "formulas have no numbers: refer to them in words",
    'found "\\label': "formulas have no numbers: refer to them in words",
}
"""What to write instead, by how the converter's message begins."""

_WHOLE = r"(?<!\\)(?:\\\\)*"  # what `\\`, a line break, may stand before: `a\\def` defines nothing
_DEFINITION = re.compile(_WHOLE + r"(?P<sign>\\(?:[gex]?def|let|(?:re)?newcommand|providecommand|newenvironment)(?![A-Za-z]))")
_COMMENT = re.compile(_WHOLE + r"(?P<sign>%)")
_BOX = re.compile(_WHOLE + r"(?P<sign>\\(?:boxed|fbox|[bx]?cancel|cancelto|enclose|sout)\b)")
_COLOUR = re.compile(_WHOLE + r"(?P<sign>\\\w*color\b)")
_NAMES = "(?:brack|brace|angle|vert|Vert|floor|ceil|group|moustache|lbracket|rbracket|Brace|Angle|paren|lparenthesis|rparenthesis)"
_BRACKET = re.compile(
    rf"\\(?P<left>l{_NAMES}|[ul]lcorner|mathopen|[bB]igg?l)(?![A-Za-z])"
    rf"|\\(?P<right>r{_NAMES}|[ul]rcorner|mathclose|[bB]igg?r)(?![A-Za-z])"
    r"|\\(?P<paired>left|right)(?![A-Za-z])\s*\\?."  # these the converter counts itself
    r"|\\(?P<sign>[{}])|(?P<cell>\\\\|&)|\\.|(?P<character>.)",
    re.DOTALL,
)


class FormulaError(Exception):
    """A formula that cannot be shown; `offset` is the character at fault."""

    def __init__(self, message: str, offset: int = 0, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def mathml(tex: str, display: bool) -> str:
    """LaTeX → MathML Core without styles.

    Raises FormulaError, with the place inside the formula.
    """
    _refuse(tex)
    try:
        markup = _LATEX.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        offset, _, message = str(error).partition(": ")
        message = message[:1].lower() + message[1:].rstrip(".")
        raise FormulaError(message, int(offset), _hint(message)) from None
    if not re.search(r"<(?!/|math\b|mrow\b)", markup):
        raise FormulaError("formula is empty")
    if "<menclose" in markup:
        found = _BOX.search(tex)
        name = found["sign"] if found else "a box"
        raise FormulaError(f"browsers do not draw {name}", found.start("sign") if found else 0, "say it in words")
    markup = markup.replace("&ApplyFunction;", "\u2061")
    return re.sub(r' style="([^"]*)"', lambda style: _class_of(style[1], tex), markup)


def _refuse(tex: str) -> None:
    """What the converter would take silently for something else, or never end with."""
    if not tex.strip():
        raise FormulaError("formula is empty")
    if len(tex) > LONGEST:
        raise FormulaError(f"it has {len(tex)} characters", 0, f"at most {LONGEST}: say it in two")
    if comment := _COMMENT.search(tex):
        raise FormulaError("'%' begins a comment, and the rest would be lost", comment.start("sign"), "write \\% for the sign")
    if definition := _DEFINITION.search(tex):
        raise FormulaError(f"a formula cannot define commands: {definition['sign']}", definition.start("sign"), "write it out")
    if len(left := _left_open(tex)) > OPENEST:
        raise FormulaError(f"{len(left)} brackets are opened and never closed", left[0], "close them")


def _left_open(tex: str) -> list[int]:
    """Where the brackets stand that nothing closes within their braces, or within their cell of a table.

    >>> _left_open("(a + [b"), _left_open("[0, 1)"), _left_open("{(} )")
    ([0, 5], [], [1])
    """
    left: list[int] = []
    groups: list[list[int]] = [[]]
    for token in _BRACKET.finditer(tex):
        sign = token["character"] or token["sign"] or ""
        if sign == "{" and token["character"]:
            groups.append([])
        elif sign == "}" and token["character"]:
            left += groups.pop() if len(groups) > 1 else []
        elif token["left"] or sign == "{" or (sign and unicodedata.category(sign) == "Ps"):
            groups[-1].append(token.start())
        elif groups[-1] and (token["right"] or sign == "}" or (sign and unicodedata.category(sign) == "Pe")):
            groups[-1].pop()
        elif token["cell"]:
            groups[-1] = []
    return sorted(left + [place for group in groups for place in group])


def _hint(message: str) -> str | None:
    if unknown := re.fullmatch(r'unknown command "\\(\w+)"', message):
        near = get_close_matches(unknown[1], sorted(USUAL), n=1, cutoff=0.75)
        return f"did you mean '\\{near[0]}'?" if near else "check its name; \\text{…} and \\operatorname{…} write words"
    return next((hint for begin, hint in _HINTS.items() if message.startswith(begin)), None)


def _class_of(style: str, tex: str) -> str:
    names = []
    for declaration in filter(None, style.split(";")):
        name, _, value = declaration.partition(":")
        key = f"{name.strip()}: {value.strip()}"
        if key not in CLASSES:
            where = _COLOUR.search(tex)
            raise FormulaError(f"a formula cannot set '{key}'", where.start("sign") if where else 0, "leave it out")
        names.append(CLASSES[key])
    return f' class="{" ".join(filter(None, names))}"'
