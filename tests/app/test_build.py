"""The build: what it writes, and what it refuses to touch."""

from dataclasses import replace
from pathlib import Path

import brotli
import pytest
from starlette.testclient import TestClient

from app import build
from app.server import create_app
from app.site import Answer, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    assets = tmp_path / "made"
    assets.mkdir()
    (assets / "main.ABCDEFGH.js").write_text("export {}")
    pages = {"/": b"<p>contents " * 50, "/chapters/attention/": b"<p>attention", "/embed/attention/queen/": b"<p>queen"}
    answers = {address: Answer(body) for address, body in pages.items()}
    answers["/chapters/images/dot.png"] = Answer(b"\x89PNG", "image/png")
    return Site(answers, assets, missing=lambda root: Answer(f'<a href="{root}">contents</a>'.encode()))


def test_files_equal_the_servers_answers_byte_for_byte(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    client = TestClient(create_app(site))
    for address in [*site.answers, "/assets/main.ABCDEFGH.js"]:
        assert (folder / build.file_of(address)).read_bytes() == client.get(address).content


def test_compressed_twins_decode_to_their_pages(site: Site, tmp_path: Path) -> None:
    build.write(site, tmp_path / "site", base_url="")
    twins = list((tmp_path / "site").rglob("*.br"))
    assert twins
    assert all(brotli.decompress(twin.read_bytes()) == twin.with_suffix("").read_bytes() for twin in twins)


def test_assets_of_an_older_set_up_are_left_out(site: Site, tmp_path: Path) -> None:
    (site.assets / "main.OLDOLDOL.js").write_text("export {}")
    build.write(replace(site, asset_files=frozenset({"main.ABCDEFGH.js"})), tmp_path / "site", base_url="")
    assert [path.name for path in (tmp_path / "site" / "assets").iterdir()] == ["main.ABCDEFGH.js"]


def test_the_missing_page_starts_where_the_book_lies(site: Site, tmp_path: Path) -> None:
    for base_url, root in {
        "": "/",
        "https://example.org": "/",
        "https://example.org/courses/lookback/": "/courses/lookback/",
    }.items():
        build.write(site, tmp_path / "site", base_url)
        assert f'href="{root}"' in (tmp_path / "site" / "404.html").read_text()


def test_building_again_replaces_and_leaves_nothing_behind(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "site"
    build.write(site, folder, base_url="")
    (folder / "stale.html").write_text("from an older book")
    build.write(site, folder, base_url="")
    assert not (folder / "stale.html").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


def test_a_folder_made_by_someone_else_is_refused_and_untouched(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "only-copy.txt").write_text("three years")
    with pytest.raises(build.BuildError, match="not made by `lookback build`"):
        build.write(site, folder, base_url="")
    assert [path.name for path in folder.iterdir()] == ["only-copy.txt"]


def test_a_build_that_fails_leaves_the_good_folder_alone(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def crash(root: str) -> Answer:
        raise RuntimeError("broken template")

    with pytest.raises(RuntimeError):
        build.write(Site(site.answers, site.assets, missing=crash), folder, base_url="")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert {path.name for path in tmp_path.iterdir()} == {"site", "made"}


def test_headers_file_refuses_framing_to_all_pages_but_embeds(site: Site, tmp_path: Path) -> None:
    build.write(site, tmp_path / "site", base_url="")
    rules: dict[str, list[str]] = {}
    for line in (tmp_path / "site" / "_headers").read_text().splitlines():
        if line.startswith("/"):
            rules[line] = []
        else:
            rules[list(rules)[-1]].append(line.strip())
    assert any(line.startswith("Content-Security-Policy: default-src 'none'") for line in rules["/*"])
    assert [path for path, lines in rules.items() if "X-Frame-Options: DENY" in lines] == ["/", "/404.html", "/chapters/*"]
    assert "immutable" in rules["/assets/*"][0]
