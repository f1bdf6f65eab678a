"""What the syntax asks of the page that is being made. `render` implements it; tests may hand in a smaller one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from markdown_it.token import Token

from app.syntax.places import Place


@dataclass(frozen=True, slots=True)
class Shown:
    """A value as the page shows it."""

    text: str
    """`88%`"""

    number: str
    """The same for machines: `0.8812`."""

    figure: str | None
    """The id of the one figure that answered, if it was one."""

    cell: str | None
    """What the figure lights up: `layer.head.query.key`."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads; `href` is None when it leads to a chapter that is only planned."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class FigureShown:
    number: str
    html: str
    """What stands inside the figure's element: its picture and its data."""


class Page(Protocol):
    root: str
    """Prefix from the page to the site's root: `../../`."""

    here: str
    """Prefix for `#anchor`: empty on the chapter's own page."""

    def problem(self, at: Place, message: str, hint: str | None = None) -> None: ...

    def value(self, token: Token) -> Shown | None: ...

    def claim(self, token: Token) -> None: ...

    def figure(self, token: Token) -> FigureShown | None: ...

    def figure_target(self, name: str, at: Place) -> Target | None: ...

    def chapter_target(self, slug: str, at: Place) -> Target | None: ...

    def link_target(self, href: str, at: Place) -> Target | None: ...

    def term_target(self, name: str, at: Place) -> Target | None: ...

    def image(self, source: str, at: Place) -> str | None: ...


def page_of(env: Mapping[str, Any]) -> Page:
    return env["page"]
