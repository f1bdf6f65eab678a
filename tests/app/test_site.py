"""From a book to its pages: what authors write stays text, and every address has its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from app import assets, build
from app.book import Book
from app.site import Site, make

EVIL = "<script>alert(1)</script> \"double\" 'single' & more"
QUOTED = EVIL.replace('"', '\\"')
BOOK = f"""\
title: "T {QUOTED}"
subtitle: "S {QUOTED}"
description: "D {QUOTED}"
authors: ["A {QUOTED}"]
licence: "L {QUOTED}"
base_url: https://example.org/
parts:
  - title: "P {QUOTED}"
    chapters:
      - {{slug: embeddings, title: "E {QUOTED}", planned: true}}
      - attention
      - block
"""
CHAPTER = f"""\
---
title: "C {QUOTED}"
standfirst: "St {QUOTED.replace("<", "&lt;")}"
description: "De {QUOTED.replace("<", "&lt;")}"
---
:::{{attention-viewer}} queen
:text: The Queen

Caption {EVIL.replace("<", "&lt;")}
:::

![A cat](images/cat.png)
"""


@pytest.fixture(autouse=True)
def listed_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every asset of the real list, as an empty file, and one of an older set-up."""
    folder = tmp_path / "assets"
    folder.mkdir()
    for name in [*assets.files(), "main.OLDOLDOL.js"]:
        (folder / name).touch()
    monkeypatch.setattr(assets, "FOLDER", folder)


@pytest.fixture
def made(load: Callable[..., Book], printer: Any) -> Callable[..., Site]:
    printer.config = {"layers": 2}
    return lambda files: make(load(files), printer)


@pytest.fixture
def site(made: Callable[..., Site]) -> Site:
    return made({"book.yml": BOOK, "attention.md": CHAPTER, "images/cat.png": "png", "images/unused.png": "png"})


class Reader(HTMLParser):
    """The elements, attributes and texts that a browser would see."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.scripts: list[dict[str, str | None]] = []
        self.texts: dict[str, str] = {}
        self.metas: dict[str | None, str | None] = {}
        self._inside = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = " ".join([tag, *filter(None, [dict(attrs).get("class")])])
        if tag == "script":
            self.scripts.append(dict(attrs))
        if tag == "meta":
            self.metas[dict(attrs).get("name")] = dict(attrs).get("content")

    def handle_data(self, data: str) -> None:
        self.texts[self._inside] = self.texts.get(self._inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def test_what_authors_write_is_text_on_every_page(site: Site) -> None:
    assert site.problems == ()
    for address in (a for a in site.answers if a.endswith("/")):
        page = site.answers[address].body
        assert b"<script>alert" not in page, address
        assert all("src" in script or script.get("type") == "application/json" for script in Reader(page).scripts), address
    contents, chapter = Reader(site.answers["/"].body), Reader(site.answers["/chapters/attention/"].body)
    embed = Reader(site.answers["/embed/attention/queen/"].body)
    assert contents.texts["title"] == f"T {EVIL}: S {EVIL}"
    assert contents.texts["h1"] == f"T {EVIL}"
    assert contents.texts["p lede"] == f"S {EVIL}. D {EVIL}"
    assert contents.texts["h2"] == f"Part I · P {EVIL}"
    assert f"A {EVIL}" in contents.texts["span"]
    assert f"Text L {EVIL}" in contents.texts["span"]
    assert contents.metas["description"] == f"S {EVIL}"
    assert chapter.texts["title"] == f"C {EVIL} · T {EVIL}"
    assert chapter.texts["h1"] == f"C {EVIL}"
    assert chapter.texts["p standfirst"] == f"St {EVIL}"
    assert chapter.metas["description"] == f"De {EVIL}"
    assert f"E {EVIL}" in chapter.texts[""], "the planned chapter before it"
    assert embed.texts["h1 visually-hidden"] == f"Figure 2.1 · C {EVIL}"
    assert embed.metas["description"] == f"Caption {EVIL}"


def test_every_page_and_every_image_that_is_shown_has_an_address(site: Site) -> None:
    assert list(site.answers) == [
        "/",
        "/chapters/attention/",
        "/embed/attention/queen/",
        "/chapters/block/",
        "/embed/block/king/",
        "/chapters/images/cat.png",
    ]
    assert site.answers["/chapters/images/cat.png"].media_type == "image/png"
    assert site.answers["/chapters/images/cat.png"].body == b"png"


def test_pages_are_compressed_with_the_site(site: Site) -> None:
    assert all(site.answers[address].brotli for address in site.answers if address.endswith("/"))


def test_links_of_a_page_lead_to_the_root_from_where_it_lies(site: Site) -> None:
    for address in (a for a in site.answers if a.endswith("/")):
        page = site.answers[address].body.decode()
        (style,) = re.findall(r'rel="stylesheet" href="([^"]*)"', page)
        root = "../" * (address.count("/") - 1)
        assert style == f"{root}assets/{assets.load()['main.css'].file}"
        for block in re.findall(r'id="lookback-assets">(.*?)</script>', page):
            assert json.loads(block)["model"]["url"].startswith(f"{root}assets/model.")
    assert '<a href="../../">contents' in site.missing("../../").body.decode()


def test_a_book_needs_neither_subtitle_nor_description(made: Callable[..., Site]) -> None:
    page = made({}).answers["/"].body
    assert Reader(page).texts["title"] == "A small book"
    assert b"lede" not in page
    assert b'name="description"' not in page


def test_assets_of_an_older_set_up_do_not_come_along(site: Site, tmp_path: Path) -> None:
    build.write(site, tmp_path / "out", base_url="")
    assert {path.name for path in (tmp_path / "out" / "assets").iterdir()} == assets.files()


def test_drafts_have_no_page_and_links_to_them_are_words(made: Callable[..., Site]) -> None:
    front = "---\ntitle: {}\n---\n"
    files = {
        "draft.md": front.format("Draft") + "## Here\n\nText.\n",
        "attention.md": front.format("Attention") + "{chapter}`draft`, [there](draft.md#here)\n",
    }
    site = made(files)
    assert "/chapters/draft/" not in site.answers
    page = site.answers["/chapters/attention/"].body.decode()
    assert '<span class="planned">«Draft»</span>, <span class="planned">there</span>' in page
    assert "draft/" not in page


def test_a_linked_image_is_served_under_the_name_that_the_page_asks_for(made: Callable[..., Site], write: Any) -> None:
    folder = write({"images/cat one.png": "png"})
    (folder / "images" / "link.png").symlink_to(folder / "images" / "cat one.png")
    site = made({"attention.md": "---\ntitle: A\n---\n![A](images/link.png) ![B](./images/../images/cat%20one.png)\n"})
    assert site.problems == ()
    asked = re.findall(r'<img src="\.\./\.\.([^"]*)"', site.answers["/chapters/attention/"].body.decode())
    assert asked == ["/chapters/images/link.png", "/chapters/images/cat%20one.png"]
    assert {"/chapters/images/link.png", "/chapters/images/cat one.png"} <= set(site.answers)
