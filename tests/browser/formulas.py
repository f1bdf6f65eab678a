"""A chapter of an author's own text behind the real server: the whole way from Markdown to the page, without figures."""

from __future__ import annotations

from app import assets
from app.book import Book, Chapter
from app.page import Pages
from app.parse import parse_document
from app.printer import Printed, Quantity
from app.render import render_chapter
from app.site import Answer, Site

WIDE = "\\operatorname{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9"


class NoFigures:
    """A printer with nothing to print."""

    def __init__(self) -> None:
        self.catalogue: dict = {}

    def figure(self, *_: object) -> Printed:
        raise AssertionError("no figure stands here")

    def quantity(self, *_: object) -> Quantity:
        raise AssertionError("no figure stands here")


def chapter_of(text: str) -> Site:
    """One page, /chapters/text/, of a Markdown text in which there is no mistake."""
    document = parse_document("chapters/text.md", f"---\ntitle: A text\n---\n{text}".encode())
    book = Book("Book", "", (), "", "", (), assets.ROOT)
    chapter = Chapter("text", "A text", number=1, part=1, document=document)
    rendered = render_chapter(book, chapter, NoFigures())
    assert rendered.problems == (), rendered.problems
    page = Pages(book, assets.load(), {"layers": 2}).chapter(chapter, rendered)
    answers = {"/chapters/text/": Answer(page.encode()), "/favicon.ico": Answer(b"", "image/x-icon")}
    return Site(answers, assets.FOLDER, lambda root: Answer(b""), assets.files())
