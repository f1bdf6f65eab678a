"""Every fixture in tests/fixtures/syntax: a title, what an author writes, what comes of it, between lines of one dot.

Problems stand below the HTML as `! line:column: message; hint`, counted from the fixture's first line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.render import RenderedChapter

FOLDER = Path(__file__).parent.parent / "fixtures" / "syntax"
REFRESH = "REFRESH=1 .venv/bin/pytest tests/app/test_syntax.py"
FRONT_LINES = 3


def files() -> list[Path]:
    return sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def fixtures() -> Iterator[tuple[Path, str, str, str]]:
    for path in files():
        parts = path.read_text(encoding="utf-8").split("\n.\n")
        for index in range(0, len(parts) - 2, 3):
            title, source, expected = parts[index : index + 3]
            yield path, title.strip(), source, expected


def outcome(rendered: RenderedChapter) -> str:
    told = [
        f"! {p.line - FRONT_LINES}:{p.column}: {in_fixture(p.message)}" + (f"; {in_fixture(p.hint)}" if p.hint else "")
        for p in rendered.problems
    ]
    return "\n".join([*rendered.body.rstrip("\n").split("\n"), *told]).strip("\n")


def in_fixture(text: str) -> str:
    """Lines that a message names, counted from the fixture's first too."""
    return re.sub(r"(?<=\bline )\d+", lambda line: str(int(line[0]) - FRONT_LINES), text)


@pytest.mark.parametrize(
    ("path", "title", "source", "expected"),
    [pytest.param(*fixture, id=f"{fixture[0].stem}: {fixture[1]}") for fixture in fixtures()],
)
def test_fixture(path: Path, title: str, source: str, expected: str, draw: Callable[[str], RenderedChapter]) -> None:
    found = outcome(draw(source + "\n"))
    if os.environ.get("REFRESH"):
        text = path.read_text(encoding="utf-8")
        before, after = f"{title}\n.\n{source}\n.\n{expected}\n.\n", f"{title}\n.\n{source}\n.\n{found}\n.\n"
        path.write_text(text.replace(before, after), encoding="utf-8")
        return
    assert found == expected, f"if the new outcome is right: {REFRESH}, and read the diff"


def test_every_addition_has_fixtures() -> None:
    directory = Path(__file__).parent.parent.parent / "app" / "syntax"
    helpers = {"__init__", "latex", "page", "places", "text", "trouble"}
    additions = {path.stem for path in directory.glob("*.py")} - helpers
    assert additions == {path.stem for path in files()}
