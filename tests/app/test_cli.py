"""The command line, run as a person runs it."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from app.printer import Printer
from model.runtime import Runtime

LOOKBACK = str(Path(sys.executable).with_name("lookback"))
SERVE = [LOOKBACK, "serve", "--port", "0"]


def lookback(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LOOKBACK, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", ["serve", "check", "build", "figures"])
def test_every_listed_command_has_help(command: str) -> None:
    assert command in lookback("--help").stdout
    assert lookback(command, "--help").returncode == 0


def test_help_loads_neither_the_model_nor_the_server() -> None:
    heavy = "import app.cli, sys; print([name for name in ('onnxruntime', 'fastapi', 'numpy', 'torch') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True).stdout == "[]\n"


def test_a_wrong_command_ends_with_2() -> None:
    assert lookback("reed").returncode == 2


def test_a_taken_port_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = lookback("serve", "--port", str(port))
    assert result.returncode == 1
    assert f"port {port}" in result.stderr
    assert "PORT=" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "host",
    ["é..x", "a" * 70 + ".org", "..", "nobody.invalid", "\udce9", "256.1.1.1", "1.2.3.4.5", "::1::2", "[::1]", "http://x", "a b"],
)
def test_a_host_that_cannot_be_is_named_with_what_to_do(host: str) -> None:
    result = lookback("serve", "--host", host)
    assert result.returncode == 1
    assert "cannot listen on" in result.stderr
    assert "HOST=127.0.0.1" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_build_refuses_a_folder_of_someone_elses(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years")
    result = lookback("build", str(tmp_path))
    assert result.returncode == 1
    assert "nothing was written" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_figures_lists_every_figure_and_everything_of_one() -> None:
    with Printer(Runtime.load()) as printer:
        kinds = printer.catalogue
    every = " ".join(lookback("figures").stdout.split())
    assert all(f"{tag} {kind.summary}" in every for tag, kind in kinds.items())
    for tag, kind in kinds.items():
        shown = " ".join(lookback("figures", tag).stdout.split())
        for name, option in kind.options.items():
            assert f" {name} " in shown
            assert option.help in shown
        for name, quantity in kind.quantities.items():
            assert f" {name}({', '.join(quantity.parameters)}" in shown
            assert f"{quantity.unit} {quantity.help}" in shown


def test_a_figure_that_there_is_not_is_told_with_one_that_there_is() -> None:
    result = lookback("figures", "attention-veiwer")
    assert (result.returncode, result.stderr) == (1, "unknown figure 'attention-veiwer'; did you mean 'attention-viewer'?\n")


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`lookback serve` and its port, from the moment that it says its address."""
    with subprocess.Popen(SERVE, stdout=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c) as process:
        assert process.stdout
        try:
            yield process, int(process.stdout.readline().rstrip("/\n").rsplit(":", 1)[1])
        finally:
            process.kill()


def hear_ctrl_c() -> None:
    """In the new process: what a terminal's process has, and one that was started in the background of a script has not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def children(parent: int) -> list[int]:
    """The processes that it started and that still run."""
    return [pid for pid, (state, ppid) in processes().items() if ppid == parent and state != "Z"]


def processes() -> dict[int, tuple[str, int]]:
    """Process → its state and its parent, as the kernel tells (`proc_pid_stat(5)`)."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            found[int(stat.parent.name)] = state, int(parent)
    return found


def end_in_time(process: subprocess.Popen) -> float:
    """Seconds from Ctrl-C to the end."""
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    return time.monotonic() - began


def test_serve_answers_and_ctrl_c_ends_it_within_a_second_whatever_hangs_on() -> None:
    with serving() as (process, port):
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", "/")
            answer = connection.getresponse()
            assert (answer.status, b"Lookback" in answer.read()) == (200, True)
            assert children(process.pid) == [], "Node still runs, though every page is printed"
            with socket.create_connection(("127.0.0.1", port)) as slow:
                slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")  # and never the rest
                assert end_in_time(process) < 1
        assert process.returncode == 0


def test_ctrl_c_while_pages_are_printed_leaves_no_node_behind() -> None:
    with subprocess.Popen(SERVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c) as process:
        try:
            node = first_child(process.pid)
            assert end_in_time(process) < 3  # whoever is this early may wait for Python to leave
        finally:
            process.kill()
    assert processes().get(node, ("Z", 0))[0] == "Z", "Node outlives its parent"


def first_child(pid: int, seconds: float = 20) -> int:
    for _ in range(int(seconds * 100)):
        if found := children(pid):
            return found[0]
        time.sleep(0.01)
    raise AssertionError("it printed the book without Node")
