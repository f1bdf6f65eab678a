"""The scale knob in a real browser: by pointer and by keyboard, on a phone, on paper, without script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from model.runtime import Runtime
from tests.browser.conftest import OpenPage
from tests.browser.knob import two_knobs
from tests.browser.life import data, serving, state, until, until_status

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
COLUMNS = {"undivided": 0, "divided": 1}


@pytest.fixture(scope="module")
def knobs(runtime: Runtime) -> Iterator[str]:
    with serving(two_knobs(runtime)) as origin:
        yield f"{origin}/chapters/knobs/"


@pytest.fixture
def live(open_page: OpenPage, knobs: str) -> Page:
    page = open_page(knobs)
    until_status(page, "live", "knob")
    return page


def knob(page: Page, selector: str) -> Locator:
    return page.locator(f"#knob {selector}")


def shares(page: Page, column: str) -> list[float]:
    """Heights of the bars as drawn, in shares of the picture: what a reader sees."""
    return page.evaluate(
        """(column) => {
            const picture = document.querySelectorAll('#knob .knob-shares')[column];
            const {height} = picture.getBoundingClientRect();
            return [...picture.querySelectorAll('[class^=ramp]')].map((bar) => bar.getBoundingClientRect().height / height);
        }""",
        COLUMNS[column],
    )


def turn(page: Page, dk: int) -> None:
    page.evaluate("dk => { knob.state = {dk}; }", dk)
    until(page, f"knob.state.dk === {dk} && document.querySelector('#knob input[type=number]').value === '{dk}'")


# what is seen


def test_the_drawn_row_collapses_undivided_and_stays_divided(live: Page) -> None:
    turn(live, 1)
    assert shares(live, "undivided") == pytest.approx(shares(live, "divided"), abs=0.01)
    turn(live, 512)
    assert max(shares(live, "undivided")) > 0.95
    assert max(shares(live, "divided")) < 0.35
    assert shares(live, "divided") == pytest.approx(data(live, "knob")["scaled"]["weights"], abs=0.015)


def test_the_marker_stands_where_the_spread_was_measured(live: Page) -> None:
    for dk in (1, 64, 300, 512):
        turn(live, dk)
        off = live.evaluate(
            """(dk) => {
                const [dot] = document.querySelectorAll('#knob .knob-dot');
                const box = dot.getBoundingClientRect();
                const chart = document.querySelector('#knob .knob-chart').getBoundingClientRect();
                const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
                const spread = (chart.bottom - 1 - y) / (chart.height - 1) * 26;
                const width = (x - chart.left - 1) / (chart.width - 1) * 512;
                return [Math.abs(width - dk), Math.abs(spread - knob.data.spread[dk - 1])];
            }""",
            dk,
        )
        assert off[0] < 2
        assert off[1] < 0.2


def test_the_model_is_never_asked_for(live: Page) -> None:
    live.wait_for_timeout(300)
    asked = [request.url for request in live.watch.requests]  # type: ignore[attr-defined]
    assert not [url for url in asked if re.search(r"\.(onnx|wasm)|worker", url)]
    assert data(live, "knob")["difference"] == 0, "what was printed is what is drawn in the tab"


# by hand


def test_the_knob_turns_by_keyboard(live: Page) -> None:
    knob(live, "input[type=range]").focus()
    live.keyboard.press("ArrowRight")
    assert state(live, "knob")["dk"] == 96
    live.keyboard.press("End")
    assert state(live, "knob")["dk"] == 512
    assert knob(live, "input[type=number]").input_value() == "512"
    assert knob(live, "input[type=range]").get_attribute("aria-valuetext") == "512"
    live.keyboard.press("Home")
    assert state(live, "knob")["dk"] == 1


@pytest.mark.parametrize(("typed", "dk"), [("100", 100), ("0", 1), ("9999", 512), ("-3", 1), ("7.6", 8), ("", 64), ("1e2", 100)])
def test_whatever_is_typed_the_field_ends_with_what_is_shown(live: Page, typed: str, dk: int) -> None:
    field = knob(live, "input[type=number]")
    field.focus()
    live.keyboard.press("Control+a")
    live.keyboard.press("Delete")
    live.keyboard.type(typed)
    live.keyboard.press("Tab")
    live.wait_for_timeout(50)
    if typed == "":
        dk = state(live, "knob")["dk"]
    assert state(live, "knob")["dk"] == dk
    assert field.input_value() == str(dk)


def test_what_is_half_typed_is_kept_until_the_field_is_left(live: Page) -> None:
    field = knob(live, "input[type=number]")
    field.focus()
    live.keyboard.press("Control+a")
    for keys, dk, held in [("Delete", 64, ""), ("0", 64, "0"), ("Backspace", 64, ""), ("3", 3, "3")]:
        live.keyboard.press(keys)
        live.evaluate("knob.light('512.1.1')")
        live.wait_for_timeout(30)
        live.evaluate("knob.light(null)")
        live.wait_for_timeout(30)
        assert (state(live, "knob")["dk"], field.input_value()) == (dk, held)
    live.keyboard.press("Delete")
    live.keyboard.press("Backspace")
    live.keyboard.press("Tab")
    assert field.input_value() == "3"


def test_ctrl_z_in_the_field_takes_back_a_turn_of_the_knob(live: Page) -> None:
    knob(live, "input[type=range]").press("ArrowRight")
    field = knob(live, "input[type=number]")
    assert field.input_value() == "96"
    field.press("Control+z")
    assert (state(live, "knob")["dk"], field.input_value()) == (64, "64")


def test_draw_again_draws_other_numbers_and_undo_brings_these_back(live: Page) -> None:
    before = data(live, "knob")
    knob(live, "button:has-text('Draw again')").click()
    until(live, "knob.state.seed === 2")
    assert data(live, "knob")["spread"] != before["spread"]
    assert data(live, "knob")["raw"]["scores"] != before["raw"]["scores"]
    knob(live, "button:has-text('Undo')").click()
    until(live, "knob.state.seed === 1")
    assert data(live, "knob")["spread"] == before["spread"]


def test_a_key_is_nudged_by_a_click_or_from_the_list_and_released_by_each_way(live: Page) -> None:
    turn(live, 512)
    slot = knob(live, ".knob-shares").nth(1).locator("[data-key='4']")
    slot.click()
    assert state(live, "knob")["nudge"] == 4
    until(live, "document.querySelector('#knob select').value === '4'")
    moved = shares(live, "divided")[3] - data(live, "knob")["scaled"]["weights"][3]
    assert moved > 0.1, "divided, it is seen to move"
    stuck = shares(live, "undivided")[3] - data(live, "knob")["raw"]["weights"][3]
    assert abs(stuck) < 0.01, "undivided, it is not"
    slot.click()
    assert state(live, "knob")["nudge"] == 0
    until(live, "document.querySelector('#knob select').value === '0'")
    slot.dblclick()
    assert state(live, "knob")["nudge"] == 4, "the second click of a double click takes nothing back"
    knob(live, "select").select_option("12")
    assert state(live, "knob")["nudge"] == 12
    knob(live, "select").press("Escape")
    assert state(live, "knob")["nudge"] == 0


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("dk=512&seed=3&nudge=2", {"dk": 512, "seed": 3, "nudge": 2, "keys": 12}),
        ("dk=abc&seed=1.5&keys=x", {"dk": 64, "seed": 1, "keys": 12}),
        ("dk=0&seed=-4&keys=99&nudge=33", {"dk": 1, "seed": 0, "keys": 32, "nudge": 32}),
        ("dk=1e9&seed=99999999999999999999", {"dk": 64, "seed": 999999}),
        ("keys=2&nudge=12", {"keys": 2, "nudge": 0}),
        ("%E0%A4%A&dk", {"dk": 64}),
    ],
)
def test_a_link_is_read_as_far_as_it_goes(open_page: OpenPage, knobs: str, link: str, wanted: dict[str, int]) -> None:
    page = open_page(f"{knobs}#knob?{link}")
    until_status(page, "live", "knob")
    until(page, "knob.state.seed === " + str(wanted.get("seed", 1)))
    assert state(page, "knob") | wanted == state(page, "knob")
    assert not re.search(r"NaN|Infinity|undefined", page.evaluate("knob.outerHTML"))


def test_two_knobs_leave_each_other_alone(live: Page) -> None:
    before = state(live, "wide")
    turn(live, 512)
    knob(live, "button:has-text('Draw again')").click()
    until(live, "knob.state.seed === 2")
    assert state(live, "wide") == before


def test_a_number_of_the_text_that_is_pointed_at_turns_the_picture_and_lets_it_go_again(live: Page) -> None:
    live.locator("data").focus()
    until(live, "document.querySelectorAll('#knob .knob-lit').length === 1")
    assert "21%" in knob(live, ".knob-lit").inner_text()
    assert "√512" in knob(live, ".knob-head").last.inner_text()
    assert state(live, "knob")["dk"] == 64
    live.locator("data").blur()
    until(live, "document.querySelectorAll('#knob .knob-lit').length === 0")
    assert "√64" in knob(live, ".knob-head").last.inner_text()


def test_a_step_of_a_drag_takes_less_than_half_a_frame(live: Page) -> None:
    """Under 8 ms of script, style and layout, in time of the page's own thread: whatever else runs here does not count."""
    metrics = live.context.new_cdp_session(live)
    metrics.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        found = metrics.send("Performance.getMetrics")["metrics"]
        parts = {"ScriptDuration", "RecalcStyleDuration", "LayoutDuration"}
        return sum(metric["value"] for metric in found if metric["name"] in parts) * 1000

    begin = spent()
    live.evaluate(
        """async () => {
            const range = document.querySelector('#knob input[type=range]');
            for (let step = 0; step < 90; step += 1) {
                range.value = step % 18;
                range.dispatchEvent(new Event('input', {bubbles: true}));
                await new Promise(requestAnimationFrame);
            }
        }"""
    )
    cost = (spent() - begin) / 90
    assert 0.05 < cost < 8, f"{cost:.2f} ms"


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_moves_below_while_the_knob_turns(open_page: OpenPage, knobs: str, width: int) -> None:
    page = open_page(knobs, viewport={"width": width, "height": 740})
    until_status(page, "live", "knob")
    places = set()
    for dk in (2, 3, 64, 192, 256, 384, 512):
        turn(page, dk)
        places.add(page.evaluate("document.querySelector('#knob .knob-nudge').getBoundingClientRect().top + scrollY"))
    assert len(places) == 1, places


# for everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_everything_open(live: Page, axe: str, scheme: str) -> None:
    live.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    knob(live, "summary").click()
    live.evaluate("knob.state = {dk: 512, nudge: 3}")
    live.evaluate(axe)
    found = live.evaluate(
        "axe.run('#knob', {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        ".then((found) => found.violations.map(({id, nodes}) => [id, nodes.map((node) => node.html + node.failureSummary)]))"
    )
    assert found == []


def test_every_target_is_large_enough(live: Page) -> None:
    small = live.evaluate(
        """[...document.querySelectorAll('#knob :is(button, input, select, summary, a)')]
            .map((part) => [part, part.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24).map(([part]) => part.outerHTML)"""
    )
    assert small == []


def test_the_last_of_many_turns_is_spoken_once(live: Page) -> None:
    region = knob(live, "[aria-live]")
    assert region.count() == 1
    knob(live, "input[type=range]").focus()
    for _ in range(4):
        live.keyboard.press("ArrowRight")
    until(live, "document.querySelector('#knob [aria-live]').textContent !== ''")
    assert region.text_content() == knob(live, ".knob-readout").text_content()
    assert "256 numbers" in str(region.text_content())


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
@pytest.mark.parametrize("link", ["", "#wide?dk=512&nudge=32", "#knob?dk=512&nudge=12&seed=4"])
def test_nothing_scrolls_sideways(open_page: OpenPage, knobs: str, width: int, link: str) -> None:
    page = open_page(knobs + link, viewport={"width": width, "height": 740})
    until_status(page, "live", "knob")
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert page.evaluate(SIDEWAYS) == 0
    outside = page.evaluate(
        """[...document.querySelectorAll('scale-knob :is(p, text, label, svg)')].filter((part) => {
            const box = part.getBoundingClientRect();
            return box.width > 1 && (box.left < -0.5 || box.right > innerWidth + 0.5);
        }).map((part) => part.textContent)"""
    )
    assert outside == []


def test_without_script_the_picture_is_whole_and_offers_nothing_that_cannot_work(open_page: OpenPage, knobs: str) -> None:
    page = open_page(knobs, java_script_enabled=False, viewport={"width": 360, "height": 740})
    assert "key 4 gets 98% of the budget" in knob(page, ".knob-readout").inner_text()
    assert knob(page, ".knob-shares [class^=ramp]").count() == 24
    assert knob(page, ".knob-chart path").count() == 3
    for control in knob(page, ":is(input, select, button)").all():
        assert not control.is_visible()
    knob(page, "summary").click()
    assert knob(page, "tbody tr").count() == 12


def test_on_paper_the_numbers_are_open_and_nothing_is_to_be_pressed(live: Page) -> None:
    live.emulate_media(media="print")
    live.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert knob(live, "tbody tr").last.is_visible()
    for control in knob(live, ":is(input, select, summary)").all():
        assert not control.is_visible()
    pictures, table = (knob(live, part).bounding_box() for part in (".knob-pictures", ".knob-table"))
    assert pictures is not None
    assert table is not None
    assert pictures["y"] + pictures["height"] <= table["y"]


def test_in_the_readers_own_colours_bars_and_lines_are_seen(open_page: OpenPage, knobs: str) -> None:
    page = open_page(knobs, forced_colors="active")
    until_status(page, "live", "knob")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for part, prop in [(".knob-bar", "fill"), (".knob-measured", "stroke"), (".knob-law", "stroke"), (".knob-marker", "stroke")]:
        colour = knob(page, part).first.evaluate("(part, prop) => getComputedStyle(part)[prop]", prop)
        assert colour not in (paper, "none"), part
