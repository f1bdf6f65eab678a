"""What a reader chose can be taken back, released, sent on and asked why."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page

from tests.browser.life import QUEEN, choose, data, reset, state, until
from tests.browser.test_links import follow
from tests.browser.viewer import queen, readout, token, write

SAID, ALICE = 11, 9

# One block of each script, white space and controls, marks that combine, pictures, private use.
SCRIPTS = {
    "Latin": (0x20, 0x7E),
    "accents": (0xC0, 0x24F),
    "Greek": (0x391, 0x3C9),
    "Cyrillic": (0x410, 0x44F),
    "Armenian": (0x531, 0x556),
    "Hebrew": (0x5D0, 0x5EA),
    "Arabic": (0x620, 0x64A),
    "Devanagari": (0x905, 0x94D),
    "Bengali": (0x985, 0x9B9),
    "Tamil": (0xB85, 0xBB9),
    "Thai": (0xE01, 0xE3A),
    "Georgian": (0x10D0, 0x10F0),
    "Hangul": (0xAC00, 0xAD00),
    "Ethiopic": (0x1200, 0x1248),
    "Kana": (0x3041, 0x30FF),
    "Han": (0x4E00, 0x4F00),
    "Adlam": (0x1E900, 0x1E943),
    "emoji": (0x1F600, 0x1F64F),
    "marks": (0x300, 0x36F),
    "white space and controls": (0x01, 0x20),
    "signs for direction and joining": (0x200B, 0x2064),
    "private use": (0xE000, 0xE0FF),
    "old scripts": (0x12000, 0x12100),
    "what an address holds apart": (0x21, 0x40),
}


def some(script: str) -> str:
    draw = random.Random(script)
    return "".join(chr(draw.randint(*SCRIPTS[script])) for _ in range(draw.randint(1, 30)))


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_link_reopens_any_text_of_any_script_at_its_token_head_and_sum(live: Page, script: str):
    draw = random.Random(script)
    text = some(script)
    last = len(choose(live, {"text": text})["data"]["tokens"]) - 1
    query = draw.randint(0, last)
    wanted = {"layer": draw.randint(1, 2), "head": draw.randint(1, 4), "query": query, "key": draw.randint(0, query)}
    live.evaluate("some => { queen.state = some; }", wanted)
    until(live, "queen.link.includes('key=')")
    shown, got, link = state(live), data(live), live.evaluate("queen.link")
    assert shown == {"text": text, **wanted}
    reset(live)
    assert state(live)["text"] == QUEEN["text"]
    follow(live, link)
    until(live, f"queen.state.key === {wanted['key']}")
    assert (state(live), data(live)) == (shown, got)


def test_the_link_is_copied_and_where_it_cannot_be_it_stands_in_the_address_bar(open_page, address: str):
    page = open_page(address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    until(page, "queen.status === 'live'")
    token(page, 3).click()
    queen(page, "a.tool").click()
    until(page, "queen.querySelector('.tool-said').textContent === 'Link copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("queen.link")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error('denied'))}})")
    token(page, 4).click()
    queen(page, "a.tool").click()
    until(page, "queen.querySelector('.tool-said').textContent === 'The link is in the address bar.'")
    assert page.evaluate("location.href") == page.evaluate("queen.link")
    assert "query=4" in page.url


def test_a_text_too_long_for_a_link_says_so(live: Page):
    write(live, "long " * 30_000)
    queen(live, ".tool:text-is('Link to this view')").focus()
    live.keyboard.press("Enter")
    until(live, "queen.querySelector('.tool-said').textContent === 'This text is too long for a link.'")


def test_going_back_keeps_what_was_done_since_the_link(live: Page, address: str):
    follow(live, "#queen?text=A+cat+sat&layer=1")
    until(live, "queen.state.text === 'A cat sat'")
    write(live, "A dog sat here")
    follow(live, "#elsewhere")
    live.go_back()
    live.wait_for_timeout(100)
    assert state(live)["text"] == "A dog sat here", "the same link again, by going back"
    live.go_back()
    live.wait_for_timeout(100)
    assert state(live)["text"] == "A dog sat here", "before the link"
    follow(live, "#queen?text=A+cat+sat&layer=1")
    until(live, "queen.state.text === 'A cat sat'")
    live.go_back()
    until(live, f"queen.state.text === {QUEEN['text']!r}")


def test_going_back_from_one_link_to_another_shows_the_other(live: Page):
    for text in ("One", "Two"):
        follow(live, f"#queen?text={text}")
        until(live, f"queen.state.text === '{text}'")
    live.go_back()
    until(live, "queen.state.text === 'One'")


def test_steps_are_taken_back_one_by_one_and_reset_is_a_step_too(live: Page):
    token(live, 3).click()
    live.wait_for_timeout(1100)
    queen(live, '.stamp[aria-label="Layer 1, head 2"]').click()
    live.wait_for_timeout(1100)
    write(live, "Off with her head")
    queen(live, "button.tool:text-is('Undo')").click()
    until(live, f"queen.state.text === {QUEEN['text']!r}")
    assert (state(live)["layer"], state(live)["head"], state(live)["query"]) == (1, 2, 3)
    queen(live, "button.tool:text-is('Undo')").click()
    assert (state(live)["layer"], state(live)["head"], state(live)["query"]) == (2, 3, 3)
    token(live, 5).click()
    queen(live, "button.tool:text-is('Reset')").click()
    assert state(live) == {**QUEEN, "query": SAID, "key": None}
    assert queen(live, "button.tool:text-is('Reset')").get_attribute("aria-disabled") == "true"
    live.keyboard.press("Control+z")
    assert state(live)["query"] == 5


def test_a_field_undoes_its_own(live: Page):
    write(live, "Off with her head")
    queen(live, "textarea").press("Control+z")
    live.wait_for_timeout(100)
    assert queen(live, "textarea").input_value() != "Off with her head", "by the field, a text of its own"


def test_a_token_is_released_by_pressing_it_again_by_escape_and_by_the_ground(live: Page):
    for release in (
        lambda: token(live, 3).click(),
        lambda: live.keyboard.press("Escape"),
        lambda: ground(live),
    ):
        token(live, 3).click()
        assert state(live)["query"] == 3
        live.wait_for_timeout(600)  # longer than a double click
        release()
        assert state(live)["query"] == SAID


def ground(page: Page) -> None:
    """Click between the tokens: to the right of the last one."""
    box = queen(page, ".viewer-sentence").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 3)


def test_a_head_is_released_by_pressing_it_again_and_by_escape(live: Page):
    stamp = queen(live, '.stamp[aria-label="Layer 1, head 2"]')
    for release in (stamp.click, lambda: live.keyboard.press("Escape")):
        stamp.click()
        assert state(live)["head"] == 2
        live.wait_for_timeout(600)
        release()
        assert (state(live)["layer"], state(live)["head"]) == (2, 3)


def test_a_double_click_chooses_and_does_not_take_back(live: Page):
    token(live, 3).dblclick()
    assert state(live)["query"] == 3


def test_a_share_that_is_pressed_opens_the_sum_that_made_it_and_escape_closes_it(live: Page):
    got = data(live)
    queen(live, f'.viewer-readout .why[data-key="{ALICE}"]').click()
    until(live, "document.activeElement?.classList.contains('why-head')")
    words = queen(live, ".viewer-why").inner_text()
    assert words.startswith("Why «said» gives 98% to «Alice» in layer 2, head 3")
    vectors = got["vectors"][1][2]
    q, k = vectors["q"][SAID], vectors["k"][ALICE]
    dot = sum(a * b for a, b in zip(q, k, strict=True))
    assert f"{dot:.3f}".replace("-", "−") in words
    assert f"{got['row'][ALICE] * 100:.1f}%" in words
    live.keyboard.press("Escape")
    assert state(live)["key"] is None
    assert not queen(live, ".viewer-why").count()


@pytest.mark.parametrize(("layer", "head"), [(layer, head) for layer in (1, 2) for head in (1, 2, 3, 4)])
def test_the_sum_that_is_shown_is_that_of_the_weight_in_every_head(live: Page, layer: int, head: int):
    got = choose(live, {"layer": layer, "head": head, "query": 7, "key": 2})["data"]
    rows = queen(live, ".viewer-why").inner_text()
    assert f"{got['pattern'][layer - 1][head - 1][7][2] * 100:.1f}%" in rows


def unfold(page: Page, what: str) -> None:
    if queen(page, what).get_attribute("open") is None:
        queen(page, f"{what} > summary").click()


def test_any_cell_of_the_matrix_opens_its_sum_and_what_lies_ahead_does_not(live: Page):
    unfold(live, ".viewer-drawer")
    cells = queen(live, ".matrix-cells")
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    assert box is not None
    at = lambda query, key: (box["x"] + box["width"] * (key + 0.5) / 12, box["y"] + box["height"] * (query + 0.5) / 12)  # noqa: E731
    live.mouse.click(*at(3, 8))
    assert state(live)["key"] is None
    live.mouse.click(*at(8, 3))
    assert (state(live)["query"], state(live)["key"]) == (8, 3)


def test_the_table_is_walked_by_arrows_and_asked_why_by_enter(live: Page):
    unfold(live, ".viewer-drawer")
    queen(live, f'.viewer-table .why[data-key="{SAID}"]').focus()
    live.keyboard.press("ArrowUp")
    live.keyboard.press("ArrowUp")
    live.keyboard.press("Enter")
    assert state(live)["key"] == ALICE


def test_all_heads_stand_side_by_side_with_what_their_rows_say(live: Page):
    unfold(live, ".viewer-heads")
    token(live, 6).click()
    got = data(live)
    lines = queen(live, ".heads-table tbody tr").all()
    assert len(lines) == 8
    for line, (layer, head) in zip(lines, [(a, b) for a in range(2) for b in range(4)], strict=True):
        row = got["pattern"][layer][head][6]
        most = max(range(7), key=row.__getitem__)
        said = line.inner_text()
        named = "itself" if most == 6 else got["tokens"][most]["text"].strip()
        assert said.startswith(f"{layer + 1}.{head + 1}")
        assert named in said
        assert f"{row[most] * 100:.0f}%" in said
    lines[1].locator("button").click()
    assert (state(live)["layer"], state(live)["head"]) == (1, 2)
    assert readout(live).startswith("In layer 1, head 2")


def test_digits_and_brackets_among_letters_from_right_to_left_stand_as_they_are_read(live: Page):
    got = write(live, "שלום 2024 (שלום) 3.14")
    text = "".join(each["text"] for each in got["tokens"])
    digits = [index for index, each in enumerate(got["tokens"]) if re.fullmatch(r" ?\d+", each["text"])]
    lefts = [(token(live, index).bounding_box() or {})["x"] for index in digits]
    year = [left for index, left in zip(digits, lefts, strict=True) if got["tokens"][index]["start"] < text.index("(")]
    assert len(year) >= 2
    assert year == sorted(year)
    brackets = live.evaluate("""[...document.querySelectorAll('#queen .token-text bdi')].filter((b) => /[()]/.test(b.textContent))
      .map((b) => [b.textContent, getComputedStyle(b).direction])""")
    assert brackets
    assert all(direction == "rtl" for _, direction in brackets), "turned, as in running text"


def test_what_comes_back_to_where_it_was_changes_nothing(live: Page):
    fired = live.evaluate("""async () => {
      let fired = 0;
      const count = () => { fired += 1; };
      queen.addEventListener('figurechange', count);
      const before = queen.state.text;
      queen.state = {text: 'zzz'};
      queen.state = {text: before};
      await new Promise((done) => setTimeout(done, 800));
      queen.removeEventListener('figurechange', count);
      return fired;
    }""")
    assert fired == 0


PROSE = """([place, cell]) => {
  document.getElementById('pressed')?.remove();
  document.querySelector('#queen').closest('figure').insertAdjacentHTML(place,
    `<p id="pressed"><data value="0.1" data-figure="queen" data-cell="${cell}" tabindex="0">10%</data></p>`);
}"""


@pytest.mark.parametrize("how", ["click", "Enter"])
def test_a_number_of_the_text_that_is_pressed_is_what_the_reader_has_chosen(live: Page, how: str):
    choose(live, {"text": "Something else", "layer": 1})
    live.evaluate(PROSE, ["beforebegin", "1.3.11.9"])
    value = live.locator("#pressed data")
    value.click() if how == "click" else value.press("Enter")
    until(live, f"queen.state.text === {QUEEN['text']!r} && queen.status === 'live'")
    assert state(live) == {"text": QUEEN["text"], "layer": 1, "head": 3, "query": SAID, "key": None}
    live.mouse.move(0, 0)
    token(live, ALICE).click()
    assert (state(live)["layer"], state(live)["head"]) == (1, 3), "the head that the number showed"
    live.keyboard.press("Control+z")
    live.keyboard.press("Control+z")
    until(live, "queen.state.text === 'Something else'")


@pytest.mark.parametrize("how", ["pointed", "focused", "pressed"])
def test_a_share_that_is_pressed_while_a_number_lights_another_row_explains_the_share_that_is_seen(live: Page, how: str):
    live.evaluate(PROSE, ["beforebegin", "1.3.11.9"])
    value = live.locator("#pressed data")
    if how == "pointed":
        value.hover()
    elif how == "focused":
        value.focus()
    else:
        value.click()
    until(live, "queen.querySelector('.viewer-readout').textContent.startsWith('In layer 1, head 3,')")
    share = queen(live, f'.viewer-readout .why[data-key="{ALICE}"]')
    if how == "pointed":  # by keyboard: the pointer rests on the number
        share.focus()
        live.keyboard.press("Enter")
    else:
        share.click()
    until(live, "queen.state.key !== null")
    assert state(live) == {**QUEEN, "layer": 1, "head": 3, "query": SAID, "key": ALICE}
    assert queen(live, ".why-head").inner_text() == "Why «said» gives 54% to «Alice» in layer 1, head 3"


def test_going_back_from_a_number_of_the_text_keeps_what_was_done_since_a_link(live: Page):
    follow(live, "#queen?layer=1&head=1&query=3")
    until(live, "queen.state.head === 1")
    live.evaluate(PROSE, ["afterend", "2.3.11.9"])
    live.evaluate("document.getElementById('pressed').style.marginTop = '300vh'")
    live.locator("#pressed data").click()
    until(live, "location.hash === '#queen'")
    write(live, "typed by me")
    for move in (live.go_back, live.go_forward, live.go_back):
        move()
        live.wait_for_timeout(100)
        assert state(live)["text"] == "typed by me"


def test_the_number_under_a_token_is_asked_why(live: Page):
    token(live, ALICE).locator(".token-share").click()
    assert (state(live)["query"], state(live)["key"]) == (SAID, ALICE)


@pytest.mark.parametrize(
    ("field", "undoes"),
    [
        ('<input type="checkbox">', True),
        ('<input type="range">', True),
        ('<input data-undo="figure">', True),
        ("<input>", False),
        ('<input type="number">', False),
        ("<textarea></textarea>", False),
    ],
)
def test_undo_by_key_takes_back_a_step_where_no_field_has_one_of_its_own(live: Page, field: str, undoes: bool):
    choose(live, {"query": 3})
    live.evaluate("document.getElementById('own')?.remove()")
    live.evaluate("field => queen.insertAdjacentHTML('beforeend', `<p id='own'>${field}</p>`)", field)
    live.locator("#own > *").focus()
    live.keyboard.type("1")  # or a field with nothing to undo would undo what an earlier test typed into another one
    live.keyboard.press("Control+z")
    query = state(live)["query"]
    live.evaluate("document.getElementById('own').remove()")
    assert (query != 3) == undoes
