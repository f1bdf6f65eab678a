"""What all tests share: no telemetry, the same hypothesis examples on every run, and the real site, printed once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before anything imports onnxruntime

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from app.site import Site

settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
settings.load_profile("deterministic")


@pytest.fixture(scope="session")
def site() -> Site:
    """The whole book as `lookback serve` makes it."""
    from app.cli import opened
    from app.site import make

    with opened() as (book, printer):
        return make(book, printer)
