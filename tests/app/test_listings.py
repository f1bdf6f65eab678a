"""The Python that a chapter prints does what the chapter says it prints."""

import contextlib
import io
import re
from pathlib import Path

import pytest

CHAPTERS = Path(__file__).parents[2] / "chapters"
LISTING = re.compile(r"```python\n(.*?)```\n\n[^\n]*prints[^\n]*:\n\n```text\n(.*?)```", re.S)
LISTINGS = [(path.name, *found) for path in sorted(CHAPTERS.glob("*.md")) for found in LISTING.findall(path.read_text())]


@pytest.mark.parametrize(("chapter", "code", "output"), LISTINGS, ids=[name for name, *_ in LISTINGS])
def test_a_listing_prints_what_stands_below_it(chapter, code, output):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, chapter, "exec"), {})
    assert printed.getvalue() == output


def test_the_chapter_on_attention_has_its_listing():
    assert "attention.md" in [name for name, *_ in LISTINGS]


def test_every_python_listing_is_followed_by_its_output():
    listed = sum(path.read_text().count("```python") for path in CHAPTERS.glob("*.md"))
    assert listed == len(LISTINGS)
