"""Scripts, styles, fonts, runtime and model → .build/assets: hashed, precompressed, and listed in .build/assets.json.

`python -m app.assets` makes them; `load()` reads the list.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import brotli

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build"
FOLDER = BUILD / "assets"
LIST = BUILD / "assets.json"
MATH_FONT = BUILD / "fonts" / "stix-two-math.woff2"
COPIED = [
    ROOT / "node_modules" / "onnxruntime-web" / "dist" / "ort-wasm-simd-threaded.wasm",
    ROOT / "model" / "artifacts" / "model.onnx",
    ROOT / "model" / "artifacts" / "tokenizer.json",
    ROOT / "static" / "icon.svg",
]


@dataclass(frozen=True)
class Asset:
    file: str  # "main.X1Y2Z3W4.js", inside FOLDER
    bytes: int  # as decoded: what a reader's progress bar counts


def load() -> dict[str, Asset]:
    """Plain name ("main.js") → Asset.

    Raises FileNotFoundError before `make setup` has run, where it ran for another model, and where something is gone since.
    """
    assets = {name: Asset(**asset) for name, asset in listed()["named"].items()}
    if gone := sorted(file for file in files() if not (FOLDER / file).is_file()):
        raise FileNotFoundError(f"{FOLDER.name}/{gone[0]} is gone; {AGAIN}")
    for path in COPIED:
        if hash_of(path.read_bytes()) not in assets[path.name].file:
            raise FileNotFoundError(f"{path.relative_to(ROOT)} is not the file that was bundled; run `make setup`")
    return assets


def files() -> frozenset[str]:
    """The names of all files that belong to the site as it is now, shared chunks and `.br` twins too."""
    return frozenset(listed()["files"])


AGAIN = "remove .build/assets.json and run `make setup`"


def listed() -> dict[str, Any]:
    if not LIST.exists():
        raise FileNotFoundError(f"{LIST.relative_to(ROOT)} does not exist; run `make setup`")
    try:
        found = json.loads(LIST.read_text(encoding="utf-8"))
        if all(isinstance(asset["file"], str) and isinstance(asset["bytes"], int) for asset in found["named"].values()):
            return {"named": found["named"], "files": list(map(str, found["files"]))}
    except (ValueError, LookupError, TypeError, AttributeError):
        pass
    raise FileNotFoundError(f"{LIST.name} is damaged; {AGAIN}")


def main() -> None:
    try:
        BUILD.mkdir(exist_ok=True)
        with (BUILD / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two `make` at once take turns
            make()
    except KeyboardInterrupt:
        print("interrupted; what was there is as it was, and `make setup` goes on from here", file=sys.stderr, flush=True)
        os._exit(130)  # threads that compress cannot be told to stop, and Python would wait for them


def make() -> None:
    """Everything into a fresh folder, then into place, then the list: whoever reads the list finds its files."""
    staging = BUILD / "assets.new"
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir()
        fill(staging)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def fill(staging: Path) -> None:
    """Makes all files in `staging`, moves them into the folder that is served, and lists them."""
    if not MATH_FONT.exists():
        from app import mathfont  # fontTools takes its time, and is needed once

        mathfont.make(MATH_FONT)
    sources = bundle(staging) | {path.name: copy_hashed(path, staging) for path in COPIED}
    compress_all(staging)
    named = {name: {"file": file, "bytes": (staging / file).stat().st_size} for name, file in sorted(sources.items())}
    made = {path.name for path in staging.iterdir()}
    FOLDER.mkdir(exist_ok=True)
    for name in made:
        (staging / name).replace(FOLDER / name)
    remove_old(made)
    partial = LIST.with_suffix(".partial")
    partial.write_text(json.dumps({"named": named, "files": sorted(made)}, indent=1) + "\n")
    partial.replace(LIST)


def remove_old(made: set[str]) -> None:
    """A server that is running since before still hands out the last day's files."""
    for path in FOLDER.iterdir():
        if path.name not in made and path.stat().st_mtime < time.time() - 24 * 3600:
            path.unlink()


def bundle(folder: Path) -> dict[str, str]:
    """Plain name → hashed file, of every entry point, lazily loaded figure and font that esbuild wrote into `folder`."""
    meta = BUILD / "esbuild.json"
    subprocess.run(["npm", "run", "--silent", "bundle", "--", f"--outdir={folder}", f"--metafile={meta}"], cwd=ROOT, check=True)
    return {
        name: Path(output).name for output, about in json.loads(meta.read_text())["outputs"].items() for name in plain_name(about)
    }


def plain_name(about: dict) -> list[str]:
    """The name of an output's source: an entry point's, or that of the one file it is a copy of; none for a shared chunk."""
    sources = [about["entryPoint"]] if "entryPoint" in about else list(about["inputs"])
    return [Path(sources[0]).name] if len(sources) == 1 else []


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def copy_hashed(path: Path, folder: Path) -> str:
    data = path.read_bytes()
    file = f"{path.stem}.{hash_of(data)}{path.suffix}"
    (folder / file).write_bytes(data)
    return file


def compress_all(folder: Path) -> None:
    """A `.br` beside every file that it makes smaller. The runtime takes half a minute, so what was compressed once is kept."""
    threads = ThreadPoolExecutor(os.cpu_count())
    try:
        list(threads.map(compress_beside, sorted(folder.iterdir(), key=lambda path: -path.stat().st_size)))
    finally:
        threads.shutdown(wait=False, cancel_futures=True)  # as a context manager it would wait, also for Ctrl-C


def compress_beside(path: Path) -> None:
    data = path.read_bytes()
    kept = BUILD / "brotli" / hashlib.sha256(data).hexdigest()
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        partial = kept.with_suffix(".partial")
        partial.write_bytes(brotli.compress(data, quality=11, lgwin=24))
        partial.rename(kept)
    if kept.stat().st_size < 0.95 * len(data):
        shutil.copyfile(kept, path.with_name(path.name + ".br"))


if __name__ == "__main__":
    main()
