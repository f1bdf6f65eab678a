"""A page of two knobs behind the real server: `knob` in a column of text, `wide` as wide as figures are."""

from __future__ import annotations

from typing import Any

from app.printer import Printer
from app.site import Site
from model.runtime import Runtime
from tests.browser.life import figure, one_page

TAG = "scale-knob"


def two_knobs(runtime: Runtime) -> Site:
    """One page, /chapters/knobs/."""
    with Printer(runtime) as printer:
        asked = printer.quantity(TAG, OPTIONS, "largest", [], {"dk": 512, "scaled": 1})
        value = f'<p>It is <data value="{asked.value:.4g}" data-figure="knob" data-cell="{asked.cell}" tabindex="0">21%</data>.</p>'
        wide = figure(printer, "wide", OPTIONS | {"keys": 32, "seed": 2}, TAG)
        body = f"<section>{figure(printer, 'knob', OPTIONS, TAG)}{value}</section>{wide}"
        return one_page(printer, "knobs", "Knobs", body)


OPTIONS: dict[str, Any] = {"dk": 64, "seed": 1, "keys": 12, "nudge": 0}
