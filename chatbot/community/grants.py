"""How many credits a moderator may grant."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chatbot.ledger.books import purses
from chatbot.ledger.limits import GrantLimit
from chatbot.settings.community import TERMS
from chatbot.speech.spans import midnight

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.kernel.game import Seat
    from chatbot.ledger.people import People
    from chatbot.rooms.room import Room

DAY = timedelta(days=1)


def allotment(people: People, room: Room, seat: Seat, at: datetime, *, confirmed: bool) -> GrantLimit:
    """Return what the person of a seat may grant on the day of `at`, in all united communities together.

    It is less if it was not `confirmed` by somebody else.
    """
    terms, day = TERMS.of(room), midnight(at)
    most = terms.grant_daily if confirmed else min(terms.grant_daily, terms.grant_confirm)
    mints = [purses.mint(each) for each in people.ties.united(room.community)]
    return GrantLimit(mints, people.ties.everyone(seat), most, day, day + DAY)
