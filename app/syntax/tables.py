"""Tables as GitHub writes them, in a frame that alone scrolls; formulas and code split no cell, alignment is a class."""

from __future__ import annotations

import re
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from app.syntax.math import split_cells
from app.syntax.places import Place
from app.syntax.trouble import note

_RULER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")

_MARKER = re.compile(r"(?:[-*+>]|\d{1,9}[.)])[ \t]")  # of a list or quote, whose insides are read by themselves

Cell = tuple[int, str]


def table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The block rule: markdown-it's own splits cells inside formulas, writes `style=` and knows no columns."""
    if start_line + 2 > end_line or state.sCount[start_line + 1] < state.blkIndent:
        return False
    header, ruler = _text(state, start_line), _text(state, start_line + 1)
    if "|" not in header or not _RULER.match(ruler) or ("|" not in ruler and ":" not in ruler and "-" not in ruler):
        return False
    if state.is_code_block(start_line) or state.is_code_block(start_line + 1):
        return False
    alignments = [_alignment(cell) for _, cell in _cells(ruler)]
    if (count := len(_cells(header))) != len(alignments):
        if "|" in ruler and not _MARKER.match(header):
            hint = f"write {_number(len(alignments))} in each row, and \\| for a bar inside one"
            note(state.env, _place(state, start_line, 0), f"{_number(count)} above a rule of {len(alignments)}: no table", hint)
        return False
    if silent:
        return True
    last = _last_row(state, start_line, end_line)
    _push(state, "table_open", "table", 1, start_line, last)
    _push(state, "thead_open", "thead", 1, start_line, start_line + 1)
    _row(state, start_line, alignments, "th")
    _push(state, "thead_close", "thead", -1)
    if last > start_line + 2:
        _push(state, "tbody_open", "tbody", 1, start_line + 2, last)
        for line in range(start_line + 2, last):
            _row(state, line, alignments, "td")
        _push(state, "tbody_close", "tbody", -1)
    _push(state, "table_close", "table", -1)
    state.line = last
    return True


def _text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()


def _place(state: StateBlock, line: int, column: int) -> Place:
    """Of a column, from 0, of the text of a line."""
    begin = state.bMarks[line] + state.tShift[line]
    return line + 1, begin - (state.src.rfind("\n", 0, begin) + 1) + column + 1


def _number(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"


def _cells(row: str) -> list[Cell]:
    cells = split_cells(row)
    if cells and not cells[0][1].strip():
        cells.pop(0)
    if cells and not cells[-1][1].strip():
        cells.pop()
    return cells


def _alignment(cell: str) -> str:
    left, right = cell.strip().startswith(":"), cell.strip().endswith(":")
    return "center" if left and right else "right" if right else "left" if left else ""


def _last_row(state: StateBlock, start_line: int, end_line: int) -> int:
    ends = state.md.block.ruler.getRules("blockquote")
    line = start_line + 2
    while line < end_line and state.sCount[line] >= state.blkIndent and not state.isEmpty(line):
        if state.is_code_block(line) or any(rule(state, line, end_line, True) for rule in ends):
            break
        line += 1
    return line


def _row(state: StateBlock, line: int, alignments: list[str], tag: str) -> None:
    indent = _place(state, line, 0)[1] - 1
    cells = _cells(_text(state, line))
    if len(cells) > len(alignments):
        column, text = cells[len(alignments)]
        place = _place(state, line, column + len(text) - len(text.lstrip()))
        message = f"{_number(len(cells))} in a table of {len(alignments)}: the last would be lost"
        note(state.env, place, message, "remove them, or write \\| for a bar inside a cell")
    _push(state, "tr_open", "tr", 1, line, line + 1)
    for index, alignment in enumerate(alignments):
        column, text = cells[index] if index < len(cells) else (0, "")
        _tell_norms(state, line, column, text)
        opened = state.push(f"{tag}_open", tag, 1)
        if alignment:
            opened.attrSet("class", f"align-{alignment}")
        inline = state.push("inline", "", 0)
        inline.map, inline.children = [line, line + 1], []
        parts = text.strip().split("\\|")
        inline.content = "|".join(parts)
        inline.meta["bars"] = list(accumulate(len(part) + 1 for part in parts[:-1]))
        inline.meta["column"] = indent + column + len(text) - len(text.lstrip())
        state.push(f"{tag}_close", tag, -1)
    _push(state, "tr_close", "tr", -1)


def _tell_norms(state: StateBlock, line: int, column: int, text: str) -> None:
    """`\\|` is a bar in a table, as GitHub has it, and LaTeX's double bar elsewhere: where it stands twice, a norm was meant."""
    for formula in re.finditer(r"\$(?:\\.|[^$\\])+\$", text):
        if formula[0].count("\\|") > 1:
            place = _place(state, line, column + formula.start() + formula[0].index("\\|"))
            note(state.env, place, "'\\|' in a table is a single bar", "write \\lVert x \\rVert for a norm, | for a bar")


def _push(state: StateBlock, name: str, tag: str, nesting: int, first: int = 0, last: int = 0) -> None:
    token = state.push(name, tag, nesting)  # type: ignore[arg-type]
    if nesting > 0:
        token.map = [first, last]


def install(md: MarkdownIt) -> None:
    md.block.ruler.at("table", table, {"alt": ["paragraph", "reference"]})
    frame = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">\n<table>\n'
    md.add_render_rule("table_open", lambda *_: frame)
    md.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
