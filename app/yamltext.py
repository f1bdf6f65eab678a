"""YAML whose scalars stay text (`010`, `no`, `1.10`, `12:30`), whose doubled keys are mistakes, whose every entry has its place."""

from __future__ import annotations

import re
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
    inexact: set[Path] = field(default_factory=set)
    """Texts that do not stand in the file as they are: folded over lines, or with escapes."""

    mistakes: list[Mistake] = field(default_factory=list)
    broken: bool = False
    """Whether lines that are no YAML were left out."""

    def place(self, path: Path) -> Place:
        """Of the value, or of the nearest thing around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))


LINES_LEFT_OUT = 20
"""At most, before the rest is given up."""

_SEPARATORS = re.compile("[\x85\u2028\u2029]")


def read_yaml(text: str, first_line: int = 1, comments: bool = True) -> Yaml:
    """Reads a text that begins on `first_line` of its file; never raises.

    What is no YAML is told once, and the rest is read without its lines. Without `comments` a `#` behind a text is a mistake:
    YAML would drop what follows.
    """
    result = Yaml()
    for match in _SEPARATORS.finditer(text):
        place = _place_of(text, match.start(), first_line)
        result.mistakes.append(Mistake(place, f"a line separator, U+{ord(match[0]):04X}, inside a line", "remove it"))
    lines = _SEPARATORS.sub(" ", text).split("\n")
    for _ in range(LINES_LEFT_OUT):
        wrong = _read("\n".join(lines), result, first_line, comments)
        if wrong is None or not any(lines):
            break
        _mend(lines, min(wrong, len(lines) - 1))
    return result


_KEYED = re.compile(r"(?P<key>\s*(?:- +)*[\w-]+: +)(?P<text>[^'\"\s].*)$")


def _mend(lines: list[str], at_fault: int) -> None:
    """Makes of a line that is no YAML what was meant, as a rule; where it was not, or is still none, the line is left out."""
    line = lines[at_fault]
    if odd := _odd_one(lines, at_fault):
        lines[odd.line] = " " * odd.column + lines[odd.line].lstrip(" ")
    elif entry := re.match(r"(\s*-)(?=\w)", line):
        lines[at_fault] = f"{entry[0]} {line[entry.end() :]}"
    elif keyed := _KEYED.match(line):
        lines[at_fault] = f"{keyed['key']}'{keyed['text'].replace(chr(39), 2 * chr(39))}'"
    else:
        lines[at_fault] = ""


@dataclass(frozen=True, slots=True)
class _Odd:
    """A line that is indented as no other of its kind; lines and columns from 0."""

    line: int
    column: int
    """Where it was meant to begin."""
    like: int
    """A line that begins there."""


_BEGIN = re.compile(r" *(?P<entry>- +)?(?P<key>[\w-]+ *:(?= |$))?")


def _columns(line: str) -> list[tuple[str, int]]:
    """What begins where in a line: an entry, a key, or an entry that is a key."""
    begin = _BEGIN.match(line)
    return [(kind, begin.start(kind)) for kind in ("entry", "key") if begin and begin[kind]]


def _odd_one(lines: list[str], at_fault: int) -> _Odd | None:
    """The line that YAML stumbled at, or the one above it, if it is a space or two away from where lines of its kind begin."""
    places: dict[tuple[str, int], list[int]] = {}
    for number, line in enumerate(lines):
        for found in _columns(line):
            places.setdefault(found, []).append(number)
    above = next((number for number in range(at_fault - 1, -1, -1) if lines[number].strip()), at_fault)
    for number in (at_fault, above):
        for kind, column in _columns(lines[number])[:1]:
            rivals = [(abs(c - column), c) for k, c in places if k == kind and 0 < abs(c - column) <= 2]
            rivals = [rival for rival in rivals if len(places[kind, rival[1]]) > len(places[kind, column])]
            if rivals:
                meant = min(rivals)[1]
                like = min(places[kind, meant], key=lambda other: (other > number, abs(other - number)))
                return _Odd(number, meant, like)
    return None


def _read(text: str, result: Yaml, first_line: int, comments: bool) -> int | None:
    """Reads the text into the result; the line from 0 that is at fault, if one is. Only the first such line is told."""
    mistake, line = None, None
    try:
        if found := _refused(text, first_line):
            mistake = found
        elif (node := yaml.compose(text, Loader=yaml.SafeLoader)) is not None:
            result.data = _convert(node, (), result, _Source(text, first_line, comments))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        begin = error.context_mark if mark and mark.index >= len(text.rstrip()) else mark  # what never ends is told where it begins
        if "could not find expected ':'" in str(error.problem):
            begin = error.context_mark  # the line itself, not the one below
        mark = begin or mark
        place, line = (_place(mark, first_line), mark.line) if mark else ((first_line, 1), 0)
        mistake = _broken_line(text.split("\n"), line, place, error.problem or error.context or "", first_line)
    except yaml.YAMLError as error:  # a character that YAML does not allow
        position = getattr(error, "position", 0)
        place = _place_of(text, position if isinstance(position, int) else 0, first_line)
        mistake, line = Mistake(place, f"YAML: {getattr(error, 'reason', error)}", "remove the character"), place[0] - first_line
    except RecursionError:
        mistake = Mistake((first_line, 1), "YAML: brackets are nested too deeply", _QUOTES)
    if mistake and not result.broken:
        result.broken = True
        result.mistakes.append(mistake)
    return line


_QUOTES = "put the text between quotes"


def _broken_line(lines: list[str], line: int, place: Place, problem: str, first_line: int) -> Mistake:
    """What YAML finds wrong with a line (from 0), in an author's words where these are known."""
    if "'\\t'" in problem:
        return Mistake(place, f"YAML: {problem}", "indent with spaces")
    text = lines[line] if line < len(lines) else ""
    begins = re.fullmatch(r" *(- +)?[\w-]* *", text[: place[1] - 1])  # the fault is at the line's begin, or at its first colon
    if (odd := _odd_one(lines, line)) and (begins or odd.line == line):
        indent = len(lines[odd.line]) - len(lines[odd.line].lstrip(" "))
        hint = f"indent it by {spaces(odd.column)}, as line {odd.like + first_line}"
        return Mistake((odd.line + first_line, indent + 1), f"indented by {spaces(indent)}, unlike its neighbours", hint)
    if "could not find expected ':'" in problem:
        entry = text.strip().lstrip("- ")
        return Mistake(
            place, f"'{text.strip()}' is neither 'key: value' nor '- entry'", f"write '- {entry}', or a colon behind a key"
        )
    return Mistake(place, f"YAML: {problem}", _QUOTES)


def spaces(count: int) -> str:
    """
    >>> spaces(0), spaces(1), spaces(2)
    ('no spaces', '1 space', '2 spaces')
    """
    return f"{count or 'no'} space{'' if count == 1 else 's'}"


def _refused(text: str, first_line: int) -> Mistake | None:
    """Aliases could make a small text huge; marks and tags (`&a`, `!a`) would be dropped from the text that they begin."""
    for event in yaml.parse(text, Loader=yaml.SafeLoader) if re.search(r"[*&!]", text) else ():
        place = _place(event.start_mark, first_line)
        if isinstance(event, yaml.AliasEvent):
            return Mistake(place, f"alias '*{event.anchor}'", "write it out")
        if isinstance(event, yaml.NodeEvent) and event.anchor:
            return Mistake(place, f"YAML: '&{event.anchor}' would be dropped", _QUOTES)
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
            return Mistake(place, "YAML: the word with '!' would be dropped", _QUOTES)
    return None


@dataclass(frozen=True, slots=True)
class _Source:
    text: str
    first_line: int
    comments: bool


def _place_of(text: str, position: int, first_line: int) -> Place:
    before = text[:position]
    return first_line + before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1


def _place(mark: Any, first_line: int) -> Place:
    return mark.line + first_line, mark.column + 1


def _convert(node: yaml.Node, path: Path, result: Yaml, source: _Source) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return _convert_text(node, path, result, source)
    result.places[path] = _place(node.start_mark, source.first_line)
    if isinstance(node, yaml.SequenceNode):
        return [_convert(item, (*path, index), result, source) for index, item in enumerate(node.value)]
    return _convert_mapping(node, path, result, source)


def _convert_text(node: yaml.ScalarNode, path: Path, result: Yaml, source: _Source) -> str:
    begin = node.start_mark.index + (node.style in ("'", '"'))
    if node.style in ("|", ">"):  # it begins on the next line
        begin = source.text.find("\n", begin) + 1
        begin += len(source.text[begin:]) - len(source.text[begin:].lstrip(" \n"))
    place = result.places[path] = _place_of(source.text, begin, source.first_line)
    if source.text[begin : begin + len(node.value)] != node.value:
        result.inexact.add(path)
    text = node.value.encode(errors="replace").decode()
    if text != node.value:  # half of a surrogate pair, which no file can hold
        result.mistakes.append(Mistake(place, "half of a character written as \\u…", "write the character itself"))
    behind = source.text[node.end_mark.index :].split("\n", 1)[0]
    if not source.comments and node.style is None and (sign := re.match(r"[ \t]*#", behind)):
        place = _place_of(source.text, node.end_mark.index + sign.end() - 1, source.first_line)
        result.mistakes.append(Mistake(place, "YAML: what stands behind '#' would be dropped", _QUOTES))
    return "" if node.style is None and node.value in ("~", "null") else text


def _convert_mapping(node: yaml.Node, path: Path, result: Yaml, source: _Source) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        place = _place(key_node.start_mark, source.first_line)
        if not isinstance(key_node, yaml.ScalarNode):
            result.mistakes.append(Mistake(place, "a key must be a word"))
            continue
        key = key_node.value.encode(errors="replace").decode()
        if key in mapping:
            first = result.keys[(*path, key)][0]
            result.mistakes.append(Mistake(place, f"'{key}' is given twice", f"it is already on line {first}"))
            continue
        result.keys[(*path, key)] = place
        mapping[key] = _convert(value_node, (*path, key), result, source)
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
            if detail["type"] != "missing" or not result.broken:  # it may stand in a line that could not be read
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
