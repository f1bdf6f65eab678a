"""Every problem of the whole book in one run, sorted by place: what `lookback check` prints."""

from __future__ import annotations

from app.book import Book
from app.printer import Printing
from app.problems import Problem


def check_book(book: Book, printer: Printing) -> list[Problem]:
    """All problems of a loaded book; an empty list means that it may be published."""
    raise NotImplementedError
