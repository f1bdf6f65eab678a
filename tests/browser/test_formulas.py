"""Formulas in a real browser: they scroll alone, show that they do, by keyboard too, and are there for a screen reader."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import OpenPage
from tests.browser.formulas import WIDE, chapter_of
from tests.browser.life import serving

PLACES = {
    "paragraph": f"$$\n{WIDE}\n$$\n",
    "line of text": f"Text $${WIDE}$$ and text.\n",
    "formula in the text": f"Text ${WIDE}$ and text.\n",
    "list": f"- one\n  - two\n\n    $$\n    {WIDE}\n    $$\n",
    "quote": f"> $$\n> {WIDE}\n> $$\n",
    "cell": f"| a | b |\n|---|---|\n| ${WIDE}$ | $${WIDE}$$ |\n",
    "closed section": f":::{{math}}\n$$\n{WIDE}\n$$\n\nAnd ${WIDE}$.\n:::\n",
    "note": f":::{{note}} Of ${WIDE}$\n$$\n{WIDE}\n$$\n:::\n",
    "heading": f"## Of ${WIDE}$\n\nText.\n",
    "footnote": f"Text.[^1]\n\n[^1]: ${WIDE}$ and $${WIDE}$$\n",
    "definition": f"term ${WIDE}$\n: ${WIDE}$\n\n  $$\n  {WIDE}\n  $$\n",
}
BOXES = ".math-display, .math-long, .table-scroll"
# Formulas that are wider than the page, and stand in no box that scrolls.
UNBOXED = """(boxes) => {
  const scrolling = [...document.querySelectorAll(boxes)].filter((box) => box.scrollWidth > box.clientWidth);
  const wide = [...document.querySelectorAll('article math')].filter((math) => math.getBoundingClientRect().right > innerWidth);
  return wide.filter((math) => !scrolling.some((box) => box.contains(math))).length;
}"""
# A picture's pixels in one row, at these shares of its width.
PIXELS = """async ([png, shares]) => {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  return shares.map((share) => canvas.getImageData(Math.round(share * (image.width - 1)), 3, 1, 1).data.join());
}"""
SCROLL = """([boxes, place]) => {
  const box = document.querySelector(boxes);
  box.scrollLeft = place * (box.scrollWidth - box.clientWidth);
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(chapter_of("\n".join(PLACES.values()) + "\n$$\nx\n$$\n")) as origin:
        yield f"{origin}/chapters/text/"


@pytest.fixture
def phone(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport={"width": 360, "height": 740})
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    return page


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_a_formula_scrolls_alone_wherever_it_stands(open_page: OpenPage, address: str, width: int) -> None:
    page = open_page(address, viewport={"width": width, "height": 740})
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(UNBOXED, BOXES) == 0
    scrolling = page.evaluate(
        "(boxes) => [...document.querySelectorAll(boxes)].filter((b) => b.scrollWidth > b.clientWidth).length", BOXES
    )
    assert width > 360 or scrolling >= len(PLACES)


def edges(page: Page, box: Locator) -> tuple[bool, bool]:
    """Whether the left and the right edge of a box are shaded: whether they differ from the ground between them."""
    with page.context.browser.new_page() as blank:  # type: ignore[union-attr]
        png = base64.b64encode(box.screenshot()).decode()
        left, ground, right = blank.evaluate(PIXELS, [png, [0, 0.3, 1]])
    return left != ground, right != ground


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shade_shows_on_which_side_a_formula_goes_on(open_page: OpenPage, address: str, scheme: str) -> None:
    page = open_page(address, viewport={"width": 360, "height": 740}, color_scheme=scheme)
    for place, shaded in [(0, (False, True)), (0.5, (True, True)), (1, (True, False))]:
        page.evaluate(SCROLL, [BOXES, place])
        assert edges(page, page.locator(BOXES).first) == shaded
    short = page.locator("article > .math-display").last
    assert short.inner_text().strip() == "𝑥"
    assert edges(page, short) == (False, False)


def test_the_keyboard_reaches_each_formula_that_scrolls_and_moves_it(phone: Page) -> None:
    scrolling = phone.evaluate(
        "(boxes) => [...document.querySelectorAll(boxes)].filter((box) => box.scrollWidth > box.clientWidth).length", BOXES
    )
    reached = 0
    for stop in stops(phone):
        if stop["box"] and stop["scrolls"]:
            reached += 1
            for _ in range(3):
                phone.keyboard.press("ArrowRight")
            phone.wait_for_timeout(200)
            assert phone.evaluate("document.activeElement.scrollLeft") > 0, stop
    assert reached == scrolling >= len(PLACES)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_keyboard_stops_at_no_formula_that_does_not_scroll(open_page: OpenPage, address: str, width: int) -> None:
    page = open_page(address, viewport={"width": width, "height": 740})
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    found = [stop for stop in stops(page) if stop["box"]]
    assert found
    assert [stop for stop in found if not stop["scrolls"] and not stop["table"]] == []


def stops(page: Page) -> Iterator[dict]:
    """Where Tab leads, from the first of the page's stops to the last."""
    for _ in range(200):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP, BOXES)
        if stop["end"]:
            return
        yield stop
    raise AssertionError("Tab comes to no end")


STOP = """(boxes) => {
  const at = document.activeElement;
  return {
    end: at === document.body, html: at.outerHTML.slice(0, 80), box: at.matches(boxes), table: at.matches('.table-scroll'),
    scrolls: at.scrollWidth > at.clientWidth,
  };
}"""


SPOKEN = r"""
## On $\sqrt{a}$

Text $\frac{b}{c}$, [a link $d^2$](#show-e_1), **$x + y$**.

$$
\sum_{i} f_i
$$

| $g^3$ |
|---|
| $h$ |

:::{math} Show $e_1$
- $k_2$
:::

Text.[^1]

[^1]: $\sqrt{m}$
"""


def test_formulas_are_there_for_a_screen_reader(open_page: OpenPage) -> None:
    with serving(chapter_of(SPOKEN)) as origin:
        page = open_page(f"{origin}/chapters/text/")
        page.evaluate("document.querySelector('details').open = true")
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    nodes = {node["nodeId"]: node for node in tree}

    def below(node: dict) -> Iterator[dict]:
        for child in filter(None, map(nodes.get, node.get("childIds", []))):
            yield child
            yield from below(child)

    def said(role: str) -> list[list[str]]:
        """For each node of this role: the kinds of mathematics in it, as the tree that a screen reader is given has them."""
        found = [node for node in tree if not node["ignored"] and node["role"]["value"] == role]
        parts = [[part["role"]["value"] for part in below(node) if not part["ignored"]] for node in found]
        return [sorted({kind.removeprefix("MathML") for kind in part if kind.startswith("MathML")}) for part in parts]

    assert len(said("MathMLMath")) == 12, "ten in the text, two more in the list of contents"
    root, sub, sup = (["Identifier", "Math", *kinds] for kinds in (["SquareRoot"], ["Number", "Sub"], ["Number", "Sup"]))
    assert sorted(filter(None, said("heading"))) == [sub, root]
    assert sorted(filter(None, said("link"))) == [sub, sup, root], "those of the list of contents, and one of the text"
    assert said("columnheader") == [["Identifier", "Math", "Number", "Sup"]]
    letters = [node["name"]["value"] for node in tree if node["role"]["value"] == "StaticText" and not node["ignored"]]
    assert {"𝑎", "𝑏", "𝑐", "𝑑", "𝑓", "𝑔", "ℎ", "𝑘", "𝑚", "∑", "+"} <= set(letters)
