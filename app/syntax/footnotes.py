"""Footnotes `[^name]`, numbered in order of use; undefined, unused and doubly defined ones are problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_tail

from app.problems import did_you_mean
from app.syntax.page import page_of
from app.syntax.places import Place, at
from app.syntax.trouble import note


def check_footnotes(state: StateCore) -> None:
    """A core rule, after `places` and before the plugin moves the notes to the end."""
    defined: dict[str, Place] = {}
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            label, place = token.meta["label"], at(token)
            if label in defined:
                hint = f"it is already defined on line {defined[label][0]}"
                note(state.env, place, f"footnote [^{label}] is defined twice", hint)
            defined.setdefault(label, place)
    used = dict(_references(state.tokens))
    for label, place in used.items():
        if label not in defined:
            hint = did_you_mean(label, defined) if defined else None
            note(state.env, place, f"footnote [^{label}] is not defined", hint or f"write a line [^{label}]: …")
    for label, place in defined.items():
        if label not in used:
            note(state.env, place, f"footnote [^{label}] is never used", f"refer to it with [^{label}], or remove it")


def _references(tokens: Sequence[Token]) -> Iterator[tuple[str, Place]]:
    for token in tokens:
        for child in token.children or ():
            if child.type == "footnote_ref":
                yield child.meta["label"], at(child)


def render_reference(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    meta = tokens[index].meta
    number, again = meta["id"] + 1, meta["subId"]
    here = page_of(env).here
    return (
        f'<sup class="footnote-ref"><a href="{here}#fn--{number}" id="{_back(number, again)}" role="doc-noteref">{number}</a></sup>'
    )


def _back(number: int, again: int) -> str:
    return f"fnref--{number}" + (f"-{again + 1}" if again else "")


def render_anchor(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    meta = tokens[index].meta
    back = _back(meta["id"] + 1, meta["subId"])
    return f' <a href="#{back}" class="footnote-back" role="doc-backlink" aria-label="Back to the text">↩</a>'


def render_note(_: object, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<li id="fn--{tokens[index].meta["id"] + 1}" class="footnote">'


def install(md: MarkdownIt) -> None:
    md.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    md.core.ruler.after("places", "footnotes", check_footnotes)
    md.core.ruler.before("text_join", "footnote_tail", footnote_tail)
    md.add_render_rule("footnote_ref", render_reference)
    md.add_render_rule("footnote_anchor", render_anchor)
    md.add_render_rule("footnote_open", render_note)
    md.add_render_rule("footnote_close", lambda *_: "</li>\n")
    md.add_render_rule(
        "footnote_block_open", lambda *_: '<section class="footnotes" role="doc-endnotes" aria-label="Notes">\n<ol>\n'
    )
    md.add_render_rule("footnote_block_close", lambda *_: "</ol>\n</section>\n")
