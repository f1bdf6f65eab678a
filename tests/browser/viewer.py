"""Words for what tests do with the viewer `queen`, and for what a person sees of it."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.life import data, until

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def queen(page: Page, selector: str) -> Locator:
    return page.locator(f"#queen {selector}")


def token(page: Page, index: int) -> Locator:
    return queen(page, f'[data-token="{index}"]')


def write(page: Page, text: str) -> dict[str, Any]:
    """Type a text of one's own, and wait until the picture is of it."""
    if not queen(page, "textarea").is_visible():
        queen(page, ".viewer-typing > summary").click()
    queen(page, "textarea").fill(text)
    until(page, f"document.getElementById('queen').state.text === {json.dumps(text)}")
    return data(page)


def shown(page: Page) -> str:
    """The sentence as it stands on the page, without the numbers below it: every character once."""
    return page.evaluate(
        "[...document.querySelectorAll('#queen .token-text:not(.token-part)')].map((face) => face.textContent).join('|')"
    )


def readout(page: Page) -> str:
    return queen(page, ".viewer-readout").inner_text()


def finite(page: Page) -> bool:
    return not re.search(r"NaN|Infinity|undefined", page.evaluate("document.getElementById('queen').outerHTML"))


def collisions(page: Page) -> list[str]:
    """Numbers of the sentence that stand over each other."""
    return page.evaluate("""() => {
      const shares = [...document.querySelectorAll('#queen .token-share')];
      const visible = shares.filter((share) => getComputedStyle(share).visibility === 'visible');
      const seen = visible.map((share) => [share, share.getBoundingClientRect()]);
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return seen.flatMap(([one, a], index) => seen.slice(index + 1).filter(([, b]) => meet(a, b))
        .map(([other]) => `${one.textContent} on ${other.textContent}`));
    }""")


def contrast(page: Page, what: Locator, prop: str) -> float:
    """WCAG's contrast of a colour with the ground it stands on. A canvas turns every notation into bytes."""
    return page.evaluate(
        """([element, prop]) => {
            const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
            const luminance = (colour) => {
              const pen = new OffscreenCanvas(1, 1).getContext('2d');
              pen.fillStyle = colour;
              pen.fillRect(0, 0, 1, 1);
              const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((byte) => linear(byte / 255));
              return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
            };
            let ground = element;
            const clear = (part) => part.parentElement && getComputedStyle(part).backgroundColor === 'rgba(0, 0, 0, 0)';
            while (clear(ground)) ground = ground.parentElement;
            const colours = [getComputedStyle(element)[prop], getComputedStyle(ground).backgroundColor];
            const pair = colours.map(luminance);
            return Math.max(...pair) / Math.min(...pair);
        }""",
        [what.element_handle(), prop],
    )
