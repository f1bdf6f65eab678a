"""The server over a small site of its own: what HTTP promises, asked the way browsers, caches and crawlers ask."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import brotli
import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.server import create_app
from app.site import Answer, Site

WORKER = "worker.ABCDEFGH.js"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    script = b"postMessage('hello');" * 100
    (tmp_path / WORKER).write_bytes(script)
    (tmp_path / f"{WORKER}.br").write_bytes(brotli.compress(script))
    pages = {"/": b"<p>contents", "/chapters/attention/": b"<p>attention " * 50, "/embed/attention/queen/": b"<p>queen"}
    image = {"/chapters/images/dot.png": Answer(b"\x89PNG", "image/png")}
    answers = {address: Answer(body).compressed() for address, body in pages.items()} | image
    return Site(answers, tmp_path, lambda root: Answer(f'<a href="{root}">contents</a>'.encode()), frozenset({WORKER}))


@pytest.fixture
def client(site: Site) -> TestClient:
    return TestClient(create_app(site), follow_redirects=False, headers={"Accept-Encoding": "identity"})


EVERY_KIND = {
    "contents": ("/", 200),
    "chapter": ("/chapters/attention/", 200),
    "embed": ("/embed/attention/queen/", 200),
    "image": ("/chapters/images/dot.png", 200),
    "asset": (f"/assets/{WORKER}", 200),
    "missing asset": ("/assets/gone.js", 404),
    "missing page": ("/chapters/atention/", 404),
    "missing embed": ("/embed/attention/quen/", 404),
    "redirect": ("/chapters/attention", 308),
    "health": ("/healthz", 200),
}


POLICY = {
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
}


def has_the_policy(answer: Response) -> bool:
    first, *others = answer.headers.get_list("content-security-policy")
    return set(first.split("; ")) == POLICY and others in ([], ["frame-ancestors 'none'"])


@pytest.mark.parametrize(("address", "status"), EVERY_KIND.values(), ids=EVERY_KIND)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_every_answer_carries_the_policy_and_the_usual_headers(client: TestClient, method: str, address: str, status: int) -> None:
    answer = client.request(method, address)
    assert answer.status_code == status
    assert has_the_policy(answer)
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["permissions-policy"] == "camera=(), geolocation=(), microphone=()"


def test_not_modified_wrong_method_and_crash_carry_the_policy_too(site: Site) -> None:
    def crash(root: str) -> Answer:
        raise RuntimeError("broken template")

    broken = Site(site.answers, site.assets, crash, site.asset_files)
    client = TestClient(create_app(broken), raise_server_exceptions=False)
    etag = client.get("/").headers["etag"]
    answers = [client.get("/", headers={"If-None-Match": etag}), client.post("/"), client.get("/nowhere")]
    assert [answer.status_code for answer in answers] == [304, 405, 500]
    assert all(has_the_policy(answer) for answer in answers)


def test_embeds_alone_may_be_framed(client: TestClient) -> None:
    framed = {
        address: "frame-ancestors" not in client.get(address).headers["content-security-policy"]
        for address, _ in EVERY_KIND.values()
    }
    assert [address for address, may in framed.items() if may] == ["/embed/attention/queen/"]
    assert "x-frame-options" not in client.get("/embed/attention/queen/").headers
    etag = client.get("/embed/attention/queen/").headers["etag"]
    again = client.get("/embed/attention/queen/", headers={"If-None-Match": etag})
    assert (again.status_code, "x-frame-options" in again.headers) == (304, False)


def test_head_has_the_headers_of_get_and_no_body(client: TestClient) -> None:
    for address in ("/chapters/attention/", f"/assets/{WORKER}"):
        get, head = client.get(address), client.head(address)
        assert head.headers["content-length"] == get.headers["content-length"]
        assert head.headers["etag"] == get.headers["etag"]


@pytest.mark.parametrize("address", ["/chapters/attention/", f"/assets/{WORKER}"])
def test_brotli_is_sent_to_those_who_accept_it(client: TestClient, site: Site, address: str) -> None:
    plain = client.get(address)
    small = client.get(address, headers={"Accept-Encoding": "gzip, br"})
    refused = client.get(address, headers={"Accept-Encoding": "br;q=0, gzip"})
    assert small.headers["content-encoding"] == "br"
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"])
    assert "content-encoding" not in refused.headers
    assert plain.content == small.content == refused.content  # the client decodes
    assert "accept-encoding" in plain.headers["vary"].lower()


def test_assets_are_kept_for_good_and_pages_are_asked_for_again(client: TestClient) -> None:
    assert "immutable" in client.get(f"/assets/{WORKER}").headers["cache-control"]
    assert client.get("/").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("address", ["/", f"/assets/{WORKER}", "/chapters/images/dot.png"])
def test_what_the_reader_has_is_not_sent_again(client: TestClient, address: str) -> None:
    etag = client.get(address).headers["etag"]
    again = client.get(address, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_any_of_the_pages_that_a_cache_holds_will_do(client: TestClient) -> None:
    etag = client.get("/").headers["etag"]
    assert client.get("/", headers={"If-None-Match": f'"other", {etag}'}).status_code == 304


def test_a_changed_page_has_another_etag() -> None:
    assert Answer(b"one").etag != Answer(b"two").etag == Answer(b"two").etag


def test_a_missing_slash_redirects_relative_so_that_any_prefix_works(client: TestClient) -> None:
    assert client.get("/chapters/attention").headers["location"] == "attention/"
    assert client.get("/embed/attention/queen").headers["location"] == "queen/"


@pytest.mark.parametrize("query", ["print", "a=1&b=2", "q=%C3%A9%20x", "a=%0d%0aX:%201", "?"])
def test_a_missing_slash_keeps_the_query(client: TestClient, query: str) -> None:
    assert client.get(f"/chapters/attention?{query}").headers["location"] == f"attention/?{query}"


@pytest.mark.parametrize(
    ("address", "root"),
    [
        ("/a%0Ab", "./"),
        ("/chapters/attention%0A", "../"),
        ("/chapters/attention/%0A", "../../"),
        ("/chapters/%0Aattention/", "../../"),
        ("/%0A", "./"),
        ("/a%0D%0AX:1", "./"),
        ("/a%E2%80%A8b/", "../"),
    ],
)
def test_an_address_with_a_line_break_gets_the_friendly_page(client: TestClient, address: str, root: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, f'href="{root}"' in answer.text) == (404, True)


ABSOLUTE = {
    "http://testserver": (200, b"<p>contents"),
    "http://testserver/": (200, b"<p>contents"),
    "HTTP://other.example:8000/chapters/attention/": (200, b"<p>attention"),
    "https://testserver/chapters/attention?x=1": (308, b""),
    "http://testserver/embed/attention/queen/": (200, b"<p>queen"),
    f"http://testserver/assets/{WORKER}": (200, b"postMessage"),
    "http://testserver/no/where/": (404, b'<a href="../../">'),
    "http://testserver//example.org/": (404, b'<a href="../../">'),
}


@pytest.mark.parametrize(("address", "status", "begin"), [(address, *answer) for address, answer in ABSOLUTE.items()])
def test_an_address_as_clients_write_it_to_a_proxy_is_read(site: Site, address: str, status: int, begin: bytes) -> None:
    answer, body = asked_below_the_client(site, address)
    assert (answer["status"], body.startswith(begin)) == (status, True)
    headers = dict(answer["headers"])
    assert (b"x-frame-options" in headers) == ("/embed/" not in address)
    assert headers.get(b"location", b"attention/?x=1") == b"attention/?x=1"


def asked_below_the_client(site: Site, address: str) -> tuple[Any, bytes]:
    """The start of the answer and its body, asked as uvicorn asks: the client would mend the address."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "headers": [],
        "query_string": query.encode(),
    }
    asyncio.run(create_app(site)(scope, receive, send))  # type: ignore[arg-type]
    return sent[0], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize(
    "address",
    ["//example.org", "//example.org/", "//chapters/attention", "/\\example.org", "/chapters/../../etc/passwd", "/%2e%2e/x"],
)
def test_no_address_leads_out_of_the_book(client: TestClient, address: str) -> None:
    answer = client.get(f"http://testserver{address}")
    assert answer.status_code == 404
    assert "location" not in answer.headers


@pytest.mark.parametrize("address", ["/chapters/../secret", "/assets/../secret", "/assets/..%2fsecret", "/assets//etc/passwd"])
def test_a_client_that_sends_dots_as_they_are_gets_no_file(site: Site, tmp_path: Path, address: str) -> None:
    """The client would take the dots out."""
    (tmp_path.parent / "secret").write_text("secret")
    answer, body = asked_below_the_client(site, address)
    assert answer["status"] == 404
    assert b"secret" not in body


def test_an_encoded_slash_is_none(client: TestClient) -> None:
    """A browser would look for the page's styles in the wrong folder."""
    for address, root in {"/chapters/attention%2F": "../", "/chapters%2fattention/": "../", "/a%2Fb%2Fc": "./"}.items():
        answer = client.get(address)
        assert (answer.status_code, f'href="{root}"' in answer.text) == (404, True), address


def test_a_long_address_gets_no_longer_answer(client: TestClient) -> None:
    answer = client.get("/" + "a/" * 3000)
    assert (answer.status_code, len(answer.content) < 3000) == (404, True)


@pytest.mark.parametrize(("address", "root"), [("/nowhere", "./"), ("/chapters/atention/", "../../"), ("/a/b/c", "../../")])
def test_the_missing_page_leads_back_from_any_depth(client: TestClient, address: str, root: str) -> None:
    assert f'href="{root}"' in client.get(address).text


def test_brotli_decodes_to_the_page_itself() -> None:
    page = Answer(b"<p>attention " * 50).compressed()
    assert page.brotli is not None
    assert brotli.decompress(page.brotli) == page.body
    assert Answer(b"<svg>" * 50, "image/svg+xml").compressed().brotli is not None
    assert Answer(Random(0).randbytes(256)).compressed().brotli is None, "a twin that is as long"
    assert Answer(b"\0" * 5000, "image/png").compressed().brotli is None, "tried on what is compressed already"


def test_nothing_is_compressed_at_a_readers_request(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = TestClient(create_app(site))
    monkeypatch.setattr(brotli, "compress", None)
    for address in ("/chapters/attention/", "/nowhere", "/chapters/images/dot.png"):
        client.get(address, headers={"Accept-Encoding": "br"})
