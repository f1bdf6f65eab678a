"""create_app(site): FastAPI answers from a site. It keeps nothing, so any number of them may run behind a balancer."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any, cast

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from servestatic import ServeStaticASGI
from servestatic.utils import parse_accept_encoding
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import policy
from app.site import Answer, Site

READ = ["GET", "HEAD"]
DEEPEST = 20


def create_app(site: Site) -> ASGIApp:
    """The whole server; safety headers are wrapped around everything, since a worker takes its policy from its own answer."""
    assets = ServeStaticASGI(
        create_routes(site),
        root=site.assets,
        prefix="/assets/",
        immutable_file_test=lambda path, url: True,
        allow_all_origins=False,
        add_headers_function=lambda headers, path, url: headers.__setitem__("ETag", f'W/"{PurePosixPath(url).name}"'),
    )
    return with_path_alone(with_headers(cast(ASGIApp, assets)))


def create_routes(site: Site) -> FastAPI:
    app = FastAPI(openapi_url=None, redirect_slashes=False)

    @app.api_route("/healthz", methods=READ)
    def healthz() -> PlainTextResponse:
        return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})

    @app.api_route("/{path:path}", methods=READ)
    def read(request: Request, path: str) -> Response:
        depth = depth_of(request, path)
        if depth != path.count("/") or request.scope["path"].endswith("\n"):  # which routes take for none
            return missing(site, depth)
        if found := site.answers.get(f"/{path}"):
            return answer(request, found)
        if f"/{path}/" in site.answers:
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"{PurePosixPath(path).name}/{query}", status_code=308)  # relative: we may live below a path
        return missing(site, depth)

    @app.exception_handler(404)
    def no_route(request: Request, _: Exception) -> Response:
        """An address that no route takes: one with a line break in it."""
        return missing(site, depth_of(request, request.scope["path"].removeprefix("/")))

    return app


def answer(request: Request, found: Answer) -> Response:
    """200 in an encoding that the reader accepts, or 304 where they have it already."""
    headers = {"ETag": found.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if has(found.etag, request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    if "br" in parse_accept_encoding(request.headers.get("accept-encoding", "")) and found.brotli:
        return Response(found.brotli, media_type=found.media_type, headers=headers | {"Content-Encoding": "br"})
    return Response(found.body, media_type=found.media_type, headers=headers)


def has(etag: str, if_none_match: str) -> bool:
    """
    >>> has('W/"a"', '"b", "a"'), has('W/"a"', "*"), has('W/"a"', '"ab"')
    (True, True, False)
    """
    return if_none_match.strip() == "*" or etag.removeprefix("W/") in re.findall(r'"[^"]*"', if_none_match)


def depth_of(request: Request, path: str) -> int:
    """How deep a browser takes the address to be when it follows the page's links: for it, an encoded slash is none."""
    return path.count("/") - request.scope["raw_path"].lower().count(b"%2f")


def missing(site: Site, depth: int) -> Response:
    """The friendly page, with the way back; nobody mistypes an address so deep that the way would be most of the answer."""
    if depth > DEEPEST:
        return PlainTextResponse("Page not found\n", 404)
    found = site.missing("../" * depth or "./")
    return Response(found.body, 404, media_type=found.media_type, headers={"Cache-Control": "no-cache"})


def with_path_alone(app: ASGIApp) -> ASGIApp:
    """Takes `GET http://host/path`, as clients write it to a proxy and every server must read it, for `GET /path`."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (whole := _ABSOLUTE.match(scope["path"])):
            path = scope["path"][whole.end() :] or "/"
            raw_path = _ABSOLUTE.sub("", scope["raw_path"].decode("latin-1")).encode("latin-1") or b"/"
            scope = {**scope, "path": path, "raw_path": raw_path}
        await app(scope, receive, send)

    return wrapped


_ABSOLUTE = re.compile(r"https?://[^/]*", re.IGNORECASE)


def with_headers(app: ASGIApp) -> ASGIApp:
    """Every answer of `app`, whoever makes it (errors and 304 too), with the headers of `policy`."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *raw_headers(scope, message["status"])]
            await send(message)

        await app(scope, receive, send_with_headers if scope["type"] == "http" else send)

    return wrapped


def raw_headers(scope: Any, status: int) -> list[tuple[bytes, bytes]]:
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return [(name.lower().encode(), value.encode()) for name, value in policy.headers(path, status)]
