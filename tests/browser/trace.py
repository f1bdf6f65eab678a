"""A page of two hand traces, and words for what a reader with a pencil sees of the first."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page

from app import assets
from app.book import Book, Chapter
from app.page import Pages
from app.printer import Printer
from app.render import RenderedChapter
from app.site import Answer, Site
from model.runtime import Runtime
from tests.browser.life import until

TAG = "attention-trace"
HAND = {
    "text": "The cat sat",
    "x": "1 0 1 0; 0 1 0 1; 1 1 0 0",
    "wq": "2 0 0 0; 0 2 0 0; 0 0 2 0; 0 0 0 2",
    "wk": "0.5 0 0 0; 0 0.5 0 0; 0 0 0.5 0; 0 0 0 0.5",
    "wv": "1 0 0 0; 0 2 0 0; 0 0 3 0; 0 0 0 4",
    "query": "sat",
}
SIX = "; ".join(" ".join("0.7" if i == j else "-1" for j in range(6)) for i in range(6))
EIGHT = {
    "text": "the extraordinarilylongwordofmany the שלום <b>a</b> b 👩‍👩‍👧‍👦 end",
    "x": "; ".join(["9 9 9 9 9 9", "-9 -9 -9 -9 -9 -9", "1.125 0 0 0 0 1", *["0 0 0 0 0 0.001"] * 5]),
    "wq": SIX,
    "wk": SIX,
    "wv": SIX,
    "causal": True,
}


VALUE = '<data value="0.2119" data-figure="hand" data-cell="0.1" tabindex="0">21%</data>'


def two_traces(runtime: Runtime) -> Site:
    """One page, /chapters/traces/: the figure `hand`, the book's own, and `eight`, as large as one may be."""
    with Printer(runtime) as printer:
        value = f'<div class="prose"><p>It gives {VALUE}.</p></div>'
        body = _figure(printer, "hand", HAND) + value + _figure(printer, "eight", EIGHT)
        pages = Pages(Book("Book", "", (), "", "", (), assets.ROOT), assets.load(), printer.config)
    page = pages.chapter(Chapter("traces", "Two traces"), RenderedChapter("traces", "Two traces", "", "", body, (), (), (), ()))
    answers = {"/chapters/traces/": Answer(page.encode()), "/favicon.ico": Answer(b"", "image/x-icon")}
    return Site(answers, assets.FOLDER, lambda root: Answer(b""), assets.files())


def _figure(printer: Printer, key: str, options: dict[str, Any]) -> str:
    printed = printer.figure(TAG, options)
    block = json.dumps({"state": printed.state, "data": printed.data}).replace("<", "\\u003c")
    block = f'<script type="application/json">{block}</script>'
    return f'<figure class="figure"><{TAG} id="{key}">{printed.html}{block}</{TAG}></figure>'


def hand(page: Page, selector: str) -> Locator:
    return page.locator(f"#hand {selector}")


def entry(page: Page, name: str) -> Locator:
    """A field by what a screen reader calls it: «W V, row 1, column 2»."""
    return page.locator("#hand").get_by_role("spinbutton", name=name, exact=True)


def wish(page: Page, some: dict[str, Any]) -> None:
    """Set some of the state, and wait until it is drawn."""
    page.evaluate("some => { hand.state = some; }", some)
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")


READ = """(key) => {
  const cells = (row) => [...row.cells].filter((cell) => cell.localName === 'td').map((cell) => {
    const copy = cell.cloneNode(true);
    for (const room of copy.querySelectorAll('.trace-room')) room.remove();
    return copy.textContent.replace(/[\\s+=%]/g, '').replace('−', '-');
  });
  const tables = [...document.querySelectorAll(`#${key} .trace-table`)];
  return tables.map((table) => [...table.rows].map(cells));
}"""


def tables(page: Page, key: str = "hand") -> list[list[list[str]]]:
    """Match, budget and blend: the numbers of each row as they are shown, signs joined to them."""
    return page.evaluate(READ, key)


def entries(page: Page, key: str = "hand") -> list[np.ndarray]:
    """x, W_Q, W_K and W_V as they stand in the fields."""
    read = """(key) => [...document.querySelectorAll(`#${key} .trace-entries`)].map((table) =>
      [...table.rows].map((row) => [...row.querySelectorAll('input')].map((input) => Number(input.value))))"""
    return [np.array(matrix) for matrix in page.evaluate(read, key)]


def told(page: Page) -> list[str]:
    """What stands beside x, W_Q, W_K, W_V and the mask."""
    parts = "#hand .trace-ends .trace-hand, #hand .trace-mask .trace-hand"
    return page.evaluate("parts => [...document.querySelectorAll(parts)].map((part) => part.textContent.trim())", parts)


def moved(page: Page, of: str) -> int:
    """How many numbers of a kind an edit has marked."""
    return hand(page, f"{of} [data-moved]").count()


def until_shown(page: Page, text: str) -> None:
    until(page, f"document.querySelector('#hand').innerText.includes({json.dumps(text)})")
