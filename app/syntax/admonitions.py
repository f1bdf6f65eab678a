"""Boxed notes: `:::{note} A title of one's own`, `:::{honest}` and the usual others."""

from __future__ import annotations

from markdown_it import MarkdownIt

from app.syntax.directives import Kind

_NOTES = {
    "note": ("Note", "An aside that may be skipped."),
    "honest": ("An honest note", "How the toy differs from the real thing."),
    "tip": ("Tip", "Advice."),
    "important": ("Important", "What must not be missed."),
    "warning": ("Warning", "What goes wrong easily."),
    "caution": ("Caution", "What does harm."),
}

KINDS = {
    name: Kind(
        help=help_text,
        open=f'<div class="admonition admonition-{name}" role="note">\n',
        close="</div>\n",
        title=title,
    )
    for name, (title, help_text) in _NOTES.items()
}


def install(md: MarkdownIt) -> None:
    md.add_render_rule("directive_title_open", lambda *_: '<p class="admonition-title">')
    md.add_render_rule("directive_title_close", lambda *_: "</p>\n")
