"""The life of a figure: printed, awake, live, failed; rows 1, 2, 16 and 17 of what went wrong elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from model.runtime import Runtime
from tests.browser.life import (
    QUEEN,
    Stalling,
    choose,
    data,
    serving,
    shown_text,
    state,
    status,
    two_figures,
    until,
    until_status,
)

FIELD = "#queen textarea"


def opened(open_page, address: str, handle: dict, **options) -> Page:
    """The page, some of its requests answered by `handle`: pattern of the address → what to do with the route."""
    page = open_page("about:blank", failing=True, **options)
    page.watch.origin = "/".join(address.split("/")[:3])
    for pattern, action in handle.items():
        page.route(pattern, action)
    page.goto(address)
    return page


def message(page: Page) -> str:
    return page.evaluate("() => document.querySelector('#queen [role=alert]')?.innerText ?? ''")


def press_retry(page: Page, key: str = "queen") -> None:
    page.locator(f"#{key} button", has_text="Try again").click()


def is_usable(page: Page) -> bool:
    """The printed state answers: another layer shows another row, all of it drawn."""
    before = data(page)["row"]
    detail = choose(page, {"layer": 3 - state(page)["layer"]})
    return detail["data"]["row"] != before and "Queen" in shown_text(page)


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


# failures (row 1)


@pytest.mark.parametrize(
    ("what", "how", "told"),
    [
        ("*.wasm", "gone", r"the server answered 404 when asked for ort-wasm\S*\.wasm"),
        ("*.wasm", "html", r"in place of the runtime is not WebAssembly|\.wasm ended after"),
        ("*.onnx", "cut off", r"model\S*\.onnx could not be fetched"),
        ("tokenizer.*.json", "html", r"in place of the tokenizer is not JSON|tokenizer\S*\.json ended after"),
    ],
)
def test_a_file_that_cannot_be_fetched_leaves_the_printed_figure_usable_and_retry_works(
    open_page, address: str, what: str, how: str, told: str
):
    def fail(route: Route) -> None:
        if how == "gone":
            route.fulfill(status=404, body="not here")
        elif how == "cut off":
            route.abort()
        else:
            route.fulfill(body="<!doctype html><title>Welcome</title>", content_type="text/html")

    page = opened(open_page, address, {f"**/{what}": fail})
    until_status(page, "failed")
    assert re.search(told, message(page)), message(page)
    assert is_usable(page)
    page.unroute(f"**/{what}")
    press_retry(page)
    until_status(page, "live")
    assert message(page) == ""
    assert data(page)["difference"] <= 1e-5


def test_the_code_of_a_figure_that_does_not_come_is_told_and_asked_for_again_at_a_touch(open_page, address: str):
    page = opened(open_page, address, {"**/attention-viewer.*.js": lambda route: route.abort()})
    until(page, "queen.innerText.includes('could not be loaded')")
    page.locator("#queen [data-token]").nth(2).click()
    page.wait_for_timeout(200)
    assert shown_text(page).count("could not be loaded") == 1
    page.unroute("**/attention-viewer.*.js")
    page.locator("#queen [data-token]").nth(2).click()
    until_status(page, "live")
    assert "could not be loaded" not in shown_text(page)


def test_one_retry_heals_every_figure_of_the_page_and_one_that_was_out_of_it(open_page, address: str):
    page = opened(open_page, address, {"**/*.onnx": lambda route: route.abort()})
    until_status(page, "failed", "queen")
    page.evaluate("cat.scrollIntoView()")
    until_status(page, "failed", "cat")
    page.unroute("**/*.onnx")
    away = page.evaluate_handle("() => { const away = [queen, queen.parentElement]; queen.remove(); return away; }")
    press_retry(page, "cat")
    until_status(page, "live", "cat")
    away.evaluate("([queen, place]) => place.append(queen)")
    until_status(page, "live", "queen")


def test_a_missing_worker_is_told(open_page, address: str):
    page = opened(open_page, address, {"**/worker.*.js": lambda route: route.fulfill(status=404)})
    until_status(page, "failed")
    assert "could not be loaded" in message(page)
    assert is_usable(page)


def test_a_download_that_stalls_at_forty_per_cent_ends_after_30_s_in_a_message_and_a_retry_that_works(open_page):
    server = None

    def stalling(app):
        nonlocal server
        server = Stalling(app)
        return server

    with serving(two_figures(Runtime.load()), stalling) as origin:
        page = open_page("about:blank", failing=True)
        page.watch.origin = origin
        page.clock.install()
        page.goto(f"{origin}/chapters/two/")
        until(page, "document.querySelector('#queen progress')?.value > 14.4e6")  # all of the runtime, and of the model what came
        assert "Loading the model" in shown_text(page)
        page.clock.run_for(25_000)
        assert status(page) == "awake"
        page.clock.run_for(6_000)
        until_status(page, "failed")
        total = sum(asset["bytes"] for asset in downloads(page)) / 1e6
        assert f"of {total:.1f} MB" in message(page)
        assert "stalled after 14." in message(page)
        assert is_usable(page)
        server.on = False
        press_retry(page)
        until_status(page, "live")


def downloads(page: Page) -> list[dict]:
    """The files that the page says it will load."""
    listed = page.evaluate("JSON.parse(document.getElementById('lookback-assets').textContent)")
    return [listed["wasm"], listed["model"], listed["tokenizer"]]


# out of memory, crashes (row 2)


def before_worker(script: str) -> Callable[[Route], None]:
    """Runs a script first in the worker, as a device would have made it."""

    def change(route: Route) -> None:
        original = route.fetch()
        route.fulfill(response=original, body=script + "\n" + original.text())

    return change


NO_MEMORY = (
    "WebAssembly.Memory = class { constructor() { throw new RangeError('WebAssembly.Memory(): could not allocate memory'); } };"
)
CRASH = "setTimeout(() => { throw new Error('the worker fell over'); }, 50);"


@pytest.mark.parametrize(("script", "told"), [(NO_MEMORY, "did not have enough memory"), (CRASH, "the worker fell over")])
def test_out_of_memory_or_a_crash_at_the_start_is_told_and_nothing_else_breaks(open_page, address: str, script: str, told: str):
    page = opened(open_page, address, {"**/worker.*.js": before_worker(script)})
    until_status(page, "failed")
    assert told in message(page)
    assert is_usable(page)
    page.unroute("**/worker.*.js")
    press_retry(page)
    until_status(page, "live")


def test_a_worker_that_dies_later_is_told_when_it_is_next_needed(open_page, address: str):
    dying = """
        const answer = postMessage;
        let silent = false;
        self.postMessage = (message) => silent || answer(message);
        addEventListener('message', ({data}) => {
            silent = data.args?.[0] === 'die';
            if (silent) setTimeout(() => { throw new Error('died'); });
        });"""
    page = opened(open_page, address, {"**/worker.*.js": before_worker(dying)})
    until_status(page, "live")
    printed = data(page)
    choose(page, {"text": "The Queen said nothing"})
    page.evaluate("queen.state = {text: 'die'}")
    until_status(page, "failed")
    assert "died" in message(page)
    assert state(page)["text"] == "The Queen said nothing", "what is shown still belongs together"
    assert is_usable(page)
    detail = choose(page, QUEEN)
    assert detail["state"]["text"] == QUEEN["text"], "the printed text needs no model"
    assert (status(page), detail["data"]["tokens"]) == ("failed", printed["tokens"])
    page.evaluate("queen.state = {text: 'live again'}")
    until_status(page, "failed")
    press_retry(page)
    until(page, "queen.state.text === 'live again'")
    assert status(page) == "live"


def test_a_runtime_that_breaks_in_a_run_is_started_anew_by_retry(open_page, address: str):
    breaking = """
        let broken = false;
        addEventListener('message', ({data}) => { broken ||= data.args?.[0] === 'break'; });
        const from = Float32Array.from;
        Float32Array.from = (...args) => {
            if (broken) throw new RangeError('Array buffer allocation failed');
            return from.apply(Float32Array, args);
        };"""
    page = opened(open_page, address, {"**/worker.*.js": before_worker(breaking)})
    until_status(page, "live")
    page.evaluate("queen.state = {text: 'break'}")
    until_status(page, "failed")
    assert "did not have enough memory" in message(page)
    page.unroute("**/worker.*.js")
    press_retry(page)
    until(page, "queen.state.text === 'break'")
    assert status(page) == "live"


def test_asking_again_after_a_refusal_is_not_told_as_a_download(open_page, address: str):
    refusing = """
        const answer = postMessage;
        let refused = 0;
        addEventListener('message', ({data}) => { refused += data.args?.[0] === 'refuse'; });
        self.postMessage = (message) => {
            if (message.type !== 'answer' || refused !== 1) answer(message);
            else answer({type: 'answer', id: message.id, error: 'not this one'});
            if (message.type === 'answer' && refused === 2) refused += 1;
        };"""
    page = opened(open_page, address, {"**/worker.*.js": before_worker(refusing)})
    until_status(page, "live")
    page.evaluate("queen.state = {text: 'refuse'}")
    until_status(page, "failed")
    page.evaluate(
        """() => {
            self.told = [];
            const line = queen.querySelector('.viewer-status');
            const note = () => self.told.push(line.innerText);
            new MutationObserver(note).observe(line, {childList: true, subtree: true, characterData: true});
        }"""
    )
    press_retry(page)
    until(page, "queen.state.text === 'refuse'")
    told = page.evaluate("told")
    assert told
    assert "MB" not in " ".join(told)


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


# quick typing (row 17)


@pytest.mark.parametrize("slow", [False, True])
def test_quick_typing_ends_with_the_last_text_and_never_goes_back(open_page, address: str, slow: bool):
    """With a slow worker, the first answers come long after the last letter."""
    late = """
        const answer = postMessage;
        let count = 0;
        self.postMessage = (message) => setTimeout(answer, message.type === 'answer' && count++ < 5 ? 300 : 0, message);"""
    page = opened(open_page, address, {"**/worker.*.js": before_worker(late if slow else "")})
    if not slow:
        until_status(page, "live")
    page.evaluate("() => { self.texts = []; addEventListener('figurechange', ({detail}) => self.texts.push(detail.state.text)); }")
    page.locator("#queen .viewer-typing summary").click()
    field = page.locator(FIELD)
    field.fill("")
    text = "who looks back at whom, and when"
    field.press_sequentially(text)
    assert field.input_value() == text, "typing is never disturbed"
    until(page, f"queen.state.text === {text!r}")
    page.wait_for_timeout(400)
    assert state(page)["text"] == text
    assert "".join(t["text"] for t in data(page)["tokens"]) == text
    assert field.input_value() == text
    typed = [t for t in page.evaluate("texts") if t != QUEEN["text"]]
    assert typed == sorted(typed, key=len), "no older answer came after a newer"
    assert len(typed) == len(set(typed))
