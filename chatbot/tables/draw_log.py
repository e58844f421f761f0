"""Records what a table draws in each turn, so that others can draw the same without knowing its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from chatbot.kernel.fair import Rng, turn_key
from chatbot.tables.replay import Replay, replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.journal import TableRecord

T = TypeVar("T")

LoggedDraw: TypeAlias = "list[object]"
"""A draw as JSON: its kind, its arguments and what was drawn.

`["bits", count, hexadecimal]`, `["below", limit, number]`, `["uniform", number]` of 53 bits, and
`["sample", items, count, [places …]]`, which a shuffle is with as many as there are.
"""

_FLOAT_BITS = 53  # of a double's significand


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """A turn in which something was drawn; turns are counted from 1."""

    turn: int
    key: bytes = field(repr=False)
    draws: Sequence[LoggedDraw] = ()


class LoggedRng(Rng):
    """A stream that notes what is asked of it; what a draw is made of is not noted again."""

    __slots__ = ("_is_within", "log")

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.log: list[LoggedDraw] = []
        self._is_within = False

    def bits(self, count: int) -> int:
        number = super().bits(count)
        if not self._is_within:
            self.log.append(["bits", count, f"{number:x}"])
        return number

    def below(self, limit: int) -> int:
        return self._noted(
            lambda: super(LoggedRng, self).below(limit), lambda number: ["below", limit, number]
        )

    def uniform(self) -> float:
        return self._noted(super().uniform, lambda number: ["uniform", int(number * (1 << _FLOAT_BITS))])

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        size = len(items)
        places = self._noted(
            lambda: super(LoggedRng, self).sample(range(size), count),
            lambda some: ["sample", size, count, list(some)],
        )
        return [items[place] for place in places]

    def _noted(self, draw: Callable[[], T], describe: Callable[[T], LoggedDraw]) -> T:
        if self._is_within:
            return draw()
        self._is_within = True
        try:
            result = draw()
        finally:
            self._is_within = False
        self.log.append(describe(result))
        return result


@dataclass(slots=True)
class DrawLog:
    """The streams of the turns of one replay, in their order."""

    _streams: list[LoggedRng] = field(default_factory=list)

    def stream(self, key: Callable[[], bytes]) -> LoggedRng:
        """Return the stream of the next turn, of a key that is worked out when something is drawn."""
        stream = LoggedRng.later(key)
        assert isinstance(stream, LoggedRng)  # `later` makes one of its class  # noqa: S101
        self._streams.append(stream)
        return stream

    def turns(self, table_record: TableRecord) -> list[DrawnTurn]:
        """Return the turns in which something was drawn, of the record that was replayed."""
        drawn, ids, number = list[DrawnTurn](), list[str](), 0
        for step in table_record.steps:
            if step.line:
                ids.append(step.line)
            for turn in step.turns:
                log = self._streams[number].log if number < len(self._streams) else []
                number += 1
                if log and table_record.seed is not None:
                    drawn.append(
                        DrawnTurn(turn.turn, turn_key(table_record.seed, turn.turn, ids), tuple(log))
                    )
        return drawn


def logged(
    kit: AnyKit | None, table_record: TableRecord, look: Callable[[Replay], None] | None = None
) -> tuple[Replay, list[DrawnTurn]]:
    """Replay a record as `replay` does, and return what was drawn, too; raises as `replay`."""
    log = DrawLog()
    replayed = replay(kit, table_record, look, log.stream)
    return replayed, log.turns(table_record)
