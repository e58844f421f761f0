"""Puts the steps of tables into words, and chooses which of several texts of a message is told.

The choice is a function of the table and of how often it has told the message. Nothing of it is stored, and a
table that is read again, after a crash or later, is told in the same texts. A table tells a message in all of
its texts in turns. It begins with the text before the one with which the table of the link before its own
began, so that tables that follow each other on a chain differ, and the first one begins with the first text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.kit import AnyKit
from chatbot.kernel.say import Say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.rooms.table_protocol import Table
    from chatbot.tables.replay import Replay

SECONDS = "seconds"  # the argument of messages about a phase that says how long it lasts

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Narrated:
    """The events of one or more steps, with the lines that tell of them.

    `tellings` says how often each message was told at the table then, from its opening on.
    """

    events: tuple[object, ...] = ()
    says: tuple[Say, ...] = ()
    tellings: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells of one table: that of a game, an id and a link of a chain."""

    kit: AnyKit
    table: str
    link: int

    def tell(self, events: Sequence[object], earlier_tellings: Mapping[str, int]) -> Narrated:
        """Return the lines about events, each with the text that is chosen for it."""
        says, tellings = list[Say](), dict(earlier_tellings)
        for say in self._lines(events):
            count = tellings.get(say.message.id, 0)
            tellings[say.message.id] = count + 1
            message = replace(say.message, variant=count + 1 - self.link)
            says.append(replace(say, message=message, game=self.kit.name, table=self.table))
        return Narrated(tuple(events), tuple(says), tellings)

    def _lines(self, events: Sequence[object]) -> Iterator[Say]:
        """Yield what is told of events; a failure is logged, as it must not keep a step from being played."""
        for event in events:
            try:
                says = [*self.kit.chat.narrate(event)]
            except Exception:
                log.exception("an event could not be told", table=self.table, happened=repr(event))
            else:
                yield from says


def narrate(table: Table, events: Sequence[object]) -> Narrated:
    """Return the lines about the next step of a table, each with the text that is chosen for it."""
    return Narrator(table.kit, table.id, table.secret.link).tell(events, table.tellings)


def told_again(table: Table, replay: Replay, since: int) -> Narrated:
    """Return what was told of the steps of a table after a turn, in the texts in which it was told."""
    earlier_events = [event for turn, some in replay.events if turn <= since for event in some]
    events = [event for turn, some in replay.events if turn > since for event in some]
    narrator = Narrator(table.kit, table.id, table.secret.link)
    return narrator.tell(events, narrator.tell(earlier_events, {}).tellings)


def in_time(table: Table, says: Sequence[Say]) -> tuple[Say, ...]:
    """Return lines that name the time of the phase as it is, where it is shorter than the rules have it.

    The rules do not know that the turn of somebody silent is short: their events tell of the whole time.
    """
    clock, deadline = table.clock, table.public_deadline
    left = 0 if deadline is None else round(deadline - table.watch.now())
    if clock is None or not 0 < left < clock.seconds:
        return tuple(says)
    return tuple(
        replace(say, message=replace(say.message, args={**say.message.args, SECONDS: left}))
        if say.message.args.get(SECONDS) == clock.seconds
        else say
        for say in says
    )
