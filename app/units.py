"""A value with its unit, and how prose writes it: 88%, 1,024, 6.93 nats."""

from __future__ import annotations

import math
from dataclasses import dataclass

Literal = float | int | str | bool


@dataclass(frozen=True, slots=True)
class Value:
    """A number, or a word, or a verdict, with its unit; None is the unit of a bare number, which takes on the other's."""

    value: Literal
    unit: str | None = None
    figures: frozenset[str] = frozenset()
    cell: str | None = None

    @property
    def number(self) -> float:
        return float(self.value)


def show(value: Value) -> str:
    """As prose says it.

    >>> [show(Value(x, "share")) for x in (0.8812, 0.0042, 0.0003, 0, 1, 0.996, -0.12)]
    ['88%', '0.4%', '0.03%', '0%', '100%', '99.6%', '−12%']
    >>> show(Value(6.931, "nats")), show(Value(1024, "count")), show(Value(1, "tokens")), show(Value(-0.5))
    ('6.93 nats', '1,024', '1 token', '−0.5')
    """
    if isinstance(value.value, str):
        return value.value
    number = float(value.value)
    if value.unit == "share":
        return _percent(number)
    if value.unit in ("count", "tokens"):
        text = f"{abs(number):,.0f}" if number == int(number) else _plain(abs(number))
    else:
        text = _plain(abs(number))
    if value.unit in ("nats", "bits", "tokens"):
        unit = value.unit.rstrip("s") if text == "1" else value.unit
        text = f"{text} {unit}"
    return text if number >= 0 or not any(digit in text for digit in "123456789") else f"−{text}"


def _percent(share: float) -> str:
    """Whole per cent; nearer to 0 or 1 as many digits, up to three, as it takes not to say that it is there.

    A millionth around 1 is 1: shares that add up to it in 32 bits miss it by as much.

    >>> [_percent(x) for x in (0.99996, 0.999998, 1.0000001, 1.000004, 0.000001, -0.000001)]
    ['99.996%', 'over 99.999%', '100%', 'over 100%', 'under 0.001%', 'over −0.001%']
    """
    sign, percent = "−" if share < 0 else "", abs(share) * 100
    if percent == 0 or abs(percent - 100) < 1e-4:
        return f"{sign if percent else ''}{percent:.0f}%"
    for digits in range(4):
        text = f"{percent:.{digits}f}"
        if float(text) not in (0, 100) and (digits > 0 or percent >= 1):
            whole = float(text) >= 1 and digits == 1 and percent < 1
            return f"{sign}{'1' if whole else text}%"
    edge, above = ("0.001", False) if percent < 50 else ("99.999", True) if percent < 100 else ("100", True)
    return f"{'over' if above != bool(sign) else 'under'} {sign}{edge}%"


def _plain(number: float) -> str:
    """Three digits that count, no empty zeros; a power of ten where the zeros would be past counting.

    >>> _plain(0.00012345), _plain(1234567), _plain(1e-14), _plain(2.345e-9)
    ('0.000123', '1,234,567', '1 × 10⁻¹⁴', '2.35 × 10⁻⁹')
    """
    if number == 0:
        return "0"
    if number < 1e-6:
        mantissa, _, power = f"{number:.2e}".partition("e-")
        return f"{_without_zeros(mantissa)} × 10⁻{str(int(power)).translate(_RAISED)}"
    return _without_zeros(f"{number:,.{max(0, 2 - math.floor(math.log10(number)))}f}")


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def for_machines(value: Value) -> str:
    """The `value` attribute: four digits that count, so that machines which differ in the last digits write the same page.

    >>> for_machines(Value(0.88123456, "share")), for_machines(Value(123456, "count"))
    ('0.8812', '123456')
    """
    if isinstance(value.value, str):
        return value.value
    number = float(value.value)
    return f"{number:.0f}" if number == int(number) and abs(number) < 1e15 else f"{number:.4g}"
