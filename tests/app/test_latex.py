"""Formulas as the page's policy needs them: without an inline style, whatever the converter writes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.render import RenderedChapter
from app.syntax import latex
from app.syntax.latex import FormulaError, mathml
from tests.app.test_syntax import fixtures

MATH_CSS = Path(__file__).parents[2] / "static" / "css" / "math.css"


class Attributes(HTMLParser):
    """Every attribute of a page, by name."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.classes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {name for name, _ in attrs}
        self.classes |= {word for name, value in attrs if name == "class" for word in (value or "").split()}


def test_no_inline_style_survives_any_fixture(draw: Callable[[str], RenderedChapter], monkeypatch: pytest.MonkeyPatch) -> None:
    styled = set()
    class_of = latex._class_of
    monkeypatch.setattr(latex, "_class_of", lambda style, tex: styled.add(style) or class_of(style, tex))
    for path, title, source, _ in fixtures():
        page = Attributes(draw(source + "\n").body)
        assert not page.names & {"style", "mathcolor", "mathbackground"}, f"{path.name}: {title}"
    assert len(styled) >= 5, "hardly a fixture has a formula that the converter styles"


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
        r"\begin{cases} a & b \\ c & d \end{cases}",
        r"\begin{array}{l|r} a & b \\ \hline c & d \end{array}",
        r"\begin{array}{:c:} a \\ \hdashline b \end{array}",
        r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}",
        r"x''''' + \textsc{word} + \sum_{\begin{subarray}{l} i \\ j \end{subarray}} x",
        r"\text{ style=\textbf{x}}",
    ],
)
@pytest.mark.parametrize("display", [True, False])
def test_what_the_converter_styles_has_a_class_of_the_style_sheet(tex: str, display: bool) -> None:
    page = Attributes(mathml(tex, display))
    assert "style" not in page.names
    known = set(re.findall(r"\.(math-[\w-]+)", MATH_CSS.read_text("utf-8")))
    assert page.classes <= known


@pytest.mark.parametrize("style", ["writing-mode: vertical-rl", "text-align: centre", "text-align"])
def test_a_style_that_has_no_class_is_told(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class NewerConverter:
        def convert_with_local_state(self, tex: str, displaystyle: bool) -> str:
            return f'<math><mi style="text-align: left;{style};">{tex}</mi></math>'

    monkeypatch.setattr(latex, "_LATEX", NewerConverter())
    with pytest.raises(FormulaError, match=re.escape(f"a formula cannot set '{style}")) as told:
        mathml("x", False)
    assert told.value.hint == "leave it out"


def test_a_colour_is_told_where_it_stands() -> None:
    with pytest.raises(FormulaError) as told:
        mathml(r"\begin{aligned} a \\color \textcolor{red}{x} \end{aligned}", True)
    assert told.value.offset == 26


# Behind a line break, `\\`, a word is a word.


@pytest.mark.parametrize("word", ["def", "let", "newcommand", "color", "boxed", "cancel", "fbox"])
def test_a_word_behind_a_line_break_is_no_command(word: str) -> None:
    tex = rf"\begin{{aligned}}a\\{word}\end{{aligned}}"
    assert re.sub("<[^>]*>", "", mathml(tex, True)) == f"a{word}"


@pytest.mark.parametrize(
    ("tex", "offset", "message"),
    [
        (r"\begin{aligned}a\\\def\x{y}\end{aligned}", 18, r"a formula cannot define commands: \def"),
        (r"\begin{aligned}a\\let b\\\let\x=y\end{aligned}", 25, r"a formula cannot define commands: \let"),
        (r"\begin{aligned}a\\boxed\boxed{x}\end{aligned}", 23, r"browsers do not draw \boxed"),
    ],
)
def test_a_command_behind_a_line_break_is_told_in_its_place(tex: str, offset: int, message: str) -> None:
    with pytest.raises(FormulaError) as told:
        mathml(tex, True)
    assert (told.value.offset, told.value.message) == (offset, message)
