"""Pairing `:::` lines, without Markdown around them; the readable cases are in fixtures/syntax/fences.md."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.syntax import markdown
from app.syntax.fences import pair

NESTS = st.recursive(
    st.just([]),
    lambda inner: st.lists(st.tuples(st.integers(3, 6), inner), max_size=3),
    max_leaves=8,
)


def write(nest: list[tuple[int, list]], lines: list[str], expected: dict[int, int | None]) -> None:
    for length, inner in nest:
        opening = len(lines)
        lines.append(":" * length + "{note}")
        write(inner, lines, expected)
        expected[opening] = len(lines)
        lines.append(":" * length)


@given(NESTS)
def test_whatever_is_closed_by_its_own_length_is_paired_as_it_was_written(nest: list) -> None:
    lines: list[str] = []
    expected: dict[int, int | None] = {}
    write(nest, lines, expected)
    fences = pair(lines)
    assert fences.closes == expected
    assert fences.mistakes == []


LINES = st.sampled_from(
    [
        ":::",
        "::::",
        ":::{note}",
        "::::{tip} x",
        "  :::",
        "    :::",
        "    :::{note}",
        "    ```",
        "- :::{note}",
        "> :::",
        "```",
        "~~~",
        "text",
        "",
        "- item",
        "$$",
        "| a |",
        "---",
    ]
)


@given(st.lists(LINES, max_size=14))
def test_any_mixture_is_parsed_or_told_and_no_fence_is_printed(lines: list[str]) -> None:
    env: dict = {}
    tokens = markdown().parse("\n".join(lines), env)
    nesting = 0
    for token in tokens:
        nesting += token.nesting
        assert nesting >= 0
    assert nesting == 0
    fences = env["fences"]
    printed = [t for t in tokens if t.type == "inline" and t.content.lstrip().startswith(":::")]
    assert not printed or fences.mistakes or env["troubles"]
