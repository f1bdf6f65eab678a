"""The life of a figure: printed, awake, live, failed; rows 1, 2, 16 and 17 of what went wrong elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from model.runtime import Runtime
from tests.browser.conftest import watched
from tests.browser.life import (
    QUEEN,
    Stalling,
    choose,
    data,
    reset,
    serving,
    shown_text,
    state,
    status,
    two_figures,
    until,
    until_status,
)

ODD = [
    "",
    " ",
    "a&b=c#d?e",
    "100% +1",
    "line\nline",
    "«naïve» 👩‍👩‍👧‍👦 日本語 שׁלום",
    "<img src=x onerror=alert(1)>",
    "ends in a dot.",
]
FIELD = "#queen textarea"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(two_figures(Runtime.load())) as address:
        yield address


@pytest.fixture(scope="module")
def lasting(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser) as open_page:
        page = open_page(address)
        until_status(page, "live")
        yield page


@pytest.fixture
def live(lasting: Page) -> Page:
    """A page whose model is loaded, as it was when it was new: opening one for each test takes long."""
    reset(lasting)
    return lasting


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
    assert state(page) | {"query": 0} == {"text": QUEEN["text"], "layer": 2, "head": 3, "query": 0}
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


def test_waking_keeps_focus_what_was_typed_and_what_was_opened(open_page, address: str):
    page = opened(open_page, address, {"**/main.*.js": lambda route: route.abort()})
    before = page.evaluate(
        """() => {
            const queen = document.getElementById('queen');
            queen.querySelector('.viewer-typing').open = true;
            const field = queen.querySelector('textarea');
            field.value = 'typed before the script came';
            field.focus();
            return queen.status ?? 'no script yet';
        }"""
    )
    assert before == "no script yet"
    page.unroute("**/main.*.js")
    page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.type = 'module';
            script.src = document.querySelector('script[src*="main."]').src + '?again';
            document.head.append(script);
        }"""
    )
    until(
        page,
        "queen.status === 'live' && queen.state.text.startsWith('typed')",
    )
    assert page.evaluate("document.activeElement.matches('#queen textarea')")
    assert page.locator(FIELD).input_value() == "typed before the script came"
    assert page.locator("#queen .viewer-typing").get_attribute("open") is not None


def test_with_save_data_nothing_is_loaded_before_the_reader_touches_the_figure(open_page, address: str):
    page = open_page("about:blank")
    page.watch.origin = "/".join(address.split("/")[:3])
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    page.goto(address)
    until_status(page, "awake")
    page.wait_for_timeout(300)
    assert not [r.url for r in page.watch.requests if r.url.endswith((".wasm", ".onnx"))]
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
    assert event["detail"]["state"] == {"text": QUEEN["text"], "layer": 1, "head": 2, "query": 4}
    assert event["detail"]["data"]["row"] == event["detail"]["data"]["pattern"][0][1][4]


def test_what_is_out_of_range_is_brought_into_it(live: Page):
    detail = choose(live, {"layer": 9, "head": -3, "query": 999})
    assert detail["state"] | {"text": ""} == {"text": "", "layer": 2, "head": 1, "query": len(detail["data"]["tokens"]) - 1}


def test_a_new_text_asks_with_its_last_token_and_an_old_one_has_its_difference_again(live: Page):
    detail = choose(live, {"text": "Off with her head"})
    assert detail["state"]["query"] == len(detail["data"]["tokens"]) - 1
    assert "difference" not in detail["data"]
    assert choose(live, {"text": QUEEN["text"]})["data"]["difference"] <= 1e-5


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
    ("what", "how"), [("*.wasm", "gone"), ("*.wasm", "html"), ("*.onnx", "cut off"), ("tokenizer.*.json", "html")]
)
def test_a_file_that_cannot_be_fetched_leaves_the_printed_figure_usable_and_retry_works(
    open_page, address: str, what: str, how: str
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
    assert what.strip("*.").split(".")[0] in message(page) + " runtime", message(page)
    assert is_usable(page)
    page.unroute(f"**/{what}")
    press_retry(page)
    until_status(page, "live")
    assert message(page) == ""
    assert data(page)["difference"] <= 1e-5


def test_one_retry_heals_every_figure_of_the_page(open_page, address: str):
    page = opened(open_page, address, {"**/*.onnx": lambda route: route.abort()})
    until_status(page, "failed", "queen")
    page.evaluate("cat.scrollIntoView()")
    until_status(page, "failed", "cat")
    page.unroute("**/*.onnx")
    press_retry(page, "cat")
    until_status(page, "live", "queen")
    until_status(page, "live", "cat")


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

    with serving(two_figures(Runtime.load()), stalling) as address:
        page = open_page("about:blank", failing=True)
        page.watch.origin = "/".join(address.split("/")[:3])
        page.clock.install()
        page.goto(address)
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
    page.evaluate("queen.state = {text: 'die'}")
    until_status(page, "failed")
    assert "died" in message(page)
    assert state(page)["text"] == QUEEN["text"], "what is shown still belongs together"
    assert is_usable(page)
    page.evaluate("queen.state = {text: 'live again'}")
    until_status(page, "failed")
    press_retry(page)
    until(page, "queen.state.text === 'live again'")
    assert status(page) == "live"


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
    live.keyboard.press("Tab")
    live.keyboard.press("ArrowRight")
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


# links


@pytest.mark.parametrize("text", ODD)
def test_a_link_reopens_exactly_the_view_it_was_taken_from(live: Page, address: str, text: str):
    shown = choose(live, {"text": text, "layer": 1, "head": 2, "query": 0})
    link = live.evaluate("queen.link")
    assert link.split("#")[0] == address, "nothing typed before the #"
    reset(live)
    live.evaluate("link => { location.href = link; }", link)
    until(live, "queen.state.head === 2")
    assert (state(live), data(live)) == (shown["state"], shown["data"])


def test_a_new_page_opens_at_the_view_of_its_link(live: Page, open_page, address: str):
    shown = choose(live, {"text": "Off with her «naïve» head! 👩‍👩‍👧‍👦", "layer": 1, "head": 2, "query": 3}, "cat")
    page = open_page(live.evaluate("cat.link"))
    until(page, "cat.status === 'live'")
    assert (state(page, "cat"), data(page, "cat")) == (shown["state"], shown["data"])
    assert 0 <= page.evaluate("cat.getBoundingClientRect().top") < 300
    assert "na%C3%AFve" not in page.watch.sent()
    assert state(page, "queen")["text"] == QUEEN["text"]


def test_a_link_works_while_the_page_is_open(live: Page):
    live.evaluate("location.hash = '#cat?layer=2&query=the%232'")
    until(live, "cat.state.layer === 2")
    tokens = [token["text"] for token in data(live, "cat")["tokens"]]
    assert state(live, "cat")["query"] == [i for i, text in enumerate(tokens) if text == " the"][1]
    assert 0 <= live.evaluate("cat.getBoundingClientRect().top") < 300
    assert state(live, "queen")["layer"] == 2
    live.evaluate("location.hash = '#cat?layer=nonsense&text'")
    until(live, "cat.state.text === ''")


def test_a_link_by_hand_takes_words_and_forgives_mistakes(live: Page):
    page = live
    page.evaluate("location.hash = '#queen?query=Alice&layer=7&head=x&evil=1'")
    until(page, "queen.data.tokens[queen.state.query].text === ' Alice'")
    shown = state(page)
    assert data(page)["tokens"][shown["query"]]["text"] == " Alice"
    assert (shown["text"], shown["layer"], shown["head"]) == (QUEEN["text"], 2, 3)
    assert "evil" not in shown
