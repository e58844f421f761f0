"""The credits that a heist moves while it is settled, and what is then in the purses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import SystemPurse, Transfer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.game import Seat, TransferParty


class StepLedger:
    """Keeps the needed purses up to date while a heist is settled."""

    def __init__(self, purses: Mapping[Seat, int]) -> None:
        self._purses = dict(purses)
        self.transfers: list[Transfer] = []

    def purse(self, seat: Seat) -> int:
        """Read present credits; only seats that `Heist.needs` named have a purse here."""
        return self._purses[seat]

    def move(self, source: TransferParty, target: TransferParty, amount: int, why: str) -> None:
        """Move whole credits; an amount of 0 moves nothing."""
        if amount == 0:
            return
        self.transfers.append(Transfer(source, target, amount, why))
        self._change(source, -amount)
        self._change(target, amount)

    def _change(self, purse: TransferParty, amount: int) -> None:
        if not isinstance(purse, SystemPurse) and purse in self._purses:
            self._purses[purse] += amount
