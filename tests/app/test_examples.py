"""The examples in docstrings say what the functions do."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

APP = Path(__file__).parent.parent.parent / "app"
MODULES = sorted(
    ".".join(path.relative_to(APP.parent).with_suffix("").parts) for path in APP.rglob("*.py") if ">>>" in path.read_text()
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
