"""Files of competitors: one a line, a name without blanks and then a command; `#` begins a comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.arena.engine.players import Competitor, check_name
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chatbot.arena.engine.players import Lineup

_TOLD = re.compile(r"""(?:'[^']*'|"[^"]*"|(?<=\S)#|[^#])*""")  # all before a comment


def read(file: Path, roster: Lineup) -> list[tuple[str, Competitor]]:
    """Read a file of competitors: names, and what plays under them.

    Raises:
        Failure: the file cannot be read, names nobody, or a line of it is wrong; says which.
    """
    found: list[tuple[str, Competitor]] = []
    lines: dict[str, int] = {}
    for number, line in _lines(file):
        try:
            name, player = _competitor(line, roster)
            if name in lines:
                raise Failure(f"{name!r} is already the name of line {lines[name]}.")  # noqa: TRY301
        except Failure as failure:
            raise Failure(f"{file}, line {number}: {failure}") from None
        lines[name] = number
        found.append((name, player))
    if not found:
        raise Failure(
            f"{file} names no competitor; each line is a name and a command, such as `me python me.py`."
        )
    return found


def _competitor(line: str, roster: Lineup) -> tuple[str, Competitor]:
    name, *rest = line.split(maxsplit=1)
    check_name(name)
    if not rest:
        raise Failure(
            f"{name!r} has no command; a line is a name and a command, such as `{name} python me.py`."
        )
    return name, roster.player(rest[0].strip())


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Give what counts, with the number of its line, from 1."""
    for number, line in enumerate(_text(file).split("\n"), 1):
        told = _before_comment(line).strip()
        if told:
            yield number, told


def _before_comment(line: str) -> str:
    """Leave out what a # begins, outside of quotes and words."""
    match = _TOLD.match(line)
    return match[0] if match else ""


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Failure(f"{file}, line {line}: this is not UTF-8 text.") from None
    except OSError as error:
        raise Failure(f"The competitors in {file} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # a NUL in the name of the file
        raise Failure(f"The competitors in {str(file)!r} cannot be read: {error}.") from None
