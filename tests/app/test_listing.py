"""The list of figures as an author reads it, at every width of a terminal."""

from __future__ import annotations

import pytest

from app.listing import description, overview
from tests.app.conftest import CATALOGUE

VIEWER = CATALOGUE["attention-viewer"]


def test_a_figure_is_listed_in_plain_columns() -> None:
    assert (
        description(VIEWER, 80)
        == """\
attention-viewer
Who looks back at whom.

Options, lines ':option: value' below ':::{attention-viewer} name'
  text    text                  required   The sentence at first.
  layer   whole number, 1 to 2  default 1  The layer at first, counted from 1.
  head    whole number, from 1  default 1  The head at first, counted from 1.
  query   text
  scale   number
  stamps  true or false
  order   text or weight

Quantities, asked by prose as {value}`name.quantity(…)`
  weight(query, key, layer=…, head=…)  share
  tokens()                             count
  loss()                               nats
  top(query)                           text"""
    )


@pytest.mark.parametrize("width", range(30, 140, 10))
def test_no_help_is_lost_or_too_wide(width: int) -> None:
    shown = description(VIEWER, width)
    assert all(option.help in " ".join(shown.split()) for option in VIEWER.options.values())
    helps = [line for line in shown.split("\n") if line.startswith(" " * 6)]
    assert all(len(line) <= width for line in [*helps, *overview(CATALOGUE, width).split("\n")])
