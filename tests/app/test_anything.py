"""Whatever an author types, the page is made and every problem has a place in the file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.book import Book, Chapter
from app.glossary import read_terms
from app.parse import parse_document
from app.render import render_chapter
from app.syntax import markdown

GLOSSARY = markdown().parse("softmax\n: Shares.\n\n√softmax\n: Of another kind.\n", {})
TERMS = read_terms(GLOSSARY, lambda *_: None)
EMPTY = Book("A book", "", (), "", "", (), Path("nowhere"), terms=TERMS)
PIECES = [
    *("text ", "\n", "\n\n", "  ", "    ", "\t", "- ", "1. ", "> ", "## ", "# ", "*", "**", "_", "`", "```", "```python\n", "~~~"),
    *(
        ":::",
        "::::",
        ":::{note}\n",
        ":::{math}\n",
        ":::{reading}\n",
        ":::{attention-viewer} queen\n",
        ":::{x",
        ":text: The Queen\n",
    ),
    *(
        ":layer: 9\n",
        ":query:",
        "$",
        "$$",
        "x^2",
        "\\foo",
        "\\$",
        "5",
        "88%",
        "{value}`queen.tokens()`",
        "{value}`",
        "{claim}`1 > 2`",
    ),
    *(
        "{term}`softmax`",
        "{term}`√softmax`",
        '{value}`"\\ud800"`',
        "![a](a%00.svg)",
        "{value} `",
        "{fig}`queen`",
        "{chapter}`block`",
        "{nope}`x`",
        "[a](#b)",
        "[a](b.md)",
        "[a][b]",
        "![",
        "](x.png)",
        "[^1]",
    ),
    *(
        "[^1]: note\n",
        "## fn 1\n",
        "## Term softmax\n",
        "<b>",
        "<div>\n",
        "<!--",
        "| a | b |\n",
        "|---|---|\n",
        "|",
        "term\n: definition\n",
        "---\n",
        "===\n",
        "&amp;",
    ),
    *("é", "日本", "\u2028", "\ufe0f", "👩‍👩‍👧", "\x0b", "\\", "\\\n", "http://x", "<http://x>", "]", ")", "["),
]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_becomes_a_page_and_its_problems_have_places(printer: Any, text: str) -> None:
    source = "---\ntitle: A\n---\n" + text
    document = parse_document("chapters/a.md", source.encode())
    rendered = render_chapter(EMPTY, Chapter("a", "A", number=1, part=1, document=document), printer)
    lines = document.source.split("\n")
    rendered.body.encode()
    ids = re.findall(r'<[^>]* id="([^"]*)"', rendered.body)
    assert len(ids) == len(set(ids)), ids
    for problem in rendered.problems:
        assert 1 <= problem.line <= len(lines), problem
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, problem
