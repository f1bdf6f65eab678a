"""The matrices of the hand trace as one writes in them: by keyboard, by paste, and what is said of what cannot be taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from model.runtime import Runtime
from tests.browser.conftest import OpenPage, watched
from tests.browser.life import data, kept_open, serving, state, until, until_status
from tests.browser.trace import HAND, as_printed, check, entry, hand, two_traces, until_shown


@pytest.fixture(scope="module")
def traces(runtime: Runtime) -> Iterator[str]:
    with serving(two_traces(runtime)) as origin:
        yield f"{origin}/chapters/traces/"


@pytest.fixture(scope="module")
def desk(browser: Browser, traces: str) -> Iterator[Page]:
    yield from kept_open(watched(browser), traces, "hand", viewport={"width": 1280, "height": 800})


@pytest.fixture
def live(desk: Page) -> Page:
    return as_printed(desk)


def test_a_matrix_is_one_tab_stop_arrows_lead_on_and_turn(live: Page) -> None:
    stops = hand(live, '.trace-entries input[tabindex="0"]')
    assert stops.count() == 4
    entry(live, "W V, row 1, column 1").focus()
    for key, where, value in [
        ("ArrowUp", "W V, row 1, column 1", "2"),
        ("ArrowDown", "W V, row 1, column 1", "1"),
        ("ArrowRight", "W V, row 1, column 2", "0"),
        ("End", "W V, row 4, column 4", "4"),
        ("ArrowLeft", "W V, row 4, column 3", "0"),
        ("Home", "W V, row 1, column 1", "1"),
    ]:
        live.keyboard.press(key)
        focused = live.evaluate("[document.activeElement.getAttribute('aria-label'), document.activeElement.value]")
        assert focused == [where, value], key
    assert stops.count() == 4
    live.keyboard.press("Shift+Tab")
    live.keyboard.press("Tab")
    assert live.evaluate("document.activeElement.getAttribute('aria-label')") == "W V, row 1, column 1"


def test_what_is_typed_is_reckoned_with_at_once_and_half_typed_numbers_wait(live: Page) -> None:
    entry(live, "x of «The», number 2").focus()
    for keys, number, field in [("-", 0, "-"), ("1", -1, "-1"), (".", -1, "-1."), ("5", -1.5, "-1.5"), ("e", -1.5, "-1.5e")]:
        live.keyboard.type(keys)
        assert data(live, "hand")["x"][0][1] == number, keys
        live.evaluate("hand.light(null)")
        live.wait_for_timeout(20)
        assert live.evaluate("document.activeElement.value") == field, keys
        assert notice(live) == "", "nothing is wrong yet"
    live.keyboard.press("Tab")
    assert entry(live, "x of «The», number 2").input_value() == "−1.5", "what was left half typed is the number again"
    check(live)


def test_what_is_out_of_bounds_is_held_at_the_bound_and_said(live: Page) -> None:
    field = entry(live, "W K, row 2, column 2")
    field.fill("12")
    until_shown(live, "Numbers go from −9 to 9: 9 is taken.")
    assert data(live, "hand")["wk"][1][1] == 9
    field.fill("-0.12345")
    until_shown(live, "Three decimals are kept: −0.123 is taken.")
    field.fill("3")
    assert "is taken" not in live.locator("#hand").inner_text()
    live.keyboard.press("Tab")
    check(live)


def notice(page: Page) -> str:
    return page.evaluate("[...document.querySelectorAll('#hand .trace-notice')].map((place) => place.textContent).join('')")


@pytest.mark.parametrize("way", ["undo", "reset", "link", "leaving", "another number"])
def test_what_was_wrong_is_said_until_something_else_is_done(live: Page, way: str) -> None:
    field = entry(live, "W K, row 2, column 2")
    live.get_by_role("spinbutton", name="x of «The», number 1").first.fill("2")
    field.fill("12")
    live.wait_for_timeout(50)
    assert notice(live) == "Numbers go from −9 to 9: 9 is taken."
    match way:
        case "undo" | "reset":
            live.evaluate(f"hand.{way}()")
        case "link":
            live.evaluate("location.hash = '#hand?query=0'")
        case "leaving":
            live.keyboard.press("Tab")
        case _:
            field.fill("3")
    until(live, "[...document.querySelectorAll('#hand .trace-notice')].every((place) => place.textContent === '')")
    live.evaluate("history.replaceState(null, '', location.pathname)")


def test_what_enters_nothing_is_told(open_page: OpenPage, traces: str) -> None:
    page = open_page(traces)
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text))
    until_status(page, "live", "hand")
    before = state(page, "hand")
    field = entry(page, "W Q, row 1, column 1")
    field.fill("٣")
    assert "is no number: write one like −1.5" in notice(page)
    assert "٣" in notice(page)
    for text in (";", ";;", "[]", "1 two"):
        paste(page, text)
        assert text in notice(page)
    assert state(page, "hand") == before
    page.keyboard.press("Tab")
    assert field.input_value() == "2"
    assert warnings == []


def test_a_comma_in_one_number_is_a_decimal_one(live: Page) -> None:
    entry(live, "W Q, row 1, column 1").focus()
    live.keyboard.type("1,5")
    assert data(live, "hand")["wq"][0] == [1.5, 0, 0, 0]
    live.keyboard.press("Tab")
    assert entry(live, "W Q, row 1, column 1").input_value() == "1.5"
    entry(live, "W Q, row 1, column 2").focus()
    paste(live, "−2,25")
    assert data(live, "hand")["wq"][0] == [1.5, -2.25, 0, 0]
    paste(live, "3, 4")
    assert data(live, "hand")["wq"][0] == [1.5, 3, 4, 0], "between two it is none"


def test_ctrl_z_takes_back_what_a_field_does_not_remember(live: Page) -> None:
    field = entry(live, "W Q, row 2, column 2")
    for way in ("arrow", "paste"):
        field.focus()
        live.wait_for_timeout(1100)  # a step of its own
        live.keyboard.press("ArrowUp") if way == "arrow" else paste(live, "3")
        assert data(live, "hand")["wq"][1] == [0, 3, 0, 0]
        assert field.input_value() == "3"
        live.keyboard.press("Control+z")
        assert data(live, "hand")["wq"][1] == [0, 2, 0, 0], way
        assert field.input_value() == "2"
    live.keyboard.type("7")
    assert field.get_attribute("data-undo") is None, "what is typed, the field takes back"
    live.keyboard.press("Control+z")
    assert (field.input_value(), data(live, "hand")["wq"][1]) == ("2", [0, 2, 0, 0])


def paste(page: Page, text: str) -> None:
    page.evaluate(
        """(text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', text);
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
        }""",
        text,
    )


def test_pasted_numbers_fill_the_matrix_and_other_text_is_told(live: Page) -> None:
    entry(live, "W Q, row 2, column 3").focus()
    paste(live, "−1.5")
    assert data(live, "hand")["wq"][1] == [0, 2, -1.5, 0]
    paste(live, "[[1, 20],\n [3, 4]]")
    assert data(live, "hand")["wq"] == [[2, 0, 0, 0], [0, 2, 1, 9], [0, 0, 3, 4], [0, 0, 0, 2]]
    before = state(live, "hand")
    paste(live, "<b>three</b>")
    assert "<b>three</b>" in notice(live)
    assert "cannot be read as numbers: write them like −1.5" in notice(live)
    assert state(live, "hand") == before
    entry(live, "W Q, row 2, column 3").evaluate("field => field.blur()")
    check(live)


def test_the_wheel_over_a_field_moves_the_page_and_no_number(live: Page) -> None:
    field = entry(live, "W Q, row 1, column 1")
    field.click()
    live.mouse.wheel(0, 120)
    live.wait_for_timeout(200)
    assert field.input_value() == "2"
    assert state(live, "hand")["wq"] == HAND["wq"]


def test_the_result_is_spoken_once_it_rests(live: Page) -> None:
    entry(live, "W V, row 1, column 1").focus()
    region = hand(live, "[aria-live=polite]")
    live.keyboard.type("3")
    assert "2.178" not in str(region.text_content())
    until(live, "document.querySelector('#hand [aria-live=polite]').textContent.includes('2.178')")
