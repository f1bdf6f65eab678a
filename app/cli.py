"""lookback serve | check | build | figures. What a command needs is imported inside it, so that --help answers at once."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from app.book import Book
    from app.printer import Printer
    from app.problems import Problem

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before anything imports onnxruntime

ROOT = Path(__file__).resolve().parent.parent

app = typer.Typer(
    help="Lookback, an interactive textbook.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    text = "text"
    json = "json"

    def print(self, problems: Sequence[Problem]) -> str:
        if self is Format.json:
            return json.dumps([problem.as_dict() for problem in problems], ensure_ascii=False, indent=1)
        return "\n".join([*map(str, problems), counted(len(problems))])


def counted(problems: int) -> str:
    """
    >>> counted(0), counted(1), counted(2)
    ('no problems', '1 problem', '2 problems')
    """
    return f"{problems or 'no'} problem{'' if problems == 1 else 's'}"


@app.command()
def serve(
    host: Annotated[str, typer.Option(envvar="HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="PORT", help="Port to listen on; 0 picks a free one.", min=0, max=65535)] = 8000,
) -> None:
    """Serve the book, after printing every page once. Mistakes in it are told, and the pages show what can be shown."""
    from app.site import make

    listener = listen(host, port)
    with opened() as (book, printer):
        site = make(book, printer)
    for problem in site.problems:
        typer.echo(problem, err=True)
    from uvicorn import Config, Server

    from app.server import create_app

    config = Config(create_app(site), log_level="warning", timeout_graceful_shutdown=1, server_header=False)
    typer.echo(f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):  # raised again by uvicorn once it has ended
        Server(config).run(sockets=[listener])
    os._exit(0)  # nothing is left to save, and taking onnxruntime apart would be most of the time that Ctrl-C takes


@app.command()
def check(
    format: Annotated[Format, typer.Option(help="How to print the problems.")] = Format.text,
) -> None:
    """Find every mistake in the book: links, directives, claims, math. Exits with 1 when there is one."""
    from app.check import check_book

    with opened() as (book, printer):
        problems = check_book(book, printer)
    typer.echo(format.print(problems))
    raise typer.Exit(bool(problems))


@app.command()
def build(
    folder: Annotated[Path, typer.Argument(help="Where to write it; replaced when it was made by this command.")],
) -> None:
    """Write the whole book into a folder that any host can serve. A book in which `check` finds a mistake is not written."""
    from app import build as builder
    from app.check import check_book
    from app.site import make

    try:
        builder.refuse_foreign(folder)  # before the work, and once more after it
        with opened() as (book, printer):
            problems = check_book(book, printer)
            site = make(book, printer) if not problems else None
        if site is None:
            typer.echo(Format.text.print(problems), err=True)
            fail("nothing was written")
        count = builder.write(site, folder, book.base_url)
    except (builder.BuildError, OSError) as error:
        fail(f"nothing was written: {error}")
    typer.echo(f"{folder}: {count} files\n{builder.WITHOUT_HEADERS}")


@app.command()
def figures(
    tag: Annotated[str, typer.Argument(help="One figure, to see all about it; without it, every figure in a line.")] = "",
) -> None:
    """List the figures that a chapter may place, or the options and quantities of one."""
    from app.listing import description, overview
    from app.problems import did_you_mean

    width = min(shutil.get_terminal_size((110, 24)).columns, 130)
    with printing() as printer:
        kinds = printer.catalogue
    if tag and tag not in kinds:
        fail(f"unknown figure '{tag}'; {did_you_mean(tag, kinds)}")
    typer.echo(description(kinds[tag], width) if tag else f"{overview(kinds, width)}\n\nlookback figures TAG lists all about one.")


@contextmanager
def opened() -> Iterator[tuple[Book, Printer]]:
    """The book, and the printer of its figures; ends the command in one line where the model or Node is not fit for it."""
    from app.parse import load_book

    with printing() as printer:
        yield load_book(ROOT / "chapters"), printer


@contextmanager
def printing() -> Iterator[Printer]:
    """The printer of figures, with the same end."""
    from app.printer import Printer, PrinterError
    from model.manifest import ArtifactError
    from model.runtime import Runtime

    try:
        with Printer(Runtime.load()) as printer:
            yield printer
    except (ArtifactError, PrinterError, FileNotFoundError) as error:
        fail(str(error))


def listen(host: str, port: int) -> socket.socket:
    """Take the port before the pages are printed, so that a taken one is known at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, TypeError, ValueError) as error:  # the latter two for what can be no host's name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "that is no host's name"
        shown = host.encode(errors="backslashreplace").decode()
        fail(f"cannot listen on {shown}, port {port}: {reason}; choose another with PORT=8001 or HOST=127.0.0.1")


def fail(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)


def main() -> None:
    app()
