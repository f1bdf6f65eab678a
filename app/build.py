"""A site → a folder that any host can serve, below any path. Never half a folder over a good one, nor over its owner's files."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from app import policy
from app.site import Answer, Site

MARK = ".lookback"  # in every folder made here, with what was written: nothing else is ever replaced
MADE = "Made by `lookback build`, which replaces these files and leaves all others.\n"
BEFORE_LISTS = "Made by `lookback build`, which may replace this folder.\n"  # the whole mark, when it had no list yet
WITHOUT_HEADERS = """\
Pages carry their policy in a <meta>. A host that does not read `_headers` lacks: the refusal to be framed by other sites (every
page may then be), the policy of the worker's own script, the other safety headers, and caching for good of /assets/. One that
does not serve the `.br` files sends about 15 MB instead of 3 MB before the first figure is live, unless it compresses by itself."""


class BuildError(Exception):
    """The folder cannot be written; the message says why and what to do."""


def write(site: Site, folder: Path, base_url: str) -> int:
    """Write the site into `folder`, replacing it only when complete. Returns the number of files. Raises BuildError.

    What its owner has put there since the last time stays.
    """
    refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as scratch:
        made = Path(scratch) / "new"
        shutil.copytree(site.assets, made / "assets", ignore=lambda _, names: set(names) - site.asset_files)
        for path, body in written(site, base_url):
            target = made / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(body)
        hashes = {path: hash_of(made / path) for path in paths_in(made)}
        keep(folder, made)
        (made / MARK).write_text(MADE + "".join(f"{hashed}  {path}\n" for path, hashed in sorted(hashes.items())), encoding="utf-8")
        swap(made, folder, Path(scratch) / "old")
    return len(hashes) + 1


def refuse_foreign(folder: Path) -> None:
    if Path.cwd().is_relative_to(folder.resolve()):
        raise BuildError(f"{folder} is the folder that you are in, or around it; name one inside it")
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BuildError(f"{folder} is not a folder; name another one")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not (folder / MARK).is_file():
        raise BuildError(f"{folder} was not made by `lookback build` and is not empty; name another folder, or empty it yourself")
    if (folder / MARK).read_text(encoding="utf-8", errors="replace") == BEFORE_LISTS:
        raise BuildError(f"{folder} was built by an older version of lookback; delete it once, or name another folder")
    changed = [path for path, hashed in marked(folder).items() if (folder / path).exists() and hash_of(folder / path) != hashed]
    if changed:
        raise BuildError(f"{folder / changed[0]} was changed since it was built; move it away, or delete it")


def marked(folder: Path) -> dict[str, str]:
    """Path → hash of what the last build wrote there."""
    lines = (folder / MARK).read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    return {path: hashed for hashed, _, path in (line.partition("  ") for line in lines)}


def keep(folder: Path, made: Path) -> None:
    """Take along what is in `folder` and was not written by the last build: a CNAME, a .git (with its empty folders), a thesis."""
    ours = {*marked(folder), MARK} if (folder / MARK).is_file() else set()
    for place, folders, files in os.walk(folder):
        if not folders and not files:
            (made / Path(place).relative_to(folder)).mkdir(parents=True, exist_ok=True)
    for path in paths_in(folder):
        if path in ours:
            continue
        if os.path.lexists(made / path):
            raise BuildError(f"{folder / path} stands where the book wants to write; move it away, or delete it")
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / path, made / path, follow_symlinks=False)


def paths_in(folder: Path) -> list[str]:
    """Every file below it, also what is hidden and what is a link, relative to it."""
    found = []
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        found += [(Path(place) / name).relative_to(folder).as_posix() for name in [*files, *links]]
    return found


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def swap(made: Path, folder: Path, old: Path) -> None:
    """Put `made` where `folder` is; when that fails, leave `folder` as it was."""
    try:
        if folder.exists():
            folder.rename(old)
        made.rename(folder)
    except OSError as error:
        if old.exists():
            old.rename(folder)
        raise BuildError(f"{folder} cannot be replaced: {error.strerror}; name a folder inside it, or another one") from error


def written(site: Site, base_url: str) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every file but the assets."""
    for address, found in site.answers.items():
        yield from with_brotli(file_of(address), found)
    # Shown at any depth, so its links start where the book does.
    yield from with_brotli("404.html", site.missing(urlsplit(base_url).path.rstrip("/") + "/").compressed())
    yield "_headers", headers_file().encode()


def file_of(address: str) -> str:
    """
    >>> file_of("/"), file_of("/chapters/attention/"), file_of("/chapters/images/one.png")
    ('index.html', 'chapters/attention/index.html', 'chapters/images/one.png')
    """
    return address.removeprefix("/") + ("index.html" if address.endswith("/") else "")


def with_brotli(path: str, found: Answer) -> Iterator[tuple[str, bytes]]:
    yield path, found.body
    if found.brotli:
        yield f"{path}.br", found.brotli


def headers_file() -> str:
    """Netlify's and Cloudflare's format. Rules that match one path add up, so framing is refused for all but embeds."""
    rules = {
        "/*": policy.HEADERS,
        "/assets/*": {"Cache-Control": "public, max-age=31536000, immutable"},
        **dict.fromkeys(["/", "/index.html", "/404.html", "/chapters/*"], policy.UNFRAMED),
    }
    return "".join(f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in rule.items()) for path, rule in rules.items())
