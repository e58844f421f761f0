"""Drafts of postings: what actions do to a table, computed before it is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.kernel.codec import compact
from chatbot.kernel.game import Refusal, Seat
from chatbot.ledger.books.posting import Entry, Opening, Posting, Remembered, Turn
from chatbot.ledger.books.purses import Purse, wallet
from chatbot.ledger.vouchers import VoucherState
from chatbot.rooms.request import stake_left
from chatbot.tables.narration import Narrated
from chatbot.tables.replay import booked, moment
from chatbot.tables.voucher_stakes import VoucherStakes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.codec import Codec
    from chatbot.kernel.game import Clock, Step
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.vouchers import HeldVoucher
    from chatbot.rooms.table_protocol import Cause, Table


class Draft:
    """A posting that is not written yet, and the state that it leads to.

    `events`, `expects` (the balances that the step was decided from) and `turn` grow with each action.
    `clock` is that of the phase that the actions lead to.
    """

    clock: Clock | None
    vouchers: dict[Seat, HeldVoucher]
    """The vouchers whose stakes lie at the table after the actions, by seat; known at the `finish`."""

    def __init__(self, table: Table, cause: Cause, unit: UnitOfWork) -> None:
        self._table, self._cause, self._unit = table, cause, unit
        self.state, self.turn = table.state, table.turn
        self.events: list[object] = []
        self.narrated = Narrated()  # what is told of the events, once all are there
        self.expects: dict[Purse, int] = {}
        self._funding = VoucherStakes(table.room.community, table.vouchers, cause.voucher, Seat(cause.seat))
        # First what is minted or lent: the rules take the stake out of it.
        self._entries: list[Entry] = [*self._funding.minted(), *cause.lent]
        self._turns: list[Turn] = []
        self._records: dict[Seat, str] = {}

    async def decide(self, action: object, ids: Sequence[str]) -> None:
        """Apply the rules to an action and add the result; `ids` are those of the lines so far.

        Raises:
            Refusal: it is not possible now.
        """
        table = self._table
        purses = await self._purses(action)
        step = table.game.apply(self.state, action, moment(table.seed, self.turn + 1, ids, purses))
        refunded = partial(table.kit.money.refunded, self.state)
        self._funding.note(table.game.clock(self.state), refunded, step.transfers)
        self._add(table.kit.codec, action, purses, step)
        self.clock = table.game.clock(step.state)

    def finish(self) -> None:
        """Add what follows from the vouchers of the table, once all actions are decided.

        Raises:
            Refusal: the stake is not what the voucher of the cause pays for, or more than the line may take.
        """
        seat = Seat(self._cause.seat)
        most = self._cause.most
        if most is not None and -self.gained(wallet(self._table.room.community, seat)) > most:
            raise Refusal(stake_left(most))
        if self._cause.voucher is not None:
            self._funding.require_exact(self.gained(wallet(self._table.room.community, seat)))
        self._entries.extend(self._funding.burnt())
        self.vouchers = self._funding.left(self.clock)

    @property
    def forfeits(self) -> bool:
        """Whether its author backs out of a stake that a platform was paid for, which is lost by that."""
        seat, table = Seat(self._cause.seat), self._table
        voucher, refunded = self.vouchers.get(seat), table.kit.money.refunded
        kept = voucher is not None and voucher.state is VoucherState.KEPT
        return kept and refunded(self.state, seat) and not refunded(table.state, seat)

    @property
    def of_clock(self) -> bool:
        """Whether the clock is the cause, so that there is nobody to whom a refusal could be sent."""
        return not self._cause.posting

    def gained(self, purse: Purse) -> int:
        """Return the credits that the entries so far add to a purse, or take from it if negative."""
        gains = sum(each.credits for each in self._entries if each.target == purse)
        return gains - sum(each.credits for each in self._entries if each.source == purse)

    @property
    def posting(self) -> Posting:
        """The posting that writes the actions so far."""
        table, room = self._table, self._table.room
        records, settles = self._records.items(), self.clock is None
        return Posting(
            # Of a step of the clock too the id is the same each time it is tried, so that it is written once.
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
            vouchers=self._funding.held_vouchers(self.clock),
            settles=settles,
            seed=table.seed if settles else None,
        )

    async def _purses(self, action: object) -> Mapping[Seat, int]:
        """Read the balances that an action needs, as they will be after the actions before it."""
        table = self._table
        seats = sorted(table.game.needs(self.state, action))
        if not seats:
            return {}
        names = {seat: wallet(table.room.community, seat) for seat in seats}
        balances = await self._unit.balances(list(names.values()))
        self.expects.update(balances)
        return {seat: balances[names[seat]] + self.gained(names[seat]) for seat in seats}

    def _add(self, codec: Codec, action: object, purses: Mapping[Seat, int], step: Step[object]) -> None:
        self.state, self.turn = step.state, self.turn + 1
        self.events.extend(step.events)
        self._entries.extend(booked(self._table.id, self._table.room.community, step.transfers))
        self._records.update({seat: codec.dump(record) for seat, record in step.records.items()})
        purses_json = compact(dict(purses)) if purses else "{}"
        self._turns.append(Turn(self._table.id, self.turn, codec.dump(action), purses_json, self._cause.line))

    def _opening(self) -> Opening:
        table = self._table
        settings, secret = table.settings, table.secret
        return Opening(
            table.id,
            table.room.id,
            table.kit.name,
            table.kit.rules.version,
            settings,
            secret.chain,
            secret.link,
        )
