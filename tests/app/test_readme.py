"""The README's file map names every file of the code, and none that is not there."""

import re
from pathlib import Path

import pytest

from model import manifest
from model.gpt import GPT, GPTConfig

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
    size = GPT(GPTConfig())
    assert f"{sum(weight.numel() for weight in size.parameters()):,} weights" in README
    assert f"a file of {shipped.files['model.onnx'].bytes / 1e6:.1f} MB" in README


def test_every_command_that_the_readme_shows_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets
