"""The rows of leaderboards of members, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.say import Credits, Message, Quote
from chatbot.settings.community import TERMS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.community.departures import Departures
    from chatbot.kernel.game import Seat
    from chatbot.ledger.seasons import SeasonPlacing
    from chatbot.rooms.room import Room


def archived_rows(rows: Sequence[tuple[str, int]]) -> Sequence[Message]:
    """Word an archived leaderboard from names, which are those of that time, and credits, best first."""
    places = shared_places([balance for _, balance in rows])
    return [
        Message("top-row", {"place": place, "who": Quote(name), "balance": Credits(balance)})
        for place, (name, balance) in zip(places, rows, strict=True)
    ]


async def last_rows(
    departures: Departures,
    room: Room,
    places: Sequence[tuple[Seat, str, int]],
    without: Collection[Seat] = (),
) -> tuple[Message, ...]:
    """Word the leaderboard of a season that has ended, from seats, names and credits.

    Who is excluded since is left out, and who is gone is left out or marked.
    """
    gone_seats = await departures.find_gone(room, [seat for seat, _, _ in places])
    hidden = {*without, *gone_seats} if TERMS.of(room).skip_gone else without
    messages = archived_rows([(name, balance) for _, name, balance in places])
    return tuple(
        marked(row, gone=seat in gone_seats)
        for (seat, _, _), row in zip(places, messages, strict=True)
        if seat not in hidden
    )


def placings(places: Sequence[SeasonPlacing]) -> Sequence[tuple[Seat, str, int]]:
    """Return the seat, the name and the credits of each place of a leaderboard that was kept."""
    return [(each.seat, each.name, each.credits) for each in places]


def marked(row: Message, *, gone: bool) -> Message:
    return Message("top-gone", {"row": row}) if gone else row


def shared_places(numbers: Sequence[int]) -> Sequence[int]:
    """Return the places, from 1, of numbers that are sorted from the largest; equal ones share one."""
    return [1 + numbers.index(each) for each in numbers]
