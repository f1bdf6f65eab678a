"""Problems met while Markdown is parsed: kept in the env until `parse` gives them their file's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def note(env: Mapping[str, Any], place: tuple[int, int], message: str, hint: str | None = None) -> None:
    """Keeps a problem at (line, column); the same one at the same place is kept once."""
    env.setdefault("troubles", {})[(place, message)] = hint  # type: ignore[attr-defined]
