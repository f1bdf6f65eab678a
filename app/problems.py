"""Problem: the one way to tell an author that something is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake at one place of one file; lines and columns count from 1.

    >>> str(Problem("chapters/a.md", 41, 5, "unknown figure 'vewer'", "did you mean 'viewer'?"))
    "chapters/a.md:41:5: unknown figure 'vewer'; did you mean 'viewer'?"
    """

    path: str
    line: int
    column: int
    message: str
    hint: str | None = None

    @classmethod
    def at(cls, path: str, place: tuple[int, int], message: str, hint: str | None = None) -> Problem:
        """A problem at (line, column)."""
        return cls(path, place[0], place[1], message, hint)

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}"
        return f"{place}: {self.message}" + (f"; {self.hint}" if self.hint else "")

    def __lt__(self, other: Problem) -> bool:
        """By place, as an author mends them."""
        mine, theirs = ((p.path, p.line, p.column, p.message, p.hint or "") for p in (self, other))
        return mine < theirs

    def as_dict(self) -> dict[str, str | int | None]:
        """The five fields by name, as `--format json` prints them."""
        return asdict(self)


class AuthorError(Exception):
    """A mistake of an author whose place the raiser does not know; whoever catches it makes a Problem of it.

    `option` names the option or argument at fault, so that the place can be exact.
    """

    def __init__(self, message: str, hint: str | None = None, option: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.option = option


def did_you_mean(name: str, known: Iterable[str], kind: str = "") -> str | None:
    """A hint with the nearest known name, or with all of them where there are few.

    >>> did_you_mean("attention-veiwer", ["attention-viewer", "note"])
    "did you mean 'attention-viewer'?"
    >>> did_you_mean("x", ["layer", "head"])
    'known: head, layer'
    """
    names = sorted(set(known))
    if near := get_close_matches(name, names, n=1, cutoff=0.6):
        return f"did you mean '{near[0]}'?"
    folded = {n.casefold(): n for n in names}
    if (same := folded.get(name.casefold())) is not None:
        return f"did you mean '{same}'?"
    if not names:
        return f"there is no {kind} here" if kind else None
    if len(names) <= 12:
        return "known: " + ", ".join(names)
    return None
