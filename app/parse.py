"""`book.yml` and `chapters/*.md` → Book: front matter, tokens, and the place of everything.

Nothing here raises for what an author wrote: every mistake, in every file, is a Problem of the book or of its documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.book import Book, Chapter, Document, Heading, Part
from app.bookfile import BOOK_FILE, GLOSSARY, SLUG, BookFile, ChapterEntry, Strict, Text, ToldEntry, what_can_be_read
from app.glossary import read_terms
from app.problems import Problem
from app.syntax import markdown
from app.syntax.figures import names_of
from app.syntax.math import formula_at
from app.syntax.places import Place
from app.syntax.roles import ROLE
from app.yamltext import Yaml, read_yaml, validate


class FrontMatter(Strict):
    """What stands at the head of a chapter."""

    title: Text
    standfirst: str = ""
    description: str = ""


class GlossaryMatter(Strict):
    title: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of front matter: its text, and where the text begins."""

    text: str
    at: Place
    exact: bool = True
    """Whether it stands in the file as it is; else places inside it are not known."""


def load_book(directory: Path) -> Book:
    """Reads the whole book. What is wrong is in `book.problems` and in each chapter's `document.problems`.

    Unchanged files are not parsed again within a process.
    """
    problems: list[Problem] = []
    documents = {path.stem: _read(path, problems) for path in _markdown_files(directory, problems)}
    glossary = documents.pop(GLOSSARY, None)
    before = len(problems)
    settings, places = _read_book_file(directory, problems)
    is_whole = len(problems) == before
    parts, listed = _parts(directory, settings, places, documents, problems)
    drafts = tuple(
        Chapter(slug, _title(document, slug), document=document)
        for slug, document in documents.items()
        if document and slug not in listed
    )
    for draft in drafts if is_whole else ():  # else it may be listed in what could not be read
        assert draft.document
        problems.append(Problem(draft.document.path, 1, 1, f"chapter '{draft.slug}' is not in {BOOK_FILE}", "list it in a part"))

    def tell(place: Place, message: str, hint: str | None) -> None:
        problems.append(Problem.at(glossary.path if glossary else "", place, message, hint))

    return Book(
        title=settings.title,
        subtitle=settings.subtitle,
        authors=tuple(settings.authors),
        licence=settings.licence,
        base_url=settings.base_url,
        parts=parts,
        directory=directory,
        drafts=drafts,
        glossary=glossary,
        terms=read_terms(glossary.tokens, tell) if glossary else {},
        problems=tuple(problems),
        description=settings.description,
    )


def _markdown_files(directory: Path, problems: list[Problem]) -> Iterator[Path]:
    for path in sorted(directory.glob("*.md")):
        if path.name.startswith((".", "#", "~")) or not path.is_file():
            continue  # an editor's temporary
        if SLUG.fullmatch(path.stem):
            yield path
        else:
            hint = "rename it: lower-case letters, digits and single hyphens only"
            problems.append(Problem(_shown(path), 1, 1, f"'{Path(_shown(path)).stem}' cannot be an address", hint))


def _shown(path: Path) -> str:
    """As problems name it: never a path of this machine, and a name in another encoding with a sign where it is one."""
    return f"{path.parent.name}/{path.name}".encode(errors="replace").decode()


def _read(path: Path, problems: list[Problem]) -> Document | None:
    try:
        data = path.read_bytes()
    except OSError as error:
        problems.append(Problem(_shown(path), 1, 1, f"cannot be read: {error.strerror}"))
        return None
    return parse_document(_shown(path), data)


def _read_book_file(directory: Path, problems: list[Problem]) -> tuple[BookFile, Yaml]:
    path = directory / BOOK_FILE
    try:
        text = _decode(_shown(path), path.read_bytes(), problems)
    except OSError as error:
        problems.append(Problem(_shown(path), 1, 1, f"cannot be read: {error.strerror}", "every book has one"))
        return what_can_be_read(None, directory.name), Yaml()
    result = read_yaml(text)
    settings = validate(BookFile, result, BOOK_FILE)
    problems += [Problem.at(_shown(path), m.at, m.message, m.hint) for m in result.mistakes]
    return settings or what_can_be_read(result.data, directory.name), result


def _parts(
    directory: Path,
    settings: BookFile,
    places: Yaml,
    documents: Mapping[str, Document | None],
    problems: list[Problem],
) -> tuple[tuple[Part, ...], set[str]]:
    """The parts with their chapters, and every slug that book.yml lists."""
    listed: dict[str, Place] = {}
    parts: list[Part] = []
    path = _shown(directory / BOOK_FILE)
    for part_index, part in enumerate(settings.parts):
        chapters: list[Chapter] = []
        for index, entry in enumerate(part.chapters):
            if entry is None:  # it cannot be read, which is told
                continue
            place = places.place(("parts", part_index, "chapters", index))
            chapter = _chapter(entry, len(listed) + 1, part_index + 1, documents)
            if chapter.slug in listed:
                hint = f"it is already on line {listed[chapter.slug][0]}"
                problems.append(Problem.at(path, place, f"chapter '{chapter.slug}' is listed twice", hint))
                continue
            listed[chapter.slug] = place
            chapters.append(chapter)
            problems += _presence(path, place, chapter, entry, documents)
        parts.append(Part(part_index + 1, part.title, tuple(chapters)))
    return tuple(parts), set(listed)


def _chapter(entry: str | ChapterEntry, number: int, part: int, documents: Mapping[str, Document | None]) -> Chapter:
    if isinstance(entry, ChapterEntry):
        slug, planned = entry.slug, entry.planned
    else:
        slug, planned = entry, False
    document = None if planned else documents.get(slug)
    if isinstance(entry, ToldEntry):
        planned = document is None
    title = _title(document, entry.title if isinstance(entry, ChapterEntry) else slug)
    return Chapter(slug, title, planned, number, part, document)


def _presence(
    path: str, place: Place, chapter: Chapter, entry: str | ChapterEntry, documents: Mapping[str, Document | None]
) -> Iterator[Problem]:
    there = chapter.slug in documents
    if isinstance(entry, ToldEntry):
        return
    if not there and not chapter.planned:
        hint = f"write {chapter.slug}.md, or {{slug: {chapter.slug}, title: …, planned: true}}"
        yield Problem.at(path, place, f"there is no file {chapter.slug}.md", hint)
    elif there and chapter.planned:
        yield Problem.at(path, place, f"chapter '{chapter.slug}' is planned, yet has a file", f"write only '- {chapter.slug}'")
    elif there and isinstance(entry, ChapterEntry):
        yield Problem.at(path, place, f"the title of '{chapter.slug}' stands in its file", f"write only '- {chapter.slug}'")


def _title(document: Document | None, fallback: str) -> str:
    entry = document.front.get("title") if document else None
    return entry.text.strip() if entry and entry.text.strip() else fallback


# One file


@lru_cache(maxsize=2000)
def parse_document(path: str, data: bytes) -> Document:
    """A Markdown file's bytes → its front matter, tokens, headings and mistakes."""
    problems: list[Problem] = []
    text = _decode(path, data, problems)
    is_glossary = path.endswith(f"/{GLOSSARY}.md")
    front, body = _front_matter(path, text, is_glossary, problems)
    env: dict[str, Any] = {}
    tokens = markdown().parse(body, env)
    if not body.strip() and not problems:
        problems.append(Problem(path, max(text.count("\n"), 1), 1, "there is no text", "write it below the front matter"))
    troubles = env.pop("troubles", {})
    problems += [Problem.at(path, place, message, hint) for (place, message), hint in troubles.items()]
    headings = tuple(
        Heading(int(token.tag[1]), str(token.attrs["id"]), token.meta["text"], token.meta["html"])
        for token in tokens
        if token.type == "heading_open"
    )
    anchors = names_of(tokens) | {heading.id for heading in headings}
    return Document(path, text, front, tokens, env, headings, anchors, tuple(problems))


_INVISIBLE = re.compile("[\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _decode(path: str, data: bytes, problems: list[Problem]) -> str:
    """UTF-8 → text with `\\n` ends, without byte order marks and control characters; what is not so is told with its place."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _end_of(data[: error.start].decode("utf-8-sig", "replace"))
        message = f"byte 0x{data[error.start]:02X} is not UTF-8"
        problems.append(Problem(path, line, column, message, "save the file as UTF-8"))
        text = data.decode("utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for sign in _INVISIBLE.finditer(text) if not problems else ():
        line, column = _end_of(text[: sign.start()])
        name = "byte order mark" if sign[0] == "\ufeff" else f"control character U+{ord(sign[0]):04X}"
        problems.append(Problem(path, line, column, f"{name} inside the file", "remove it: nobody sees it"))
    return _INVISIBLE.sub("", text)


def _end_of(text: str) -> Place:
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


def _front_matter(path: str, text: str, is_glossary: bool, problems: list[Problem]) -> tuple[dict[str, Entry], str]:
    """The entries, and the text with the front matter's lines emptied, so that lines keep their numbers."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        if not is_glossary and not problems:
            hint = "begin with three lines: ---, title: …, ---"
            problems.append(Problem(path, 1, 1, "there is no front matter", hint))
        return {}, text
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        problems.append(Problem(path, 1, 1, "front matter is never closed", "write a line --- below it"))
        return {}, ""
    result = read_yaml("\n".join(lines[1:end]), first_line=2, comments=False)
    validate(GlossaryMatter if is_glossary else FrontMatter, result, "front matter")
    problems += [Problem.at(path, mistake.at, mistake.message, mistake.hint) for mistake in result.mistakes]
    data = result.data if isinstance(result.data, dict) else {}
    front = {
        key: Entry(value, result.places[(key,)], (key,) not in result.inexact)
        for key, value in data.items()
        if isinstance(value, str)
    }
    problems += _syntax_in_title(path, front)
    return front, "\n" * (end + 1) + "\n".join(lines[end + 1 :])


def _syntax_in_title(path: str, front: Mapping[str, Entry]) -> Iterator[Problem]:
    """A title stands where nothing can be asked or drawn: in tabs, in links from elsewhere, in the contents list."""
    entry = front.get("title")
    for match in re.finditer(rf"{ROLE.pattern}|(?P<formula>\$[^$]+\$)", entry.text, ROLE.flags) if entry else ():
        assert entry
        if match["formula"] and not formula_at(entry.text, match.start()):
            continue  # money
        place = (entry.at[0], entry.at[1] + match.start()) if entry.exact else entry.at
        what = "a formula" if match["formula"] else f"{{{match['name']}}}"
        yield Problem.at(path, place, f"{what} in the title", "a title is plain words: put it into the standfirst")
