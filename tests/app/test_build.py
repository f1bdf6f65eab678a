"""The build: what it writes, and what it refuses to touch."""

from pathlib import Path

import brotli
import pytest
from starlette.testclient import TestClient

from app import build
from app.server import create_app
from app.site import Answer, Site

SCRIPT = "main.ABCDEFGH.js"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    assets = tmp_path / "made"
    assets.mkdir()
    (assets / SCRIPT).write_text("export {}")
    pages = {"/": b"<p>contents " * 50, "/chapters/attention/": b"<p>attention", "/embed/attention/queen/": b"<p>queen"}
    answers = {address: Answer(body).compressed() for address, body in pages.items()}
    answers["/chapters/images/dot.png"] = Answer(b"\x89PNG", "image/png")
    return Site(
        answers, assets, missing=lambda root: Answer(f'<a href="{root}">contents</a>'.encode()), asset_files=frozenset({SCRIPT})
    )


def test_files_equal_the_servers_answers_byte_for_byte(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    client = TestClient(create_app(site))
    for address in [*site.answers, f"/assets/{SCRIPT}"]:
        assert (folder / build.file_of(address)).read_bytes() == client.get(address).content


def test_compressed_twins_decode_to_their_pages(site: Site, tmp_path: Path) -> None:
    build.write(site, tmp_path / "site", base_url="")
    twins = list((tmp_path / "site").rglob("*.br"))
    assert twins
    assert all(brotli.decompress(twin.read_bytes()) == twin.with_suffix("").read_bytes() for twin in twins)


def test_assets_of_an_older_set_up_are_left_out(site: Site, tmp_path: Path) -> None:
    (site.assets / "main.OLDOLDOL.js").write_text("export {}")
    build.write(site, tmp_path / "site", base_url="")
    assert [path.name for path in (tmp_path / "site" / "assets").iterdir()] == [SCRIPT]


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
    older = {**site.answers, "/chapters/stale/": Answer(b"<p>from an older book")}
    build.write(Site(older, site.assets, site.missing, site.asset_files), folder, base_url="")
    assert (folder / "chapters" / "stale" / "index.html").exists()
    build.write(site, folder, base_url="")
    assert not (folder / "chapters" / "stale").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


OWNERS = {
    "CNAME": "book.example.org",
    ".git/HEAD": "ref: main",
    "assets/mine.js": "1",
    "chapters/attention/notes.txt": "mine",
    "é/ü.txt": "é",
}


def test_what_its_owner_put_there_since_stays(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    for path, text in OWNERS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "link").symlink_to("/etc")
    (folder / "broken").symlink_to("nowhere")
    (folder / ".git" / "refs" / "heads").mkdir(parents=True)  # empty after `git gc`, and git does not start without it
    for _ in range(2):
        assert build.write(site, folder, base_url="") == len(build.marked(folder)) + 1
        assert {path: (folder / path).read_text() for path in OWNERS} == OWNERS
        assert [(folder / name).readlink() for name in ("link", "broken")] == [Path("/etc"), Path("nowhere")]
        assert (folder / ".git" / "refs" / "heads").is_dir()


@pytest.mark.parametrize("path", ["index.html", f"assets/{SCRIPT}", "_headers", "chapters/images/dot.png"])
def test_a_page_that_its_owner_changed_is_not_lost(site: Site, tmp_path: Path, path: str) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    (folder / path).write_text("by hand")
    with pytest.raises(build.BuildError, match=f"{path} was changed since it was built; move it away, or delete it"):
        build.write(site, folder, base_url="")
    assert (folder / path).read_text() == "by hand"
    (folder / path).unlink()
    build.write(site, folder, base_url="")
    assert (folder / path).exists()


def test_a_file_where_the_book_wants_to_write_is_not_lost(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    (folder / "chapters" / "new").mkdir()
    (folder / "chapters" / "new" / "index.html").write_text("mine")
    newer = {**site.answers, "/chapters/new/": Answer(b"<p>new")}
    with pytest.raises(build.BuildError, match=r"chapters/new/index\.html stands where the book wants to write; move it away"):
        build.write(Site(newer, site.assets, site.missing, site.asset_files), folder, base_url="")
    assert (folder / "chapters" / "new" / "index.html").read_text() == "mine"


def test_a_folder_whose_list_is_damaged_loses_nothing(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    (folder / "mine.txt").write_text("mine")
    (folder / build.MARK).write_bytes(b"\xff nothing")
    with pytest.raises(build.BuildError, match="stands where the book wants to write"):
        build.write(site, folder, base_url="")
    assert (folder / "mine.txt").read_text() == "mine"


def test_a_folder_of_an_older_version_is_said_to_be_one(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    (folder / build.MARK).write_text("Made by `lookback build`, which may replace this folder.\n")
    with pytest.raises(build.BuildError) as told:
        build.write(site, folder, base_url="")
    assert str(told.value) == f"{folder} was built by an older version of lookback; delete it once, or name another folder"
    assert (folder / "index.html").exists()


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
        build.write(Site(site.answers, site.assets, crash, site.asset_files), folder, base_url="")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert {path.name for path in tmp_path.iterdir()} == {"site", "made"}


def test_a_folder_that_cannot_be_replaced_is_left_as_it_was(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    build.write(site, folder, base_url="")
    (folder / "mine.html").write_text("the good one")
    rename = Path.rename

    def refused(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise OSError(16, "Device or resource busy")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(build.BuildError, match="cannot be replaced: Device or resource busy; name a folder inside it"):
        build.write(site, folder, base_url="")
    assert (folder / "mine.html").read_text() == "the good one"
    assert {path.name for path in tmp_path.iterdir()} == {"site", "made"}


@pytest.mark.parametrize("name", [".", "..", "../here"])
def test_the_folder_that_one_stands_in_is_not_pulled_away(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "empty" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty" / "here")
    with pytest.raises(build.BuildError, match="the folder that you are in"):
        build.write(site, Path(name), base_url="")


def test_headers_file_refuses_framing_to_all_pages_but_embeds(site: Site, tmp_path: Path) -> None:
    build.write(site, tmp_path / "site", base_url="")
    rules: dict[str, list[str]] = {}
    for line in (tmp_path / "site" / "_headers").read_text().splitlines():
        if line.startswith("/"):
            rules[line] = []
        else:
            rules[list(rules)[-1]].append(line.strip())
    assert any(line.startswith("Content-Security-Policy: default-src 'none'") for line in rules["/*"])
    assert [path for path, lines in rules.items() if "X-Frame-Options: DENY" in lines] == [
        "/",
        "/index.html",
        "/404.html",
        "/chapters/*",
    ]
    assert "immutable" in rules["/assets/*"][0]
