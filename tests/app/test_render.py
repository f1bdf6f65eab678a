"""What a page receives beside its body, which fixtures/syntax shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.book import Book, Heading
from app.printer import FigureCrash, Printed, Quantity
from app.render import RenderedChapter, render_chapter
from app.syntax.headings import RESERVED

Draw = Callable[..., RenderedChapter]
FIGURE = ":::{attention-viewer} queen\n:text: The Queen\n\nAsk [there](#here), or {chapter}`block`, or {term}`softmax`.\n:::\n"


def test_headings_are_handed_over_for_the_contents_list(draw: Draw) -> None:
    rendered = draw("## One *two*\n\n:::{math}\n$x$\n:::\n\n### Three\n")
    assert rendered.headings == (
        Heading(2, "one-two", "One two"),
        Heading(2, "show-the-math", "Show the math"),
        Heading(3, "three", "Three"),
    )


def test_an_embedded_figure_leads_back_to_its_chapter(draw: Draw) -> None:
    (figure,) = draw("## Here\n\n" + FIGURE).figures
    assert (figure.id, figure.number) == ("queen", "2.1")
    assert figure.summary == "Ask there, or chapter 3, or softmax."
    assert re.findall('href="([^"]*)"', figure.html) == ["#here", "../../chapters/block/", "#term--softmax"]
    assert re.findall('href="([^"]*)"', figure.embed) == [
        "../../../chapters/attention/#here",
        "../../../chapters/block/",
        "../../../chapters/attention/#term--softmax",
    ]


def test_a_figure_in_the_body_is_the_figure_handed_over(draw: Draw) -> None:
    rendered = draw("## Here\n\n" + FIGURE)
    assert rendered.figures[0].html in rendered.body


def test_what_a_figure_shows_travels_with_it_as_json(draw: Draw) -> None:
    rendered = draw(FIGURE)
    (block,) = re.findall(r'<script type="application/json">(.*?)</script>', rendered.body)
    assert json.loads(block) == {"state": {"layer": 1}, "data": {"row": [0.25, 0.75]}}


def test_values_work_in_front_matter(draw: Draw) -> None:
    front = "---\ntitle: Attention\nstandfirst: \"*Most*: {value}`queen.weight('said', 'Alice')`.\"\n---\n"
    rendered = draw(FIGURE.replace("#here", "#queen"), front)
    assert rendered.problems == ()
    assert rendered.standfirst == (
        '<em>Most</em>: <data class="value" value="0.8812" data-figure="queen" data-cell="2.3.11.9" tabindex="0">88%</data>.'
    )
    assert rendered.description == "Most: 88%."


def test_a_mistake_in_front_matter_has_its_place(draw: Draw) -> None:
    front = "---\ntitle: Attention\ndescription: It spends {value}`quen.tokens()` of $\\foo$.\n---\n"
    rendered = draw("Text.\n", front)
    assert [str(p) for p in rendered.problems] == [
        "chapters/attention.md:3:32: unknown figure 'quen'; there is no figure here",
        'chapters/attention.md:3:51: formula: unknown command "\\foo"; check its name; \\text{…} and \\operatorname{…} write words',
    ]


def test_a_value_in_the_title_is_refused(draw: Draw) -> None:
    rendered = draw("Text.\n", "---\ntitle: On {value}`1 + 1`\n---\n")
    assert [str(p) for p in rendered.problems] == [
        "chapters/attention.md:2:11: {value} in the title; a title is plain words: put it into the standfirst"
    ]


def test_images_are_handed_over_and_led_to(draw: Draw) -> None:
    rendered = draw("![A cat](images/a%20cat.png)\n", **{"images/a cat.png": "png"})
    assert rendered.problems == ()
    assert rendered.files == ("images/a cat.png",)
    assert 'src="../../chapters/images/a%20cat.png" alt="A cat"' in rendered.body


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("../cat.png", "there is no image '../cat.png'"),
        ("../chapters/cat.png", "'../chapters/cat.png' is hidden"),
        ("/etc/cat.png", "there is no image '/etc/cat.png'"),
        ("images/", "there is no image 'images/'"),
        ("a%00.svg", "there is no image 'a%00.svg'"),
        ("a" * 300 + ".png", f"there is no image '{'a' * 300}.png'"),
        ("http://[x", "image from elsewhere: 'http://%5Bx'"),
        (".env", "'.env' is no image"),
        ("notes.md", "'notes.md' is no image"),
        ("attention/index.html", "'attention/index.html' is no image"),
        (".hidden/cat.png", "'.hidden/cat.png' is hidden"),
        (".cat.png", "'.cat.png' is hidden"),
        ("out.png", "there is no image 'out.png'"),
    ],
)
def test_only_images_of_the_folder_are_published(draw: Draw, tmp_path: Path, source: str, message: str) -> None:
    files = ["cat.png", ".env", "notes.md", "attention/index.html", ".hidden/cat.png", ".cat.png", "images/cat.png", "../cat.png"]
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "out.png").symlink_to(tmp_path / "cat.png")
    rendered = draw(f"![A cat]({source})\n", **dict.fromkeys(files, "png"))
    assert [p.message for p in rendered.problems] == [message]
    assert rendered.files == ()
    assert "<img" not in rendered.body


def test_an_image_is_not_named_by_a_path_of_this_machine(draw: Draw, tmp_path: Path) -> None:
    rendered = draw(f"![A cat]({tmp_path}/chapters/cat.png)\n", **{"cat.png": "png"})
    assert [p.message for p in rendered.problems] == [f"there is no image '{tmp_path}/chapters/cat.png'"]


def test_a_formula_of_braces_does_not_end_the_process(draw: Draw) -> None:
    rendered = draw("$" + "{" * 20_000 + "}" * 20_000 + "$\n")
    assert [p.message for p in rendered.problems] == ["formula: it has 40000 characters"]


def test_values_are_spelled_out_in_alt_texts(draw: Draw) -> None:
    text = FIGURE.replace("#here", "#queen") + '\n![It spends {value}`queen.weight("said", "Alice")`](a.png)\n'
    rendered = draw(text, **{"a.png": "png"})
    assert 'alt="It spends 88%"' in rendered.body


def test_ids_of_the_page_around_the_text_are_reserved(draw: Draw) -> None:
    used = {
        name
        for template in (Path(__file__).parent.parent.parent / "templates").glob("*.html")
        for name in re.findall(r'\sid="([^"{]+)"', template.read_text(encoding="utf-8"))
    }
    assert used <= set(RESERVED)
    assert [p.message for p in draw(FIGURE.replace("queen", "main").replace("#here", "#main")).problems] == [
        "'main' is already the address of the page's own frame"
    ]


class Crashing:
    def __init__(self, catalogue: Mapping[str, Any]) -> None:
        self.catalogue = catalogue

    def figure(self, tag: str, options: Mapping[str, Any]) -> Printed:
        raise FigureCrash("TypeError: x is not a function\n    at view")

    def quantity(self, tag: str, options: Any, name: str, args: Sequence[Any], kwargs: Any) -> Quantity:
        raise AssertionError("a figure that failed is not asked")


def test_a_figure_whose_code_crashes_is_a_problem_of_its_place(load: Callable[..., Book], printer: Any) -> None:
    book = load({"attention.md": "---\ntitle: A\n---\n" + FIGURE.replace("#here", "#queen") + "{value}`queen.tokens()`\n"})
    chapter = book.chapter("attention")
    assert chapter
    rendered = render_chapter(book, chapter, Crashing(printer.catalogue))
    assert [str(p) for p in rendered.problems] == [
        "chapters/attention.md:4:5: the code of 'attention-viewer' failed: TypeError: x is not a function; "
        "this is the figure's fault: see its code and its tests"
    ]


def test_rendering_changes_nothing_that_was_parsed(load: Callable[..., Book], printer: Any) -> None:
    book = load({"attention.md": "---\ntitle: A\n---\n" + FIGURE + "\n| a |\n|---|\n| x[^1] |\n\n[^1]: note\n\n## Here\n"})
    chapter = book.chapter("attention")
    assert chapter
    assert render_chapter(book, chapter, printer) == render_chapter(book, chapter, printer)


def test_a_planned_chapter_cannot_be_drawn(load: Callable[..., Book], printer: Any) -> None:
    book = load({})
    with pytest.raises(ValueError, match="'embeddings' is not written"):
        render_chapter(book, book.chapters[0], printer)


def test_a_link_to_a_view_changes_the_figure_as_the_page_would(draw: Draw, printer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    figure = type(printer).figure

    def noted(self: Any, tag: str, options: dict[str, Any]) -> Any:
        asked.append(dict(options))
        return figure(self, tag, options)

    monkeypatch.setattr(type(printer), "figure", noted)
    source = ":::{attention-viewer} queen\n:text: The Queen said\n:layer: 2\n:query: said\n\nCaption.\n:::\n\n"
    for query, expected in {
        "text=The+King": {"text": "The King", "layer": 2, "head": 1},
        "text=The%20Queen%20said": {"text": "The Queen said", "layer": 2, "head": 1, "query": "said"},
        "layer=1&query=the%232": {"text": "The Queen said", "layer": 1, "head": 1, "query": "the#2"},
    }.items():
        assert draw(f"{source}[words](#queen?{query})\n").problems == ()
        assert asked[-1] == expected
