"""Body + template → the whole page. The one Jinja2 environment is here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.assets import ROOT, Asset
from app.book import Book, Chapter, Heading
from app.policy import POLICY
from app.render import RenderedChapter, RenderedFigure

TEMPLATES = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
# What a figure needs to come alive, by the names that static/js/model/session.js reads.
LIVE = {
    "worker": "worker.js",
    "wasm": "ort-wasm-simd-threaded.wasm",
    "model": "model.onnx",
    "tokenizer": "tokenizer.json",
}


@dataclass(frozen=True)
class Page:
    """What the templates know of the page as `page`; `standfirst` is HTML, everything else plain text."""

    title: str
    description: str
    line: str = ""
    standfirst: str = ""
    headings: tuple[Heading, ...] = ()
    previous: Chapter | None = None
    next: Chapter | None = None


@dataclass(frozen=True)
class Pages:
    """Makes every page of one book; `config` is the model's, as figures in the browser want it."""

    book: Book
    assets: Mapping[str, Asset]
    config: Mapping[str, Any]

    def contents(self) -> str:
        page = Page(self.book.title, self.book.subtitle or self.book.description)
        return self._fill("contents.html", root="", page=page)

    def chapter(self, chapter: Chapter, rendered: RenderedChapter) -> str:
        page = Page(
            title=rendered.title,
            description=rendered.description,
            line=self.book.line(chapter),
            standfirst=Markup(rendered.standfirst),
            headings=rendered.headings,
            previous=self.book.previous(chapter),
            next=self.book.next(chapter),
        )
        return self._fill("chapter.html", root="../../", page=page, chapter=chapter, body=Markup(rendered.body))

    def embed(self, chapter: Chapter, rendered: RenderedChapter, figure: RenderedFigure) -> str:
        page = Page(f"Figure {figure.number} · {rendered.title}", figure.summary, self.book.line(chapter))
        body = Markup(figure.embed)
        return self._fill("embed.html", root="../../../", page=page, chapter=chapter, figure=figure, body=body)

    def error(self, root: str) -> str:
        """The page for an address that is not in the book; `root` leads from there to the first page."""
        page = Page("Page not found", "There is no such page in this book.")
        return self._fill("error.html", root=root, page=page)

    def _fill(self, template: str, root: str, **names: Any) -> str:
        def asset(name: str) -> str:
            return f"{root}assets/{self.assets[name].file}"

        live = {name: {"url": asset(file), "bytes": self.assets[file].bytes} for name, file in LIVE.items()}
        return TEMPLATES.get_template(template).render(
            book=self.book,
            root=root,
            asset=asset,
            policy=POLICY,
            assets_json=data_block(live | {"config": dict(self.config)}),
            **names,
        )


def data_block(value: Any) -> Markup:
    """JSON for inside a <script>: nothing in it can end the element.

    >>> data_block({"text": "</script>"})
    Markup('{"text":"\\\\u003c/script>"}')
    """
    return Markup(json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
