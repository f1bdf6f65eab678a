"""What every page promises to every reader, on the real site."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page

from app.site import Site
from tests.browser.conftest import OpenPage
from tests.browser.life import until, until_status

LIVING = "/chapters/attention/"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SECRET = "zebra waltz 8151"
# What sticks out to the right, for the message of a failure; the insides of boxes that scroll by themselves do not count.
STICKING_OUT = """() => [...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
  .map((element) => `${element.localName}.${element.getAttribute('class')}`).slice(0, 8)"""


@pytest.fixture
def addresses(site: Site) -> list[str]:
    """Every page of the book, and one that is not in it."""
    return [*(address for address in site.answers if address.endswith("/")), "/no/such/page/"]


def opened(open_page: OpenPage, origin: str, address: str, **options: Any) -> Page:
    return open_page(origin + address, failing=address.startswith("/no/"), **options)  # Chromium logs a 404 as an error


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: OpenPage, origin: str, addresses: list[str], axe: str, scheme: str) -> None:
    found = {}
    for address in addresses:
        page = opened(open_page, origin, address, color_scheme=scheme)
        if page.locator("attention-viewer").count():
            come_alive(page)
        open_all(page)
        page.evaluate(axe)
        result = page.evaluate("tags => axe.run({runOnly: tags})", WCAG)
        found[address] = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in result["violations"]]
        assert len(result["passes"]) > 5, "axe looked at nothing"
    assert not any(found.values()), json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("script", [True, False], ids=["alive", "printed"])
def test_nothing_scrolls_sideways_on_a_phone(open_page: OpenPage, origin: str, addresses: list[str], script: bool) -> None:
    for address in addresses:
        page = opened(open_page, origin, address, viewport={"width": 360, "height": 740}, java_script_enabled=script)
        if script and page.locator("attention-viewer").count():
            come_alive(page)
        open_all(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, f"{address} is {width} px wide: {page.evaluate(STICKING_OUT)}"


def open_all(page: Page) -> None:
    """Opens what is folded away: it must fit and read as well."""
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")


def come_alive(page: Page) -> None:
    viewer = page.locator("attention-viewer").first  # an embed has another than the chapter's first
    viewer.scroll_into_view_if_needed()
    until_status(page, "live", viewer.get_attribute("id") or "")


def test_a_chapter_reads_with_script_off(open_page: OpenPage, origin: str, site: Site) -> None:
    page = opened(open_page, origin, LIVING, java_script_enabled=False)
    assert page.locator("h1").inner_text() == "Attention"
    figure = page.locator("attention-viewer").first
    assert "Alice" in figure.inner_text()
    assert figure.locator("[data-token]").count() > 5
    assert len(page.locator("article").inner_text().split()) > 500


def test_every_page_says_what_it_is(open_page: OpenPage, origin: str, addresses: list[str]) -> None:
    titles = set()
    for address in addresses:
        page = opened(open_page, origin, address)
        assert page.locator("h1").count() == 1
        assert page.locator("html").get_attribute("lang") == "en"
        titles.add(page.title())
    assert len(titles) == len(addresses)


def test_links_lead_to_pages_of_the_book_and_to_places_in_them(
    open_page: OpenPage, origin: str, addresses: list[str], site: Site
) -> None:
    places, links = {}, {}
    for address in addresses:
        page = opened(open_page, origin, address)
        places[address] = set(page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)"))
        targets = page.evaluate("[...document.querySelectorAll('a[href]')].map((a) => a.href)")
        links[address] = {target.removeprefix(origin) for target in targets if target.startswith(origin)}
    assert any("#" in link for found in links.values() for link in found)
    for address, found in links.items():
        for link in found:
            page_of, _, place = link.partition("#")
            assert page_of in {*site.answers, address}, f"{link} on {address}"
            place = place.partition("?")[0]  # of a view of a figure: the figure
            assert not place or unquote(place) in places[page_of], f"{link} on {address}"


def test_what_the_reader_types_stays_in_the_tab(open_page: OpenPage, origin: str) -> None:
    page = opened(open_page, origin, f"{LIVING}#queen?text={SECRET.replace(' ', '%20')}&layer=1")
    until_status(page, "live")
    page.locator("attention-viewer summary", has_text="text").first.click()
    page.locator("attention-viewer textarea").first.fill(f"{SECRET} and then some")
    until(page, f"document.querySelector('attention-viewer').data.tokens.map((t) => t.text).join('') === '{SECRET} and then some'")
    page.locator("nav a").first.click()
    page.wait_for_url(f"{origin}/")
    sent = page.watch.sent()  # type: ignore[attr-defined]
    assert "worker" in sent
    assert not [word for word in SECRET.split() if word in sent]
    assert not [r.url for r in page.watch.requests if r.all_headers().get("referer")]  # type: ignore[attr-defined]


def test_the_figure_comes_alive_and_its_worker_brings_its_own_policy(open_page: OpenPage, origin: str) -> None:
    page = opened(open_page, origin, LIVING)
    come_alive(page)
    workers = [request for request in page.watch.requests if "/assets/worker." in request.url]  # type: ignore[attr-defined]
    headers = workers[0].response().all_headers()
    assert "'wasm-unsafe-eval'" in headers["content-security-policy"]
    assert headers["content-encoding"] == "br"
    assert "immutable" in headers["cache-control"]


def test_the_build_works_below_a_path_on_a_plain_host(open_page: OpenPage, static_origin: str, site: Site) -> None:
    page = open_page(f"{static_origin}/")
    page.locator(".begin").click()
    page.wait_for_url(f"{static_origin}/chapters/**")
    come_alive(page)
    assert page.evaluate("document.querySelector('attention-viewer').data.difference") <= 1e-5
    embed = next(address for address in site.answers if address.startswith("/embed/"))
    until_status(open_page(static_origin + embed), "live")


def test_the_reader_pays_for_one_figure_within_the_budget(open_page: OpenPage, origin: str) -> None:
    """Fonts apart, as DESIGN counts: at most 110 KB of them; scripts and styles of a page at most 60 KB."""
    page = opened(open_page, origin, LIVING)
    come_alive(page)
    sizes: dict[str, int] = {}
    for request in page.watch.requests:  # type: ignore[attr-defined]
        kind = request.url.split("?")[0].rsplit(".", 1)[-1]
        sizes[kind] = sizes.get(kind, 0) + request.sizes()["responseBodySize"]
    assert sizes["woff2"] <= 110_000, sizes
    assert sizes["js"] + sizes["css"] <= 60_000, sizes
    assert sizes["wasm"] <= 2_500_000, sizes


def test_a_link_in_a_frame_leaves_the_page_around_it_where_it_is(open_page: OpenPage, static_origin: str) -> None:
    page = open_page(f"{static_origin.rpartition('/')[0]}/", failing=True)  # a plain list of files, which any frame may stand in
    page.evaluate(
        """(source) => {
            document.body.insertAdjacentHTML('beforeend', '<p style="height: 2500px"></p><iframe></iframe>');
            document.querySelector('iframe').src = source;
        }""",
        f"{static_origin}/embed/attention/queen/#queen?layer=1&head=2",
    )
    for _ in range(100):
        if page.evaluate("frames[0].document.querySelector('attention-viewer')?.state?.head") == 2:
            break
        page.wait_for_timeout(50)
    assert page.evaluate("frames[0].document.querySelector('attention-viewer').state.layer") == 1
    assert page.evaluate("scrollY") == 0
