"""A posting in the making: what actions do to a table, before anybody has agreed to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chatbot.ledger.books.posting import Entry, Opening, Posting, Remembered, Turn
from chatbot.ledger.books.purses import Purse, wallet
from chatbot.rooms.replies import Exchange
from chatbot.tables.replay import booked, moment

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from chatbot.kernel.codec import Codec
    from chatbot.kernel.game import Seat, Step
    from chatbot.tables.table import Table


class LedgerView(Protocol):
    """What a step is decided upon: the ledger, or what will be in it when a unit is committed."""

    async def balances(self, names: Collection[Purse]) -> dict[Purse, int]: ...

    async def records(self, room: str, game: str, seats: Collection[Seat]) -> dict[Seat, str]: ...

    async def post(self, posting: Posting) -> bool: ...


@dataclass(frozen=True, slots=True)
class Cause:
    """Which line an action comes from, if any (players of the house write none), and whose it was.

    `posting` is the id under which it is written, once and for all; the clock's steps go by their turn.
    What comes of it is told in the line's `exchange`.
    """

    line: str = ""
    seat: str = ""
    posting: str = ""
    exchange: Exchange | None = None


class Draft:
    """A posting in the making, and the state that it leads to."""

    def __init__(self, table: Table, cause: Cause, books: LedgerView) -> None:
        self._table, self._cause, self._books = table, cause, books
        self.state, self.turn = table.state, table.turn
        self.events: list[object] = []
        self.expects: dict[Purse, int] = {}
        self._entries: list[Entry] = []
        self._turns: list[Turn] = []
        self._records: dict[Seat, str] = {}

    async def decide(self, action: Any, ids: Sequence[str]) -> None:
        """Let the rules make a step of the action; `ids` are those of the messages so far.

        Raises:
            Refusal: it is not possible now.
        """
        table = self._table
        purses = await self._purses(action)
        luck = moment(table.seed, self.turn + 1, ids, purses)
        self._add(table.kit.codec, action, purses, table.game.apply(self.state, action, luck))

    async def _purses(self, action: Any) -> Mapping[Seat, int]:
        """Read the purses that this action needs, as they will be after the actions before it."""
        table = self._table
        needed = sorted(table.game.needs(self.state, action))
        if not needed:
            return {}
        names = {seat: wallet(table.room.community, seat) for seat in needed}
        balances = await self._books.balances(list(names.values()))
        self.expects.update(balances)
        return {seat: balances[names[seat]] + self.gained(names[seat]) for seat in needed}

    def _add(self, codec: Codec, action: Any, purses: Mapping[Seat, int], step: Step[Any]) -> None:
        self.state, self.turn = step.state, self.turn + 1
        self.events.extend(step.events)
        self._entries.extend(booked(self._table.id, self._table.room.community, step.transfers))
        self._records.update({seat: codec.dump(record) for seat, record in step.records.items()})
        known = json.dumps(dict(purses), separators=(",", ":"))
        self._turns.append(Turn(self._table.id, self.turn, codec.dump(action), known, self._cause.line))

    @property
    def of_clock(self) -> bool:
        """Whether the clock is its cause, and nobody who could be refused."""
        return not self._cause.posting

    def gained(self, purse: Purse) -> int:
        """Sum up what the entries so far bring to a purse."""
        gained = sum(each.credits for each in self._entries if each.target == purse)
        return gained - sum(each.credits for each in self._entries if each.source == purse)

    @property
    def posting(self) -> Posting:
        table, room = self._table, self._table.room
        records, settles = self._records.items(), table.game.clock(self.state) is None
        return Posting(
            id=self._cause.posting or f"clock:{table.id}:{table.turn + 1}",
            community=room.community,
            at=table.watch.date(),
            actor=self._cause.seat,
            entries=tuple(self._entries),
            expects=self.expects,
            opening=None if table.turn else self._opening(),
            table=table.id,
            turns=tuple(self._turns),
            records=tuple(Remembered(room.id, table.kit.name, seat, body) for seat, body in records),
            settles=settles,
            seed=table.seed if settles else None,
        )

    def _opening(self) -> Opening:
        table = self._table
        settings, secret = table.settings, table.secret
        return Opening(
            table.id, table.room.id, table.kit.name, table.kit.version, settings, secret.chain, secret.link
        )
