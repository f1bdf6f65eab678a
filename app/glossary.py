"""The glossary: a definition list in `chapters/glossary.md`, one entry a term."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.syntax.headings import slug
from app.syntax.places import Place, at
from app.syntax.text import plain_text


@dataclass(frozen=True, slots=True)
class Term:
    words: str
    """As the glossary writes it."""

    id: str
    """Its address on a page that explains it: `term--softmax`."""

    definition: Sequence[Any]
    """The tokens of what it means."""

    at: Place


def term_key(words: str) -> str:
    """Capitals, accents' spelling and spaces do not matter."""
    return " ".join(unicodedata.normalize("NFC", words).casefold().split())


def read_terms(tokens: Sequence[Any], tell: Callable[[Place, str, str | None], None]) -> dict[str, Term]:
    """key → Term, in the glossary's order."""
    terms: dict[str, Term] = {}
    ids: Counter[str] = Counter()
    for words, place, definition in _entries(tokens):
        key = term_key(words)
        if key in terms:
            tell(place, f"term '{words}' is defined twice", f"it is already on line {terms[key].at[0]}")
        else:
            name = slug(words)
            ids[name] += 1  # C and C++ have the same
            terms[key] = Term(words, f"term--{name}" + (f"--{ids[name]}" if ids[name] > 1 else ""), definition, place)
    for token in tokens:
        if token.level == 0 and token.nesting >= 0 and token.map and not token.type.startswith(("dl_", "footnote_")):
            hint = "write the term, and below it a line ': what it means'"
            tell(at(token), "text that defines nothing: no reader would see it", hint)
    return terms


def _entries(tokens: Sequence[Any]) -> Iterator[tuple[str, Place, Sequence[Any]]]:
    """Words, place and definition; terms that share a definition each have it."""
    waiting: list[tuple[str, Place]] = []
    begin = 0
    for index, token in enumerate(tokens):
        if token.type == "dt_open":
            inline = tokens[index + 1]
            waiting.append((plain_text(inline.children).strip(), at(inline)))
        elif token.type == "dd_open":
            begin = index + 1
        elif token.type == "dd_close":
            for words, place in waiting:
                yield words, place, tokens[begin:index]
            waiting = []
