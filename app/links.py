"""Where references lead: chapters, headings, terms, images, the world; what leads nowhere is told."""

from __future__ import annotations

import os.path
import posixpath
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from app.book import Book, Chapter
from app.figures import Tell
from app.glossary import term_key
from app.problems import did_you_mean
from app.syntax.figures import names_of
from app.syntax.page import Target
from app.syntax.places import Place

_SCHEMES = ("http", "https", "mailto")
_IMAGES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
"""What is published of the files beside the chapters; neither notes nor another page's `index.html`."""


class Links:
    """The references of one chapter. `root` leads from the page to the site's first page, `here` to the chapter's own page."""

    def __init__(self, book: Book, chapter: Chapter, tell: Tell) -> None:
        self._book, self._chapter = book, chapter
        self.tell = tell
        self.files: set[str] = set()
        self.used_terms: dict[str, None] = {}

    def chapter(self, slug: str, at: Place, root: str) -> Target | None:
        chapter = self._known_chapter(slug, at)
        if chapter is None:
            return None
        words = f"chapter {chapter.number}" if chapter.number else f"«{chapter.title}»"
        return Target(words, root + chapter.address if chapter.published else None)

    def _known_chapter(self, slug: str, at: Place) -> Chapter | None:
        chapter = self._book.chapter(slug)
        if chapter is None:
            self.tell(at, f"unknown chapter '{slug}'", did_you_mean(slug, self._book.slugs, "chapter"))
        return chapter

    def link(self, href: str, at: Place, root: str, here: str) -> Target | None:
        """Where an address of `[words](address)` leads; None when told."""
        try:
            parts = urlsplit(href)
        except ValueError as error:
            self.tell(at, f"link to '{href}': {error}", None)
            return None
        path, anchor = unquote(parts.path), unquote(parts.fragment)
        if parts.scheme in _SCHEMES:
            return Target("", href)
        if parts.scheme or parts.netloc or parts.query:
            self.tell(at, f"link to '{href}'", "link to a chapter's file, to #a-heading, or to https://…")
        elif not path and anchor:
            if self._has_anchor(self._chapter, anchor, at):
                return Target("", f"{here}#{parts.fragment}")
        elif path.endswith(".md"):
            return self._link_to_chapter(path.removesuffix(".md"), anchor, parts.fragment, at, root)
        else:
            hint = did_you_mean(path.strip("/").split("/")[-1] + ".md", [f"{slug}.md" for slug in self._book.slugs])
            self.tell(
                at, f"link to '{href}', which is no chapter", hint or "link to a chapter's file, to #a-heading, or to https://…"
            )
        return None

    def _link_to_chapter(self, slug: str, anchor: str, fragment: str, at: Place, root: str) -> Target | None:
        chapter = self._known_chapter(slug, at)
        if chapter is None or not chapter.written:
            return Target("", None) if chapter else None
        if anchor and not self._has_anchor(chapter, anchor, at):
            return None
        if not chapter.published:
            return Target("", None)
        return Target("", root + chapter.address + (f"#{fragment}" if fragment else ""))

    def _has_anchor(self, chapter: Chapter, anchor: str, at: Place) -> bool:
        assert chapter.document
        anchors = chapter.document.anchors
        if anchor in anchors:
            return True
        name, view, _ = anchor.partition("?")
        if view and name in anchors:  # of this page it would be no anchor
            here = f"write #{anchor}" if chapter is self._chapter else f"write {chapter.slug}.md#{name}"
            self.tell(at, "a link shows a view of a figure on its own page only", here)
            return False
        if chapter is self._chapter and (slug := self.figure_elsewhere(anchor)):
            self.tell(at, f"figure '{anchor}' stands in another chapter, '{slug}'", f"write {slug}.md#{anchor}")
            return False
        where = "here" if chapter.slug == self._chapter.slug else f"in '{chapter.slug}'"
        self.tell(at, f"there is no heading or figure '{anchor}' {where}", did_you_mean(anchor, anchors, "heading"))
        return False

    def figure_elsewhere(self, name: str) -> str | None:
        """The slug of another chapter in which a figure of that name stands."""
        others = (chapter for chapter in (*self._book.chapters, *self._book.drafts) if chapter.slug != self._chapter.slug)
        return next((other.slug for other in others if other.document and name in names_of(other.document.tokens)), None)

    def term(self, name: str, at: Place, here: str) -> Target | None:
        key = term_key(name)
        term = self._book.terms.get(key)
        if term is None:
            known = [term.words for term in self._book.terms.values()]
            hint = did_you_mean(name, known) or "define it in glossary.md"
            self.tell(at, f"unknown term '{name}'", hint)
            return None
        self.used_terms.setdefault(key)
        return Target(term.words, f"{here}#{term.id}")

    def image(self, source: str, at: Place, root: str) -> str | None:
        """The address of an image beside the chapters, which the site serves too."""
        parts = urlsplit(source)
        if parts.scheme or parts.netloc:
            self.tell(at, f"image from elsewhere: '{source}'", "nothing leaves the reader's tab: put the file beside the chapters")
            return None
        name = posixpath.normpath(unquote(parts.path))
        if not _lies_in(self._book.directory, name):
            self.tell(at, f"there is no image '{source}'", self._images_like(name))
        elif not name.lower().endswith(_IMAGES):
            self.tell(at, f"'{source}' is no image", f"its name ends in none of: {', '.join(_IMAGES)}")
        elif any(part.startswith(".") for part in name.split("/")):
            self.tell(at, f"'{source}' is hidden", "what begins with a dot is not published: give it another name")
        else:
            self.files.add(name)
            return f"{root}chapters/{quote(name)}"
        return None

    def _images_like(self, name: str) -> str:
        directory = self._book.directory
        there = [path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.name.lower().endswith(_IMAGES)]
        near = did_you_mean(name, filter(str.isprintable, there)) if there else None
        return near or "put the file beside the chapters"


def _lies_in(directory: Path, name: str) -> bool:
    """Whether a file of that name is in the folder, and what it links to as well."""
    if name.startswith("/") or not os.path.isfile(directory / name):  # unlike Path.is_file, raises for no name at all
        return False
    return (directory / name).resolve().is_relative_to(directory.resolve())
