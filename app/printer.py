"""One long-lived Node process that runs the figures' own code: it prints a figure as HTML and answers a quantity.

    Python                                         Node (static/js/print.js)
    {"id": 2, "ask": "figure", "tag": …}    →
                                            ←      {"call": 7, "method": "run", "feeds": …}
    {"reply": 7, "ok": {"pattern": …}}      →
                                            ←      {"id": 2, "ok": {"html": …, "state": …, "data": …}}

JSON lines, UTF-8. Between a question and its answer Node may ask for runs of the model, which `model.runtime` does here, so
that page and prose are printed from the same onnxruntime. Node ends when its input does: it cannot outlive this process.
"""

from __future__ import annotations

import base64
import contextlib
import json
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from app.figures import FigureKind, read_catalogue
from app.problems import AuthorError

SCRIPT = Path(__file__).parent.parent / "static" / "js" / "print.js"
OLDEST_NODE = 20
TIMEOUT = 60.0
"""Seconds without a word from Node. The longest answer is one figure, some tens of milliseconds; the first loads its modules."""


class PrinterError(Exception):
    """Node, or the figures' code in it, fails: nothing that an author could mend."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure as the page carries it."""

    html: str
    state: dict[str, Any]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure's answer to a question of the prose."""

    value: float | int | str | bool
    unit: str
    """share (0 to 1), count, number, tokens, nats, bits or text."""

    cell: str | None = None
    """What lights up in the figure: `layer.head.query.key`."""


class Printing(Protocol):
    """What pages are made with; the tests have one without Node."""

    @property
    def catalogue(self) -> Mapping[str, FigureKind]: ...

    def figure(self, tag: str, options: Mapping[str, Any]) -> Printed: ...

    def quantity(
        self, tag: str, options: Mapping[str, Any], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Quantity: ...


class Model(Protocol):
    """`model.runtime.Runtime`, as far as figures use it."""

    @property
    def manifest(self) -> Any: ...

    def encode(self, text: str) -> Iterable[Any]: ...

    @property
    def run(self) -> Callable[..., Mapping[str, np.ndarray]]: ...


class Printer:
    """A context manager; `with Printer(Runtime.load()) as printer`.

    Its methods raise AuthorError for what an author wrote, PrinterError for everything else. After a PrinterError the next question
    starts a new process. Questions of several threads take turns.
    """

    def __init__(self, runtime: Model, script: Path = SCRIPT, node: str | Path | None = None, timeout: float = TIMEOUT) -> None:
        self._runtime = runtime
        self._script = script
        self._node = node
        self._timeout = timeout
        self._process: _Process | None = None
        self._turn = threading.Lock()
        self._asked = 0
        self._catalogue: Mapping[str, FigureKind] | None = None

    def __enter__(self) -> Printer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends Node; a later question would start it anew."""
        with self._turn:
            self._stop()

    @property
    def catalogue(self) -> Mapping[str, FigureKind]:
        """Every figure by its tag, as its code declares it."""
        if self._catalogue is None:
            self._catalogue = read_catalogue(self._ask({"ask": "catalogue"}))
        return self._catalogue

    @property
    def config(self) -> Mapping[str, Any]:
        """The model's sizes, named as the figures name them."""
        return _config(self._runtime, {})

    def figure(self, tag: str, options: Mapping[str, Any]) -> Printed:
        answer = self._ask({"ask": "figure", "tag": tag, "options": dict(options)})
        return Printed(answer["html"], answer["state"], answer["data"])

    def quantity(self, tag: str, options: Mapping[str, Any], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Quantity:
        question = {"ask": "quantity", "tag": tag, "options": dict(options)}
        answer = self._ask({**question, "name": name, "args": list(args), "kwargs": dict(kwargs)})
        return Quantity(answer["value"], answer["unit"], answer.get("cell"))

    def _ask(self, question: dict[str, Any]) -> Any:
        with self._turn:
            self._asked += 1
            try:
                return self._converse({"id": self._asked, **question})
            except BaseException as error:
                if not isinstance(error, AuthorError | FigureCrash):
                    self._stop()  # who knows what it would say next
                raise

    def _converse(self, question: dict[str, Any]) -> Any:
        if self._process is None:
            command = _command(self._node, self._script)
            with _uninterrupted():
                self._process = _Process(command)
        self._process.write(question)
        while True:
            message = self._process.read(self._timeout)
            if "call" in message:
                self._process.write(_reply(self._runtime, message))
            elif message.get("id") == question["id"]:
                return _answer(message)
            else:
                raise PrinterError(f"{self._script.name} answered what nobody asked: {json.dumps(message)[:200]}")

    def _stop(self) -> None:
        if self._process:
            self._process.stop()
            self._process = None


class FigureCrash(PrinterError):
    """The code of one figure threw; the process lives."""


def _answer(message: dict[str, Any]) -> Any:
    if "ok" in message:
        return message["ok"]
    if "error" in message:
        error = message["error"]
        raise AuthorError(error["message"], error.get("hint"), error.get("option"))
    raise FigureCrash(str(message.get("crash", message)))


def _reply(runtime: Model, call: dict[str, Any]) -> dict[str, Any]:
    """Does what Node asked for; what goes wrong is Node's to tell."""
    try:
        return {"reply": call["call"], "ok": _METHODS[call["method"]](runtime, call)}
    except Exception as error:
        return {"reply": call["call"], "error": str(error) or type(error).__name__}


def _encode(runtime: Model, call: dict[str, Any]) -> dict[str, Any]:
    tokens = runtime.encode(call["text"])
    return {"tokens": [{"id": t.id, "text": t.text, "start": t.start, "end": t.end} for t in tokens]}


_SWITCHES = {
    "positions": "positions",
    "positionScale": "position_scale",
    "headMask": "head_mask",
    "mlpMask": "mlp_mask",
    "pastK": "past_k",
    "pastV": "past_v",
}


def _run(runtime: Model, call: dict[str, Any]) -> dict[str, Any]:
    feeds = call["feeds"]
    switches = {ours: feeds[theirs] for theirs, ours in _SWITCHES.items() if feeds.get(theirs) is not None}
    results = runtime.run(feeds["tokens"], outputs=tuple(call["outputs"]), **switches)
    return {name: _tensor(results[name]) for name in call["outputs"]}


def _tensor(array: np.ndarray) -> dict[str, Any]:
    little = np.ascontiguousarray(array, dtype="<f4")
    return {"dims": list(array.shape), "float32": base64.b64encode(little.tobytes()).decode("ascii")}


def _config(runtime: Model, call: dict[str, Any]) -> dict[str, Any]:
    """The model's sizes, and what its heads were measured to do: a list for each layer, null for a head without a role."""
    config, heads = runtime.manifest.config, runtime.manifest.heads
    names = {"layers": "layers", "heads": "heads", "width": "width", "headSize": "head_size"}
    names |= {"vocabulary": "vocabulary", "context": "context"}
    sizes = {theirs: getattr(config, ours) for theirs, ours in names.items()}
    return {**sizes, "habits": [[_habit(head) for head in heads if head.layer == layer] for layer in range(config.layers)]}


def _habit(head: Any) -> dict[str, Any] | None:
    role = next((role for role in head.roles if role.name == head.verdict), None)
    if role is None:
        return None
    return {"role": role.name, "share": role.score, "even": role.baseline, "untrained": role.untrained, "text": role.text}


_METHODS = {"encode": _encode, "run": _run, "config": _config}


class _Process:
    """Node, its lines in and out, and what it last complained about."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._node = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8")
        except OSError as error:
            raise PrinterError(f"cannot start {command[0]}: {error.strerror}") from error
        self._name = Path(command[-1]).name
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=20)
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_out, self._read_err)]
        for reader in self._readers:
            reader.start()

    def _read_out(self) -> None:
        assert self._node.stdout
        for line in self._node.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_err(self) -> None:
        assert self._node.stderr
        for line in self._node.stderr:
            self._complaints.append(line.rstrip())
            print(f"{self._name}: {line.rstrip()}", file=sys.stderr)

    def write(self, message: dict[str, Any]) -> None:
        assert self._node.stdin
        line = json.dumps(message, allow_nan=False) + "\n"
        try:
            self._node.stdin.write(line)
            self._node.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise PrinterError(self._last_words(f"{self._name} has ended")) from error

    def read(self, timeout: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise PrinterError(self._last_words(f"{self._name} said nothing for {timeout:g} s")) from None
        if line is None:
            raise PrinterError(self._last_words(f"{self._name} ended (exit status {self._node.wait()})"))
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise PrinterError(f"{self._name} said what is not JSON: {line.strip()[:200]} (print to stderr instead)")
        return message

    def _last_words(self, message: str) -> str:
        self._readers[1].join(timeout=1)
        return "\n    ".join([message, *self._complaints])

    def stop(self) -> None:
        """At once: it keeps nothing that would have to be saved."""
        self._node.kill()
        self._node.wait()
        for reader in self._readers:
            reader.join(timeout=1)
        for stream in (self._node.stdin, self._node.stdout, self._node.stderr):
            with contextlib.suppress(OSError):  # what was not yet written to it
                if stream:
                    stream.close()


def _command(node: str | Path | None, script: Path) -> list[str]:
    if not script.is_file():
        raise PrinterError(f"{script} is missing")
    return [str(node or find_node()), str(script)]


def find_node() -> str:
    """The system's Node where it is new enough, else the one beside this Python.

    Raises PrinterError when there is neither.
    """
    beside = Path(sys.executable).parent / "node"
    found = [path for path in (shutil.which("node"), str(beside) if beside.exists() else None) if path]
    versions = {path: _version(path) for path in found}
    for path, version in versions.items():
        if version >= OLDEST_NODE:
            return path
    seen = f"found only version {max(versions.values())}" if versions else "found none"
    raise PrinterError(f"Node {OLDEST_NODE} or newer is needed to print the figures; {seen}; run `make setup`")


def _version(node: str) -> int:
    try:
        with _uninterrupted():
            said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
        return int(said.strip().lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds Ctrl-C back while a process starts: an interrupt amid that would leave it running, known to nobody."""
    if threading.current_thread() is not threading.main_thread():
        yield  # interrupts reach the main thread only
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    if came:
        signal.raise_signal(signal.SIGINT)
