"""`book.yml` → BookFile: what it may say, and, where it has a mistake, what of it can be read all the same."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    TypeAdapter,
    ValidationError,
)

BOOK_FILE = "book.yml"
GLOSSARY = "glossary"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
ADDRESS = re.compile(r"https?://\w[\w.-]*(:\d{1,5})?(/(?!\.\.?(/|$))[\w.~%-]+)*/?")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _is_slug(text: str) -> str:
    if not SLUG.fullmatch(text):
        raise ValueError(f"'{text}' cannot be an address: lower-case letters, digits and single hyphens only")
    if text == GLOSSARY:
        raise ValueError(f"'{GLOSSARY}' is the glossary's own file")
    return text


def _is_address(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise ValueError(f"'{text}' is not an address like https://example.org/book/")
    return text if text.endswith("/") else text + "/"


Slug = Annotated[str, AfterValidator(_is_slug)]
Address = Annotated[str, AfterValidator(_is_address)]


class ChapterEntry(Strict):
    slug: Slug
    title: Text
    planned: bool = False


def _entry_kind(entry: object) -> str:
    return "<planned>" if isinstance(entry, dict | ChapterEntry) else "<slug>"


AnyEntry = Annotated[Annotated[Slug, Tag("<slug>")] | Annotated[ChapterEntry, Tag("<planned>")], Discriminator(_entry_kind)]


class PartEntry(Strict):
    title: Text
    chapters: list[AnyEntry] = Field(min_length=1)


class BookFile(Strict):
    """`book.yml`, as it is written."""

    title: Text
    subtitle: str = ""
    description: str = ""
    authors: list[Text] = Field(min_length=1)
    licence: Text
    base_url: Address
    parts: list[PartEntry] = Field(min_length=1)


class ToldEntry(ChapterEntry):
    """An entry with a mistake in it, which is told: a chapter where it has a file, else as planned."""


def what_can_be_read(data: Any, name: str) -> BookFile:
    """Of a book.yml with a mistake in it: one slip shall not take every chapter away."""
    data = data if isinstance(data, dict) else {}
    parts = data.get("parts")
    return BookFile.model_construct(
        title=_kept(Text, data.get("title"), name),
        subtitle=_kept(str, data.get("subtitle"), ""),
        description=_kept(str, data.get("description"), ""),
        authors=_kept(list[Text], data.get("authors"), []),
        licence=_kept(Text, data.get("licence"), ""),
        base_url=_kept(Address, data.get("base_url"), ""),
        parts=[_part(part) for part in parts] if isinstance(parts, list) else [],
    )


def _part(data: Any) -> PartEntry:
    data = data if isinstance(data, dict) else {}
    entries = data.get("chapters")
    chapters = [_kept(AnyEntry, entry, None) or _entry(entry) for entry in entries] if isinstance(entries, list) else []
    return PartEntry.model_construct(title=_kept(Text, data.get("title"), "…"), chapters=chapters)


def _entry(data: Any) -> ToldEntry | None:
    slug = _kept(Slug, data.get("slug"), None) if isinstance(data, dict) else None
    return ToldEntry.model_construct(slug=slug, title=_kept(Text, data.get("title"), slug)) if slug else None


def _kept(kind: Any, data: Any, otherwise: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError:
        return otherwise
