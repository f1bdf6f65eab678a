"""A book in a temporary folder, and a printer without Node, for tests of what authors write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.book import Book
from app.figures import FigureKind, read_catalogue
from app.parse import load_book
from app.printer import Printed, Quantity
from app.problems import AuthorError
from app.render import RenderedChapter, render_chapter

CATALOGUE = read_catalogue(
    [
        {
            "tag": "attention-viewer",
            "summary": "Who looks back at whom.",
            "options": {
                "text": {"type": "string", "required": True, "help": "The sentence at first."},
                "layer": {"type": "integer", "min": 1, "max": 2, "default": 1, "help": "The layer at first, counted from 1."},
                "head": {"type": "integer", "min": 1, "default": 1, "help": "The head at first, counted from 1."},
                "query": {"type": "string", "follows": "text"},
                "scale": {"type": "number"},
                "stamps": {"type": "boolean"},
                "order": {"type": "choice", "choices": ["text", "weight"]},
            },
            "quantities": {
                "weight": {"unit": "share", "parameters": ["query", "key"], "keywords": ["layer", "head"]},
                "tokens": {"unit": "count"},
                "loss": {"unit": "nats"},
                "top": {"unit": "text", "parameters": ["query"]},
            },
        }
    ]
)
WEIGHTS = {"Alice": 0.8812, "and": 0.0042, "Queen": 0.0, "to": 0.12}


class FakePrinter:
    """A figure whose answers are written above."""

    catalogue: Mapping[str, FigureKind] = CATALOGUE

    def figure(self, tag: str, options: Mapping[str, Any]) -> Printed:
        if (query := options.get("query")) and query.split("#")[0].casefold() not in options["text"].casefold():
            raise AuthorError(f"no token «{query}»", f"tokens: {', '.join(options['text'].split())}", "query")
        return Printed(f"<p>{options['text']}</p>", {"layer": options["layer"]}, {"row": [0.25, 0.75]})

    def quantity(self, tag: str, options: Mapping[str, Any], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Quantity:
        if name == "weight":
            if args[1] not in WEIGHTS:
                raise AuthorError(f"no token «{args[1]}»", "tokens: " + ", ".join(WEIGHTS), None)
            return Quantity(WEIGHTS[args[1]], "share", f"{kwargs.get('layer', 2)}.3.11.9")
        if name == "top":
            return Quantity("Alice", "text")
        return Quantity(17, "count") if name == "tokens" else Quantity(6.9315, "nats")


BOOK = """\
title: A small book
authors: [The authors]
licence: CC BY 4.0
base_url: https://example.org/book/
parts:
  - title: Part
    chapters:
      - {slug: embeddings, title: Tokens and embeddings, planned: true}
      - attention
      - block
"""
FRONT = "---\ntitle: Attention\n---\n"
BLOCK = "---\ntitle: The block\n---\n## Heads, combined\n\n:::{attention-viewer} king\n:text: The King\n\nCaption.\n:::\n"
GLOSSARY = """\
softmax
: Turns numbers into shares of a {term}`budget`.

budget
: What there is to spend: $1$ in all.
"""


@pytest.fixture
def printer() -> FakePrinter:
    return FakePrinter()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes files, text or bytes, over a small book; None removes one. Returns the folder."""

    def write_files(files: Mapping[str, str | bytes | None]) -> Path:
        folder = tmp_path / "chapters"
        folder.mkdir(exist_ok=True)
        standard = {"book.yml": BOOK, "attention.md": FRONT + "Text.\n", "block.md": BLOCK, "glossary.md": GLOSSARY}
        for name, content in {**standard, **files}.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write_files


@pytest.fixture
def load(write: Callable[..., Path]) -> Callable[..., Book]:
    return lambda files: load_book(write(files))


@pytest.fixture
def draw(load: Callable[..., Book], printer: FakePrinter) -> Callable[[str], RenderedChapter]:
    """The chapter `attention` with this text."""

    def draw_text(text: str, front: str = FRONT, **files: str) -> RenderedChapter:
        book = load({"attention.md": front + text, **files})
        chapter = book.chapter("attention")
        assert chapter
        return render_chapter(book, chapter, printer)

    return draw_text
