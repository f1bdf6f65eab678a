"""What `make` does on machines that are not like this one, with stand-ins for the programs that it calls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[2] / "Makefile"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with the Makefile and a virtual environment whose pip only says what it is asked; `bin` is all of PATH."""
    shutil.copy(MAKEFILE, tmp_path)
    for name in ("requirements.lock", "requirements-node.lock", "package-lock.json"):
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    for name in ("sh", "echo", "touch", "find", "mkdir"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    program(tmp_path / ".venv" / "bin" / "pip", 'echo "pip $*"')
    return tmp_path


def program(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def make(machine: Path, *arguments: str) -> str:
    command = [shutil.which("make") or "make", *arguments]
    done = subprocess.run(command, cwd=machine, env={"PATH": str(machine / "bin")}, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("programs", "installs"),
    [
        ({"node": "exit 0", "npm": ""}, False),
        ({"node": "exit 0"}, True),
        ({"node": "exit 1", "npm": ""}, True),
        ({}, True),
    ],
    ids=["both", "no npm", "an old Node", "neither"],
)
def test_node_comes_from_the_system_only_where_both_it_and_npm_do(machine: Path, programs: dict[str, str], installs: bool) -> None:
    (machine / ".venv" / ".serve").touch()
    for name, script in programs.items():
        program(machine / "bin" / name, script)
    assert ("pip install" in make(machine, "node")) == installs


def test_a_node_that_went_away_is_noticed_at_the_next_make(machine: Path) -> None:
    (machine / ".venv" / ".serve").touch()
    for name in ("node", "npm"):
        program(machine / "bin" / name, "exit 0")
    (machine / "node_modules").mkdir()
    make(machine, "node_modules/.serve")
    assert "pip install" not in make(machine, "node_modules/.serve")
    (machine / "bin" / "node").unlink()
    assert "pip install" in make(machine, "node_modules/.serve")


@pytest.mark.parametrize(("python", "made"), [("exit 0", False), ('test "$2" != pip', True)], ids=["whole", "without pip"])
def test_a_half_made_environment_is_made_anew(machine: Path, python: str, made: bool) -> None:
    program(machine / ".venv" / "bin" / "python", python)
    program(machine / "bin" / "python3", 'echo "python3 $*"')
    assert ("python3 -m venv --clear .venv" in make(machine, ".venv/.serve")) == made
