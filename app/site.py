"""make(book) → every address and its bytes. The server answers from it and the build writes it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

import brotli

from app import assets
from app.book import Book, Chapter
from app.page import Pages
from app.problems import Problem
from app.render import RenderedChapter, render_chapter

if TYPE_CHECKING:
    from app.printer import Printer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """The bytes at one address, and what HTTP wants to know about them."""

    body: bytes
    media_type: str = HTML

    @cached_property
    def etag(self) -> str:
        return f'W/"{hashlib.sha256(self.body).hexdigest()[:16]}"'  # weak: the same for both encodings

    @cached_property
    def brotli(self) -> bytes | None:
        """Compressed, or None where that gains nothing, as for a photograph."""
        compressed = brotli.compress(self.body, quality=11)
        return compressed if len(compressed) < 0.95 * len(self.body) else None


@dataclass(frozen=True)
class Site:
    """Everything the book publishes."""

    answers: Mapping[str, Answer]
    """Address → bytes: pages (their addresses end with "/") and the chapters' images."""

    assets: Path
    """The folder behind /assets/: hashed names, a `.br` beside each that gains from it."""

    missing: Callable[[str], Answer]
    """The friendly page for an unknown address, made from the way from there to the first page ("../../")."""

    problems: tuple[Problem, ...] = ()

    asset_files: frozenset[str] | None = None
    """Which files of that folder belong to this site; None for all."""


def make(book: Book, printer: Printer) -> Site:
    """Print every chapter. An author's mistakes are in `problems`, and the pages show what can be shown."""
    pages = Pages(book, assets.load(), printer.config)
    chapters = [(chapter, render_chapter(book, chapter, printer)) for chapter in book.chapters if chapter.written]
    images = {file for _, rendered in chapters for file in rendered.files}
    return Site(
        answers={address: Answer(page.encode()) for address, page in addresses(pages, chapters)}
        | {f"/chapters/{file}": image(book.directory / file) for file in sorted(images)},
        assets=assets.FOLDER,
        missing=lambda root: Answer(pages.error(root).encode()),
        problems=tuple(sorted({*book.problems, *(problem for _, rendered in chapters for problem in rendered.problems)})),
    )


def image(path: Path) -> Answer:
    return Answer(path.read_bytes(), guess_type(path.name)[0] or "application/octet-stream")


def addresses(pages: Pages, chapters: list[tuple[Chapter, RenderedChapter]]) -> Iterator[tuple[str, str]]:
    yield "/", pages.contents()
    for chapter, rendered in chapters:
        yield f"/{chapter.address}", pages.chapter(chapter, rendered)
        for figure in rendered.figures:
            yield f"/embed/{chapter.slug}/{figure.id}/", pages.embed(chapter, rendered, figure)
