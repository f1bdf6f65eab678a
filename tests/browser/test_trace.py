"""The hand trace as a reader with a pencil uses it: every number is worked out again, from what stands in the fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from app.printer import Printer
from model.runtime import Runtime
from tests.browser.conftest import OpenPage, watched
from tests.browser.life import QUEEN, data, figure, kept_open, one_page, serving, state, until, until_status
from tests.browser.trace import HAND, as_printed, check, entry, hand, moved, tables, told, two_traces, until_shown, wish

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MATCH, BUDGET, BLEND = range(3)


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


def test_words_that_are_read_from_right_to_left_stand_so_within_a_sentence_that_is_not(live: Page) -> None:
    wish(live, {"text": "the שלום לך end"})
    boxes = [hand(live, f'[data-token="{index}"]').bounding_box() for index in range(4)]
    across = [box["x"] for box in boxes if box]
    assert across[0] < across[2] < across[1] < across[3]
    assert len({box["y"] for box in boxes if box}) == 1


def test_a_token_is_picked_in_any_table_and_let_go_by_a_second_click_or_escape(live: Page) -> None:
    def name(table: int, key: int):
        return hand(live, ".trace-table").nth(table).locator(f'[data-key="{key}"]')

    assert data(live, "hand")["key"] == 2, "the one that gets most"
    assert name(MATCH, 2).get_attribute("aria-pressed") == "false", "nobody has picked it"
    name(BUDGET, 2).click()
    assert state(live, "hand")["key"] == 2
    assert name(MATCH, 2).get_attribute("aria-pressed") == "true"
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
    value = live.get_by_role("button", name="4, value of «cat», number 4")
    value.click()
    assert value.get_attribute("aria-pressed") == "true"
    value.click()
    assert state(live, "hand")["key"] == ""


def test_arrows_only_choose_and_a_double_click_takes_nothing_back(live: Page) -> None:
    wish(live, {"key": "1"})
    hand(live, '.trace-name[data-key="0"]').nth(BUDGET).focus()
    live.keyboard.press("ArrowDown")
    assert state(live, "hand")["key"] == 1, "the arrow has led to the one that was picked"
    for part, option, value in [
        ('.trace-name[data-key="0"]', "key", 0),
        ('.trace-number[data-row="2"]', "key", 2),
        ('[data-token="1"]', "query", 1),
    ]:
        hand(live, part).last.dblclick()
        assert state(live, "hand")[option] == value, part


def test_the_asking_token_is_let_go_by_a_second_click_or_escape(live: Page) -> None:
    for release in ("click", "Escape"):
        hand(live, '[data-token="0"]').click()
        assert state(live, "hand")["query"] == 0
        if release == "click":
            hand(live, '[data-token="0"]').click()
        else:
            hand(live, '.trace-name[data-key="1"]').first.click()
            live.keyboard.press("Escape")
            assert (state(live, "hand")["query"], state(live, "hand")["key"]) == (0, ""), "one at a time"
            live.keyboard.press("Escape")
        assert state(live, "hand")["query"] == 2, release
    hand(live, '[data-token="2"]').click()
    assert state(live, "hand")["query"] == 2, "as it was printed"


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


@pytest.mark.parametrize("width", [320, 1280])
def test_the_longest_entry_is_whole_in_its_field(open_page: OpenPage, traces: str, width: int) -> None:
    page = open_page(traces, viewport={"width": width, "height": 740})
    until_status(page, "live", "hand")
    field = entry(page, "W Q, row 1, column 1")
    for text in ("-4.567", "-8.999", "−8.888"):
        field.fill(text)
        assert field.evaluate("field => field.scrollWidth <= field.clientWidth"), text


def test_on_a_phone_the_vectors_stand_in_the_products_and_undo_under_the_sentence(open_page: OpenPage, traces: str) -> None:
    page = open_page(traces, viewport={"width": 360, "height": 740})
    until_status(page, "live", "hand")
    assert [again.is_visible() for again in hand(page, ".trace-again").all()] == [True] * 3
    tops = [hand(page, part).first.bounding_box() for part in (".trace-readout", ".figure-tools", ".trace-steps")]
    assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)


def test_of_many_tokens_the_picked_one_is_in_the_window_of_its_table(open_page: OpenPage, runtime: Runtime) -> None:
    text = " ".join(["The king turned sharply to Alice and said that the Cat was gone."] * 6)
    with Printer(runtime) as printer:
        far = "<p>Prose.</p>" * 60
        long = one_page(
            printer, "long", "Long", far + figure(printer, "queen", QUEEN | {"text": text, "query": "90", "key": "55"}) + far
        )
    seen = """(() => {
      const box = document.querySelector('#queen .trace-many');
      const [row, head, foot] = ['.trace-picked', 'thead', 'tfoot'].map((part) => box.querySelector(part).getBoundingClientRect());
      return row.top >= head.bottom - 1 && row.bottom <= foot.top + 1;
    })()"""
    with serving(long) as origin:
        page = open_page(f"{origin}/chapters/long/", viewport={"width": 360, "height": 740})
        page.evaluate("queen.state = {layer: 2}")
        until_status(page, "live")
        assert page.evaluate(seen)
        for key in ("3", "90", "45"):
            page.evaluate("key => { queen.state = {key}; }", key)
            until(page, seen)
        assert page.evaluate("scrollY") == 0
        page.evaluate("document.querySelector('#queen .trace-many').scrollTop = 0; queen.light(null)")
        page.wait_for_timeout(50)
        assert page.evaluate("document.querySelector('#queen .trace-many').scrollTop") == 0, "where the reader scrolls, it stays"


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
            hand(live, "input.trace-entry").first.evaluate("field => getComputedStyle(field).borderBlockEndColor")
            == "rgba(0, 0, 0, 0)"
        )
        pressed = hand(live, '.trace-number[aria-pressed="true"]').first
        assert pressed.evaluate("number => getComputedStyle(number).textDecorationLine") == "none"
        assert "Change" not in live.locator("#hand").inner_text()
        assert "45.2%" in live.locator("#hand").inner_text()
    finally:
        live.emulate_media(media="screen")
