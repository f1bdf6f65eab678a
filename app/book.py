"""Book, Part, Chapter, Heading: what the book is made of, in order. Plain data; knows nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a chapter: what the contents list shows and where it leads."""

    level: int
    """2 to 6; level 1 is the chapter's title."""

    id: str
    text: str
    """Plain text, not HTML."""

    html: str = ""
    """The same with its formulas as MathML, where it has any."""


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file read and cut into tokens; made by `parse`, read (never changed) by `render`."""

    path: str
    """As problems name it: `chapters/attention.md`."""

    source: str
    """The whole file, its line ends made `\\n`, without a byte order mark."""

    front: Mapping[str, Any]
    """Front matter: key → `parse.Entry` (text and place)."""

    tokens: Sequence[Any]
    """markdown-it tokens; each inline token knows its place (`syntax.places`)."""

    env: Mapping[str, Any]
    headings: tuple[Heading, ...]
    anchors: frozenset[str]
    """Every id that a link may lead to: headings and figures."""

    problems: tuple[Any, ...]
    """What reading it already found wrong."""


@dataclass(frozen=True, slots=True)
class Chapter:
    slug: str
    title: str
    planned: bool = False
    number: int | None = None
    """Counted through all parts from 1; None for a draft that book.yml does not list."""

    part: int | None = None
    """The part's number from 1."""

    document: Document | None = None
    """None when planned, or when the file cannot be read."""

    @property
    def address(self) -> str:
        """Where its page lies, from the site's root.

        >>> Chapter("attention", "Attention").address
        'chapters/attention/'
        """
        return f"chapters/{self.slug}/"

    @property
    def written(self) -> bool:
        return self.document is not None

    @property
    def published(self) -> bool:
        """Whether the site has its page: not of drafts."""
        return self.written and self.number is not None


@dataclass(frozen=True, slots=True)
class Part:
    number: int
    title: str
    chapters: tuple[Chapter, ...]

    @property
    def roman(self) -> str:
        return roman(self.number)


@dataclass(frozen=True)
class Book:
    """The whole book, in order; `problems` holds what was wrong in book.yml and in reading the files."""

    title: str
    subtitle: str
    authors: tuple[str, ...]
    licence: str
    base_url: str
    parts: tuple[Part, ...]
    directory: Path
    drafts: tuple[Chapter, ...] = ()
    """Files that book.yml does not list."""

    glossary: Document | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    """Key → `glossary.Term`."""

    problems: tuple[Any, ...] = ()
    description: str = ""
    """What a reader finds in it, in a sentence or two, for the contents page."""

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters in reading order, planned ones too."""
        return tuple(chapter for part in self.parts for chapter in part.chapters)

    @cached_property
    def _by_slug(self) -> dict[str, Chapter]:
        return {chapter.slug: chapter for chapter in (*self.drafts, *self.chapters)}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {chapter.slug: place for place, chapter in enumerate(self.chapters)}

    def chapter(self, slug: str) -> Chapter | None:
        """The chapter or draft of that slug, or None."""
        return self._by_slug.get(slug)

    @property
    def slugs(self) -> tuple[str, ...]:
        return tuple(self._by_slug)

    def previous(self, chapter: Chapter) -> Chapter | None:
        """The chapter before it, planned or not; None for the first and for drafts."""
        return self._neighbour(chapter, -1)

    def next(self, chapter: Chapter) -> Chapter | None:
        return self._neighbour(chapter, +1)

    def _neighbour(self, chapter: Chapter, step: int) -> Chapter | None:
        place = self._places.get(chapter.slug)
        if place is None or not 0 <= place + step < len(self.chapters):
            return None
        return self.chapters[place + step]

    def line(self, chapter: Chapter) -> str:
        """The line above a chapter's title: `Part III · Chapter 10 of 18`."""
        if chapter.number is None or chapter.part is None:
            return "Draft"
        return f"Part {roman(chapter.part)} · Chapter {chapter.number} of {len(self.chapters)}"


_NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number: int) -> str:
    """
    >>> [roman(n) for n in (1, 4, 9, 14, 29)]
    ['I', 'IV', 'IX', 'XIV', 'XXIX']
    """
    numeral = ""
    for value, letters in _NUMERALS:
        count, number = divmod(number, value)
        numeral += letters * count
    return numeral
