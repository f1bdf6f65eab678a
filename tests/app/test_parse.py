"""Files as authors, editors and other systems leave them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.book import Book
from app.bookfile import BookFile
from app.parse import load_book, parse_document
from app.yamltext import read_yaml, validate

FRONT = "---\ntitle: Attention\n---\n"
Load = Callable[..., Book]


def told(data: bytes | str) -> list[str]:
    document = parse_document("chapters/a.md", data if isinstance(data, bytes) else data.encode())
    return [str(problem) for problem in document.problems]


def title(front: str) -> str:
    document = parse_document("chapters/a.md", f"---\n{front}\n---\nText.\n".encode())
    assert document.problems == ()
    return document.front["title"].text


@pytest.mark.parametrize("text", ["010", "no", "1.10", "12:30", "2024-01-02", "true", "0x1F", "1e3"])
def test_text_in_front_matter_stays_text(text: str) -> None:
    assert title(f"title: {text}") == text


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("", "chapters/a.md:1:1: there is no front matter; begin with three lines: ---, title: …, ---"),
        ("Text.\n", "chapters/a.md:1:1: there is no front matter; begin with three lines: ---, title: …, ---"),
        ("---\ntitle: A\nText.\n", "chapters/a.md:1:1: front matter is never closed; write a line --- below it"),
        ("---\ntitle: A\n---\n", "chapters/a.md:3:1: there is no text; write it below the front matter"),
        ("---\n---\nText.\n", "chapters/a.md:1:1: front matter is empty, not lines of 'key: value'"),
        ("---\n- a\n- b\n---\nText.\n", "chapters/a.md:2:1: front matter is a list, not lines of 'key: value'"),
        ("---\njust words\n---\nText.\n", "chapters/a.md:2:1: front matter is a text, not lines of 'key: value'"),
        (
            "---\ntitle: a: b\n---\nText.\n",
            "chapters/a.md:2:9: YAML: mapping values are not allowed here; put the text between quotes",
        ),
        ("---\nstandfirst: S\n---\nText.\n", "chapters/a.md:2:1: front matter: 'title' is missing; add a line 'title: …'"),
        ("---\ntitle:\n---\nText.\n", "chapters/a.md:2:7: front matter: 'title' is empty"),
        (
            "---\ntitle: A\ntitel: B\n---\nText.\n",
            "chapters/a.md:3:1: front matter: unknown key 'titel'; did you mean 'title'?",
        ),
        ("---\ntitle: A\ntitle: B\n---\nText.\n", "chapters/a.md:3:1: 'title' is given twice; it is already on line 2"),
        (
            "---\ntitle: " + "[" * 2000 + "\n---\nText.\n",
            "chapters/a.md:2:1: YAML: brackets are nested too deeply; put the text between quotes",
        ),
        (
            '---\ntitle: "a \\ud800"\n---\nText.\n',
            "chapters/a.md:2:9: half of a character written as \\u…; write the character itself",
        ),
        ("---\ntitle: A\nstandfirst: *a\n---\nText.\n", "chapters/a.md:3:13: alias '*a'; write it out"),
        ("---\ntitle: &a A\n---\nText.\n", "chapters/a.md:2:8: YAML: '&a' would be dropped; put the text between quotes"),
        (
            "---\ntitle: !!int 5\n---\nText.\n",
            "chapters/a.md:2:8: YAML: the word with '!' would be dropped; put the text between quotes",
        ),
        (
            "---\ntitle: What is # for?\n---\nText.\n",
            "chapters/a.md:2:16: YAML: what stands behind '#' would be dropped; put the text between quotes",
        ),
        ('---\ntitle: "A\n---\nText.\n', "chapters/a.md:2:8: YAML: found unexpected end of stream; put the text between quotes"),
        (
            "---\ntitle: A\n\tstandfirst: B\n---\nText.\n",
            "chapters/a.md:3:1: YAML: found character '\\t' that cannot start any token; indent with spaces",
        ),
        ("---\ntitle: A\u2028B\n---\nText.\n", "chapters/a.md:2:9: a line separator, U+2028, inside a line; remove it"),
        ("---\ntitle: [A]\n---\nText.\n", "chapters/a.md:2:8: front matter: 'title' is not a text; put the text between quotes"),
        (
            "---\ntitle: A\nstandfirst: **B**\n---\nText.\n",
            "chapters/a.md:3:14: YAML: expected alphabetic or numeric character, but found '*'; put the text between quotes",
        ),
        (
            "----\ntitle: A\n----\nText.\n",
            "chapters/a.md:1:1: there is no front matter; begin with three lines: ---, title: …, ---",
        ),
        ("+++\ntitle = A\n+++\nText.\n", "chapters/a.md:1:1: there is no front matter; begin with three lines: ---, title: …, ---"),
    ],
)
def test_front_matter_that_is_wrong(file: str, problem: str) -> None:
    assert told(file) == [problem]


@pytest.mark.parametrize(
    "front",
    [
        "title: A title",
        "title: 'A title'",
        'title: "A title"',
        "'title': A title",
        "title : A title",
        "title: A\n  title",
        "title: >\n  A\n  title",
        "title: |\n  A title",
        "\ntitle: A title\n",
        "# a remark\ntitle: A title",
        "{title: A title}",
    ],
)
def test_every_spelling_of_a_text_is_the_text(front: str) -> None:
    assert title(front).strip() == "A title"


@pytest.mark.parametrize(
    "text", ["~a", "null and void", "It's 5 o'clock", "C#", "a - b", "“a”", "yes", ".5", "a, b", "1_000", "+1", "="]
)
def test_signs_that_mean_something_in_yaml_stay_text(text: str) -> None:
    assert title(f"title: {text}") == text


def test_what_can_be_read_of_front_matter_is_read() -> None:
    document = parse_document("chapters/a.md", b"---\nstandfirst: a: b\ntitle: A\n---\nText.\n")
    assert {key: entry.text for key, entry in document.front.items()} == {"title": "A", "standfirst": "a: b"}
    assert [(problem.line, problem.column) for problem in document.problems] == [(2, 14)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("standfirst: |\n  Of $x$ and\n  $\\foo$.", (4, 3)),
        ("standfirst: >\n  Of $x$ and\n  $\\foo$.", (4, 3)),
        ('standfirst: "Of \\"x\\" and $\\\\foo$."', (3, 14)),
        ("standfirst: |\n  Of $\\foo$.", (4, 7)),
        ("standfirst: 'Of $\\foo$.'", (3, 18)),
    ],
)
def test_a_mistake_in_a_folded_text_is_placed_where_the_text_begins(draw: Callable[..., Any], text: str, place: Any) -> None:
    rendered = draw("Text.\n", f"---\ntitle: A\n{text}\n---\n")
    assert [(problem.line, problem.column) for problem in rendered.problems] == [place]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A\ufeffB\n", "4:2: byte order mark inside the file; remove it: nobody sees it"),
        ("`A\ufeffB`\n", "4:3: byte order mark inside the file; remove it: nobody sees it"),
        ("A\n\n## B\x00\n", "6:5: control character U+0000 inside the file; remove it: nobody sees it"),
        ("A\x1bB\n", "4:2: control character U+001B inside the file; remove it: nobody sees it"),
    ],
)
def test_signs_that_nobody_sees_are_told_and_left_out(text: str, problem: str) -> None:
    assert told(FRONT + text) == [f"chapters/a.md:{problem}"]
    document = parse_document("chapters/a.md", (FRONT + text).encode())
    assert not [token for token in document.tokens if set(token.content) & set("\ufeff\x00\x1b")]


def test_two_byte_order_marks_hide_no_front_matter() -> None:
    assert told("\ufeff\ufeff" + FRONT + "A\n") == ["chapters/a.md:1:1: byte order mark inside the file; remove it: nobody sees it"]


def test_a_file_that_is_not_utf8_names_the_byte() -> None:
    latin = "---\ntitle: A\n---\nA cafÃ©.\nOne caf".encode() + "é.\n".encode("latin-1")
    assert told(latin) == ["chapters/a.md:5:8: byte 0xE9 is not UTF-8; save the file as UTF-8"]


SOURCE = "---\ntitle: A\n---\n## One\n\nText\twith a tab and $\\foo$.\n\n```python\nx = 1\n```\n\n- a\n\n  - b\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("title: A", "title: A  ").replace("## One", "## One  "),
    ],
    ids=["CRLF", "CR", "BOM", "no final newline", "trailing spaces"],
)
def test_the_same_page_however_the_file_is_saved(change: Callable[[str], str]) -> None:
    plain = parse_document("chapters/a.md", SOURCE.encode())
    saved = parse_document("chapters/a.md", change(SOURCE).encode())
    assert [(t.type, t.content, t.meta) for t in saved.tokens] == [(t.type, t.content, t.meta) for t in plain.tokens]
    assert saved.problems == plain.problems
    assert len(plain.problems) == 1


def test_every_problem_of_a_file_in_one_run() -> None:
    lines = told("---\ntitel: A\n---\n[^x] $\\foo$\n\n:::{note}\n")
    assert [line.split(":")[1:3] for line in lines] == [["2", "1"], ["2", "1"], ["6", "1"], ["4", "1"], ["4", "7"]]


BOOK = """\
title: B
authors: [A]
licence: L
base_url: https://example.org
parts:
  - title: P
    chapters:
"""


@pytest.mark.parametrize(
    ("entries", "problems"),
    [
        ("      - ../x\n", ["8:9: book.yml: '../x' cannot be an address: lower-case letters, digits and single hyphens only"]),
        ("      - {slug: X y, title: T, planned: true}\n", ["8:16: book.yml: 'X y' cannot be an address"]),
        ("      - attention\n      - attention\n", ["9:9: chapter 'attention' is listed twice; it is already on line 8"]),
        ("      - missing\n", ["8:9: there is no file missing.md; write missing.md, or {slug: missing, title: …, planned: true}"]),
        ("      - {slug: attention, title: T, planned: true}\n", ["8:9: chapter 'attention' is planned, yet has a file"]),
        ("      - {slug: x, title: T, plannd: true}\n", ["8:29: book.yml: unknown key 'plannd'; did you mean 'planned'?"]),
        ("      - {slug: x, planned: true}\n", ["8:9: book.yml: 'title' is missing; add a line 'title: …'"]),
        ("      - {slug: x, title: T, planned: perhaps}\n", ["8:38: book.yml: 'planned' is neither true nor false"]),
        ("      - glossary\n", ["8:9: book.yml: 'glossary' is the glossary's own file"]),
        ("      - [a]\n", ["8:9: book.yml: entry 1 of 'chapters' is not a text; put the text between quotes"]),
        ("", ["7:14: book.yml: 'chapters' is not a list; write a line '- …' for each"]),
    ],
)
def test_book_file_that_is_wrong(entries: str, problems: list[str], load: Load) -> None:
    book = load({"book.yml": BOOK + entries, "block.md": None})
    lines = [str(p).removeprefix("chapters/book.yml:") for p in book.problems if p.path.endswith("book.yml")]
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems, strict=True):
        assert line.startswith(problem)


SIX = """\
title: A book
authors:
  - One
  - Two
licence: L
base_url: https://example.org/

parts:
  - title: First
    chapters:
      - {slug: a, title: A, planned: true}
      - {slug: b, title: B, planned: true}

  - title: Second
    chapters:
      - {slug: c, title: C, planned: true}
      - attention
      - {slug: d, title: "D, at last", planned: true}
      - {slug: e, title: E, planned: true}
"""


def book_problems(text: str) -> list[str]:
    """What is wrong with the lines of a book.yml, whatever its chapters."""
    result = read_yaml(text)
    validate(BookFile, result, "book.yml")
    return [f"{mistake.at[0]}: {mistake.message}; {mistake.hint}" for mistake in result.mistakes]


@pytest.mark.parametrize("by", [-1, 1])
def test_any_line_of_a_book_file_indented_by_one_is_told_as_that(by: int) -> None:
    lines = SIX.split("\n")
    told = 0
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        if not line or indent + by < 0:
            continue
        found = book_problems("\n".join([*lines[: number - 1], " " * (indent + by) + line.lstrip(" "), *lines[number:]]))
        if not found:  # YAML allows it: all entries of a list of one may stand further left
            continue
        told += 1
        count = f"{indent + by or 'no'} space{'' if indent + by == 1 else 's'}"
        (problem,) = found
        assert problem.startswith(f"{number}: indented by {count}, unlike its neighbours; indent it by "), line
    assert told > 10


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            ("- attention", "-attention"),
            "17: '-attention' is neither 'key: value' nor '- entry'; write '- attention', or a colon behind a key",
        ),
        (
            ("- attention", "attention"),
            "17: 'attention' is neither 'key: value' nor '- entry'; write '- attention', or a colon behind a key",
        ),
    ],
)
def test_an_entry_without_its_mark_is_told_on_its_own_line(change: tuple[str, str], problem: str) -> None:
    assert book_problems(SIX.replace(*change)) == [problem]


GOOD = {
    "title": "title: B",
    "authors": "authors: [A]",
    "licence": "licence: L",
    "base_url": "base_url: https://e.org",
    "parts": "parts: [{title: P, chapters: [attention, block]}]",
}
PARTS = """\
parts:
  - title: One
    chapters:
      - attention
      - {entry}
  - title: Two
    chapters:
      - block
"""


@pytest.mark.parametrize(
    ("change", "title"),
    [
        ({"title": "title: a: b"}, "a: b"),
        ({"title": "title:"}, "chapters"),
        ({"authors": "authors: A"}, "B"),
        ({"base_url": "base_url: nowhere"}, "B"),
        ({"licence": "licens: L"}, "B"),
        ({"licence": "licence: 'L"}, "B"),
        ({"licence": "\tlicence: L"}, "B"),
        ({"parts": PARTS.format(entry="Not A Slug")}, "B"),
        ({"parts": PARTS.format(entry="[a]")}, "B"),
        ({"parts": PARTS.format(entry="{slug: x, title: X, planned: perhaps}")}, "B"),
        ({"parts": PARTS.format(entry="{slug: x, title: a: b}")}, "B"),
        ({"parts": PARTS.replace("title: Two", "titel: Two").format(entry="{slug: x, title: X, planned: true}")}, "B"),
        ({"parts": PARTS.replace("title: Two", "title: a: b").format(entry="{slug: x, title: X, planned: true}")}, "B"),
        ({"parts": PARTS.format(entry="{slug: x, title: X, planned: true}") + "  - nothing\n"}, "B"),
    ],
)
def test_a_mistake_in_the_book_file_leaves_the_other_chapters_where_they_are(
    change: dict[str, str], title: str, load: Load
) -> None:
    book = load({"book.yml": "\n".join((GOOD | change).values()) + "\n"})
    assert [chapter.slug for chapter in book.chapters if chapter.written] == ["attention", "block"]
    assert book.title == title
    assert {problem.path for problem in book.problems} == {"chapters/book.yml"}, "and no chapter is told that it is not listed"
    assert len(book.problems) == (2 if "licens" in str(change) or "titel" in str(change) else 1)


@pytest.mark.parametrize("entry", ["{slug: block, titel: X}", "{slug: block, title: X, planned: perhaps}"])
def test_a_chapter_that_is_listed_with_a_mistake_is_listed(entry: str, load: Load) -> None:
    book = load({"book.yml": BOOK + f"      - attention\n      - {entry}\n"})
    assert [chapter.slug for chapter in book.chapters] == ["attention", "block"]
    assert {problem.path for problem in book.problems} == {"chapters/book.yml"}


@pytest.mark.parametrize("file", ["", "just words", "- a\n- b\n", "[[[", "parts: 5\n", "\x00", b"\xff\xfe"])
def test_a_book_file_that_says_nothing_is_one_problem_and_not_one_of_each_chapter(file: Any, load: Load) -> None:
    book = load({"book.yml": file})
    assert {problem.path for problem in book.problems} == {"chapters/book.yml"}
    assert book.chapters == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("authors: A", "2:10: book.yml: 'authors' is not a list; write a line '- …' for each"),
        ("parts: [foo]", "5:9: book.yml: entry 1 of 'parts' is not lines of 'key: value'"),
        ("authors: []", "2:10: book.yml: 'authors' is empty"),
    ],
)
def test_wrong_kinds_are_said_in_an_authors_words(line: str, problem: str, load: Load) -> None:
    book = load({"book.yml": "\n".join((GOOD | {line.split(":")[0]: line}).values()) + "\n"})
    assert f"chapters/book.yml:{problem}" in [str(p) for p in book.problems]


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://example.org", True),
        ("http://localhost:8000/a/b~c/%20/", True),
        ("https://bücher.example/", True),
        ("https://[e.org/", False),
        ("https://e.org//evil.com/", False),
        ("https://e.org/a/../b", False),
        ("https://e.org/.", False),
        ("https://you@e.org/", False),
        ("https://e.org/?x", False),
        ("https://e.org/ x", False),
        ("ftp://e.org/", False),
        ("https:///", False),
    ],
)
def test_the_address_of_a_book(address: str, good: bool, load: Load) -> None:
    file = "title: B\nauthors: [A]\nlicence: L\nbase_url: '{}'\nparts: [{{title: P, chapters: [attention, block]}}]\n"
    book = load({"book.yml": file.format(address)})
    assert book.base_url == (address.rstrip("/") + "/" if good else "")
    assert [p.line for p in book.problems if "is not an address" in p.message] == ([] if good else [4])


def test_a_file_name_in_another_encoding_is_told(write: Callable[..., object]) -> None:
    folder = write({})
    (folder / "caf\udce9.md").write_text("x")  # type: ignore[operator]
    (problem,) = load_book(folder).problems  # type: ignore[arg-type]
    assert str(problem).encode().startswith(b"chapters/caf?.md:1:1: 'caf?' cannot be an address")


def test_a_book_without_its_file_is_told(load: Load) -> None:
    book = load({"book.yml": None})
    assert [str(p) for p in book.problems if "book.yml:" in str(p)] == [
        "chapters/book.yml:1:1: cannot be read: No such file or directory; every book has one"
    ]
    assert {draft.slug for draft in book.drafts} == {"attention", "block"}


def test_a_file_that_is_not_listed_is_a_draft_and_a_problem(load: Load) -> None:
    book = load({"extra.md": "---\ntitle: Extra\n---\nText.\n"})
    assert [draft.title for draft in book.drafts] == ["Extra"]
    assert [str(p) for p in book.problems] == ["chapters/extra.md:1:1: chapter 'extra' is not in book.yml; list it in a part"]


def test_temporaries_of_editors_are_no_chapters(load: Load) -> None:
    book = load({".#attention.md": "x", "#attention.md": "x", "~a.md": "x", "attention.md~": "x", ".attention.md.swp": "x"})
    assert book.problems == ()
    assert book.drafts == ()


def test_a_name_that_cannot_be_an_address(load: Load) -> None:
    book = load({"My Chapter.md": FRONT + "Text."})
    assert [str(p) for p in book.problems] == [
        "chapters/My Chapter.md:1:1: 'My Chapter' cannot be an address; "
        "rename it: lower-case letters, digits and single hyphens only"
    ]


def test_numbers_and_titles_come_from_the_book_and_the_files(load: Load) -> None:
    book = load({})
    assert [(c.number, c.slug, c.title, c.planned) for c in book.chapters] == [
        (1, "embeddings", "Tokens and embeddings", True),
        (2, "attention", "Attention", False),
        (3, "block", "The block", False),
    ]
    assert book.base_url == "https://example.org/book/"


def test_unchanged_files_are_not_parsed_again(write: Callable[..., object]) -> None:
    folder = write({})
    first, second = load_book(folder), load_book(folder)  # type: ignore[arg-type]
    assert first.chapters[1].document is second.chapters[1].document


def test_terms_that_differ_in_signs_alone_have_addresses_of_their_own(load: Load) -> None:
    book = load({"glossary.md": "C\n: One.\n\nC++\n: Two.\n"})
    assert [term.id for term in book.terms.values()] == ["term--c", "term--c--2"]


def test_a_term_defined_twice(load: Load) -> None:
    book = load({"glossary.md": "softmax\n: One.\n\nSoftmax\n: Two.\n"})
    assert [str(p) for p in book.problems] == ["chapters/glossary.md:4:1: term 'Softmax' is defined twice; it is already on line 1"]
