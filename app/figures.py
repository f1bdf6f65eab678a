"""The catalogue of figures as their own code declares it, and an author's options read by it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from app.problems import did_you_mean
from app.syntax.directives import Directive
from app.syntax.places import Place

Tell = Callable[[Place, str, str | None], None]
"""Receives a problem's place, message and hint."""


@dataclass(frozen=True, slots=True)
class OptionKind:
    """An option as a figure declares it."""

    type: str
    """string, integer, number, boolean or choice."""

    required: bool = False
    default: Any = None
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()
    help: str = ""
    follows: str | None = None
    """Another option: when that changes and this is not given, this starts anew."""

    @property
    def hint(self) -> str | None:
        """The help as what follows a message: neither a capital nor a full stop, as in all hints.

        >>> OptionKind("string", help="The token that asks, like W_Q.").hint, OptionKind("string", help="W_Q.").hint
        ('the token that asks, like W_Q', 'W_Q')
        """
        text = self.help.removesuffix(".")
        return (re.sub(r"^[A-Z](?=[a-z]*\b)", lambda first: first[0].lower(), text)) or None


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A question that prose may ask a figure."""

    unit: str
    help: str = ""
    parameters: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureKind:
    tag: str
    summary: str = ""
    options: Mapping[str, OptionKind] = field(default_factory=dict)
    quantities: Mapping[str, QuantityKind] = field(default_factory=dict)


def read_catalogue(declared: Iterable[Mapping[str, Any]]) -> dict[str, FigureKind]:
    """tag → FigureKind, from what the figures' code says of itself."""
    kinds = (_figure_kind(entry) for entry in declared)
    return {kind.tag: kind for kind in kinds}


def _figure_kind(entry: Mapping[str, Any]) -> FigureKind:
    options = {name: _option_kind(option) for name, option in (entry.get("options") or {}).items()}
    quantities = {name: _quantity_kind(quantity) for name, quantity in (entry.get("quantities") or {}).items()}
    return FigureKind(entry["tag"], entry.get("summary") or "", options, quantities)


def _option_kind(option: Mapping[str, Any]) -> OptionKind:
    return OptionKind(
        type=option["type"],
        required=bool(option.get("required")),
        default=option.get("default"),
        min=option.get("min"),
        max=option.get("max"),
        choices=tuple(option.get("choices") or ()),
        help=option.get("help") or "",
        follows=option.get("follows"),
    )


def _quantity_kind(quantity: Mapping[str, Any]) -> QuantityKind:
    names = (tuple(quantity.get(key) or ()) for key in ("parameters", "keywords"))
    return QuantityKind(quantity.get("unit") or "number", quantity.get("help") or "", *names)


class _Refused(Exception):
    """Why a value is not what its option wants."""


def read_options(kind: FigureKind, directive: Directive, tell: Tell) -> dict[str, Any] | None:
    """The typed options, defaults filled in; None when `tell` was told of a mistake."""
    values = {name: option.default for name, option in kind.options.items() if option.default is not None}
    good = True
    for option in directive.options:
        wanted = kind.options.get(option.key)
        if wanted is None:
            tell(option.at, f"'{kind.tag}' has no option '{option.key}'", did_you_mean(option.key, kind.options))
            good = False
            continue
        try:
            values[option.key] = _read(wanted, option.value)
        except _Refused as refusal:
            tell(option.value_at, f"option '{option.key}': {refusal}", wanted.hint)
            good = False
    given = {option.key for option in directive.options}
    for name in (name for name, wanted in kind.options.items() if wanted.required and name not in given):
        if not directive.broken:  # else it may stand in a line that could not be read, and that is told
            tell(directive.name_at, f"'{kind.tag}' needs the option '{name}'", f"add a line ':{name}: …'")
        good = False
    return values if good else None


def _read(wanted: OptionKind, text: str) -> Any:
    if not text:
        raise _Refused("it has no value")
    return _READERS[wanted.type](wanted, text)


def read_view(kind: FigureKind, options: Mapping[str, Any], query: str, at: Place, tell: Tell) -> dict[str, Any] | None:
    """The options of a figure as a link to a view of it changes them, `layer=1&query=said`; None when `tell` was told of a mistake.

    An option that follows another starts anew with it, as in the page: a new text forgets which token of the old one asked.
    """
    given: dict[str, Any] = {}
    for part in filter(None, query.split("&")):
        ((name, text),) = parse_qsl(part, keep_blank_values=True)
        wanted = kind.options.get(name)
        if wanted is None and given and not re.match(r"[\w-]+=", part):
            tell(at, f"'&' begins another option, and '{name.strip()}' is none", "write %26 for an & in a text")
            return None
        if wanted is None:
            tell(at, f"'{kind.tag}' has no option '{name}'", did_you_mean(name, kind.options))
            return None
        try:
            given[name] = _read(wanted, text)
        except _Refused as refusal:
            tell(at, f"option '{name}': {refusal}", wanted.hint)
            return None
    if not given:
        tell(at, "link to a view that asks for nothing", f"write {' or '.join(f'{name}=…' for name in kind.options)} behind the ?")
        return None
    renewed = {name for name in given if given[name] != options.get(name)}
    kept = {name: value for name, value in options.items() if kind.options[name].follows not in renewed}
    return {**kept, **given}


def _integer(wanted: OptionKind, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,15}", text):
        raise _Refused(f"'{text}' is not a whole number")
    return int(_in_range(wanted, int(text), text))


def _number(wanted: OptionKind, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or "_" in text:
        raise _Refused(f"'{text}' is not a number")
    return _in_range(wanted, number, text)


def _in_range(wanted: OptionKind, number: float, text: str) -> float:
    if wanted.min is not None and number < wanted.min:
        raise _Refused(f"{text} is less than {wanted.min:g}")
    if wanted.max is not None and number > wanted.max:
        raise _Refused(f"{text} is more than {wanted.max:g}")
    return number


def _boolean(wanted: OptionKind, text: str) -> bool:
    if text not in ("true", "false"):
        raise _Refused(f"'{text}' is neither true nor false")
    return text == "true"


def _choice(wanted: OptionKind, text: str) -> str:
    if text not in wanted.choices:
        hint = did_you_mean(text, wanted.choices) or "choose one of: " + ", ".join(wanted.choices)
        raise _Refused(f"'{text}' cannot be chosen ({hint})")
    return text


def _string(wanted: OptionKind, text: str) -> str:
    return text


_READERS: dict[str, Callable[[OptionKind, str], Any]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "choice": _choice,
}
