"""Puts the steps of tables into words, and chooses which of several texts of a message is told.

The choice is made before a step is written and is written with it: a table that is read again, after a crash
or later, is told in the same texts. No text of a message is chosen twice in a row in a room, which is
written too. What was chosen at a table is one text, such as `1.0=3 7.2=1`: of the step that ends with turn 1,
line 0 was told in text 3; lines that are not in it were told in text 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from zlib import crc32

import structlog

from chatbot.delivery.outbox import is_heard
from chatbot.kernel.say import Say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.rooms.languages import Languages
    from chatbot.rooms.table import Table
    from chatbot.tables.replay import Replay

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Narrated:
    """The events of one or more steps, with the lines that tell of them.

    `texts` is what was chosen, as it is written, and `last` the texts that are then the last of the room, by
    the ids of their messages.
    """

    events: tuple[object, ...] = ()
    says: tuple[Say, ...] = ()
    texts: str = ""
    last: Mapping[str, int] = field(default_factory=dict)


class Narrator:
    """Tells of the steps of tables; `languages` have the number of texts of each message in a room."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages

    def tell(self, table: Table, events: Sequence[object], turn: int) -> Narrated:
        """Return the lines about a step that ends with a turn, each with the text that is chosen for it."""
        words, last = self._languages.of(table.room), dict[str, int]()
        says, texts = list[Say](), list[str]()
        for number, say in enumerate(_lines(table, events)):
            count = words.texts(say.message.id) if is_heard(table.room, say) else 1
            text = 0
            if count > 1:
                before = last.get(say.message.id, table.room.told.get(say.message.id))
                text = last[say.message.id] = _chosen(count, before, f"{table.id} {turn} {number}")
            if text:
                texts.append(f"{turn}.{number}={text}")
            says.append(_in_text(say, text))
        return Narrated(tuple(events), tuple(says), " ".join(texts), last)


def told_again(table: Table, replayed: Replay, since: int) -> Narrated:
    """Return what was told of the steps of a table after a turn, in the texts in which it was told."""
    texts, events, says = _read(replayed.texts), list[object](), list[Say]()
    for turn, some in replayed.events:
        if turn > since:
            events += some
            lines = enumerate(_lines(table, some))
            says += [_in_text(say, texts.get((turn, number), 0)) for number, say in lines]
    return Narrated(tuple(events), tuple(says))


def _in_text(say: Say, text: int) -> Say:
    """Return a line in one of the texts of its message."""
    return say if say.message.variant == text else replace(say, message=replace(say.message, variant=text))


def _chosen(count: int, before: int | None, seed: str) -> int:
    """Choose one of so many texts: the first one the first time, and then one other than the last."""
    if before is None:
        return 0
    return (before % count + 1 + crc32(seed.encode()) % (count - 1)) % count


def _lines(table: Table, events: Sequence[object]) -> Iterator[Say]:
    """Yield what is told of events; a failure is logged, as it must not keep the step from being played."""
    for event in events:
        try:
            says = [table.says(say) for say in table.kit.chat.narrate(event)]
        except Exception:
            log.exception("an event could not be told", table=table.id, happened=repr(event))
        else:
            yield from says


def _read(texts: str) -> dict[tuple[int, int], int]:
    """Read what was chosen at a table, by the last turn of a step and the number of a line."""
    found: dict[tuple[int, int], int] = {}
    for part in texts.split():
        line, _, text = part.partition("=")
        turn, _, number = line.partition(".")
        if turn.isdecimal() and number.isdecimal() and text.isdecimal():
            found[int(turn), int(number)] = int(text)
    return found
