from __future__ import annotations

from pathlib import Path

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


def test_the_book_has_five_parts_and_eighteen_chapters() -> None:
    book = load_book(BOOK)
    assert [len(part.chapters) for part in book.parts] == [3, 4, 5, 4, 2]
    assert [chapter.number for chapter in book.chapters] == list(range(1, 19))
    attention, embeddings = book.chapter("attention"), book.chapter("embeddings")
    assert attention
    assert embeddings
    assert (attention.number, embeddings.number) == (10, 9)
    assert book.line(attention) == "Part III · Chapter 10 of 18"
