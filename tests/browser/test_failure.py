"""A model that does not come, breaks, or is slow: what is shown stays usable, and the last wish wins."""

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
    opened,
    serving,
    shown_text,
    state,
    status,
    two_figures,
    until,
    until_status,
)

FIELD = "#queen textarea"


def message(page: Page) -> str:
    return page.evaluate("() => document.querySelector('#queen [role=alert]')?.innerText ?? ''")


def press_retry(page: Page, key: str = "queen") -> None:
    page.locator(f"#{key} button", has_text="Try again").click()


def is_usable(page: Page) -> bool:
    """The printed state answers: another layer shows another row, all of it drawn."""
    before = data(page)["row"]
    detail = choose(page, {"layer": 3 - state(page)["layer"]})
    return detail["data"]["row"] != before and state(page)["text"].split()[1] in shown_text(page)


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
