"""`lookback check`: every problem of a book in one run, in order."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.book import Book
from app.check import check_book

HEAD = "title: B\nauthors: [A]\nlicence: L\nbase_url: https://e.org\n"
FRONT = "---\ntitle: Attention\n---\n"
Load = Callable[..., Book]


def told(book: Book, printer: Any) -> list[str]:
    return [str(problem) for problem in check_book(book, printer)]


def test_a_good_book_has_no_problems(load: Load, printer: Any) -> None:
    assert told(load({}), printer) == []


def test_all_problems_of_all_files_come_sorted(load: Load, printer: Any) -> None:
    files = {
        "attention.md": FRONT + "[a](nowhere.md)\n\n{claim}`1 > 2`\n\n:::{nope}\n",
        "block.md": "---\ntitle: The block\n---\n$\\foo$\n",
        "glossary.md": "softmax\n: A {term}`budgt`.\n\nbudget\n: $\\bar$\n",
        "extra.md": "---\ntitle: Attention\n---\n<b>\n",
    }
    lines = told(load(files), printer)
    assert [line.split(": ")[0].removeprefix("chapters/") for line in lines] == [
        "attention.md:4:1",
        "attention.md:6:9",
        "attention.md:8:1",
        "attention.md:8:5",
        "block.md:4:2",
        "extra.md:1:1",
        "extra.md:2:8",
        "extra.md:4:1",
        "glossary.md:2:12",
        "glossary.md:5:8",
    ]


def test_unused_terms_are_told_once_no_chapter_is_planned(load: Load, printer: Any) -> None:
    whole = load({})
    finished = {
        "book.yml": HEAD + "parts: [{title: P, chapters: [attention, block]}]\n",
        "attention.md": FRONT + "{term}`Softmax`\n",
    }
    assert told(whole, printer) == []
    assert told(load(finished), printer) == [
        "chapters/glossary.md:4:1: term 'budget' is never used; mark it where it is explained: {term}`budget`"
    ]


def test_hundreds_of_chapters_are_checked_in_seconds(load: Load, printer: Any) -> None:
    count = 300
    text = "\n\n".join(f"## Part {i}\n\nText with $x_{i}$, [a link](c{i}.md#part-1) and **words**." for i in range(1, 6))
    files: dict[str, str | None] = {f"c{i}.md": f"---\ntitle: Chapter {i}\n---\n{text}\n" for i in range(1, count + 1)}
    listed = ", ".join(f"c{i}" for i in range(1, count + 1))
    files["book.yml"] = HEAD + f"parts: [{{title: P, chapters: [{listed}]}}]\n"
    files |= {"attention.md": None, "block.md": None, "glossary.md": None}
    begin = time.perf_counter()
    assert told(load(files), printer) == []
    assert time.perf_counter() - begin < 15
