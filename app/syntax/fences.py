"""Which `:::` line closes which directive, settled for the whole file before it is parsed.

A closing line is nothing but colons. It closes the innermost open directive of the same length, so authors may nest with longer
fences outside, longer fences inside, or equal ones, as they think of it. Lines of code are code; markdown-it says which.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

# what may stand before a fence: indentation, quote marks, list markers
_LEAD = r"(?P<lead>[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+|>)*[ \t]*)"
COLONS = r"(?P<colons>:{3,}|::(?=[ \t]*$)|::?(?=\{[\w-]*\}(?!`)))"
"""A fence; one of fewer than three colons is told, and taken for what it was meant to be."""

_COLONS = re.compile(_LEAD + COLONS + r"(?P<rest>.*)$")


@dataclass(slots=True)
class Mistake:
    """A problem of pairing; line from 0, column from 1."""

    line: int
    column: int
    message: str
    hint: str


@dataclass(slots=True)
class Fences:
    """`closes[line]` is the closing line of the directive opened on `line` (both from 0), or None when it is never closed."""

    closes: dict[int, int | None] = field(default_factory=dict)
    strays: set[int] = field(default_factory=set)
    mistakes: list[Mistake] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    line: int
    column: int
    length: int
    name: str
    told: bool = False
    """Whether it had too few colons, so that its closing line may have as few."""

    @property
    def title(self) -> str:
        return f"directive '{self.name}'"


def pair(lines: list[str], code: Collection[int] = ()) -> Fences:
    """Pairs every fence of a file; `code` are the lines (from 0) that are code.

    >>> pair([":::{note}", "text", ":::"]).closes
    {0: 2}
    >>> pair([":::{note}", "    :::", ":::"], code=[1]).closes
    {0: 2}
    """
    fences = Fences()
    stack: list[_Open] = []
    for number, line in enumerate(lines):
        if number not in code and (match := _COLONS.match(line)):
            _meet(fences, stack, number, match)
    for left in stack:
        _unclosed(fences, left, f"close it with a line {':' * left.length}")
    return fences


def _meet(fences: Fences, stack: list[_Open], number: int, match: re.Match[str]) -> None:
    length, rest, column = len(match["colons"]), match["rest"].strip(), match.start("colons") + 1
    if rest:
        name = re.sub(r"^\{([^}]*)\}?.*|^(\S+).*", lambda m: m[1] or m[2] or "", rest)
        stack.append(_Open(number, column, max(length, 3), name, told=length < 3))
        if length < 3:
            message = f"'{match['colons']}' is too short to open {stack[-1].title}"
            fences.mistakes.append(Mistake(number, column, message, "write :::"))
        return
    if not stack:
        fences.strays.add(number)
        hint = "remove it, or write the directive's opening line above"
        fences.mistakes.append(Mistake(number, column, f"'{match['colons']}' closes nothing", hint))
        return
    if stack[-1].length != length and any(outer.length == length for outer in stack):
        # the author closes an outer directive: what is open inside it was forgotten
        while stack[-1].length != length:
            inner = stack.pop()
            hint = f"close it with a line {':' * inner.length} before line {number + 1}"
            _unclosed(fences, inner, hint)
            fences.closes[inner.line] = number
        fences.closes[stack.pop().line] = number
        return
    opened = stack.pop()
    fences.closes[opened.line] = number
    if length < opened.length and not (opened.told and length < 3):
        message = f"'{match['colons']}' is too short to close {opened.title}, opened on line {opened.line + 1}"
        fences.mistakes.append(Mistake(number, column, message, f"write {':' * opened.length}"))


def _unclosed(fences: Fences, left: _Open, hint: str) -> None:
    fences.closes[left.line] = None
    fences.mistakes.append(Mistake(left.line, left.column, f"{left.title} is never closed", hint))
