"""Roles: `{name}`content``. This file cuts them out of the text; `values`, `references` and `terms` draw them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from app.problems import did_you_mean
from app.syntax.places import at, locator, place_inside, plain_source
from app.syntax.trouble import note

ROLE = re.compile(r"\{(?P<name>[A-Za-z][\w-]*)\}(?P<ticks>`+)(?!`)(?P<content>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL)

HELP = {
    "value": 'A number that a figure answers: {value}`queen.weight("said", "Alice")`.',
    "claim": 'A judgement that must hold, and shows nothing: {claim}`queen.weight("said", "Alice") > 0.6`.',
    "chapter": "Another chapter by its slug, shown as its number: {chapter}`embeddings`.",
    "fig": "A figure of this chapter by its id: {fig}`queen`.",
    "term": "A term of the glossary: {term}`softmax`, or in other words {term}`budgets <softmax>`.",
}


def role(state: StateInline, silent: bool) -> bool:
    """The inline rule. Every role's token is `role`, its name in `info`."""
    if state.src[state.pos] != "{":
        return False
    match = ROLE.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        token = state.push("role", "", 0)
        token.info = match["name"]
        token.content = match["content"]
        token.meta["inside"] = match.start("content") - match.start()
    state.pos = match.end()
    return True


def check_roles(state: StateCore) -> None:
    """A core rule, after `places`: unknown names, and roles where none can be."""
    in_heading = False
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            in_heading = token.nesting > 0
        for child in _roles(token):
            line, column = at(child)
            if child.info not in HELP:
                hint = did_you_mean(child.info, HELP)
                note(state.env, (line, column + 1), f"unknown role '{child.info}'", hint)
            elif in_heading and child.info != "term":
                hint = "a heading's address is made of its words: put the role into the text"
                note(state.env, at(child), f"{{{child.info}}} in a heading", hint)
            elif not child.content.strip():
                note(state.env, place_inside(child, 0), f"{{{child.info}}} is empty")


_NAMES = "|".join(HELP)
# a name in braces, anything in braces before what might be its content, a name without braces before its content
_LEFT_OVER = re.compile(rf"\{{\s*(?i:{_NAMES})\s*\}}|\{{[^{{}}\0]*\}}(?=\}}*\0)|(?<!\w)(?:\[(?:{_NAMES})\]|(?:{_NAMES}))(?=\0)")


def tell_left_overs(state: StateCore) -> None:
    """A core rule, before texts are joined with escaped signs: roles that are none would be printed as they are written."""
    lines = state.src.split("\n")
    for token in (token for token in state.tokens if token.type == "inline"):
        locate = locator(token, lines)
        for match in _LEFT_OVER.finditer(plain_source(token)):
            name = match[0].strip("{}[]: \t\n").casefold()
            known = name in HELP
            opened = token.content.startswith("`", match.end())
            if (known and match[0].endswith("}")) or opened:
                what = "is no role" if match[0] != f"{{{name}}}" else "is never closed" if opened else "without its backticks"
                hint = f"write {{{name if known else 'value'}}}`…`, with nothing between, or \\{{ for a brace"
                hint = f"write a backtick behind it too: {match[0]}`…`" if what == "is never closed" else hint
                note(state.env, locate(match.start()), f"{match[0]} {what}", hint)


def _roles(token: Token) -> Iterator[Token]:
    """Those in the words of images too."""
    for child in token.children or []:
        if child.type == "role":
            yield child
        yield from _roles(child)


def install(md: MarkdownIt) -> None:
    md.inline.ruler.before("backticks", "role", role)
    md.core.ruler.after("places", "roles", check_roles)
    md.core.ruler.after("places", "role_left_overs", tell_left_overs)
