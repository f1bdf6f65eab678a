"""Tokens → the HTML of a chapter's body, with its headings, figures, values and problems.

What the callers (`page`, `site`, `check`) need, and nothing else:

    from app.parse import load_book
    from app.render import render_chapter
    from app.printer import Printer

    book = load_book(Path("chapters"))             # never raises for an author's mistake: book.problems
    with Printer(Runtime.load()) as printer:       # raises PrinterError(str) where Node or the figures' code fail
        for chapter in (*book.chapters, *book.drafts):
            if chapter.written:
                rendered = render_chapter(book, chapter, printer)

A mistake never raises either: it is in `rendered.problems`, and the body shows what could be shown.
Links inside the book are written relative to the page's address, two levels deep (`chapters/attention/`), so `root` is `../../`.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.book import Book, Chapter, Heading
from app.problems import Problem


@dataclass(frozen=True, slots=True)
class RenderedFigure:
    """A figure of a page; its `html` is already part of the chapter's body."""

    id: str
    tag: str
    number: str
    """`10.1`"""

    html: str
    """The whole `<figure>` as it stands in the chapter."""

    embed: str
    """The same for its own page, three levels deep (`embed/attention/queen/`): only the links differ."""

    summary: str
    """One sentence for the embed page's title and description, plain text."""


@dataclass(frozen=True, slots=True)
class RenderedChapter:
    slug: str
    title: str
    """Plain text."""

    standfirst: str
    """HTML of one sentence; may be empty."""

    description: str
    """Plain text for `<meta name="description">`: the front matter's, else the standfirst."""

    body: str
    """HTML: everything below title and standfirst, footnotes and terms included."""

    headings: tuple[Heading, ...]
    figures: tuple[RenderedFigure, ...]
    files: tuple[str, ...]
    """Images it shows, relative to the chapters' directory (`images/seq2seq.png`); the site serves each at `chapters/<file>`."""

    problems: tuple[Problem, ...]


def render_chapter(book: Book, chapter: Chapter, printer: object) -> RenderedChapter:
    raise NotImplementedError
