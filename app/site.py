"""make(book) → every address and its bytes. The server answers from it and the build writes it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
    brotli: bytes | None = None
    """The body compressed; None where that gains nothing, and of what is made at a reader's request."""

    @cached_property
    def etag(self) -> str:
        return f'W/"{hashlib.sha256(self.body).hexdigest()[:16]}"'  # weak: the same for both encodings

    def compressed(self) -> Answer:
        """With its brotli: made once, with the site, since a page takes up to a tenth of a second."""
        if self.media_type.startswith("image/") and self.media_type != "image/svg+xml":
            return self  # compressed as it is
        small = brotli.compress(self.body, quality=11)
        return replace(self, brotli=small) if len(small) < 0.95 * len(self.body) else self


@dataclass(frozen=True)
class Site:
    """Everything the book publishes."""

    answers: Mapping[str, Answer]
    """Address → bytes: pages (their addresses end with "/") and the chapters' images."""

    assets: Path
    """The folder behind /assets/: hashed names, a `.br` beside each that gains from it."""

    missing: Callable[[str], Answer]
    """The friendly page for an unknown address, made from the way from there to the first page ("../../")."""

    asset_files: frozenset[str]
    """Which files of that folder belong to this site; the others are of an older set-up, which may still be served."""

    problems: tuple[Problem, ...] = ()


def make(book: Book, printer: Printer) -> Site:
    """Print every chapter. An author's mistakes are in `problems`, and the pages show what can be shown."""
    pages = Pages(book, assets.load(), printer.config)
    chapters = [(chapter, render_chapter(book, chapter, printer)) for chapter in book.chapters if chapter.written]
    images = {file for _, rendered in chapters for file in rendered.files}
    answers = {address: Answer(page.encode()) for address, page in addresses(pages, chapters)}
    answers |= {f"/chapters/{file}": image(book.directory / file) for file in sorted(images)}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        answers = dict(zip(answers, threads.map(Answer.compressed, answers.values()), strict=True))
    return Site(
        answers=answers,
        assets=assets.FOLDER,
        missing=lambda root: Answer(pages.error(root).encode()),
        asset_files=assets.files(),
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
