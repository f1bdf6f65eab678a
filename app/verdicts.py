"""Why a claim is false, in numbers: with digits enough that it is also false as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.units import Literal


def both(one: Literal, other: Literal, compare: Callable[[Any, Any], bool], exact: bool = False) -> tuple[str, str]:
    """Two sides of a failed comparison, so that it also fails for what is shown; the other may be `exact`.

    >>> import operator
    >>> both(0.9985, 0.999, operator.gt), both(17, 17, operator.lt)
    (('0.9985', '0.999'), ('17', '17'))
    """
    if isinstance(one, str) or isinstance(other, str):
        return f"'{one}'", f"'{other}'"
    for count in (2, 3, 4, 6, 9):
        texts = _digits(one, count), _digits(other, count)
        shown = float(texts[0]), float(other) if exact else float(texts[1])
        if not compare(*shown) and (shown[0] != shown[1] or one == other):
            return texts
    return repr(float(one)), repr(float(other))


def _digits(number: float, count: int) -> str:
    return f"{number:.0f}" if number == int(number) and abs(number) < 1e15 else f"{number:.{count}g}"
