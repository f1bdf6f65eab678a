"""`{term}`softmax`` marks a term of `chapters/glossary.md`, a definition list; in other words: `{term}`the budget <softmax>``."""

from __future__ import annotations

import re

from markdown_it.token import Token

from app.syntax.page import Page
from app.syntax.places import place_inside
from app.syntax.references import link

_WITH_KEY = re.compile(r"(?P<words>.*\S)\s*<(?P<key>[^<>]+)>\s*$", re.DOTALL)


def words_and_key(token: Token) -> tuple[str, str]:
    """What is shown, and the term it means."""
    match = _WITH_KEY.match(token.content)
    words, key = (match["words"], match["key"]) if match else (token.content, token.content)
    return " ".join(words.split()), " ".join(key.split())


def term_html(token: Token, page: Page) -> str:
    words, key = words_and_key(token)
    target = page.term_target(key, place_inside(token, 0))
    if target is not None:
        target = type(target)(words, target.href)
    return link(target, "term", words)
