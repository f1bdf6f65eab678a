"""A page of two knobs behind the real server: `knob` in a column of text, `wide` as wide as figures are."""

from __future__ import annotations

import json
from typing import Any

from app import assets
from app.book import Book, Chapter
from app.page import Pages
from app.printer import Printer
from app.render import RenderedChapter
from app.site import Answer, Site
from model.runtime import Runtime

TAG = "scale-knob"


def two_knobs(runtime: Runtime) -> Site:
    """One page, /chapters/knobs/."""
    with Printer(runtime) as printer:
        asked = printer.quantity(TAG, OPTIONS, "largest", [], {"dk": 512, "scaled": 1})
        value = f'<p>It is <data value="{asked.value:.4g}" data-figure="knob" data-cell="{asked.cell}" tabindex="0">21%</data>.</p>'
        wide = figure(printer, "wide", OPTIONS | {"keys": 32, "seed": 2})
        body = f"<section>{figure(printer, 'knob', OPTIONS)}{value}</section>{wide}"
        pages = Pages(Book("Book", "", (), "", "", (), assets.ROOT), assets.load(), printer.config)
    chapter = Chapter("knobs", "Knobs")
    page = pages.chapter(chapter, RenderedChapter("knobs", "Knobs", "", "", body, (), (), (), ()))
    answers = {"/chapters/knobs/": Answer(page.encode()), "/favicon.ico": Answer(b"", "image/x-icon")}
    return Site(answers, assets.FOLDER, lambda root: Answer(b""), assets.files())


OPTIONS: dict[str, Any] = {"dk": 64, "seed": 1, "keys": 12, "nudge": 0}


def figure(printer: Printer, key: str, options: dict[str, Any]) -> str:
    printed = printer.figure(TAG, options)
    block = json.dumps({"state": printed.state, "data": printed.data}).replace("<", "\\u003c")
    block = f'<script type="application/json">{block}</script>'
    return f'<figure class="figure"><{TAG} id="{key}">{printed.html}{block}</{TAG}></figure>'
