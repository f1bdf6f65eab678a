"""The figures of one page: found, checked, numbered and printed, each once; what expressions ask them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token

from app.book import Document
from app.figures import FigureKind, Tell, read_options, read_view
from app.printer import FigureCrash, Printed, Printing, Quantity
from app.problems import AuthorError, did_you_mean
from app.syntax import KINDS
from app.syntax.directives import Directive
from app.syntax.figures import NAME, caption_of
from app.syntax.headings import RESERVED
from app.syntax.places import Place, at
from app.units import Literal
from app.values import AlreadyTold

VIEW = re.compile(r"#(?P<id>[^?]+)\?(?P<query>.*)", re.DOTALL)
"""A link to a view of a figure of the same page."""

Elsewhere = Callable[[str], str | None]
"""The name of a figure → the slug of another chapter in which it stands."""


@dataclass(frozen=True, slots=True)
class View:
    """A figure as one author placed it."""

    id: str
    number: str
    kind: FigureKind
    options: Mapping[str, Any]
    printed: Printed | None
    """None when something about it is wrong, which is told."""


class Views:
    """All figures of a page, by where they stand (`by_place`) and by id; answers expressions (`values.Figures`)."""

    def __init__(self, printer: Printing, document: Document, chapter: int | None, elsewhere: Elsewhere, tell: Tell) -> None:
        self._printer, self._elsewhere, self._tell = printer, elsewhere, tell
        self._taken = dict.fromkeys(RESERVED, "the page's own frame")
        self._taken |= {heading.id: f"the heading «{heading.text}»" for heading in document.headings}
        self.by_place: dict[Place, View] = {}
        self.by_id: dict[str, View] = {}
        self._told: set[str] = set()
        """Names of what is told as no figure: unknown directives, and those whose name cannot be one."""

        tokens = document.tokens
        for index, token in enumerate(tokens):
            if token.type == "figure_open" and (kind := self._kind(token)):
                number = f"{chapter}.{len(self.by_place) + 1}" if chapter else f"{len(self.by_place) + 1}"
                view = self._view(token, kind, number, caption_of(tokens, index))
                self.by_place[at(token)] = view
                if view.id not in self._told:
                    self.by_id.setdefault(view.id, view)

    def _kind(self, token: Token) -> FigureKind | None:
        directive: Directive = token.meta["directive"]
        known = self._printer.catalogue
        if directive.name in known:
            return known[directive.name]
        self._told |= {directive.argument} - {""}
        what = "figure" if "-" in directive.name else "directive"
        self._tell(directive.name_at, f"unknown {what} '{directive.name}'", did_you_mean(directive.name, [*known, *KINDS]))
        return None

    def _view(self, token: Token, kind: FigureKind, number: str, caption: Sequence[Token]) -> View:
        directive: Directive = token.meta["directive"]
        good = self._check_id(directive)
        if not any(part.type == "inline" and part.content.strip() for part in caption):
            self._tell(directive.at, f"figure '{directive.argument}' has no caption", "say below its options what to do with it")
        if nested := next((part for part in caption if part.type == "figure_open"), None):
            self._tell(at(nested), "figure inside a figure's caption", "close the outer figure first")
        options = read_options(kind, directive, self._tell)
        printed = self._print(kind, directive, options) if good and options is not None else None
        return View(directive.argument, number, kind, options or {}, printed)

    def _check_id(self, directive: Directive) -> bool:
        name = directive.argument
        if not name:
            hint = f"write :::{{{directive.name}}} and a name of your choice"
            self._tell(directive.name_at, "figure without a name", hint)
        elif not NAME.fullmatch(name):
            meant = re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")
            self._told |= {name, meant} if NAME.fullmatch(meant) else {name}
            hint = "lower-case letters, digits and underscores, a letter first"
            hint = f"write {meant}: {hint}" if NAME.fullmatch(meant) else hint
            self._tell(directive.argument_at, f"'{name}' cannot name a figure", hint)
        elif name in self._taken:
            self._tell(directive.argument_at, f"'{name}' is already the address of {self._taken[name]}", "choose another name")
        else:
            self._taken[name] = f"a figure on line {directive.at[0]}"
            return True
        return False

    def _print(self, kind: FigureKind, directive: Directive, options: Mapping[str, Any]) -> Printed | None:
        try:
            return self._printer.figure(kind.tag, options)
        except AuthorError as error:
            place = next((o.value_at for o in directive.options if o.key == error.option), directive.name_at)
            self._tell(place, f"option '{error.option}': {error.message}" if error.option else error.message, error.hint)
        except FigureCrash as crash:
            self._crashed(directive.name_at, kind, crash)
        return None

    def _crashed(self, place: Place, kind: FigureKind, crash: FigureCrash) -> None:
        first = str(crash).split("\n")[0]
        self._tell(place, f"the code of '{kind.tag}' failed: {first}", "this is the figure's fault: see its code and its tests")

    def can_show(self, name: str, query: str, at: Place) -> bool:
        """Whether a link `#name?query` leads to a view that there is; if not, it is told why."""
        view = self.by_id.get(name)
        if view is None:
            self._tell_unknown(name, at, "a link shows a view on its own page: link to {}.md#{}")
        if view is None or view.printed is None:
            return False
        options = read_view(view.kind, view.options, query, at, self._tell)
        if options is None:
            return False
        try:
            self._printer.figure(view.kind.tag, options)
        except AuthorError as error:
            self._tell(at, f"link to a view of {name}: {error.message}", error.hint)
        except FigureCrash as crash:
            self._crashed(at, view.kind, crash)
        else:
            return True
        return False

    # What expressions see

    def kinds(self) -> Mapping[str, FigureKind]:
        return {name: view.kind for name, view in self.by_id.items() if name}

    def told(self) -> Collection[str]:
        return self._told

    def elsewhere(self, name: str) -> str | None:
        return self._elsewhere(name)

    def ask(self, figure: str, quantity: str, args: Sequence[Literal], kwargs: Mapping[str, Literal]) -> Quantity:
        view = self.by_id[figure]
        if view.printed is None:
            raise AlreadyTold
        try:
            return self._printer.quantity(view.kind.tag, view.options, quantity, args, kwargs)
        except FigureCrash as crash:
            first = str(crash).split("\n")[0]
            raise AuthorError(f"the code of {figure}.{quantity} failed: {first}") from crash

    def number(self, name: str, place: Place) -> str | None:
        """`10.1`, or None, told, for a name that is no figure's."""
        if name in self.by_id:
            return self.by_id[name].number
        self._tell_unknown(name, place, "link to it there: [words]({}.md#{})")
        return None

    def _tell_unknown(self, name: str, place: Place, hint: str) -> None:
        if name in self._told:
            return
        if name and (chapter := self._elsewhere(name)):
            self._tell(place, f"figure '{name}' stands in another chapter, '{chapter}'", hint.format(chapter, name))
        else:
            self._tell(place, f"unknown figure '{name}'", did_you_mean(name, self.kinds(), "figure"))
