"""The text of an expression → Python's tree of it; what cannot be read is told in an author's words, with what to write."""

from __future__ import annotations

import ast
import re
from decimal import Decimal

LONGEST = 500
"""Characters of an expression; a sentence needs a tenth of that."""

DEEPEST = 40
"""Levels of nesting."""

GRAMMAR = "numbers, figure.quantity(…), + - * /, comparisons, and, or"
"""What may stand in an expression."""


class ExpressionError(Exception):
    """A mistake at a character (from 0) of the expression."""

    def __init__(self, message: str, offset: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def parse(source: str) -> tuple[ast.expr, str]:
    """The tree, and the text that its columns count in: the source, on one line. Raises ExpressionError."""
    if len(source) > LONGEST:
        raise ExpressionError(f"expression of {len(source)} characters", 0, f"at most {LONGEST}: say it in two")
    if "\0" in source:
        raise ExpressionError("expression with a null character", source.index("\0"))
    text = re.sub(r"[\t\r\n\f\v]", " ", source)
    lead = len(text) - len(text.lstrip(" "))
    try:
        tree = ast.parse(text[lead:], mode="eval").body
    except SyntaxError as error:
        raise _in_words(text, error, lead) from None
    except (MemoryError, RecursionError):
        raise ExpressionError("expression is nested too deeply", lead) from None
    if _depth(tree) > DEEPEST:
        raise ExpressionError("expression is nested too deeply", lead)
    if isinstance(tree, ast.Tuple):
        comma = _without_texts(text).find(",")  # none where it stands in brackets of its own
        raise ExpressionError("',' joins no numbers", max(comma, lead), "write 0.5 for 0,5, and 1000 for 1,000")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset += lead  # spaces: a byte each
            node.end_col_offset = (node.end_col_offset or 0) + lead
    return tree, text


def _depth(tree: ast.AST) -> int:
    """How deep a tree is nested, found without nesting calls."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


# What cannot be read

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'")
_NAMED = re.compile(r"[(,]\s*[A-Za-z_]\w*\s*$")  # before the `=` of an argument with a name
_STRANGE = re.compile(
    r"(?P<quote>[“”„‟‘’‚‛«»‹›])"
    r"|(?P<open>[\"'])"  # of what is no whole text
    r"|(?P<role>\{[A-Za-z][\w-]*\}\s*$)"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)\s*[%％]"
    r"|(?P<sign>=>|=<|<>|&&?|\|\|?|:=|[≥⩾≤⩽≠×·⋅÷−–])"
    r"|(?P<equals>(?<![<>=!])=(?!=))"
)
_MEANT = {"=>": ">=", "=<": "<=", "<>": "!=", "&": "and", "&&": "and", "|": "or", "||": "or", ":=": "=="}
_MEANT |= {"≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "≠": "!=", "×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-"}
_QUOTES = 'put each text between straight quotes: "said"'

_PYTHONS = (
    (r"('[(\[{]') was never closed", r"\1 is never closed", "close it behind its last argument"),
    (r"unmatched ('[)\]}]')", r"\1 closes nothing", "remove it, or write its opening before it"),
    (r"closing parenthesis ('.') does not match opening parenthesis ('.').*", r"\1 does not close \2", "close each with its own"),
    (r"positional argument follows keyword.*", "an argument without a name stands behind one with a name", "write it further left"),
    (r"leading zeros .*", "a number that begins with 0", "write it without the 0"),
    (r"invalid \w+ literal", "a number that goes on with letters", "put a sign between them: 2 * queen.tokens()"),
)
"""What Python says, what an author is told, and what to do."""


def _without_texts(text: str) -> str:
    """The same, as long, with everything blank that stands between quotes."""
    return _TEXT.sub(lambda found: "\0" * len(found[0]), text)


def _in_words(text: str, error: SyntaxError, lead: int) -> ExpressionError:
    """What authors write by habit comes first; then what Python says, where it says it."""
    bare = _without_texts(text)
    for found in _STRANGE.finditer(bare):
        if found["equals"] and _NAMED.search(bare[: found.start()]):
            continue
        return _strange(found)
    if not error.offset:  # Python's way to say that something should follow
        return ExpressionError("expression ends too early", len(text.rstrip()), "write what shall follow")
    offset = min(lead + error.offset - 1, len(text))
    for pattern, message, hint in _PYTHONS:
        if said := re.fullmatch(pattern, error.msg):
            return ExpressionError(said.expand(message), offset, hint)
    word = re.match(r"\w+|\S?", text[offset:])
    if not word or not word[0]:
        return ExpressionError("expression ends too early", len(text.rstrip()), "write what shall follow")
    hint = f"an expression is {GRAMMAR}, up to its closing backtick"
    return ExpressionError(f"cannot read the expression from '{short(word[0])}' on", offset, hint)


def _strange(found: re.Match[str]) -> ExpressionError:
    at = found.start()
    if found["quote"]:
        return ExpressionError(f"'{found[0]}' is not a straight quote", at, _QUOTES)
    if found["open"]:
        return ExpressionError(f"a text is opened by {found[0]} and never closed", at, _QUOTES)
    if found["role"]:
        return ExpressionError(f"the expression goes on to {found[0].strip()}", at, "close it further left, with a backtick")
    if found["number"]:
        share = (Decimal(found["number"]) / 100).normalize()
        return ExpressionError(f"'{found[0]}' is not a number here", at, f"write {share:f}")
    if found["equals"]:
        return ExpressionError("'=' compares nothing", at, "write ==")
    return ExpressionError(f"'{found[0]}' cannot stand in an expression", at, f"write {_MEANT[found[0]]}")
