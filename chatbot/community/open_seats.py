"""Which seats are open in browsers, so that tables can wait for hands that could not be shown otherwise."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


class OpenSeats:
    """The seats that are open now; `address` is where everybody can open theirs, empty if nobody can."""

    def __init__(self) -> None:
        self.address = ""
        self._open: Counter[tuple[str, Seat]] = Counter()  # by room and seat

    def add(self, room: str, seat: Seat) -> None:
        """Note that a seat is open in one more browser."""
        self._open[room, seat] += 1

    def discard(self, room: str, seat: Seat) -> None:
        """Note that a browser has closed a seat."""
        self._open[room, seat] -= 1
        self._open += Counter()  # keeps those above 0 only

    def __contains__(self, room_and_seat: tuple[str, Seat]) -> bool:
        return self._open[room_and_seat] > 0
