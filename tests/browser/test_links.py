"""Links to a view of a figure: they reopen it, once or again, and lead there without pulling the reader away later."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route

from tests.browser.life import QUEEN, choose, data, reset, state, until

ODD = [
    "",
    " ",
    "a&b=c#d?e",
    "100% +1",
    "line\nline",
    "«naïve» 👩‍👩‍👧‍👦 日本語 שׁלום",
    "<img src=x onerror=alert(1)>",
    "ends in a dot.",
]


def follow(page: Page, link: str) -> None:
    """Click a link of the page."""
    page.evaluate(
        """(link) => {
            const anchor = document.createElement('a');
            anchor.href = link;
            document.body.append(anchor);
            anchor.click();
            anchor.remove();
        }""",
        link,
    )


def top(page: Page, key: str) -> float:
    return page.evaluate("key => document.getElementById(key).getBoundingClientRect().top", key)


@pytest.mark.parametrize("text", ODD)
def test_a_link_reopens_exactly_the_view_it_was_taken_from(live: Page, address: str, text: str):
    shown = choose(live, {"text": text, "layer": 1, "head": 2, "query": 0})
    link = live.evaluate("queen.link")
    assert link.split("#")[0] == address, "nothing typed before the #"
    reset(live)
    live.evaluate("link => { location.href = link; }", link)
    until(live, "queen.state.head === 2")
    assert (state(live), data(live)) == (shown["state"], shown["data"])


def test_a_new_page_opens_at_the_view_of_its_link(live: Page, open_page, address: str):
    shown = choose(live, {"text": "Off with her «naïve» head! 👩‍👩‍👧‍👦", "layer": 1, "head": 2, "query": 3}, "cat")
    page = open_page(live.evaluate("cat.link"))
    until(page, "cat.status === 'live'")
    assert (state(page, "cat"), data(page, "cat")) == (shown["state"], shown["data"])
    assert 0 <= page.evaluate("cat.getBoundingClientRect().top") < 300
    assert "na%C3%AFve" not in page.watch.sent()
    assert state(page, "queen")["text"] == QUEEN["text"]


def test_a_link_works_while_the_page_is_open(live: Page):
    live.evaluate("location.hash = '#cat?layer=2&query=the%232'")
    until(live, "cat.state.layer === 2")
    tokens = [token["text"] for token in data(live, "cat")["tokens"]]
    assert state(live, "cat")["query"] == [i for i, text in enumerate(tokens) if text == " the"][1]
    assert 0 <= live.evaluate("cat.getBoundingClientRect().top") < 300
    assert state(live, "queen")["layer"] == 2
    live.evaluate("location.hash = '#cat?layer=nonsense&text'")
    until(live, "cat.state.text === ''")


def test_a_link_by_hand_takes_words_and_forgives_mistakes(live: Page):
    page = live
    page.evaluate("location.hash = '#queen?query=Alice&layer=7&head=x&evil=1'")
    until(page, "queen.data.tokens[queen.state.query].text === ' Alice'")
    shown = state(page)
    assert data(page)["tokens"][shown["query"]]["text"] == " Alice"
    assert (shown["text"], shown["layer"], shown["head"]) == (QUEEN["text"], 2, 3)
    assert "evil" not in shown


@pytest.mark.parametrize("hash", ["#100%", "#%E0%A4%A", "#queen?text=100%"])
def test_a_hash_with_a_bare_percent_sign_stops_nothing(open_page, address: str, hash: str):
    page = open_page(address + hash)
    until(page, "queen.status && queen.status !== 'printed'")


def test_the_same_link_works_again(live: Page):
    for _ in range(2):
        follow(live, "#queen?layer=1&head=4")
        until(live, "queen.state.layer === 1 && queen.state.head === 4")
        choose(live, {"layer": 2, "head": 1})


def test_going_back_to_an_address_without_a_hash_brings_the_printed_state_back(live: Page):
    live.evaluate("scrollTo(0, 40)")
    printed = state(live)
    follow(live, "#queen?text=Off+with+her+head&layer=1")
    until(live, "queen.state.text === 'Off with her head'")
    live.evaluate("history.back()")
    until(live, "queen.state.text !== 'Off with her head'")
    assert state(live) == printed
    assert live.evaluate("scrollY") == 40


def test_going_back_from_a_heading_leaves_what_the_reader_chose(live: Page):
    choose(live, {"layer": 1})
    follow(live, "#a-heading")
    live.evaluate("history.back()")
    until(live, "location.hash === ''")
    live.wait_for_timeout(100)
    assert state(live)["layer"] == 1


def test_a_link_opens_the_closed_sections_around_its_figure_or_heading_each_time(live: Page):
    live.evaluate(
        """() => {
            const place = cat.parentElement;
            place.insertAdjacentHTML('beforebegin', `<details id="outer">
                <summary><h2 id="inside">Title</h2></summary>
                <details id="inner"></details>
            </details>`);
            inner.append(place);
        }"""
    )
    for link, opened in [("#cat?layer=2", [True, True]), ("#inside", [True, False])] * 2:
        live.evaluate("outer.open = inner.open = false")
        follow(live, link)
        until(live, "outer.open")
        assert live.evaluate("[outer.open, inner.open]") == opened
    follow(live, "#cat?layer=1")
    assert 0 <= top(live, "cat") < 300
    live.evaluate("() => { outer.replaceWith(cat.parentElement); }")


def test_an_element_that_is_moved_keeps_what_the_reader_chose_and_where_the_page_stands(live: Page):
    follow(live, "#cat?layer=2")
    until(live, "cat.state.layer === 2")
    choose(live, {"layer": 1}, "cat")
    live.evaluate("scrollTo(0, 0)")
    live.evaluate("cat.parentElement.append(cat)")
    live.wait_for_timeout(100)
    assert state(live, "cat")["layer"] == 1
    assert live.evaluate("scrollY") == 0


def test_a_link_leads_to_its_figure_at_once_and_never_pulls_the_reader_away_later(open_page, address: str):
    page = open_page("about:blank")
    page.watch.origin = "/".join(address.split("/")[:3])
    held: list[Route] = []
    page.route("**/*.onnx", lambda route: held.append(route))
    page.goto(address + "#cat?text=Off+with+her+head")
    until(page, "cat.status === 'awake'")
    assert 0 <= top(page, "cat") < 300, "without a model too"
    page.evaluate("scrollTo(0, 0)")
    until(page, "document.querySelector('#cat progress')")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    until(page, "cat.state.text === 'Off with her head'")
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") == 0


def test_loading_a_page_again_stays_where_the_reader_was(open_page, address: str):
    page = open_page(address + "#cat?layer=2")
    until(page, "cat.state?.layer === 2")
    page.evaluate("scrollTo(0, 300)")
    page.wait_for_timeout(200)
    page.reload()
    until(page, "cat.state?.layer === 2")
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") == 300


def test_two_notices_of_printing_still_close_the_sections_afterwards(live: Page):
    opened = "[...document.querySelectorAll('details')].filter((section) => section.open).length"
    before = live.evaluate(opened)
    live.evaluate("() => { for (const name of ['beforeprint', 'beforeprint']) dispatchEvent(new Event(name)); }")
    assert live.evaluate(opened) > before
    live.evaluate("dispatchEvent(new Event('afterprint'))")
    assert live.evaluate(opened) == before
