"""A page of two hand traces, and words for what a reader with a pencil sees of the first."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from app.printer import Printer
from app.site import Site
from model.runtime import Runtime
from tests.browser.life import figure, one_page, state, until

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
        body = figure(printer, "hand", HAND, TAG) + value + figure(printer, "eight", EIGHT, TAG)
        return one_page(printer, "traces", "Two traces", body)


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
      [...table.rows].map((row) => [...row.querySelectorAll('input')].map((input) => Number(input.value.replace('−', '-')))))"""
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


def as_printed(page: Page) -> Page:
    """The book's own trace as it was printed, whatever was done to it."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    wish(page, HAND | {"query": "2", "key": "", "dimension": 1, "causal": False})
    return page


def check(page: Page, key: str = "hand") -> None:
    """Each row and column re-adds to its shown total, to the last digit, and is what numpy finds in the numbers of the fields."""
    x, wq, wk, wv = entries(page, key)
    shown = state(page, key)
    query, causal = shown["query"], shown["causal"]
    match, budget, blend = tables(page, key)
    dots = (x @ wk) @ (x @ wq)[query]
    scores = dots / np.sqrt(wq.shape[1])
    masked = (np.arange(len(x)) > query) & causal
    reached = np.where(masked, -np.inf, scores)
    weights = np.exp(reached - np.logaddexp.reduce(reached))
    near = {"abs": 0.00101, "rel": 0}

    products = match[3::2]
    for row, dot in zip(products, dots, strict=True):
        assert units(row[:-1]) == units(row[-1:]), f"{row} does not add up"
        assert float(row[-1]) == pytest.approx(dot, **near)
    assert [float(row[1]) for row in budget[1:-1]] == pytest.approx(scores, **near)
    # From the end: exp, weight, and a bar that has no number.
    for column, places in ((-3, 6), (-2, 1)):
        parts, total = [row[column] for row in budget[1:-1]], budget[-1][column]
        assert units(parts, places) == units([total], places), f"{parts} do not add up to {total}"
    assert [float(row[-2]) / 100 for row in budget[1:-1]] == pytest.approx(weights, **near)
    for column, total in enumerate(blend[-1]):
        parts = [row[column] for row in blend[2:-1:2]]
        assert units(parts) == units([total]), f"{parts} do not add up to {total}"
    assert [float(total) for total in blend[-1]] == pytest.approx(weights @ x @ wv, **near)


def units(texts: list[str], places: int = 3) -> int:
    return sum(round(float(text) * 10**places) for text in texts)
