"""Closed sections: `:::{math}` (Show the math) and `:::{engineers}` (For engineers), folded until asked for.

The title is a heading like any other: it has an address and stands in the contents list.
"""

from __future__ import annotations

from app.syntax.directives import Kind

_SECTIONS = {
    "math": ("Show the math", "The formulas, for whoever wants them: closed at first, open on paper."),
    "engineers": ("For engineers", "What matters to whoever builds it: closed at first, open on paper."),
}

KINDS = {
    name: Kind(
        help=help_text,
        open=f'<details class="closed-section closed-section-{name}">\n<summary>',
        close="</div>\n</details>\n",
        title=title,
        title_tag="h2",
    )
    for name, (title, help_text) in _SECTIONS.items()
}

BODY = '</summary>\n<div class="closed-section-body">\n'
"""What `headings` writes behind the title."""
