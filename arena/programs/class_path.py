"""Class paths of Java: which files a program has of a folder that it does not have as a whole."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CLASS_PATH = frozenset({"-cp", "-classpath", "--class-path"})  # options whose value is a class path
_SUFFIXES = (".class", ".jar")
_MOST_FOLDERS, _MOST_FILES = 200, 1000  # a home or a current folder can be large


def classes(folder: str) -> Iterator[str]:
    """Yield the classes and archives in a folder and in those below it, of packages."""
    files = 0
    for place, inside, names in islice(os.walk(folder), _MOST_FOLDERS):
        # Only what can be the name of a package: no hidden folder, and none of another language's libraries.
        inside[:] = sorted(each for each in inside if each.isidentifier())
        for each in sorted(names):
            if each.endswith(_SUFFIXES):
                files += 1
                if files > _MOST_FILES:
                    return
                yield str(Path(place) / each)
