"""A page of two figures behind the real server, and words for what tests do with them."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import uvicorn
from playwright.sync_api import Page
from starlette.types import ASGIApp, Receive, Scope, Send

from app import assets
from app.book import Book, Chapter
from app.page import Pages
from app.printer import Printer
from app.render import RenderedChapter
from app.server import create_app
from app.site import Answer, Site
from model.runtime import Runtime

QUEEN = {"text": "The king turned sharply to Alice and said", "layer": 2, "head": 3, "query": "said"}
CAT = {"text": "The Cat saw the Queen, and the Queen saw the Cat", "layer": 1, "head": 1}
TAG = "attention-viewer"


def two_figures(runtime: Runtime) -> Site:
    """One page, /chapters/two/: the figure `queen` in sight, `cat` four screens below."""
    with Printer(runtime) as printer:
        far = '<div class="prose">' + "<p>Prose between two figures.</p>" * 150 + "</div>"
        body = figure(printer, "queen", QUEEN) + far + figure(printer, "cat", CAT) + far
        return one_page(printer, "two", "Two figures", body)


def figure(printer: Printer, key: str, options: dict[str, Any], tag: str = TAG) -> str:
    printed = printer.figure(tag, options)
    block = json.dumps({"state": printed.state, "data": printed.data}).replace("<", "\\u003c")
    block = f'<script type="application/json">{block}</script>'
    return f'<figure class="figure"><{tag} id="{key}">{printed.html}{block}</{tag}></figure>'


def one_page(printer: Printer, key: str, title: str, body: str) -> Site:
    """A site of one page, /chapters/<key>/, around a body."""
    pages = Pages(Book("Book", "", (), "", "", (), assets.ROOT), assets.load(), printer.config)
    page = pages.chapter(Chapter(key, title), RenderedChapter(key, title, "", "", body, (), (), (), ()))
    answers = {f"/chapters/{key}/": Answer(page.encode()), "/favicon.ico": Answer(b"", "image/x-icon")}
    return Site(answers, assets.FOLDER, lambda root: Answer(b""), assets.files())


@contextmanager
def serving(site: Site, wrap: Callable[[ASGIApp], ASGIApp] = lambda app: app) -> Iterator[str]:
    """The origin of a real server; `wrap` may put something between it and the network."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(wrap(create_app(site)), log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def kept_open(
    pages: AbstractContextManager[Callable[..., Page]], address: str, key: str = "queen", **options: Any
) -> Iterator[Page]:
    """One page for many tests, its figure live: opening one for each takes long."""
    with pages as open_page:
        page = open_page(address, **options)
        until_status(page, "live", key)
        yield page


class Stalling:
    """A server that, while `on`, sends 40% of the model and then nothing more."""

    def __init__(self, app: ASGIApp):
        self.app, self.on = app, True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.on or not scope.get("path", "").endswith(".onnx"):
            await self.app(scope, receive, send)
            return
        model = (assets.FOLDER / assets.load()["model.onnx"].file).read_bytes()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": model[: len(model) * 4 // 10], "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass


def until(page: Page, what: str, seconds: float = 15) -> Any:
    """The value of a JavaScript expression, once it is true. (Playwright's own waiting needs eval, which the policy forbids.)"""
    for _ in range(int(seconds * 50)):
        if value := page.evaluate(what):
            return value
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {what}; it is {page.evaluate(what)!r}, queen is {status(page)!r}: {shown_text(page)[-300:]}")


def status(page: Page, key: str = "queen") -> str:
    return page.evaluate("id => document.getElementById(id).status", key)


def until_status(page: Page, wanted: str, key: str = "queen", seconds: float = 15) -> None:
    until(page, f"document.getElementById({key!r}).status === {wanted!r}", seconds)


def reset(page: Page) -> None:
    """Both figures as they were printed, and awake."""
    page.evaluate(
        """async () => {
            for (const id of ['queen', 'cat']) {
                const element = document.getElementById(id);
                element.printed ??= element.state;
                element.light(null);
                element.state = element.printed;
            }
            history.replaceState(null, '', location.pathname);
            scrollTo(0, 0);
        }"""
    )
    for key in ("queen", "cat"):
        until(page, f"(({{printed, state}}) => Object.keys(printed).every((key) => printed[key] === state[key]))({key})")
        until_status(page, "live", key)


def state(page: Page, key: str = "queen") -> dict[str, Any]:
    return page.evaluate("id => document.getElementById(id).state", key)


def data(page: Page, key: str = "queen") -> dict[str, Any]:
    return page.evaluate("id => document.getElementById(id).data", key)


def choose(page: Page, some: dict[str, Any], key: str = "queen") -> dict[str, Any]:
    """Set some of the state, and wait for the figurechange that follows: its detail."""
    return page.evaluate(
        """([id, some]) => new Promise((resolve, reject) => {
            const element = document.getElementById(id);
            element.addEventListener('figurechange', (event) => resolve(event.detail), {once: true});
            setTimeout(() => reject(new Error('no figurechange')), 10000);
            element.state = some;
        })""",
        [key, some],
    )


def shown_text(page: Page, key: str = "queen") -> str:
    """What a reader sees of the figure."""
    return page.evaluate("id => document.getElementById(id).innerText", key)


def opened(open_page, address: str, handle: dict, **options) -> Page:
    """The page, some of its requests answered by `handle`: pattern of the address → what to do with the route."""
    page = open_page("about:blank", failing=True, **options)
    page.watch.origin = "/".join(address.split("/")[:3])
    for pattern, action in handle.items():
        page.route(pattern, action)
    page.goto(address)
    return page
