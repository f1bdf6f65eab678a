"""Where every token stands in its file, so that each problem can name its line and column.

markdown-it gives block tokens their lines and inline tokens nothing. Here the inline parser notes the offset of each token in
its paragraph, and a core rule turns offsets into `token.meta["at"] = (line, column)`, both from 1. A rule whose token has content
to be read further (an expression, a formula) sets `meta["inside"]`, the length of its opening mark, and receives `meta["lines"]`,
the place where each line of the content begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from app.syntax.trouble import note

Place = tuple[int, int]


class PlacedState(StateInline):
    """Notes in each token's meta where in `src` it begins."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.text_start = 0
        self.offsets: list[tuple[Token, int]] = []
        """Kept apart until the end, since rules replace the meta of tokens that they push."""

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self.text_start = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:
        token = super().pushPending()
        self.offsets.append((token, self.text_start))
        return token

    def push(self, ttype: str, tag: str, nesting: int) -> Token:
        token = super().push(ttype, tag, nesting)  # type: ignore[arg-type]
        # a link pushes itself when it already stands behind its bracket
        inside_bracket = ttype == "link_open" and self.src[self.pos - 1 : self.pos] == "["
        self.offsets.append((token, self.pos - inside_bracket))
        return token


class PlacedInline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = PlacedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        kept, begin = {id(token) for token in state.tokens}, None
        for token, offset in state.offsets:
            # texts were joined into the last of them: where the first began that has words (marks of emphasis lost theirs)
            if begin is None and token.content:
                begin = offset
            if id(token) in kept:
                token.meta["offset"] = offset if begin is None or token.type != "text" else begin
                begin = None
        return state.tokens


class ToldBlock(ParserBlock):
    """Tells what lies deeper than markdown-it reads, which it would leave out."""

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        first = state.skipEmptyLines(startLine)
        if state.level >= state.md.options.maxNesting and first < endLine:
            note(
                state.env, (first + 1, state.tShift[first] + 1), "lists and quotes are nested too deeply", "end some of them first"
            )
        super().tokenize(state, startLine, endLine)


def place_tokens(state: StateCore) -> None:
    """The core rule: gives every inline token and its children their place."""
    lines = state.src.split("\n")
    for token in state.tokens:
        if token.map and "at" not in token.meta:
            token.meta["at"] = (token.map[0] + 1, _indent(lines, token.map[0]) + 1)
        if token.type == "inline" and token.map:
            locate = locator(token, lines)
            token.meta["at"] = locate(0)
            _place_children(token.children or [], 0, locate)


def _place_children(children: list[Token], base: int, locate: Callable[[int], Place]) -> None:
    for child in children:
        offset = base + child.meta.get("offset", 0)
        child.meta["at"] = locate(offset)
        if "inside" in child.meta:
            start = offset + child.meta["inside"]
            child.meta["lines"] = [locate(start + begin) for begin in _line_starts(child.content)]
        if child.type == "image":
            _place_children(child.children or [], offset + len("!["), locate)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def place_inside(token: Token, offset: int) -> Place:
    """The place of a character of the content of a token that noted its `lines`: of an expression or a formula."""
    row = token.content.count("\n", 0, offset)
    start = token.content.rfind("\n", 0, offset) + 1
    line, column = token.meta["lines"][row]
    return line, column + offset - start


def locator(inline: Token, lines: list[str]) -> Callable[[int], Place]:
    """offset in the token's content → (line, column); `meta["column"]` says where the content begins in its line.

    `meta["bars"]` are the offsets before which the source has a sign that the content has not: in cells, the `\\` of `\\|`.
    """
    first = inline.map[0] if inline.map else 0
    content = inline.content

    def locate(offset: int) -> Place:
        row = content.count("\n", 0, offset)
        start = content.rfind("\n", 0, offset) + 1
        line = first + row
        column = inline.meta.get("column") if row == 0 else None
        if column is None:
            text = content[start:].split("\n", 1)[0]
            column = _column_of(text, lines[line] if line < len(lines) else "")
        hidden = sum(bar <= offset for bar in inline.meta.get("bars", ()))
        return line + 1, column + offset - start + hidden + 1

    return locate


def _column_of(text: str, source: str) -> int:
    """Where a line of a paragraph begins in its source line: behind markers of lists and quotes, or of a heading."""
    stripped = text.strip()
    place = source.rfind(stripped) if source.rstrip().endswith(stripped) else source.find(stripped)
    return max(place, 0) - (len(text) - len(text.lstrip()))


def _indent(lines: list[str], line: int) -> int:
    text = lines[line] if line < len(lines) else ""
    return len(text) - len(text.lstrip(" \t"))


def plain_source(inline: Token) -> str:
    """The source of an inline token in which all is blank that became something: code, formulas, roles, escaped signs.

    What looks like syntax in the rest is printed as it is written. Words of links, of emphasis and of images stay.
    """
    blank = ["\n" if character == "\n" else "\0" for character in inline.content]
    for token, offset in _texts(inline.children or [], 0):
        blank[offset : offset + len(token.content)] = token.content
    return "".join(blank[: len(inline.content)])


def _texts(tokens: Sequence[Token], base: int) -> Iterator[tuple[Token, int]]:
    for token in tokens:
        offset = base + token.meta.get("offset", 0)
        if token.type == "text" or (token.type == "text_special" and token.content == token.markup):  # `\f` is no escaped sign
            yield token, offset
        elif token.type == "image":
            yield from _texts(token.children or [], offset + len("!["))


def at(token: Token) -> Place:
    """The token's place; (1, 1) where nobody noted one."""
    return token.meta.get("at", (1, 1))


def use_own_parsers(md: MarkdownIt) -> None:
    """Must come first: it replaces the parsers that later rules are added to."""
    block = md.block.ruler.get_active_rules()
    md.block = ToldBlock()
    md.block.ruler.enableOnly(block)
    rules = md.inline.ruler.get_active_rules(), md.inline.ruler2.get_active_rules()
    md.inline = PlacedInline()
    md.inline.ruler.enableOnly(rules[0])
    md.inline.ruler2.enableOnly(rules[1])
    md.core.ruler.after("inline", "places", place_tokens)
