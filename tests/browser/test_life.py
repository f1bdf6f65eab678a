"""The life of a figure: printed, awake, live; its public face, and hands of every kind."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.life import (
    QUEEN,
    choose,
    data,
    opened,
    shown_text,
    state,
    status,
    until,
    until_status,
)

FIELD = "#queen textarea"


# waking


def test_a_figure_in_sight_comes_alive_and_one_far_below_sleeps_until_the_reader_comes_near(open_page, address: str):
    page = open_page(address)
    until_status(page, "live")
    assert data(page)["tokens"][state(page)["query"]]["text"] == " said"
    assert state(page) | {"query": 0} == {"text": QUEEN["text"], "layer": 2, "head": 3, "query": 0, "key": None}
    assert data(page)["difference"] <= 1e-5
    assert status(page, "cat") == "printed"
    page.evaluate("cat.scrollIntoView()")
    until_status(page, "live", "cat")
    downloads = [r.url for r in page.watch.requests if r.url.endswith((".wasm", ".onnx"))]
    assert len(downloads) == 2, "one session serves both"


def test_waking_shows_the_same_picture_once(live: Page, open_page, address: str):
    printed = open_page(address, java_script_enabled=False).locator("#queen .viewer-sentence").inner_text()
    alive = live
    assert alive.locator("#queen .viewer-sentence").count() == 1
    assert alive.locator("#queen .viewer-sentence").inner_text() == printed
    assert alive.locator("#queen script").count() == 0
    assert alive.evaluate("queen.innerHTML.includes('lit-part')") is False


SELECTION = "(({selectionStart, selectionEnd, selectionDirection}) => [selectionStart, selectionEnd, selectionDirection])"


def before_the_script(open_page, address: str, action: str) -> Page:
    """The page after something happened to it before its script came."""
    page = opened(open_page, address, {"**/main.*.js": lambda route: route.abort()})
    assert page.evaluate("queen.status === undefined")
    page.evaluate(action)
    page.unroute("**/main.*.js")
    page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.type = 'module';
            script.src = document.querySelector('script[src*="main."]').src + '?again';
            document.head.append(script);
        }"""
    )
    until(page, "queen.status && queen.status !== 'printed'")
    return page


def test_waking_keeps_focus_selection_what_was_typed_and_what_was_opened(open_page, address: str):
    page = before_the_script(
        open_page,
        address,
        """() => {
            queen.querySelector('.viewer-typing').open = true;
            const field = queen.querySelector('textarea');
            field.value = 'typed before the script came';
            field.focus();
            field.setSelectionRange(1, 4, 'backward');
        }""",
    )
    until(page, "queen.status === 'live' && queen.state.text.startsWith('typed')")
    assert page.evaluate("document.activeElement.matches('#queen textarea')")
    assert page.evaluate(f"{SELECTION}(document.activeElement)") == [1, 4, "backward"]
    assert page.locator(FIELD).input_value() == "typed before the script came"
    assert page.locator("#queen .viewer-typing").get_attribute("open") is not None


def test_waking_keeps_the_caret_of_a_field_that_was_only_entered_and_the_state_that_was_assigned(open_page, address: str):
    page = before_the_script(
        open_page,
        address,
        """() => {
            queen.querySelector('.viewer-typing').open = true;
            const field = queen.querySelector('textarea');
            field.defaultValue = queen.querySelector('.viewer-sentence').innerText;
            field.focus();
            field.setSelectionRange(2, 3);
            queen.state = {layer: 1};
            cat.state = {layer: 2};
        }""",
    )
    assert page.evaluate("document.activeElement.matches('#queen textarea')")
    assert page.evaluate(f"{SELECTION}(document.activeElement)")[:2] == [2, 3]
    assert page.locator(FIELD).input_value() == QUEEN["text"]
    assert (state(page)["layer"], state(page, "cat")["layer"]) == (1, 2)
    assert not page.evaluate("Object.hasOwn(queen, 'state')")
    assert choose(page, {"layer": 2})["state"]["layer"] == 2, "later assignments are heard"


def test_a_state_assigned_outside_the_page_waits_and_the_picture_is_drawn_once(open_page, address: str):
    page = open_page(address)
    page.evaluate("document.createElement('attention-viewer').state = {layer: 1}")
    page.evaluate(
        "() => { const [moved, place] = [cat, cat.parentElement]; moved.remove(); moved.state = {layer: 2}; place.append(moved); }"
    )
    until(page, "cat.state.layer === 2")
    until_status(page, "live", "cat")
    assert page.locator("#cat .viewer").count() == 1


def test_with_save_data_nothing_is_loaded_before_the_reader_touches_the_figure(open_page, address: str):
    page = open_page("about:blank")
    page.watch.origin = "/".join(address.split("/")[:3])
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    page.goto(address)
    until_status(page, "awake")
    page.wait_for_timeout(300)
    assert not [r.url for r in page.watch.requests if r.url.endswith((".wasm", ".onnx"))]
    page.evaluate("queen.parentElement.append(queen)")
    page.locator("#queen [data-token]").nth(2).hover()
    until_status(page, "live")


# the public face


def test_a_change_is_told_once_after_it_is_drawn(live: Page):
    events = live.evaluate(
        """async () => {
            const queen = document.getElementById('queen');
            const told = [];
            const done = new AbortController();
            document.addEventListener('figurechange', (event) => told.push(
              {detail: event.detail, target: event.target.id, asks: queen.querySelector('.token-asks').dataset.token}), done);
            queen.state = {layer: 1};
            queen.state = {head: 2};
            queen.state = {query: 4};
            queen.state = {nonsense: 1};
            await new Promise((resolve) => setTimeout(resolve, 100));
            queen.state = {query: 4};
            await new Promise((resolve) => setTimeout(resolve, 100));
            done.abort();
            return told;
        }"""
    )
    assert len(events) == 1
    [event] = events
    assert event["target"] == "queen"
    assert event["asks"] == "4"
    assert event["detail"]["state"] == {"text": QUEEN["text"], "layer": 1, "head": 2, "query": 4, "key": None}
    assert event["detail"]["data"]["row"] == event["detail"]["data"]["pattern"][0][1][4]


def test_what_is_out_of_range_is_brought_into_it(live: Page):
    detail = choose(live, {"layer": 9, "head": -3, "query": 999})
    last = len(detail["data"]["tokens"]) - 1
    assert detail["state"] == {"text": QUEEN["text"], "layer": 2, "head": 1, "query": last, "key": None}


def test_a_new_text_asks_with_its_last_token_and_an_old_one_has_its_difference_again(live: Page):
    detail = choose(live, {"text": "Off with her head"})
    assert detail["state"]["query"] == len(detail["data"]["tokens"]) - 1
    assert "difference" not in detail["data"]
    assert choose(live, {"text": QUEEN["text"]})["data"]["difference"] <= 1e-5


def test_a_state_holds_values_of_the_options_types_whatever_is_assigned(live: Page):
    before = state(live)
    live.evaluate(
        "() => { for (const odd of [null, undefined, 5, 'text', {text: null}, {text: {}}, {layer: []}]) queen.state = odd; }"
    )
    live.wait_for_timeout(100)
    assert state(live) == before
    assert choose(live, {"text": float("nan")})["state"]["text"] == "NaN"
    live.evaluate("queen.state = {text: 'a\\ud800b'}")
    until(live, "queen.state.text === 'a\\ufffdb'")


def test_what_a_script_does_with_its_data_changes_nothing(live: Page):
    before = data(live)
    live.evaluate("() => { queen.data.row.sort(); queen.data.pattern[1][2].length = 0; queen.data.tokens.pop(); }")
    choose(live, {"layer": 1})
    assert choose(live, {"layer": 2})["data"] == before


def test_texts_may_be_assigned_in_answer_to_a_change(live: Page):
    live.evaluate(
        """() => {
            const texts = ['first', 'second', 'third'];
            const next = () => { if (texts.length) queen.state = {text: texts.shift()}; };
            queen.addEventListener('figurechange', next);
            next();
        }"""
    )
    until(live, "queen.state.text === 'third'")


def test_a_query_assigned_after_a_text_is_of_that_text(live: Page):
    live.evaluate("() => { queen.state = {text: 'Off with her head'}; queen.state = {query: 1}; queen.state = {layer: 1}; }")
    until(live, "queen.state.text === 'Off with her head'")
    assert (state(live)["query"], state(live)["layer"]) == (1, 1)


def test_lighting_a_cell_changes_the_picture_and_not_the_state(live: Page):
    before = state(live)
    picture = "queen.querySelector('.viewer').innerHTML"
    plain = live.evaluate(picture)
    live.evaluate("queen.light('1.2.5.3')")
    assert live.evaluate(picture) != plain
    assert state(live) == before
    for nothing in ("null", "'rubbish'", "'1.2'"):
        live.evaluate(f"queen.light({nothing})")
        assert live.evaluate(picture) == plain, nothing


# two figures


def test_two_figures_on_a_page_do_not_disturb_each_other(live: Page):
    before = shown_text(live, "queen"), state(live, "queen")
    choose(live, {"text": "Something else", "layer": 2}, "cat")
    assert (shown_text(live, "queen"), state(live, "queen")) == before
    assert status(live, "cat") == "live"
    live.evaluate("() => { const moved = cat; const place = moved.parentElement; moved.remove(); place.append(moved); }")
    assert choose(live, {"layer": 1}, "cat")["state"]["text"] == "Something else"
    assert choose(live, {"layer": 1})["state"]["layer"] == 1


# hands (row 16)


def test_everything_goes_by_tap(open_page, address: str):
    page = open_page(address, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    until_status(page, "live")
    page.locator("#queen [data-token='3']").tap()
    until(page, "queen.state.query === 3")
    page.locator("#queen .stamp[data-layer='1'][data-head='4']").tap()
    until(page, "queen.state.layer === 1 && queen.state.head === 4")
    page.locator("#queen .viewer-typing summary").tap()
    page.locator(FIELD).fill("tapped")
    until(page, "queen.state.text === 'tapped'")


def test_everything_goes_by_keyboard(live: Page):
    before = state(live)["query"]
    live.locator("#queen [data-token][tabindex='0']").focus()
    live.keyboard.press("ArrowLeft")
    until(live, f"queen.state.query === {before - 1}")
    assert live.evaluate("document.activeElement.dataset.token") == str(before - 1), "focus goes along"
    for _ in range(live.locator("#queen .viewer-readout .why").count()):  # each share can be asked why
        live.keyboard.press("Tab")
        assert live.evaluate("document.activeElement.className") == "why"
    live.keyboard.press("Tab")
    live.keyboard.press("ArrowDown")
    until(live, "queen.state.head === 4")
    live.keyboard.press("Tab")
    live.keyboard.press("Enter")
    live.keyboard.press("Tab")
    live.keyboard.insert_text("!")
    until(live, f"queen.state.text === {QUEEN['text']!r} + '!'")
