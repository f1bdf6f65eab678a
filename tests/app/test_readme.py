"""The README: its map names every file of the code, and none that is not there; what it shows an author to write is right."""

import re
from pathlib import Path

import pytest

from app.book import Chapter
from app.parse import load_book, parse_document
from app.printer import Printer
from app.render import render_chapter
from model import manifest
from model.gpt import GPT, GPTConfig
from model.runtime import Runtime

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MAPS = {
    "model": ROOT / "model",
    "app": ROOT / "app",
    "static/js": ROOT / "static/js",
}


def section(folder: str) -> str:
    """The table that begins with `| folder/ |`."""
    match = re.search(rf"^\| {re.escape(folder)}/ \|.*?(?=\n\n)", README, re.M | re.S)
    assert match, f"README.md has no map of {folder}/"
    return match[0]


@pytest.mark.parametrize("folder", MAPS)
def test_the_map_names_exactly_what_is_there(folder):
    named = set(re.findall(r"`([^` ]+\.(?:py|js|txt)|[a-z/-]+/)`", section(folder)))
    folders = {name for name in named if name.endswith("/")}
    paths = [p.relative_to(MAPS[folder]).as_posix() for p in MAPS[folder].rglob("*")]
    files = {
        path
        for path in paths
        if re.search(r"\.(py|js|txt)$", path) and not path.endswith("__init__.py") and not re.match("figures/[a-z-]+/", path)
    }
    covered = {path for path in files if any(path.startswith(name) for name in folders)}
    assert named - folders == files - covered
    assert all((MAPS[folder] / name).is_dir() for name in folders)


def test_what_the_readme_says_of_the_model_is_what_its_manifest_says():
    shipped = manifest.read()
    assert f"{shipped.evaluation.bits_per_byte:.3f} bits per byte" in README
    size = GPT(GPTConfig(width=shipped.config.width))
    assert f"{sum(weight.numel() for weight in size.parameters()):,} weights" in README
    assert f"a file of {shipped.files['model.onnx'].bytes / 1e6:.1f} MB" in README


def test_every_command_that_the_readme_shows_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets


def test_the_list_of_style_sheets_is_what_is_there():
    sentence = README[README.index("`static/css/` has") : README.index("`templates/`")]
    names = {path.stem for path in (ROOT / "static" / "css").glob("*.css")} - {"main"}
    assert set(re.findall(r"[a-z]+(?:-[a-z]+)*", re.sub(r"^.*?\(|\) and .*?\(|`[^`]*`", " ", sentence))) - {"and"} == names


def test_what_the_readme_shows_an_author_has_no_mistake():
    about = README[README.index("## Adding a chapter") : README.index("## The model")]
    sample, more = re.findall(r"^```\n(.*?)^```$", about, re.M | re.S)
    document = parse_document("chapters/something.md", (sample + "\n" + more).encode())
    chapter = Chapter("something", "Something", number=19, part=5, document=document)
    with Printer(Runtime.load()) as printer:
        rendered = render_chapter(load_book(ROOT / "chapters"), chapter, printer)
    assert [str(problem) for problem in rendered.problems] == []
    assert rendered.terms >= {"softmax"}
    assert 'href="#queen?text=The%20King' in rendered.body


def test_every_directive_that_it_names_is_one_and_what_it_says_of_them_is_so():
    from app.syntax import KINDS

    named = set(
        re.findall(r"`([a-z]+)`", README[README.index("Beside `note`") : README.index("`chapters/attention.md` is the example")])
    )
    assert named == {"note", "honest", "math", "engineers", "reading"} <= set(KINDS)


def test_the_commands_that_it_lists_are_those_of_the_command_line():
    from app.cli import app

    listed = re.findall(r"^\| `lookback ([a-z]+)", README, re.M)
    assert listed == [command.callback.__name__ for command in app.registered_commands if command.callback]
