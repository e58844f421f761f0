"""Where the data lies that ships with the program: words, lists and policies."""

from __future__ import annotations

from pathlib import Path

import chatbot

_PACKAGE = Path(chatbot.__file__).parent


def folder(name: str) -> Path:
    """Find a folder of data: inside an installed package, or beside it in a clone."""
    packaged_folder = _PACKAGE / "_data" / name
    return packaged_folder if packaged_folder.is_dir() else _PACKAGE.parent / "data" / name


def listed(name: str) -> frozenset[str]:
    """Read a list of words; a line that begins with # is a remark."""
    lines = (folder("lists") / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
