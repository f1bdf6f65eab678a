"""The hand trace as a reader with a pencil uses it: every number is worked out again, from what stands in the fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from model.runtime import Runtime
from tests.browser.conftest import OpenPage, watched
from tests.browser.life import data, serving, state, until, until_status
from tests.browser.trace import HAND, entries, entry, hand, moved, tables, told, two_traces, until_shown, wish

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MATCH, BUDGET, BLEND = range(3)


@pytest.fixture(scope="module")
def traces(runtime: Runtime) -> Iterator[str]:
    with serving(two_traces(runtime)) as origin:
        yield f"{origin}/chapters/traces/"


@pytest.fixture(scope="module")
def desk(browser: Browser, traces: str) -> Iterator[Page]:
    with watched(browser) as open_page:
        page = open_page(traces, viewport={"width": 1280, "height": 800})
        until_status(page, "live", "hand")
        yield page


@pytest.fixture
def live(desk: Page) -> Page:
    """The book's own trace, as it was printed, on a laptop's screen."""
    desk.mouse.move(0, 0)
    desk.evaluate("document.activeElement?.blur()")
    wish(desk, HAND | {"query": "2", "key": "", "dimension": 1, "causal": False})
    return desk


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


# numbers


def test_the_trace_of_the_book_is_there_without_script(open_page: OpenPage, traces: str) -> None:
    page = open_page(traces, java_script_enabled=False)
    text = page.locator("#hand").inner_text()
    for words in ("27.4%", "45.2%", "6.016", "(0.726, 1.452, 0.822, 1.096)", "2 × 0.5 + 2 × 0.5 + 0 × 0 + 0 × 0 = 2"):
        assert words in re.sub(r"\s+", " ", text)
    assert not page.locator("#hand .trace-switch").is_visible(), "nothing is offered that cannot work"
    assert "Change" not in text
    assert hand(page, "input[readonly]").count() == 12 + 3 * 16


@pytest.mark.parametrize("key", ["hand", "eight"])
def test_every_shown_number_adds_up_and_is_what_numpy_finds(live: Page, key: str) -> None:
    check(live, key)


def test_so_it_is_whatever_the_reader_writes(live: Page) -> None:
    chance = np.random.default_rng(4)

    def some(rows: int) -> str:
        numbers = np.where(chance.random((rows, 4)) < 0.3, 0, chance.uniform(-9, 9, (rows, 4)) * chance.choice([0.1, 1]))
        return "; ".join(" ".join(f"{number:.{chance.integers(4)}f}" for number in row) for row in numbers)

    for round_ in range(40):
        wish(live, {"x": some(3), "wq": some(4), "wk": some(4), "wv": some(4), "query": str(round_ % 3), "causal": round_ % 2 == 0})
        check(live)


@pytest.mark.parametrize("number", ["9", "-9", "0", "0.001"])
@pytest.mark.parametrize("causal", [False, True])
def test_extremes_are_finite_and_add_up(live: Page, number: str, causal: bool) -> None:
    row = " ".join([number] * 4)
    for query in "012":
        wish(
            live,
            {"x": "; ".join([row] * 3), **{w: "; ".join([row] * 4) for w in ("wq", "wk", "wv")}, "query": query, "causal": causal},
        )
        check(live)
        assert not re.search(r"NaN|Infinity|undefined|\de[+-]\d", live.locator("#hand").inner_text())


def test_a_large_score_is_taken_from_all_and_the_reader_is_told_why(live: Page) -> None:
    assert "lie far from 0" not in live.locator("#hand").inner_text()
    wish(live, {"wq": "9 0 0 0; 0 9 0 0; 0 0 2 0; 0 0 0 2", "wk": "9 0 0 0; 0 9 0 0; 0 0 2 0; 0 0 0 2"})
    until_shown(live, "changes no weight")
    assert [row[2] for row in tables(live)[BUDGET][1:-1]] == ["-40.5", "-40.5", "0"]
    check(live)


# picking


def test_a_click_or_an_arrow_lets_another_token_ask(live: Page) -> None:
    hand(live, '[data-token="0"]').click()
    assert state(live, "hand")["query"] == 0
    until_shown(live, "«The» gives")
    live.keyboard.press("ArrowRight")
    assert state(live, "hand")["query"] == 1
    assert live.evaluate("document.activeElement.dataset.token") == "1"
    check(live)


def test_a_token_is_picked_in_any_table_and_let_go_by_a_second_click_or_escape(live: Page) -> None:
    def name(table: int, key: int):
        return hand(live, ".trace-table").nth(table).locator(f'[data-key="{key}"]')

    assert data(live, "hand")["key"] == 2, "the one that gets most"
    for table, key in [(MATCH, 1), (BUDGET, 0), (BLEND, 1)]:
        name(table, key).click()
        assert state(live, "hand")["key"] == key
        assert name(MATCH, key).get_attribute("aria-pressed") == "true"
    until_shown(live, "«sat» asks «cat»: 2 × 0 + 2 × 0.5 + 0 × 0 + 0 × 0.5 = 1")
    until_shown(live, "1 ÷ 2 = 0.5;")
    live.keyboard.press("ArrowUp")
    assert state(live, "hand")["key"] == 0
    assert live.evaluate("document.activeElement.dataset.key") == "0"
    live.keyboard.press("Escape")
    assert (state(live, "hand")["key"], data(live, "hand")["key"]) == ("", 2)
    name(MATCH, 1).click()
    name(MATCH, 1).click()
    assert state(live, "hand")["key"] == ""


def test_any_number_that_was_made_can_be_asked_where_it_came_from(live: Page) -> None:
    live.get_by_role("button", name="4, value of «cat», number 4").click()
    assert (state(live, "hand")["key"], state(live, "hand")["dimension"]) == (1, 4)
    until_shown(live, "Number 4 of v of «cat»: 0 × 0 + 1 × 0 + 0 × 0 + 1 × 4 = 4")
    hand(live, '[data-dimension="1"]').click()
    until_shown(live, "Number 2: 27.4% × 0 + 27.4% × 2 + 45.2% × 2 ≈ 0 + 0.548 + 0.904 = 1.452")


def test_a_number_of_the_text_marks_its_pair_while_it_is_what_is_shown_and_moves_nothing(live: Page) -> None:
    place = "document.querySelector('data').getBoundingClientRect().top + scrollY"
    before = live.evaluate(place)
    live.locator("data").hover()
    until(live, "document.querySelectorAll('#hand .token-lit').length === 2")
    assert live.evaluate(place) == before
    assert "«sat» gives" in hand(live, ".trace-readout").inner_text()
    assert hand(live, ".trace-lit").count() == 0, "the row of «The» is not what the tables show"
    live.mouse.move(0, 0)
    until(live, "document.querySelectorAll('#hand .token-lit').length === 0")
    wish(live, {"query": "0"})
    live.locator("data").focus()
    until(live, "document.querySelectorAll('#hand .trace-lit').length === 3")
    live.locator("data").blur()
    wish(live, {"x": "1 0 1 0; 0 1 0 1; 5 1 0 0"})
    live.locator("data").focus()
    live.wait_for_timeout(100)
    assert hand(live, ".token-lit").count() == 0


# editing


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
    for keys, number, field in [("-", 0, ""), ("-1", -1, "-1"), (".", -1, "-1"), ("5", -1.5, "-1.5"), ("e", -1.5, "")]:
        live.keyboard.press("Control+a") if keys == "-1" else None
        live.keyboard.type(keys)
        assert entries(live)[0][0, 1] == number or field == "", keys
        assert data(live, "hand")["x"][0][1] == number, keys
        assert live.evaluate("document.activeElement.value").rstrip(".") == field, keys
    live.keyboard.press("Tab")
    assert entry(live, "x of «The», number 2").input_value() == "-1.5", "what was left half typed is the number again"
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
    until_shown(live, "«<b>three</b>» cannot be read as numbers.")
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


# traps


def test_a_value_is_not_a_key(live: Page) -> None:
    weights = [row[-2] for row in tables(live)[BUDGET][1:]]
    entry(live, "W V, row 2, column 2").fill("5")
    assert [row[-2] for row in tables(live)[BUDGET][1:]] == weights
    assert "The weights stay as they were; the blend is now (0.726, 3.630, 0.822, 1.096)." in told(live)
    table = ".trace-steps > li:nth-child({})".format
    assert [moved(live, table(step)) > 0 for step in (1, 2, 3)] == [False, False, True]
    entry(live, "W K, row 2, column 2").fill("2")
    assert [row[-2] for row in tables(live)[BUDGET][1:]] != weights
    assert any("The weights are now" in words for words in told(live))
    assert data(live, "hand")["values"] == [[1, 0, 3, 0], [0, 5, 0, 4], [1, 5, 0, 0]]
    assert [moved(live, table(step)) > 0 for step in (1, 2, 3)] == [True, True, True]


def test_the_mask_hides_what_comes_later_and_nothing_from_the_last(live: Page) -> None:
    box = live.locator("#hand").get_by_role("checkbox")
    box.check()
    until_shown(live, "Nothing comes after «sat»: in the last row the mask hides nobody.")
    assert moved(live, "") == 0
    hand(live, '[data-token="0"]').click()
    until_shown(live, "«The» gives 100% to itself")
    assert [row[-2] for row in tables(live)[BUDGET][1:-1]] == ["100", "0", "0"]
    assert [row[2] for row in tables(live)[BUDGET][1:-1]] == ["0", "-∞", "-∞"]
    check(live)
    box.uncheck()
    assert moved(live, ".trace-steps > li:nth-child(2)") > 0


# as a page


def test_it_never_asks_for_the_model(open_page: OpenPage, traces: str) -> None:
    page = open_page(traces)
    until_status(page, "live", "hand")
    hand(page, '[data-token="0"]').click()
    page.wait_for_timeout(300)
    asked = [request.url for request in page.watch.requests]  # type: ignore[attr-defined]
    assert asked
    assert not [url for url in asked if re.search(r"\.(onnx|wasm)|worker|tokenizer", url)]


def test_a_step_can_be_undone_and_a_link_opens_the_same_numbers(open_page: OpenPage, traces: str) -> None:
    page = open_page(traces)
    until_status(page, "live", "hand")
    entry(page, "W V, row 1, column 1").fill("7")
    link = page.evaluate("hand.link")
    page.locator("#hand").get_by_role("button", name="Undo").click()
    assert state(page, "hand")["wv"] == HAND["wv"]
    assert entry(page, "W V, row 1, column 1").input_value() == "1"
    again = open_page(link)
    until(again, "document.getElementById('hand').data?.wv?.[0][0] === 7")
    check(again)


@pytest.mark.parametrize(
    "query", ["x=abc", "wq=1+2%3B3", "x=9e99+0+0+0&query=dog&key=99", "wk=&dimension=77", "text=%3Cb%3E&x=1", "causal=perhaps"]
)
def test_no_link_breaks_it(open_page: OpenPage, traces: str, query: str) -> None:
    page = open_page(f"{traces}#hand?{query}")
    until_status(page, "live", "hand")
    assert not re.search(r"NaN|Infinity|undefined", page.locator("#hand").inner_text())
    check(page)


@pytest.mark.parametrize("script", [True, False], ids=["alive", "printed"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_scrolls_sideways_but_what_scrolls_alone(open_page: OpenPage, traces: str, width: int, script: bool) -> None:
    page = open_page(traces, viewport={"width": width, "height": 740}, java_script_enabled=script)
    if script:
        until_status(page, "live", "hand")
        page.evaluate("document.getElementById('eight').wake({touched: true})")
    assert page.evaluate(SIDEWAYS) == 0
    small = page.evaluate(
        """[...document.querySelectorAll('attention-trace :is(button, input:not([type=checkbox]), label)')]
          .map((part) => [part, part.getBoundingClientRect()])
          .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
          .map(([part, box]) => `${part.className} ${box.width} × ${box.height}`)"""
    )
    assert small == []


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}], ids=str)
def test_axe_finds_nothing(open_page: OpenPage, traces: str, axe: str, options: dict[str, str]) -> None:
    page = open_page(traces, viewport={"width": 1280, "height": 800}, **options)
    until_status(page, "live", "hand")
    page.locator("#hand").get_by_role("checkbox").check()
    entry(page, "W V, row 1, column 1").fill("12")
    page.evaluate(axe)
    result = page.evaluate("tags => axe.run({runOnly: tags})", WCAG)
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in result["violations"]] == []
    assert len(result["passes"]) > 5


def test_on_paper_there_is_nothing_to_press(live: Page) -> None:
    live.emulate_media(media="print")
    try:
        assert not hand(live, ".trace-switch").is_visible()
        assert (
            hand(live, "input[type=number]").first.evaluate("field => getComputedStyle(field).borderBlockEndColor")
            == "rgba(0, 0, 0, 0)"
        )
        assert "Change" not in live.locator("#hand").inner_text()
        assert "45.2%" in live.locator("#hand").inner_text()
    finally:
        live.emulate_media(media="screen")
