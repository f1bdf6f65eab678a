"""The Node process behind the pages: what it is told, what it may ask, and every way in which it fails."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.printer import FigureCrash, Printer, PrinterError, find_node
from app.problems import AuthorError
from model.manifest import Head, Role

ROOT = Path(__file__).parent.parent.parent
ECHO = ROOT / "tests" / "fixtures" / "printer" / "echo.mjs"
CONFIG = {"layers": 2, "heads": 4, "width": 128, "head_size": 32, "vocabulary": 1024, "context": 128}


class Model:
    """Stands in for the runtime: tokens are characters, the pattern counts up."""

    manifest = SimpleNamespace(
        config=SimpleNamespace(**CONFIG),
        heads=[
            Head(
                0,
                0,
                [Role("first token", "share", 0.1, 0.03, 0.03, "tales"), Role("name", "share", 0.6, 0.04, 0.05, "tales")],
                "name",
            ),
            Head(0, 1, [], "no role found"),
            Head(1, 0, [], "no role found"),
        ],
    )

    def __init__(self) -> None:
        self.runs: list[dict[str, Any]] = []

    def encode(self, text: str) -> list[Any]:
        return [SimpleNamespace(id=ord(c), text=c, start=i, end=i + 1) for i, c in enumerate(text)]

    def run(self, ids: Sequence[int], outputs: Sequence[str] = (), **switches: Any) -> dict[str, np.ndarray]:
        if not ids:
            raise ValueError("the model needs at least one token")
        self.runs.append({"ids": list(ids), **switches})
        return {"pattern": np.arange(len(ids) ** 2, dtype=np.float32).reshape(1, 1, len(ids), len(ids))}


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def printer(model: Model) -> Iterator[Printer]:
    with Printer(model, script=ECHO, timeout=20) as printer:
        yield printer


def test_the_catalogue_is_what_the_code_declares(printer: Printer) -> None:
    assert {tag: kind.summary for tag, kind in printer.catalogue.items()} == {"asks": "Asks."}


def test_a_figure_may_ask_for_runs_of_the_model(printer: Printer, model: Model) -> None:
    printed = printer.figure("asks", {"text": "né"})
    assert printed.state == {
        "tokens": [{"id": 110, "text": "n", "start": 0, "end": 1}, {"id": 233, "text": "é", "start": 1, "end": 2}]
    }
    pattern = printed.data["pattern"]
    assert pattern["dims"] == [1, 1, 2, 2]
    assert np.frombuffer(base64.b64decode(pattern["float32"]), "<f4").tolist() == [0, 1, 2, 3]
    assert model.runs == [{"ids": [110, 233], "head_mask": [[1, 0]]}]
    sizes = {k: v for k, v in CONFIG.items() if k != "head_size"}
    name = {"role": "name", "share": 0.6, "even": 0.04, "untrained": 0.05, "text": "tales"}
    assert printed.data["config"] == {**sizes, "headSize": 32, "habits": [[name, None], [None]]}
    assert printed.data["wrong"] == "the model needs at least one token"


def test_an_authors_mistake_and_a_crash_leave_the_process_alive(printer: Printer) -> None:
    process = printer.quantity("asks", {}, "pid", [], {}).value
    with pytest.raises(AuthorError) as mistake:
        printer.figure("mistaken", {})
    assert (mistake.value.message, mistake.value.hint, mistake.value.option) == ("no token «x»", "tokens: a", "query")
    with pytest.raises(FigureCrash, match="undefined is not a function"):
        printer.figure("crashing", {})
    assert printer.quantity("asks", {}, "pid", [], {}).value == process


def test_half_a_character_reaches_node(printer: Printer) -> None:
    process = printer.quantity("asks", {}, "pid", [], {}).value
    assert printer.quantity("asks", {}, "pid", ["\ud800"], {}).value == process


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("dying", r"ended \(exit status 3\)\n    out of memory"),
        ("chatty", "said what is not JSON: hello"),
        ("confused", "answered what nobody asked"),
    ],
)
def test_a_process_that_fails_is_replaced(printer: Printer, tag: str, words: str) -> None:
    process = printer.quantity("asks", {}, "pid", [], {}).value
    with pytest.raises(PrinterError, match=words):
        printer.figure(tag, {})
    assert printer.quantity("asks", {}, "pid", [], {}).value != process


def test_silence_ends_in_a_message(model: Model) -> None:
    with Printer(model, script=ECHO, timeout=1) as printer, pytest.raises(PrinterError, match="said nothing for 1 s"):
        printer.figure("silent", {})


def test_threads_take_turns(printer: Printer) -> None:
    with ThreadPoolExecutor(4) as pool:
        lengths = pool.map(lambda n: len(printer.figure("asks", {"text": "x" * n}).state["tokens"]), range(1, 30))
        assert list(lengths) == list(range(1, 30))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_closing_ends_node_and_its_threads(model: Model) -> None:
    before = threading.active_count()
    with Printer(model, script=ECHO) as printer:
        process = int(printer.quantity("asks", {}, "pid", [], {}).value)
        assert alive(process)
    assert not alive(process)
    assert threading.active_count() == before


def test_node_dies_with_its_parent_even_when_that_is_killed() -> None:
    code = f"""
import sys, time
from pathlib import Path
from app.printer import Printer
printer = Printer(None, script=Path({str(ECHO)!r}))
print(printer.quantity("asks", {{}}, "pid", [], {{}}).value, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert parent.stdout
    node = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while alive(node) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(node)


def test_without_node_the_message_says_what_to_do(model: Model, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(PrinterError, match=r"Node 20 or newer is needed .* found none; run `make setup`"):
        find_node()
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.2.0\n")
    old.chmod(0o755)
    with pytest.raises(PrinterError, match="found only version 18"):
        find_node()
    with pytest.raises(PrinterError, match="cannot start"):
        Printer(model, script=ECHO, node=tmp_path / "nowhere").figure("asks", {})
    with pytest.raises(PrinterError, match=r"nowhere\.js is missing"):
        Printer(model, script=tmp_path / "nowhere.js").figure("asks", {})
