"""Where the script does not run, or a part of it does not come, the figures stay as printed, and say so."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import OpenPage
from tests.browser.life import state, until, until_status

LIVING = "/chapters/attention/"
LINE = ".unscripted"


def without(open_page: OpenPage, origin: str, pattern: str, **options: Any) -> Page:
    """Chapter 10, of whose files one does not come."""
    page = open_page("about:blank", failing=True, **options)
    page.watch.origin = origin  # type: ignore[attr-defined]
    page.route(pattern, lambda route: route.abort())
    page.goto(origin + LIVING)
    return page


def test_without_script_each_figure_says_that_it_stays_as_printed(open_page: OpenPage, origin: str) -> None:
    page = open_page(origin + LIVING, java_script_enabled=False)
    assert page.locator(LINE).count() == page.locator("article figure").count() > 0
    page.emulate_media(media="print")  # where closed sections are open too
    assert all(line.is_visible() for line in page.locator(LINE).all())


def test_without_script_only_links_and_closed_sections_look_as_if_they_could_be_pressed(open_page: OpenPage, origin: str) -> None:
    page = open_page(origin + LIVING, java_script_enabled=False)
    promises = """() => {
      for (const closed of document.querySelectorAll('details')) closed.open = true;
      return [...new Set([...document.querySelectorAll('article :not(a, a *, summary, summary *)')].filter((part) => {
        const {cursor, pointerEvents, borderBottomStyle, borderBottomColor} = getComputedStyle(part);
        const dots = borderBottomStyle === 'dotted' && borderBottomColor !== 'rgba(0, 0, 0, 0)';
        return part.checkVisibility() && (cursor === 'pointer' && pointerEvents !== 'none' || dots);
      }).map((part) => `${part.localName}.${part.className}`))];
    }"""
    assert page.evaluate(promises) == []


def test_with_script_no_figure_says_so(open_page: OpenPage, origin: str) -> None:
    page = open_page(origin + LIVING)
    until(page, "document.documentElement.dataset.script")
    assert page.locator(LINE).count() > 0
    assert not [line for line in page.locator(LINE).all() if line.is_visible()]


def test_a_script_that_does_not_come_is_told_after_a_while(open_page: OpenPage, origin: str) -> None:
    page = without(open_page, origin, "**/main.*.js")
    line = page.locator(LINE).first
    assert not line.is_visible(), "while it may be on its way"
    page.evaluate("for (const animation of document.getAnimations()) animation.finish()")
    assert line.is_visible()
    assert "stays as it is printed" in line.inner_text()


@pytest.mark.parametrize("token", [2, 4])
def test_the_touch_that_brings_a_figures_code_is_not_lost(open_page: OpenPage, origin: str, token: int) -> None:
    page = without(open_page, origin, "**/attention-viewer.*.js")
    until(page, "queen.innerText.includes('could not be loaded')")
    page.unroute("**/attention-viewer.*.js")
    page.locator("#queen [data-token]").nth(token).click()
    until_status(page, "live")
    until(page, f"queen.state.query === {token}")
    assert state(page)["layer"] == 2


def test_a_drawer_that_was_opened_meanwhile_stays_open(open_page: OpenPage, origin: str) -> None:
    page = without(open_page, origin, "**/attention-viewer.*.js")
    until(page, "queen.innerText.includes('could not be loaded')")
    page.unroute("**/attention-viewer.*.js")
    page.locator("#queen .viewer-drawer > summary").click()
    until_status(page, "live")
    assert page.evaluate("document.querySelector('#queen .viewer-drawer').open")


@pytest.mark.parametrize("script", [True, False], ids=["alive", "printed"])
def test_closed_sections_are_open_on_paper(open_page: OpenPage, origin: str, script: bool) -> None:
    page = open_page(origin + LIVING, java_script_enabled=script)
    bodies = page.locator(".closed-section-body > *")
    assert bodies.count() > 3
    assert not any(body.is_visible() for body in bodies.all())
    page.emulate_media(media="print")
    if script:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(body.is_visible() for body in bodies.all())
    assert all(body.bounding_box()["height"] > 0 for body in bodies.all())  # type: ignore[index]
    if script:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert not any(body.is_visible() for body in bodies.all()), "left open behind the printer"
