"""Directives, in MyST's spelling: a fence of colons with a name in braces, `:key: value` lines, then a body of Markdown.

    :::{attention-viewer} queen
    :layer: 2

    What the caption says.
    :::

This file cuts them into tokens (`directive_open`, the body's own tokens, `directive_close`; `figure_open` and `figure_close` for
names that are not built in); what a name means is said in the file of its syntax, or by a figure's own code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.syntax.fences import COLONS, Fences, pair
from app.syntax.page import page_of
from app.syntax.places import Place, locator, plain_source
from app.syntax.trouble import note

_OPENING = re.compile(COLONS + r"(?P<gap>[ \t]*)(?P<rest>.*)$")
_NAME = re.compile(r"\{(?P<name>[^{}]*)\}(?P<argument>.*)$")
_OPTION = re.compile(r":(?P<key>[A-Za-z][\w-]*):(?:[ \t]+(?P<value>.*))?$")


@dataclass(frozen=True, slots=True)
class Option:
    """One `:key: value` line, still raw text; places are of the key and of the value."""

    key: str
    value: str
    at: Place
    value_at: Place


@dataclass(frozen=True, slots=True)
class Directive:
    """The opening of a directive; kept in `token.meta["directive"]` of its open and close tokens."""

    name: str
    argument: str
    at: Place
    name_at: Place
    argument_at: Place
    options: tuple[Option, ...]
    broken: bool = False
    """Whether there are lines, which are told, that were meant as options."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a built-in directive is: its help for authors, its title and the HTML around its body."""

    help: str
    open: str
    close: str
    title: str | None = None
    """The title when the author gives none; None: it has no title, and takes no argument."""

    title_tag: str = "p"


def pair_fences(state: StateCore) -> None:
    """Before blocks are parsed: settles which fence closes which, and says what is wrong with them."""
    fences = pair(state.src.split("\n"), _code(state))
    state.env["fences"] = fences
    for mistake in fences.mistakes:
        note(state.env, (mistake.line + 1, mistake.column), mistake.message, mistake.hint)


def _code(state: StateCore) -> set[int]:
    """The lines that are code or a formula, found by reading the blocks once with every `:::` line as a block of its own."""
    tokens: list[Token] = []
    state.md.block.parse(state.src + "\n", state.md, {"fences": None}, tokens)
    lines: set[int] = set()
    for token in tokens:
        if token.map and token.type in ("fence", "code_block", "math_block"):
            begin, end = token.map
            lines.update(range(begin, end))
            if token.type == "fence" and token.content.count("\n") > end - begin - 2:
                source = state.src.split("\n")[begin]
                place = (begin + 1, source.find(token.markup) + 1)
                note(state.env, place, "code block is never closed", f"close it with a line {token.markup}")
    return lines


def directive(state: StateBlock, start_line: int, end_line: int, silent: bool, kinds: Mapping[str, Kind]) -> bool:
    """The block rule."""
    fences: Fences | None = state.env["fences"]
    if fences and start_line not in fences.closes and start_line not in fences.strays:
        return False
    if state.is_code_block(start_line):
        return False
    begin = state.bMarks[start_line] + state.tShift[start_line]
    match = _OPENING.match(state.src[begin : state.eMarks[start_line]])
    if not match:  # the fence opens further right, behind a list marker of its own
        return False
    if silent:
        return True
    if fences is None or start_line in fences.strays:
        state.line = start_line + 1
        return True
    last, closed = _last_line(state, fences, start_line, end_line)
    body_line, options, broken = _options(state, start_line + 1, last)
    opened = _opening(state, start_line, begin, match, options)
    broken |= _tell_stray_option(state, (start_line, body_line, last), is_figure=opened.name not in kinds)
    opened = replace(opened, broken=broken)
    _push_body(state, opened, (start_line, body_line, last), kinds.get(opened.name))
    state.line = min(last + closed, end_line)
    return True


def _last_line(state: StateBlock, fences: Fences, start_line: int, end_line: int) -> tuple[int, bool]:
    """Where the body ends, and whether a fence stands there: at the closing line, or where the list item or quote ends."""
    closing = fences.closes[start_line]
    end = start_line + 1
    while end < end_line and (state.isEmpty(end) or state.sCount[end] >= state.blkIndent):
        if end == closing:
            return end, True
        end += 1
    if closing is not None:
        place = (start_line + 1, _column(state, state.bMarks[start_line] + state.tShift[start_line]))
        message = "directive is closed outside of the list item that it stands in"
        note(state.env, place, message, "indent its last line like its first")
        fences.strays.add(closing)  # told; it shall not be printed
    return end, False


def _column(state: StateBlock, position: int) -> int:
    return position - (state.src.rfind("\n", 0, position) + 1) + 1


def _opening(state: StateBlock, line: int, begin: int, match: re.Match[str], options: tuple[Option, ...]) -> Directive:
    rest, column = match["rest"].rstrip(), _column(state, begin) + match.start("rest")
    named = _NAME.match(rest)
    if named and not match["gap"]:
        name, argument = named["name"].strip(), named["argument"]
        name_at = (line + 1, column + 1)
        argument_column = column + named.start("argument") + len(argument) - len(argument.lstrip())
    else:
        word = re.search(r"[^\s{}]+", rest)
        name, argument = word[0] if word else "", rest[word.end() :].lstrip("} \t") if word else ""
        name_at, argument_column = (line + 1, column), column + len(rest) - len(argument)
        message = f"a directive's name stands in braces, close to its colons: '{match[0].rstrip()}'"
        note(state.env, name_at, message, f"write {match['colons']}{{{name or 'note'}}}")
    return Directive(name, argument.strip(), (line + 1, _column(state, begin)), name_at, (line + 1, argument_column), options)


def _options(state: StateBlock, line: int, last: int) -> tuple[int, tuple[Option, ...], bool]:
    """The line where the body begins, the `:key: value` lines above it, and whether some line there is none."""
    options: list[Option] = []
    broken = False
    while line < last:
        begin = state.bMarks[line] + state.tShift[line]
        text = state.src[begin : state.eMarks[line]]
        if not text.startswith(":") or _OPENING.match(text):
            break
        column = _column(state, begin)
        if match := _OPTION.match(text):
            value = match["value"] or ""
            value_column = column + (match.start("value") if match["value"] else len(text))
            options.append(Option(match["key"], value.strip(), (line + 1, column + 1), (line + 1, value_column)))
        else:
            broken = True
            note(
                state.env,
                (line + 1, column),
                f"not an option: '{text.strip()}'",
                "write ':key: value', or leave an empty line before the text",
            )
        line += 1
    return line, tuple(_without_doubles(state, options)), broken


def _tell_stray_option(state: StateBlock, lines: tuple[int, int, int], is_figure: bool) -> bool:
    """Options in another spelling, or below an empty line, would be printed as the directive's text. Whether there is one."""
    start, body, last = lines
    first = next((line for line in range(body, last) if not state.isEmpty(line)), last)
    begin = state.bMarks[first] + state.tShift[first]
    text, place = state.src[begin : state.eMarks[first]].rstrip() if first < last else "", (first + 1, _column(state, begin))
    if _OPTION.match(text):
        message, hint = f"option below an empty line: '{text}'", "move it up, close below the directive's first line"
    elif is_figure and first == body and (text == "---" or re.match(r"[a-z][\w-]*\s*:(\s|$)", text)):
        message, hint = f"not an option: '{text}'", "write ':key: value', or leave an empty line before the text"
    elif first == body > start + 1 and state.sCount[first] > state.sCount[start]:
        message = f"an option of more than one line: '{text}'"
        hint = "write it on one line, or leave an empty line before the text"
    else:
        return False
    note(state.env, place, message, hint)
    return True


_LEFT_OVER = re.compile(r":{2,}[ \t]*\{[\w-]*\}")


def tell_left_overs(state: StateCore) -> None:
    """A core rule, before texts are joined with escaped signs: directives that are none would be printed as they are written."""
    lines = state.src.split("\n")
    for token in (token for token in state.tokens if token.type == "inline"):
        for match in _LEFT_OVER.finditer(plain_source(token)):
            hint = "write it on a line of its own with three colons, or put it between backticks to show it"
            note(state.env, locator(token, lines)(match.start()), f"'{match[0]}' opens no directive here", hint)


def tell_misplaced(state: StateCore) -> None:
    """A core rule, after `places`: what is indented for a list, but too far, or not far enough."""
    before, depth = "", 0
    for token in state.tokens:
        depth += token.nesting if token.type.startswith("list_item") else 0
        line, column = token.meta.get("at", (1, 1))
        if token.type == "code_block" and depth and (fence := _FENCE.match(token.content)):
            hint = "indent it as the text of the list is, or put it into a code block of its own to show it"
            note(state.env, (line, column), f"'{fence[0]}' is indented too far, and would be shown as code", hint)
        elif depth == 0 and column > 1 and before.endswith("list_close") and token.type in _BLOCKS:
            hint = "indent it as the text of the list is, or not at all"
            what = {"fence": "code block", "math_block": "formula"}.get(token.type, "directive")
            note(state.env, (line, column), f"{what} is indented, and yet outside of the list above", hint)
        before = token.type


_FENCE = re.compile(r"\s*(:{3,}[ \t]*\{[\w-]+\}|`{3,}|~{3,})")
_BLOCKS = ("directive_open", "figure_open", "fence", "math_block")


def _without_doubles(state: StateBlock, options: Sequence[Option]) -> list[Option]:
    seen: dict[str, Option] = {}
    for option in options:
        if option.key in seen:
            first = seen[option.key].at[0]
            note(state.env, option.at, f"option '{option.key}' is given twice", f"it is already on line {first}")
        else:
            seen[option.key] = option
    return list(seen.values())


def _push_body(state: StateBlock, opened: Directive, lines: tuple[int, int, int], kind: Kind | None) -> None:
    start, body, last = lines
    if kind and not kind.title and opened.argument:
        note(state.env, opened.argument_at, f"'{opened.name}' takes no title '{opened.argument}'", "remove it, or write it below")
    token = state.push("directive_open" if kind else "figure_open", "", 1)
    token.map, token.info = [start, last], opened.name
    token.meta = {"directive": opened, "at": opened.at}
    _push_title(state, opened, start, kind)
    before = state.parentType, state.lineMax, state.tight
    state.parentType, state.lineMax = "directive", last
    state.md.block.tokenize(state, body, last)
    state.parentType, state.lineMax, state.tight = before
    close = state.push("directive_close" if kind else "figure_close", "", -1)
    close.info = opened.name
    close.meta = {"directive": opened, "at": opened.at}


def _push_title(state: StateBlock, opened: Directive, line: int, kind: Kind | None) -> None:
    """Directives with a title have it as Markdown: tokens that the kind's own file draws."""
    if not kind or not kind.title:
        return
    heading = kind.title_tag.startswith("h")
    token = state.push("heading_open" if heading else "directive_title_open", kind.title_tag, 1)
    token.map, token.meta = [line, line + 1], {"at": opened.argument_at}
    inline = state.push("inline", "", 0)
    inline.map, inline.children = [line, line + 1], []
    inline.content = opened.argument or kind.title
    inline.meta["column"] = opened.argument_at[1] - 1
    token = state.push("heading_close" if heading else "directive_title_close", kind.title_tag, -1)
    token.meta = {"directive": opened}


def install(md: MarkdownIt, kinds: Mapping[str, Kind]) -> None:
    """Adds the block rule and the HTML of `kinds`; every other name is left to `figures`."""

    def rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        return directive(state, start_line, end_line, silent, kinds)

    def render_open(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        opened: Directive = tokens[index].meta["directive"]
        for option in opened.options:
            page_of(env).problem(option.at, f"'{opened.name}' takes no option '{option.key}'", "remove the line")
        return kinds[opened.name].open

    def render_close(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return kinds[tokens[index].info].close

    md.core.ruler.before("block", "fences", pair_fences)
    md.core.ruler.after("places", "directive_left_overs", tell_left_overs)
    md.core.ruler.after("places", "misplaced", tell_misplaced)
    ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}
    md.block.ruler.before("table", "directive", rule, ends)
    md.add_render_rule("directive_open", render_open)
    md.add_render_rule("directive_close", render_close)
