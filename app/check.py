"""Every problem of the whole book in one run, sorted by place: what `lookback check` prints."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from app.book import Book, Chapter
from app.bookfile import GLOSSARY
from app.printer import Printing
from app.problems import Problem
from app.render import render_chapter


def check_book(book: Book, printer: Printing) -> list[Problem]:
    """All problems of a loaded book; an empty list means that it may be published."""
    found = set(book.problems)
    used: set[str] = set()
    for chapter in (*book.chapters, *book.drafts):
        if chapter.written:
            rendered = render_chapter(book, chapter, printer)
            found.update(rendered.problems)
            used |= rendered.terms
    if book.glossary:
        # the glossary is drawn like a chapter, so that everything in it is looked at, used or not
        found.update(render_chapter(book, Chapter(GLOSSARY, "Glossary", document=book.glossary), printer).problems)
    found.update(_unused_terms(book, used))
    found.update(_doubled_titles(book))
    return sorted(found)


def _unused_terms(book: Book, used: Collection[str]) -> Iterator[Problem]:
    """Terms that no chapter explains; while chapters are still to be written, they may be theirs."""
    if book.glossary is None or any(chapter.planned for chapter in book.chapters):
        return
    for key, term in book.terms.items():
        if key not in used:
            hint = f"mark it where it is explained: {{term}}`{term.words}`"
            yield Problem.at(book.glossary.path, term.at, f"term '{term.words}' is never used", hint)


def _doubled_titles(book: Book) -> Iterator[Problem]:
    first: dict[str, Chapter] = {}
    for chapter in (*book.chapters, *book.drafts):
        other = first.setdefault(chapter.title.casefold(), chapter)
        if other is not chapter and chapter.document:
            entry = chapter.document.front.get("title")
            place = entry.at if entry else (1, 1)
            message = f"title '{chapter.title}' is also the title of '{other.slug}'"
            yield Problem.at(chapter.document.path, place, message, "a reader could not tell them apart")
