"""Where the data lies that ships with the program: words and policies."""

from __future__ import annotations

from pathlib import Path

import chatbot

_PACKAGE = Path(chatbot.__file__).parent


def folder(name: str) -> Path:
    """Find a folder of data: inside an installed package, or beside it in a clone."""
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / "data" / name
