"""The assets as `make setup` left them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import brotli
import pytest

from app import assets, mathfont

ROOT = Path(__file__).parents[2]


def test_every_listed_file_is_there_with_the_size_that_progress_bars_count() -> None:
    assert {"main.js", "worker.js", "main.css", "model.onnx", "tokenizer.json"} <= set(assets.load())
    for asset in assets.load().values():
        assert (assets.FOLDER / asset.file).stat().st_size == asset.bytes
        assert asset.file in assets.files()


@pytest.mark.parametrize("name", ["worker.js", "main.css", "model.onnx", "ort-wasm-simd-threaded.wasm"])
def test_the_compressed_twin_decodes_to_the_file(name: str) -> None:
    file = assets.FOLDER / assets.load()[name].file
    assert brotli.decompress(file.with_name(file.name + ".br").read_bytes()) == file.read_bytes()


def test_every_name_carries_a_hash_so_that_it_may_be_kept_for_good() -> None:
    assert not [name for name in assets.files() if not re.search(r"\.([A-Z0-9]{8}|[0-9a-f]{12})\.\w+(\.br)?$", name)]


def test_equal_content_has_an_equal_name_and_other_content_another(tmp_path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    names = []
    for folder, content in ((one, "a"), (two, "a"), (two, "b")):
        folder.mkdir(exist_ok=True)
        (folder / "m.json").write_text(content)
        names.append(assets.copy_hashed(folder / "m.json", tmp_path))
    assert names[0] == names[1] != names[2]


def test_files_of_an_older_set_up_stay_for_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    ages = {"ours-old": 48, "theirs-new": 23, "theirs-old": 25}  # hours
    for name, hours in ages.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - hours * 3600,) * 2)
    assets.remove_old({"ours-old"})
    assert {path.name for path in tmp_path.iterdir()} == {"ours-old", "theirs-new"}


def test_the_math_font_has_its_characters_its_math_table_and_its_budget() -> None:
    from fontTools.ttLib import TTFont

    font = TTFont(assets.MATH_FONT)
    known = font.getBestCmap()
    missing = [hex(code) for code in mathfont.CHARACTERS if code not in known]
    assert missing == ["0x3a2", "0x1d455"]  # two holes in Unicode itself
    assert font["MATH"].table.MathVariants.VertGlyphCoverage.glyphs, "brackets would not stretch"
    assert assets.MATH_FONT.stat().st_size < 45_000


def test_a_bundle_of_another_model_than_the_one_that_prints_the_pages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.onnx").write_bytes(b"trained anew")
    monkeypatch.setattr(assets, "ROOT", tmp_path)
    monkeypatch.setattr(assets, "COPIED", [tmp_path / "model.onnx"])
    with pytest.raises(FileNotFoundError, match=r"model\.onnx is not the file that was bundled; run `make setup`"):
        assets.load()


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"named": {}}',
        '{"named": 1, "files": []}',
        '{"named": {"main.js": {"file": 1}}, "files": []}',
        "\xff",
    ],
)
def test_a_damaged_list_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str) -> None:
    (tmp_path / "assets.json").write_text(damaged, encoding="latin-1")
    monkeypatch.setattr(assets, "LIST", tmp_path / "assets.json")
    with pytest.raises(FileNotFoundError, match=r"assets\.json is damaged; remove \.build/assets\.json and run `make setup`"):
        assets.load()


def test_a_list_cut_short_anywhere_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = assets.LIST.read_text()
    monkeypatch.setattr(assets, "LIST", tmp_path / "assets.json")
    for length in range(0, len(whole.rstrip()), 97):
        assets.LIST.write_text(whole[:length])
        with pytest.raises(FileNotFoundError, match="damaged"):
            assets.load()


def test_a_file_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in assets.files():
        (tmp_path / name).touch()
    gone = assets.load()["worker.js"].file
    (tmp_path / gone).unlink()
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match=f"{gone} is gone; remove"):
        assets.load()


BUNDLING = """
import random, sys
from pathlib import Path
from app import assets

assets.BUILD = build = Path(sys.argv[1])
assets.FOLDER, assets.LIST, assets.MATH_FONT, assets.COPIED = build / "assets", build / "assets.json", build / "lock", []

def bundle(folder):
    for name in "abcdef":  # each takes brotli several seconds
        (folder / f"{name}.js").write_bytes(random.Random(name).randbytes(8_000_000).hex().encode())
    print("bundled", flush=True)
    return {}

assets.bundle = bundle
assets.main()
"""


def test_ctrl_c_ends_bundling_at_once_in_one_line_and_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "old.js").write_text("old")
    (tmp_path / "assets.json").write_text("the list")
    command = [sys.executable, "-c", BUNDLING, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c
    ) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "bundled\n"
            time.sleep(0.5)  # amid the compression
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            assert time.monotonic() - began < 1
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors == "interrupted; what was there is as it was, and `make setup` goes on from here\n"
    assert (tmp_path / "assets.json").read_text() == "the list"
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        "assets.json",
        "assets/old.js",
        "lock",
    }


def hear_ctrl_c() -> None:
    """In the new process: what a terminal's process has, and one that was started in the background of a script has not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
