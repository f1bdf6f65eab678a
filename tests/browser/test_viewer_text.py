"""The reader's own text in the viewer: any script, any length, every character seen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from model.runtime import Runtime
from tests.browser.life import state, until, until_status
from tests.browser.viewer import SIDEWAYS, finite, queen, readout, shown, token, write

CONTEXT = 128
PROSE = "The old heron stood by the pond all morning, and watched the clouds go by as if they were fish in the water. "


def test_typed_text_is_computed_in_the_tab(live: Page, runtime: Runtime):
    text = "The King bowed to Alice and said"
    got = write(live, text)
    tokens = runtime.encode(text)
    assert [each["id"] for each in got["tokens"]] == [each.id for each in tokens]
    assert state(live)["query"] == len(tokens) - 1
    expected = runtime.run([each.id for each in tokens])["pattern"]
    assert got["pattern"][0][0][-1] == pytest.approx(expected[0, 0, -1].tolist(), abs=1e-5)
    assert "Computed in your tab" in queen(live, ".viewer-status").inner_text()


def test_typing_letter_by_letter_keeps_the_caret(live: Page):
    write(live, "Alice")
    queen(live, "textarea").focus()
    live.keyboard.press("Home")
    live.keyboard.type("Then the Queen saw ", delay=5)
    until(live, "document.getElementById('queen').state.text === 'Then the Queen saw Alice'")
    assert queen(live, "textarea").input_value() == "Then the Queen saw Alice"


def test_an_empty_text_is_a_clear_state_and_not_an_end(live: Page):
    assert write(live, "")["tokens"] == []
    assert "type a few words" in queen(live, ".viewer-sentence").inner_text()
    assert "no text yet" in readout(live)
    queen(live, ".viewer-drawer > summary").click()
    assert finite(live)
    assert write(live, "Alice")["row"][-1] > 0


def test_only_spaces_are_tokens_that_can_be_seen(live: Page):
    assert write(live, "    ")["tokens"]
    assert shown(live).replace("|", "") == "␠␠␠␠"
    assert "nothing but white space" in queen(live, ".viewer-words").inner_text()


def test_the_context_length_exactly_and_one_token_more(live: Page, runtime: Runtime):
    full = " ".join(["the"] * CONTEXT)
    assert len(runtime.encode(full)) == CONTEXT
    got = write(live, full)
    assert (len(got["tokens"]), got["dropped"]) == (CONTEXT, 0)
    assert "exactly as many as the model can hold" in queen(live, ".viewer-words").inner_text()
    got = write(live, full + " the")
    assert (len(got["tokens"]), got["dropped"]) == (CONTEXT, 1)
    assert (
        f"makes {CONTEXT + 1} tokens, and the model can hold {CONTEXT}: the last one was left out"
        in queen(live, ".viewer-words").inner_text()
    )


def test_18_kilobytes_pasted_are_cut_and_the_rest_is_counted(live: Page, runtime: Runtime):
    text = (PROSE * 180)[:18_000]
    got = write(live, text)
    rest = len(runtime.encode(text)) - CONTEXT
    assert (len(got["tokens"]), got["dropped"]) == (CONTEXT, rest)
    assert f"the last {rest:,} were left out" in queen(live, ".viewer-words").inner_text()
    token(live, 40).click()
    assert state(live)["query"] == 40
    assert live.evaluate(SIDEWAYS) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Seán",
        "naïve",
        "Ωmega",
        "שׁלום said שׁלום",
        "👩‍👩‍👧‍👦",
        "日本語",
        "e\u0301t\u0065",
        "<b>bold</b>",
        "&amp;",
        "<img src=x onerror=alert(1)>",
        "a « b » «» c",
    ],
)
def test_every_typed_character_is_shown_once_as_typed(live: Page, text: str):
    got = write(live, text)
    assert re.sub("[ ␠|]", "", shown(live)) == text.replace(" ", ""), "a space shows as a gap or as its sign"
    assert queen(live, "[data-token]").count() == len(got["tokens"]), "every token is a button, those of one character too"
    labels = [each.get_attribute("aria-label") for each in queen(live, "[data-token]").all()]
    assert len(set(labels)) == len(labels), "told apart by number"
    assert queen(live, "img, b").count() == 0
    assert finite(live)
    assert live.evaluate(SIDEWAYS) == 0


def test_tokens_of_one_character_share_a_cell_and_are_numbered(live: Page):
    write(live, "日本語 👩‍👩‍👧‍👦")
    cells = queen(live, ".cell-shared")
    assert [cell.locator("> .token-text").inner_text() for cell in cells.all()] == ["日", "本", "語", "👩‍👩‍👧‍👦"]
    for cell in cells.all():
        parts = cell.locator("[data-token] .token-text").all_inner_texts()
        assert parts == [str(part + 1) for part in range(len(parts))]
        assert len(parts) > 1


def test_white_space_is_visible_and_has_a_name(live: Page):
    write(live, "a  b\n\tc ")
    assert {"␠", "⏎", "⇥"} <= set(shown(live))
    labels = " ".join(str(each.get_attribute("aria-label")) for each in queen(live, "[data-token]").all())
    assert "a space" in labels
    assert "new line" in labels
    assert "tab" in labels


def test_right_to_left_text_stands_and_is_walked_from_right_to_left(live: Page):
    got = write(live, "שלום Alice")
    last = len(got["tokens"]) - 1
    right, left = (token(live, index).bounding_box() for index in (0, last))
    assert right is not None
    assert left is not None
    assert right["x"] > left["x"]
    token(live, last).focus()
    live.keyboard.press("ArrowRight")
    assert state(live)["query"] == last - 1


def test_the_sum_behind_a_share_calls_a_part_of_a_hebrew_letter_by_its_letter_first(live: Page):
    got = write(live, "שלום")
    last = len(got["tokens"]) - 1
    live.evaluate("last => { queen.state = {query: last, key: 0}; }", last)
    until(live, "queen.querySelector('.viewer-why table')")
    for head in queen(live, ".viewer-why tbody .trace-name").all():
        letter, part = (head.locator(name).bounding_box() for name in (".trace-brief", ".trace-part"))
        assert letter is not None
        assert part is not None
        assert letter["x"] + letter["width"] <= part["x"]
    assert queen(live, ".viewer-why tbody .trace-name").count() == last + 1
    assert {"ש"} < set(queen(live, ".viewer-why tbody .trace-brief").all_inner_texts())


def test_a_long_line_wraps_on_a_phone(open_page, address: str):
    page = open_page(address, viewport={"width": 360, "height": 740})
    until_status(page, "live")
    write(page, "x" * 80 + " " + PROSE * 5)
    assert page.evaluate(SIDEWAYS) == 0
    rights = page.evaluate("[...document.querySelectorAll('#queen [data-token]')].map((b) => b.getBoundingClientRect().right)")
    assert max(rights) <= 360


@pytest.mark.parametrize(
    "text", ["\u200d" * 40, "\ufe0f" * 30, "a" + "\u200d\ufe0f" * 20, "\u0915\u094d" * 30, "x" * 80, "\t" * 30]
)
def test_nothing_that_can_be_typed_makes_the_page_scroll_sideways(open_page, address: str, text: str):
    page = open_page(address, viewport={"width": 320, "height": 740})
    until_status(page, "live")
    write(page, text)
    queen(page, ".viewer-drawer > summary").click()
    for query in (0, 5):
        page.evaluate("query => { queen.state = {query}; }", query)
        assert page.evaluate(SIDEWAYS) == 0
