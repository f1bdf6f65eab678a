from __future__ import annotations

from pathlib import Path

import yaml

from app.book import Book, Chapter, Part
from app.check import check_book
from app.parse import load_book
from app.printer import Printer
from model.runtime import Runtime

BOOK = Path(__file__).parent.parent.parent / "chapters"


def book_of(*parts: tuple[str, ...]) -> Book:
    number = 0
    made = []
    for index, slugs in enumerate(parts, 1):
        chapters = []
        for slug in slugs:
            number += 1
            chapters.append(Chapter(slug, slug.title(), number=number, part=index))
        made.append(Part(index, f"Part {index}", tuple(chapters)))
    return Book("Title", "", (), "", "", tuple(made), Path())


def test_order_runs_through_the_parts() -> None:
    book = book_of(("a", "b"), ("c",))
    a, b, c = book.chapters
    assert (book.previous(a), book.next(a), book.previous(c), book.next(c)) == (None, b, b, None)


def test_the_line_says_part_and_chapter() -> None:
    book = book_of(("a",), ("b",), ("c", "d"))
    assert book.line(book.chapters[3]) == "Part III · Chapter 4 of 4"
    assert book.line(Chapter("x", "X")) == "Draft"


def test_a_draft_has_no_neighbours() -> None:
    book = book_of(("a",))
    assert book.previous(Chapter("x", "X")) is book.next(Chapter("x", "X")) is None


def test_lookback_check_finds_nothing_in_the_real_book() -> None:
    with Printer(Runtime.load()) as printer:
        assert [str(problem) for problem in check_book(load_book(BOOK), printer)] == []


def listed() -> list[list[tuple[str, bool]]]:
    """Slug, and whether it is planned, of each chapter of each part, as book.yml has them."""
    parts = yaml.safe_load((BOOK / "book.yml").read_text("utf-8"))["parts"]
    return [
        [(entry, False) if isinstance(entry, str) else (entry["slug"], entry.get("planned", False)) for entry in part["chapters"]]
        for part in parts
    ]


def test_chapters_stand_in_their_parts_as_they_are_listed_and_are_written_or_planned() -> None:
    book = load_book(BOOK)
    assert [[(chapter.slug, chapter.planned) for chapter in part.chapters] for part in book.parts] == listed()
    assert [chapter.written for chapter in book.chapters] == [not planned for part in listed() for _, planned in part]


def test_numbers_run_through_all_parts() -> None:
    book, count = load_book(BOOK), sum(map(len, listed()))
    assert [chapter.number for chapter in book.chapters] == list(range(1, count + 1))
    assert [part.number for part in book.parts] == list(range(1, len(listed()) + 1))
    assert [book.line(part.chapters[0]).split(" · ") for part in book.parts] == [
        [f"Part {part.roman}", f"Chapter {1 + sum(map(len, listed()[: part.number - 1]))} of {count}"] for part in book.parts
    ]
