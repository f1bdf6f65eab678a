"""A real Chromium, and the real site behind a real server.

Every page that a test opens is watched: a request to another origin, a policy violation or an error in the console fails the test
that opened it, whatever else that test is about.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from app import build
from app.site import Site
from model.runtime import Runtime
from tests.browser.life import kept_open, reset, serving, two_figures

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
REPORT_VIOLATIONS = """
addEventListener('securitypolicyviolation', (event) =>
  console.error(`policy: ${event.violatedDirective} blocked ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


@pytest.fixture(scope="session")
def origin(site: Site) -> Iterator[str]:
    """The address of the real server, without a slash at the end."""
    with serving(site) as origin:
        yield origin


@pytest.fixture(scope="session")
def runtime() -> Runtime:
    return Runtime.load()


@pytest.fixture(scope="session")
def address(runtime: Runtime) -> Iterator[str]:
    """The address of a page with two figures."""
    with serving(two_figures(runtime)) as origin:
        yield f"{origin}/chapters/two/"


@pytest.fixture(scope="module")
def lasting(browser: Browser, address: str) -> Iterator[Page]:
    yield from kept_open(watched(browser), address)


@pytest.fixture
def live(lasting: Page) -> Page:
    """The page of two figures, its model loaded, as it was when it was new."""
    reset(lasting)
    return lasting


@pytest.fixture(scope="session")
def static_origin(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The build, below a path, served by Python's plain file server, which knows neither `_headers` nor `.br`."""
    root = tmp_path_factory.mktemp("host")
    build.write(site, root / "courses" / "lookback", base_url="https://example.org/courses/lookback/")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/courses/lookback"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "browser tests need chromium or google-chrome; `make test` installs one where it may"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Watch:
    """What a page did behind the reader's back."""

    origin: str
    requests: list[Request] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        page.on("request", lambda request: self.requests.append(request))
        page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.add_init_script(REPORT_VIOLATIONS)

    def strangers(self) -> list[str]:
        return [request.url for request in self.requests if not request.url.startswith(self.origin + "/")]

    def sent(self) -> str:
        """Everything that left the tab: methods, addresses, headers and bodies."""
        return "\n".join(f"{r.method} {r.url} {r.all_headers()} {r.post_data}" for r in self.requests)


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """`open_page(address, **context)`: a page in a browser context of its own; its Watch is `page.watch`.

    `failing=True` lets the console speak of errors that the test provokes.
    """
    with watched(browser) as opener:
        yield opener


@contextmanager
def watched(browser: Browser) -> Iterator[OpenPage]:
    opened: list[tuple[Page, bool]] = []

    def opener(address: str, *, failing: bool = False, **options: Any) -> Page:
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(15_000)
        watch = Watch("/".join(address.split("/")[:3]))
        watch.follow(page)
        page.watch = watch  # type: ignore[attr-defined]
        opened.append((page, failing))
        page.goto(address)
        return page

    yield opener
    for page, failing in opened:
        watch: Watch = page.watch  # type: ignore[attr-defined]
        page.context.close()
        assert watch.strangers() == []
        assert failing or watch.errors == []


@pytest.fixture
def page(open_page: OpenPage, origin: str) -> Page:
    """Chapter 10, just opened, on a laptop's screen."""
    return open_page(f"{origin}/chapters/attention/", viewport={"width": 1280, "height": 800})


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core; the policy blocks a script element, so pages evaluate it."""
    return (Path("node_modules") / "axe-core" / "axe.min.js").read_text()
