"""`lookback check`: every problem of a book in one run, in order."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

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


FINISHED = HEAD + "parts: [{title: P, chapters: [attention, block]}]\n"


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("{term}`Softmax`\n", []),  # whose explanation marks «budget»
        ("{term}`budget`\n", ["softmax"]),
        ("![of {term}`softmax`](a.png)\n", []),
        ("| {term}`softmax` |\n|---|\n", []),
        ("a[^1]\n\n[^1]: {term}`the shares <softmax>`\n", []),
        ("`{term}` alone is none\n", ["softmax", "budget"]),
    ],
)
def test_a_term_that_no_page_explains_is_told(load: Load, printer: Any, text: str, unused: list[str]) -> None:
    lines = told(load({"book.yml": FINISHED, "attention.md": FRONT + text, "a.png": "png"}), printer)
    places = {"softmax": "1:1", "budget": "4:1"}
    assert lines == [
        f"chapters/glossary.md:{places[term]}: term '{term}' is never used; mark it where it is explained: {{term}}`{term}`"
        for term in unused
    ]


def test_a_term_of_the_standfirst_is_used(load: Load, printer: Any) -> None:
    front = "---\ntitle: Attention\nstandfirst: 'Of {term}`softmax`.'\n---\nText.\n"
    assert told(load({"book.yml": FINISHED, "attention.md": front}), printer) == []


def test_while_a_chapter_is_planned_no_term_is_too_many(load: Load, printer: Any) -> None:
    assert told(load({}), printer) == []


@pytest.mark.parametrize(
    ("glossary", "lines"),
    [
        ("Words of this book.\n\nsoftmax\n: Shares.\n", [1]),
        ("softmax: Shares.\n", [1]),
        ("softmax\n\n  Shares.\n", [1, 3]),
        ("softmax\n: Shares.\n\n## More\n\n- budget\n\n```text\nx\n```\n", [4, 6, 8]),
        ("softmax\n: Shares.\n\n  Of all.\n\n  - one\n\nbudget\n: What there is.[^1]\n\n[^1]: A note.\n", []),
    ],
)
def test_text_of_the_glossary_that_defines_nothing_is_told(load: Load, printer: Any, glossary: str, lines: list[int]) -> None:
    problems = [problem for problem in check_book(load({"glossary.md": glossary}), printer) if "defines nothing" in problem.message]
    assert [(problem.path, problem.line) for problem in problems] == [("chapters/glossary.md", line) for line in lines]


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
