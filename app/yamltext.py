"""YAML whose scalars stay text (`010`, `no`, `1.10`, `12:30`), whose doubled keys are mistakes, whose every entry has its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from app.problems import did_you_mean

Place = tuple[int, int]
Path = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Mistake:
    at: Place
    message: str
    hint: str | None = None


@dataclass(slots=True)
class Yaml:
    """What a YAML text says: mappings, lists and strings; `places` has where each value begins, `keys` where each key does."""

    data: Any = None
    places: dict[Path, Place] = field(default_factory=dict)
    keys: dict[Path, Place] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def place(self, path: Path) -> Place:
        """Of the value, or of the nearest thing around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))


def read_yaml(text: str, first_line: int = 1) -> Yaml:
    """Reads a text that begins on `first_line` of its file; never raises."""
    result = Yaml()
    try:
        # aliases could make a small text huge; none can be without its sign
        for event in yaml.parse(text, Loader=yaml.SafeLoader) if "*" in text else ():
            if isinstance(event, yaml.AliasEvent):
                place = _place(event.start_mark, first_line)
                result.mistakes.append(Mistake(place, f"alias '*{event.anchor}'", "write it out"))
                return result
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is not None:
            result.data = _convert(node, (), result, first_line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _place(mark, first_line) if mark else (first_line, 1)
        hint = "put the text between quotes" if "mapping values" in (error.problem or "") else None
        result.mistakes.append(Mistake(place, f"YAML: {error.problem or error.context}", hint))
    except yaml.YAMLError as error:  # a character that YAML does not allow
        position = getattr(error, "position", 0)
        before = text[:position] if isinstance(position, int) else ""
        place = (first_line + before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1)
        result.mistakes.append(Mistake(place, f"YAML: {getattr(error, 'reason', error)}"))
    except RecursionError:
        result.mistakes.append(Mistake((first_line, 1), "YAML: brackets are nested too deeply", "put the text between quotes"))
    return result


def _place(mark: Any, first_line: int) -> Place:
    return mark.line + first_line, mark.column + 1


def _convert(node: yaml.Node, path: Path, result: Yaml, first_line: int) -> Any:
    line, column = _place(node.start_mark, first_line)
    quoted = isinstance(node, yaml.ScalarNode) and node.style in ("'", '"')
    result.places[path] = (line, column + quoted)
    if isinstance(node, yaml.ScalarNode):
        empty = node.style is None and node.value in ("~", "null")
        text = node.value.encode(errors="replace").decode()
        if text != node.value:  # half of a surrogate pair, which no file can hold
            result.mistakes.append(Mistake((line, column), "half of a character written as \\u…", "write the character itself"))
        return "" if empty else text
    if isinstance(node, yaml.SequenceNode):
        return [_convert(item, (*path, index), result, first_line) for index, item in enumerate(node.value)]
    return _convert_mapping(node, path, result, first_line)


def _convert_mapping(node: yaml.Node, path: Path, result: Yaml, first_line: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        place = _place(key_node.start_mark, first_line)
        if not isinstance(key_node, yaml.ScalarNode):
            result.mistakes.append(Mistake(place, "a key must be a word"))
            continue
        key = key_node.value.encode(errors="replace").decode()
        if key in mapping:
            first = result.keys[(*path, key)][0]
            result.mistakes.append(Mistake(place, f"'{key}' is given twice", f"it is already on line {first}"))
            continue
        result.keys[(*path, key)] = place
        mapping[key] = _convert(value_node, (*path, key), result, first_line)
    return mapping


def validate(model: type[M], result: Yaml, what: str) -> M | None:
    """The text as a `model`, or None with every reason why not among its mistakes."""
    if not isinstance(result.data, dict):
        kind = {"list": "a list", "str": "a text"}.get(type(result.data).__name__, "empty")
        message = f"{what} is {kind}, not lines of 'key: value'"
        if not result.mistakes:
            result.mistakes.append(Mistake(result.place(()), message))
        return None
    try:
        return model.model_validate(result.data)
    except ValidationError as error:
        for detail in error.errors():
            result.mistakes.append(_mistake(model, result, detail, what))
        return None


def _mistake(model: type[BaseModel], result: Yaml, detail: Any, what: str) -> Mistake:
    # a union's members are named <so>; only keys and indices are the author's
    path: Path = tuple(part for part in detail["loc"] if not str(part).startswith("<"))
    name = str(detail["loc"][-1])
    if detail["type"] == "extra_forbidden":
        place = result.keys.get(path, result.place(path))
        return Mistake(place, f"{what}: unknown key '{name}'", did_you_mean(name, _fields(model)))
    if detail["type"] == "missing":
        return Mistake(result.place(path[:-1]), f"{what}: '{name}' is missing", f"add a line '{name}: …'")
    if detail["type"] == "value_error":  # ours: it names its value
        return Mistake(result.place(path), f"{what}: {detail['ctx']['error']}")
    wrong, hint = _WRONG.get(detail["type"], (detail["msg"], None))
    return Mistake(result.place(path), f"{what}: {_named(path)} {wrong}", hint)


_WRONG = {
    "bool_parsing": ("is neither true nor false", None),
    "list_type": ("is not a list", "write a line '- …' for each"),
    "model_type": ("is not lines of 'key: value'", None),
    "string_too_short": ("is empty", None),
    "string_type": ("is not a text", "put the text between quotes"),
    "too_short": ("is empty", None),
}
"""What pydantic calls its errors, as an author understands them."""


def _named(path: Path) -> str:
    """
    >>> _named(("parts", 0, "title")), _named(("parts", 0))
    ("'title'", "entry 1 of 'parts'")
    """
    if isinstance(path[-1], int):
        return f"entry {path[-1] + 1} of {_named(path[:-1])}"
    return f"'{path[-1]}'"


def _fields(model: type[BaseModel]) -> set[str]:
    """Every key that a model, or one within it, knows."""
    properties = [model.model_json_schema(), *model.model_json_schema().get("$defs", {}).values()]
    return {name for schema in properties for name in schema.get("properties", {})}
