"""The catalogue as an author reads it: what each figure shows, its options, and what prose may ask it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from app.figures import FigureKind, OptionKind, QuantityKind

NARROWEST = 24
"""Characters that a column of text needs to be read; below, it stands under its line."""


def overview(kinds: Mapping[str, FigureKind], width: int) -> str:
    """A line or two for each figure."""
    return _columns([(tag, kind.summary) for tag, kind in sorted(kinds.items())], width)


def description(kind: FigureKind, width: int) -> str:
    """Everything about one figure."""
    options = [(name, _values(option), _given(option), option.help) for name, option in kind.options.items()]
    quantities = [(_call(name, quantity), quantity.unit, quantity.help) for name, quantity in kind.quantities.items()]
    parts = [
        kind.tag,
        textwrap.fill(kind.summary, width),
        f"\nOptions, lines ':option: value' below ':::{{{kind.tag}}} name'",
        _columns(options, width),
        "\nQuantities, asked by prose as {value}`name.quantity(…)`",
        _columns(quantities, width),
    ]
    return "\n".join(parts)


_TYPES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def _values(option: OptionKind) -> str:
    """
    >>> _values(OptionKind("integer", min=1, max=6)), _values(OptionKind("choice", choices=("text", "weight")))
    ('whole number, 1 to 6', 'text or weight')
    """
    if option.type == "choice":
        return " or ".join(option.choices)
    least, most = (f"{bound:g}" if bound is not None and abs(bound) < 1e6 else bound for bound in (option.min, option.max))
    bounds = f"{least} to {most}" if least is not None and most is not None else f"from {least}" if least is not None else ""
    bounds = f"up to {most}" if least is None and most is not None else bounds
    return ", ".join(filter(None, [_TYPES[option.type], bounds]))


def _given(option: OptionKind) -> str:
    """
    >>> _given(OptionKind("string", required=True)), _given(OptionKind("boolean", default=False)), _given(OptionKind("string"))
    ('required', 'default false', '')
    """
    if option.required or option.default in (None, ""):
        return "required" if option.required else ""
    return f"default {str(option.default).lower() if isinstance(option.default, bool) else option.default}"


def _call(name: str, quantity: QuantityKind) -> str:
    return f"{name}({', '.join([*quantity.parameters, *(f'{keyword}=…' for keyword in quantity.keywords)])})"


def _columns(rows: Sequence[Sequence[str]], width: int) -> str:
    """Rows of equally many texts; the last column is broken into lines within the width, below the row where it is narrow.

    >>> print(_columns([("text", "The sentence at first."), ("dk", "How many.")], 40))
      text  The sentence at first.
      dk    How many.
    """
    if not rows:
        return "  none"
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    indent = 2 + sum(size + 2 for size in sizes)
    lines = []
    for row in rows:
        heads = "".join(f"{text:{size}}  " for text, size in zip(row, sizes, strict=False))
        if width - indent < NARROWEST:
            below = textwrap.fill(row[-1], width, initial_indent=" " * 6, subsequent_indent=" " * 6)
            lines += filter(None, [f"  {heads}".rstrip(), below])
        else:
            text = textwrap.fill(row[-1], width, initial_indent=f"  {heads}", subsequent_indent=" " * indent)
            lines.append(text or f"  {heads}".rstrip())  # of no text, textwrap makes nothing
    return "\n".join(lines)
