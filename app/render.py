"""Tokens → the HTML of a chapter's body, with its headings, figures, values and problems.

What the callers (`page`, `site`, `check`) need, and nothing else:

    book = load_book(Path("chapters"))             # app.parse; never raises for an author's mistake: book.problems
    with Printer(Runtime.load()) as printer:       # app.printer; raises PrinterError(str) where Node fails
        for chapter in (*book.chapters, *book.drafts):
            if chapter.written:
                rendered = render_chapter(book, chapter, printer)

A mistake never raises either: it is in `rendered.problems`, and the body shows what could be shown. Links inside the book are
written relative to the page's address, two levels deep (`chapters/attention/`), so the root is `../../`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import unquote

from markdown_it.token import Token

from app.book import Book, Chapter, Document, Heading
from app.expressions import ExpressionError
from app.links import Links
from app.printer import Printing
from app.problems import Problem
from app.syntax import markdown
from app.syntax.figures import caption_of
from app.syntax.page import FigureShown, Shown, Target
from app.syntax.places import Place, at, place_inside
from app.syntax.text import plain_text
from app.units import for_machines, show
from app.values import AlreadyTold, FalseClaim, check_claim, evaluate
from app.views import VIEW, View, Views

ROOT = "../../"
EMBED_ROOT = "../../../"


@dataclass(frozen=True, slots=True)
class RenderedFigure:
    """A figure of a page; its `html` is already part of the chapter's body."""

    id: str
    number: str
    """`10.1`"""

    html: str
    """The whole `<figure>` as it stands in the chapter."""

    embed: str
    """The same for its own page, three levels deep (`embed/attention/queen/`): only the links differ."""

    summary: str
    """The caption as plain text, for the embed page's description."""


@dataclass(frozen=True, slots=True)
class RenderedChapter:
    slug: str
    title: str
    """Plain text."""

    standfirst: str
    """HTML of one sentence; may be empty."""

    description: str
    """Plain text for `<meta name="description">`: the front matter's, else the standfirst."""

    body: str
    """HTML: everything below title and standfirst, footnotes and terms included."""

    headings: tuple[Heading, ...]
    figures: tuple[RenderedFigure, ...]
    files: tuple[str, ...]
    """Images it shows, relative to the chapters' directory (`images/rnn.png`); the site serves each at `chapters/<file>`."""

    problems: tuple[Problem, ...]
    terms: frozenset[str] = frozenset()
    """Keys of the terms that it explains: those that it marks, and those that their explanations mark."""


def render_chapter(book: Book, chapter: Chapter, printer: Printing) -> RenderedChapter:
    """A written chapter → everything its page and its figures' own pages need.

    Raises PrinterError when Node fails, ValueError when the chapter is not written.
    """
    document = chapter.document
    if document is None:
        raise ValueError(f"chapter '{chapter.slug}' is not written")
    page = _ChapterPage(book, chapter, document, printer)
    body = page.render(document.tokens)
    standfirst, words = page.front_matter("standfirst")
    _, description = page.front_matter("description")
    terms = page.terms()
    return RenderedChapter(
        slug=chapter.slug,
        title=chapter.title,
        standfirst=standfirst,
        description=description or words,
        body=body + terms,
        headings=document.headings,
        figures=page.figures(),
        files=tuple(sorted(page.links.files)),
        problems=tuple(sorted({*document.problems, *page.problems.values()})),
        terms=frozenset(page.links.used_terms),
    )


class _ChapterPage:
    """What the syntax asks while one page is drawn (`syntax.page.Page`)."""

    def __init__(self, book: Book, chapter: Chapter, document: Document, printer: Printing) -> None:
        self._book, self._chapter, self._document = book, chapter, document
        self.problems: dict[tuple[Place, str], Problem] = {}
        self.links = Links(book, chapter, self.problem)
        self._views = Views(printer, document, chapter.number, self.links.figure_elsewhere, self.problem)
        self.use_root(ROOT)

    def use_root(self, root: str) -> None:
        """Draws from here on for a page so far from the site's root."""
        self.root = root
        self.here = "" if root == ROOT else root + self._chapter.address

    def problem(self, at: Place, message: str, hint: str | None = None) -> None:
        self.problems.setdefault((at, message), Problem.at(self._document.path, at, message, hint))

    def render(self, tokens: Sequence[Token]) -> str:
        md = markdown()
        return md.renderer.render(tokens, md.options, {**self._document.env, "page": self})

    def front_matter(self, key: str) -> tuple[str, str]:
        """HTML and plain text of an entry of the front matter; its problems are placed in its line."""
        entry = self._document.front.get(key)
        if entry is None or not entry.text.strip():
            return "", ""
        md = markdown()
        env: dict[str, Any] = {"page": self}
        tokens = md.parseInline(entry.text.strip(), env)

        def moved(place: Place) -> Place:
            line, column = entry.at
            return (place[0] + line - 1, place[1] + column - 1) if entry.exact else entry.at

        for token in tokens[0].children or []:
            _move(token, moved)
        for (place, message), hint in env.pop("troubles", {}).items():
            self.problem(moved(place), message, hint)
        return md.renderer.render(tokens, md.options, env), plain_text(tokens[0].children, self)

    # Figures

    def figure(self, token: Token) -> FigureShown | None:
        view = self._views.by_place.get(at(token))
        if view is None or view.printed is None:
            return None
        return FigureShown(view.number, view.printed.html + _data(view))

    def figures(self) -> tuple[RenderedFigure, ...]:
        opened = [index for index, token in enumerate(self._document.tokens) if token.type == "figure_open"]
        return tuple(self._rendered(index) for index in opened if self.figure(self._document.tokens[index]))

    def _rendered(self, index: int) -> RenderedFigure:
        tokens = self._document.tokens
        view = self._views.by_place[at(tokens[index])]
        caption = caption_of(tokens, index)
        whole = tokens[index : index + len(caption) + 2]
        html = self.render(whole)
        self.use_root(EMBED_ROOT)
        embed = self.render(whole)
        summary = " ".join(plain_text(t.children, self) for t in caption if t.type == "inline")
        self.use_root(ROOT)
        return RenderedFigure(view.id, view.number, html, embed, " ".join(summary.split()))

    def figure_target(self, name: str, at: Place) -> Target | None:
        number = self._views.number(name, at)
        return Target(f"Figure {number}", f"{self.here}#{name}") if number else None

    # Values

    def value(self, token: Token) -> Shown | None:
        answer = self._asked(token, evaluate)
        if answer is None:
            return None
        if isinstance(answer.value, bool):
            self.problem(place_inside(token, 0), "a comparison has no value to show", "use {claim}")
            return None
        figure = next(iter(answer.figures)) if len(answer.figures) == 1 else None
        return Shown(show(answer), for_machines(answer), figure, answer.cell)

    def claim(self, token: Token) -> None:
        self._asked(token, check_claim)

    def _asked(self, token: Token, ask: Callable[[str, Any], Any]) -> Any:
        try:
            return ask(token.content, self._views)
        except ExpressionError as error:
            self.problem(place_inside(token, error.offset), error.message, error.hint)
        except FalseClaim as error:
            hint = "mend the sentence that rests on it, or the claim"
            self.problem(place_inside(token, _first_letter(token.content)), f"claim does not hold: {error}", hint)
        except AlreadyTold:
            pass
        return None

    # References

    def chapter_target(self, slug: str, at: Place) -> Target | None:
        return self.links.chapter(slug, at, self.root)

    def link_target(self, href: str, at: Place) -> Target | None:
        if href.startswith("#") and unquote(href[1:].partition("?")[0]) in self._views.told():
            return None
        if view := VIEW.fullmatch(href):
            return Target("", f"{self.here}{href}") if self._views.can_show(view["id"], view["query"], at) else None
        return self.links.link(href, at, self.root, self.here)

    def term_target(self, name: str, at: Place) -> Target | None:
        return self.links.term(name, at, self.here)

    def image(self, source: str, at: Place) -> str | None:
        return self.links.image(source, at, self.root)

    def terms(self) -> str:
        """What the marked terms mean, at the end of the page that marks them."""
        drawn: dict[str, str] = {}
        while waiting := [key for key in self.links.used_terms if key not in drawn]:
            for key in waiting:  # a definition may mark further terms
                term = self._book.terms[key]
                drawn[key] = f'<dt id="{escape(term.id)}">{escape(term.words)}</dt>\n<dd>{self._definition(term)}</dd>\n'
        if not drawn:
            return ""
        entries = "".join(drawn[key] for key in sorted(drawn))
        title = '<h2 id="terms-title">Terms</h2>'
        return f'<section class="terms" aria-labelledby="terms-title">\n{title}\n<dl>\n{entries}</dl>\n</section>\n'

    def _definition(self, term: Any) -> str:
        """Its problems are the glossary's, which `check` tells once, and not this page's."""
        mine, self.problems = self.problems, {}
        try:
            return self.render(term.definition).strip()
        finally:
            self.problems = mine


def _first_letter(text: str) -> int:
    return len(text) - len(text.lstrip())


def _move(token: Token, moved: Callable[[Place], Place]) -> None:
    """Gives a token of a text in the front matter the places that it has in the file."""
    token.meta["at"] = moved(at(token))
    if "lines" in token.meta:
        token.meta["lines"] = [moved(place) for place in token.meta["lines"]]
    for child in token.children or []:
        _move(child, moved)


def _data(view: View) -> str:
    """The figure's JSON block: what it shows travels with the page."""
    assert view.printed
    block: Mapping[str, Any] = {"state": view.printed.state, "data": view.printed.data}
    text = json.dumps(block, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'
