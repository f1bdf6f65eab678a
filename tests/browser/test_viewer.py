"""The attention viewer as a person uses it: by pointer, by finger, by keyboard, with every kind of text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from model.runtime import Runtime
from tests.browser.conftest import watched
from tests.browser.life import QUEEN, data, state, until, until_status
from tests.browser.viewer import SIDEWAYS, collisions, contrast, finite, queen, readout, token, write

CONTEXT = 128
PROSE = "The old heron stood by the pond all morning, and watched the clouds go by as if they were fish in the water. "


@pytest.fixture(scope="module")
def desk(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser) as open_page:
        page = open_page(address, viewport={"width": 1280, "height": 800})
        until_status(page, "live")
        yield page


@pytest.fixture
def live(desk: Page) -> Page:
    """A live figure on a laptop's screen, as it was printed: one page for all tests, since starting the model takes a second."""
    desk.mouse.move(0, 0)
    desk.evaluate("""() => {
      document.activeElement?.blur();
      for (const part of document.querySelectorAll('#queen details')) part.open = false;
      document.getElementById('queen').state = {text: 'The king turned sharply to Alice and said', layer: 2, head: 3, query: 11};
    }""")
    until(desk, f"document.getElementById('queen').state.text === {json.dumps(QUEEN['text'])}")
    return desk


# choosing


def test_a_click_on_a_token_lets_it_ask(live: Page, runtime: Runtime):
    tokens = runtime.encode(QUEEN["text"])
    pattern = runtime.run([each.id for each in tokens])["pattern"]
    token(live, 4).click()
    assert state(live)["query"] == 4
    assert data(live)["row"][:5] == pytest.approx(pattern[1, 2, 4, :5].tolist(), abs=1e-5)
    assert token(live, 4).get_attribute("aria-pressed") == "true"
    assert tokens[4].text.strip() in readout(live)
    assert token(live, 6).locator(".bar").count() == 0, "a later token is not looked at yet"
    assert "comes later" in str(token(live, 6).get_attribute("aria-label"))


def test_a_tap_does_the_same_and_targets_fit_a_finger(open_page, address: str):
    page = open_page(address, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    until_status(page, "live")
    token(page, 3).tap()
    assert state(page)["query"] == 3
    queen(page, ".stamp").nth(1).tap()
    assert (state(page)["layer"], state(page)["head"]) == (1, 2)
    boxes = page.evaluate(
        "[...document.querySelectorAll('#queen button')].map((b) => b.getBoundingClientRect()).map((r) => [r.width, r.height])"
    )
    assert all(width >= 24 and height >= 24 for width, height in boxes)
    assert page.evaluate(SIDEWAYS) == 0


def test_hover_shows_a_number_and_changes_nothing(live: Page):
    share = token(live, 0).locator(".token-share")
    before = state(live)
    assert share.evaluate("share => getComputedStyle(share).visibility") == "hidden"
    token(live, 0).hover()
    assert share.evaluate("share => getComputedStyle(share).visibility") == "visible"
    assert re.fullmatch(r"<?[\d.]+%", share.inner_text())
    assert state(live) == before


def test_arrow_keys_walk_the_sentence(live: Page):
    last = len(data(live)["tokens"]) - 1
    assert queen(live, '[data-token][tabindex="0"]').count() == 1
    token(live, last).focus()
    for key, query in [
        ("ArrowLeft", last - 1),
        ("ArrowRight", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", last),
    ]:
        live.keyboard.press(key)
        assert state(live)["query"] == query, key
        assert live.evaluate("document.activeElement.dataset.token") == str(query), key
    assert queen(live, '[data-token][tabindex="0"]').count() == 1


def test_up_and_down_go_from_line_to_line(open_page, address: str):
    page = open_page(address, viewport={"width": 360, "height": 740})
    until_status(page, "live")
    token(page, 0).click()
    page.keyboard.press("ArrowDown")
    below = state(page)["query"]
    first, second = (token(page, index).bounding_box() for index in (0, below))
    assert first is not None
    assert second is not None
    assert second["y"] > first["y"] + first["height"] / 2
    page.keyboard.press("ArrowUp")
    assert state(page)["query"] < below


def test_the_stamps_are_the_switch_of_layer_and_head(live: Page):
    stamps = live.get_by_role("radiogroup", name="Layer and head").first.get_by_role("radio")
    assert [stamp.get_attribute("aria-label") for stamp in stamps.all()] == [
        f"Layer {layer}, head {head}" for layer in (1, 2) for head in (1, 2, 3, 4)
    ]
    stamps.nth(1).click()
    assert (state(live)["layer"], state(live)["head"]) == (1, 2)
    assert readout(live).startswith("In layer 1, head 2,")
    live.keyboard.press("ArrowDown")
    assert (state(live)["layer"], state(live)["head"]) == (1, 3)
    for key, layer, head in [("ArrowRight", 2, 3), ("ArrowUp", 2, 2), ("ArrowLeft", 1, 2), ("ArrowLeft", 1, 2)]:
        live.keyboard.press(key)
        assert (state(live)["layer"], state(live)["head"]) == (layer, head), f"{key}: layers are columns here"
    assert [stamp.get_attribute("aria-checked") for stamp in stamps.all()].index("true") == 1
    words = queen(live, ".viewer-stamps").inner_text()
    assert "row asks" in words
    assert "column is asked" in words


def test_layers_stand_beside_each_other_when_wide_and_below_when_narrow(open_page, address: str):
    for width, columns in [(1280, 2), (360, 4)]:
        page = open_page(address, viewport={"width": width, "height": 800})
        lefts = page.evaluate(
            "[...document.querySelectorAll('#queen .stamp')].map((s) => Math.round(s.getBoundingClientRect().left))"
        )
        assert len(set(lefts)) == columns


def test_on_a_phone_layers_are_rows_and_arrows_go_where_they_point(open_page, address: str):
    page = open_page(address, viewport={"width": 360, "height": 740})
    until_status(page, "live")
    queen(page, ".stamp").nth(0).click()
    for key, layer, head in [("ArrowRight", 1, 2), ("ArrowDown", 2, 2), ("ArrowRight", 2, 3), ("ArrowUp", 1, 3)]:
        page.keyboard.press(key)
        assert (state(page)["layer"], state(page)["head"]) == (layer, head), key


def test_a_character_of_several_tokens_can_be_pressed_itself(live: Page):
    write(live, "日本")
    character = queen(live, ".cell-shared > .token-text")
    for index in (0, 1):
        character.nth(index).click()
        assert state(live)["query"] == 3 * index + 2, "the token that completes it asks"


@pytest.mark.parametrize("status", ["live", "failed"])
def test_focus_stays_in_the_figure_when_what_had_it_goes(open_page, address: str, status: str):
    page = open_page("about:blank", failing=True)
    page.watch.origin = "/".join(address.split("/")[:3])
    if status == "failed":
        page.route("**/*.onnx", lambda route: route.abort())
    page.goto(address)
    until_status(page, status)
    if status == "failed":
        page.unroute("**/*.onnx")
        queen(page, ".viewer-status button").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.matches('#queen .viewer-status')")
        until_status(page, "live")
        assert page.evaluate("document.activeElement.matches('#queen .viewer-status')")
    else:
        token(page, 11).click()
        page.evaluate("location.hash = '#queen?text=Alice said'")
        until(page, "document.getElementById('queen').state.text === 'Alice said'")
        assert page.evaluate("document.activeElement.dataset.token") == str(state(page)["query"]), "the token that asks"


# numbers


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("text", [QUEEN["text"], "I, a, b: c", "a.b.c;d,e:f!i", "שלום, עולם"])
def test_numbers_never_stand_over_each_other(open_page, address: str, text: str, width: int):
    page = open_page(address, viewport={"width": width, "height": 800})
    until_status(page, "live")
    last = len(write(page, text)["tokens"]) - 1
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        for layer in (1, 2):
            for head in (1, 2, 3, 4):
                page.evaluate("some => { queen.state = some; }", {"layer": layer, "head": head, "query": last})
                assert collisions(page) == [], (layer, head, media)
    page.emulate_media(media="screen")
    for query in (last, 1):
        page.evaluate("query => { queen.state = {layer: 2, head: 4, query}; }", query)
        for index in range(4):
            token(page, index).hover(force=True)
            assert collisions(page) == [], f"token {index} pointed at, {query} asks"


def test_all_of_it_and_next_to_nothing_fit_beside_each_other(live: Page):
    write(live, "a.b.c;d,e:f!i")
    for number in ("100%", "<1%"):
        for even in (True, False):
            live.evaluate(
                """([number, even]) => document.querySelectorAll('#queen .token-share').forEach((share, index) => {
                  share.style.visibility = 'visible';
                  share.textContent = (index % 2 === 0) === even ? number : '<1%';
                })""",
                [number, even],
            )
            assert collisions(live) == []
    live.reload()
    until_status(live, "live")


def test_numbers_stand_under_the_middle_of_their_tokens_whichever_way_the_text_runs(live: Page):
    for text in ("Alice said", "שלום עולם", "Alice שלום"):
        write(live, text)
        token(live, 0).hover()
        off = live.evaluate(
            """() => [...document.querySelectorAll('#queen .token:not(.token-later)')].map((token) => {
              const middle = (box) => (box.left + box.right) / 2;
              const share = token.querySelector('.token-share');
              return Math.abs(middle(token.getBoundingClientRect()) - middle(share.getBoundingClientRect()));
            })"""
        )
        assert max(off) < 0.6, text


def test_the_table_holds_the_row_and_adds_up(live: Page):
    queen(live, ".viewer-drawer > summary").click()
    for query in range(12):
        token(live, query).click()
        shares = [float(cell.rstrip("%")) for cell in queen(live, ".viewer-drawer tbody td:nth-child(3)").all_inner_texts()]
        assert len(shares) == query + 1
        assert round(sum(shares), 1) == 100
        assert shares == pytest.approx([100 * weight for weight in data(live)["row"][: query + 1]], abs=0.1)


@pytest.mark.parametrize("how", ["click", "Enter"])
def test_a_value_leads_to_a_figure_that_is_out_of_sight_and_back_leads_to_the_value(open_page, address: str, how: str):
    page = open_page(address, viewport={"width": 360, "height": 740})
    page.evaluate("""document.body.insertAdjacentHTML('beforeend',
      '<p><data id="far" value="0.1" data-figure="queen" data-cell="1.4.5.2" tabindex="0">10%</data></p>')""")
    page.locator("#far").scroll_into_view_if_needed()
    page.locator("#far").focus()
    page.locator("#far").click() if how == "click" else page.keyboard.press("Enter")
    until(page, "queen.getBoundingClientRect().top >= 0 && queen.getBoundingClientRect().top < 300")
    until(page, "document.querySelector('#queen .token-lit')")
    page.go_back()
    until(page, "far.getBoundingClientRect().top >= 0 && far.getBoundingClientRect().bottom <= innerHeight")
    page.evaluate("queen.scrollIntoView()")
    page.evaluate("document.querySelector('#queen').after(document.getElementById('far').parentElement)")
    address_now = page.url
    page.locator("#far").dispatch_event("click")
    assert page.url == address_now, "nothing moves for a figure in sight"


def test_a_value_in_the_prose_lights_its_place_and_the_readers_choice_stays(live: Page):
    live.evaluate("""() => document.querySelector('.prose').insertAdjacentHTML('afterbegin',
      '<p><data value="0.1" data-figure="queen" data-cell="1.4.5.2" tabindex="0">10%</data></p>')""")
    live.locator("data").scroll_into_view_if_needed()
    before, place = state(live), live.locator("data").bounding_box()
    live.locator("data").hover()
    until(live, "document.querySelector('#queen .token-lit')?.dataset.token === '2'")
    assert live.locator("data").bounding_box() == place, "it stays under the pointer"
    assert readout(live).startswith("In layer 1, head 4,")
    assert state(live) == before
    live.mouse.move(0, 0)
    until(live, "!document.querySelector('#queen .token-lit')")
    assert readout(live).startswith("In layer 2, head 3,")
    live.locator("data").focus()
    until(live, "document.querySelector('#queen .token-lit')?.dataset.token === '2'")


def test_a_lit_token_can_be_read_and_is_seen_in_every_theme(live: Page):
    def lit(cell: str) -> Any:
        live.evaluate("cell => queen.light(cell)", cell)
        until(live, f"document.querySelector('#queen .token-lit')?.dataset.token === {cell.rsplit('.', 1)[1]!r}")
        return queen(live, ".token-lit > .token-text")

    try:
        for scheme in ("light", "dark"):
            live.emulate_media(color_scheme=scheme)
            for cell in ("1.4.5.2", "1.4.5.9"):
                assert contrast(live, lit(cell), "color") >= 4.5, f"{cell} {scheme}"
        live.emulate_media(forced_colors="active")
        assert lit("1.4.5.2").evaluate("face => getComputedStyle(face).outlineStyle") == "dashed"
        assert token(live, 3).locator(".token-text").evaluate("face => getComputedStyle(face).outlineStyle") == "none"
    finally:
        live.emulate_media(color_scheme="light", forced_colors="none")
        live.evaluate("queen.light(null)")


def test_the_first_tokens_row_is_explained(live: Page):
    token(live, 0).click()
    assert "has only itself to look at" in readout(live)
    assert "100%" in readout(live)


@pytest.mark.parametrize(
    ("weights", "said"), [([0, 0, 1, 0], "100% to"), ([0, 0, 0, 1], "100% to itself"), ([0.25] * 4, "the same share, 25%")]
)
def test_exactly_0_exactly_1_and_all_equal_are_legible(open_page, address: str, weights: list[float], said: str):
    def with_row(route: Route) -> None:
        def changed(match: re.Match[str]) -> str:
            printed = json.loads(match[1])
            printed["state"]["query"] = 3
            printed["data"]["pattern"][1][2][3][:4] = printed["data"]["row"][:4] = weights
            return match[0].replace(match[1], json.dumps(printed))

        response = route.fetch()
        body = re.sub(r'<script type="application/json">(\{"state".*?)</script>', changed, response.text(), count=1)
        route.fulfill(response=response, body=body)

    page = open_page("about:blank", failing=True)
    page.watch.origin = "/".join(address.split("/")[:3])
    page.route("**/two/", with_row)
    page.route("**/worker*", lambda route: route.abort())  # the model would correct the row
    page.goto(address)
    until_status(page, "failed")
    assert said in readout(page)
    assert finite(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for index, weight in enumerate(weights):
            bar = token(page, index).locator("rect")
            assert bar.count() == (weight > 0)
            if weight > 0:
                assert contrast(page, bar, "fill") >= (3 if weight == 1 else 1.3)
        for index in (0, 3, 11):
            assert contrast(page, token(page, index).locator(".token-text"), "color") >= 4.5


# for everyone


@pytest.mark.parametrize("text", [QUEEN["text"], "a\n日本語 שלום", ""])
def test_axe_finds_nothing_with_everything_open(live: Page, axe: str, text: str):
    write(live, text)
    queen(live, ".viewer-drawer > summary").click()
    live.evaluate(axe)
    for scheme in ("light", "dark"):
        live.emulate_media(color_scheme=scheme)
        found = live.evaluate(
            "axe.run('#queen', {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
            ".then((found) => found.violations.map(({id, nodes}) => [id, nodes.map((node) => node.html + node.failureSummary)]))"
        )
        assert found == [], scheme


def test_the_row_is_spoken_by_one_polite_region_once_it_rests(live: Page):
    write(live, "Alice")
    region = queen(live, "[aria-live]")
    assert region.count() == 1
    assert region.get_attribute("aria-live") == "polite"
    live.wait_for_timeout(800)
    live.evaluate("""() => {
      window.spoken = [];
      const region = document.querySelector('#queen [aria-live]');
      const note = new MutationObserver(() => spoken.push(region.textContent));
      note.observe(region, {childList: true, characterData: true, subtree: true});
    }""")
    queen(live, "textarea").focus()
    live.keyboard.press("End")
    live.keyboard.type(" and the Queen said", delay=30)
    until(live, "spoken.length > 0")
    live.wait_for_timeout(800)
    assert live.evaluate("spoken") == [readout(live)], "the last of nineteen sentences"


def test_translators_leave_the_tokens_alone(live: Page):
    for selector in (".token-text", "tbody th bdi", ".viewer-matrix .tick"):
        assert live.evaluate(
            "selector => [...document.querySelectorAll('#queen ' + selector)].every((part) => part.closest('[translate=no]'))",
            selector,
        ), selector
    assert live.evaluate("document.querySelector('#queen .viewer-readout').closest('[translate=no]')") is None


def test_the_printed_field_holds_the_text(open_page, address: str):
    page = open_page(address, java_script_enabled=False)
    assert queen(page, "textarea").input_value() == QUEEN["text"]


def test_without_script_the_picture_is_whole_and_offers_nothing_that_cannot_work(open_page, address: str):
    page = open_page(address, java_script_enabled=False, viewport={"width": 360, "height": 740})
    assert queen(page, "[data-token] > .token-text").all_inner_texts()[:2] == ["The", "king"]
    assert re.match(r"In layer 2, head 3, «said» gives \d+% to", readout(page))
    assert queen(page, ".stamp path").count() > 8
    assert queen(page, ".bar rect").count() > 0
    queen(page, ".viewer-drawer > summary").click()
    assert queen(page, ".viewer-drawer tbody tr").count() == 12
    assert not queen(page, ".viewer-typing").is_visible()
    assert not queen(page, ".figure-tools").is_visible()
    assert not queen(page, ".why").count()


def test_on_paper_the_numbers_and_the_table_are_there(live: Page):
    live.emulate_media(media="print", color_scheme="light")
    live.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert live.evaluate("document.querySelector('#queen .viewer-drawer').open")
    assert queen(live, ".viewer-drawer tbody").is_visible()
    assert not queen(live, "textarea").is_visible()
    assert queen(live, ".token-share-strong").first.is_visible()
    live.evaluate("queen.state = {key: 9}")
    until(live, "queen.querySelector('.viewer-why')")
    assert not queen(live, ".why-close").is_visible()
    assert not queen(live, ".figure-tools").is_visible()
    assert queen(live, ".why-head").is_visible()
    live.evaluate("queen.state = {key: null}")
    live.evaluate("queen.state = {query: 4}")
    until(live, "queen.state.query === 4")
    later = token(live, 9).locator(".token-share").evaluate("share => getComputedStyle(share).visibility")
    assert later == "hidden", "nothing is said of later tokens on paper"
    assert queen(live, "tfoot").evaluate("foot => getComputedStyle(foot).display") == "table-row-group", "once, not on every sheet"
    live.evaluate("dispatchEvent(new Event('afterprint'))")
    live.emulate_media(media="screen")
    assert not live.evaluate("document.querySelector('#queen .viewer-drawer').open")
