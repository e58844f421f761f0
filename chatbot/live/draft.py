"""A posting in the making: what actions do to a table, before anybody has agreed to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Seat, Till
from chatbot.kernel.settings import dump
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Opening, Posting, Remembered, Turn, instalments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.kernel.codec import Codec
    from chatbot.kernel.game import Purse, Step, Transfer
    from chatbot.live.table import Table


@dataclass(frozen=True, slots=True)
class Cause:
    """Which line an action comes from, if any, and whose it was."""

    line: str = ""
    seat: str = ""


class Draft:
    """A posting in the making, and the state that it leads to."""

    def __init__(self, table: Table, cause: Cause) -> None:
        self._table, self._cause = table, cause
        self.state, self.turn = table.state, table.turn
        self.events: list[object] = []
        self.expects: dict[str, int] = {}
        self._entries: list[Entry] = []
        self._turns: list[Turn] = []
        self._records: dict[Seat, str] = {}

    def add(self, codec: Codec, action: Any, purses: Mapping[Seat, int], step: Step[Any]) -> None:
        self.state, self.turn = step.state, self.turn + 1
        self.events.extend(step.events)
        self._entries.extend(entry for each in step.transfers for entry in self._booked(each))
        self._records.update({seat: codec.dump(record) for seat, record in step.records.items()})
        known = json.dumps(dict(purses), separators=(",", ":"))
        self._turns.append(Turn(self._table.id, self.turn, codec.dump(action), known, self._cause.line))

    def net(self, account: str) -> int:
        """Sum up what the entries so far bring to an account."""
        gained = sum(each.credits for each in self._entries if each.target == account)
        return gained - sum(each.credits for each in self._entries if each.source == account)

    @property
    def posting(self) -> Posting:
        table, room = self._table, self._table.room
        records = self._records.items()
        return Posting(
            id=f"table:{table.id}:{table.turn + 1}",
            community=room.community,
            at=table.watch.date(),
            actor=self._cause.seat,
            entries=tuple(self._entries),
            expects=self.expects,
            opening=None if table.turn else self._opening(),
            table=table.id,
            turns=tuple(self._turns),
            records=tuple(Remembered(room.id, table.kit.name, seat, body) for seat, body in records),
            settles=table.game.clock(self.state) is None,
        )

    def _opening(self) -> Opening:
        table = self._table
        settings = json.dumps(dump(table.game), separators=(",", ":"))
        return Opening(table.id, table.room.id, table.kit.name, table.kit.version, settings, table.seed)

    def _booked(self, transfer: Transfer) -> Iterator[Entry]:
        source, target = (self._account(each) for each in (transfer.source, transfer.target))
        return instalments(source, target, transfer.credits, transfer.why)

    def _account(self, purse: Purse) -> str:
        community = self._table.room.community
        match purse:
            case Till.POT:
                return self._table.pot
            case Till.HOUSE:
                return accounts.house(community)
            case Till.MINT:
                return accounts.mint(community)
            case _:
                return accounts.wallet(community, purse)
