"""What happens in a channel besides talk: streams begin and end, people follow, subscribe, cheer and raid."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.ledger.deduplication import Again
from chatbot.rooms.room import Happening

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.bot.admission import Deduplication
    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Occasion, Room
    from chatbot.speech.outbox import Outbox

    Reward: TypeAlias = Callable[[Room, Occasion], Awaitable[Sequence[Say]]]

_STREAM = {Happening.ONLINE: True, Happening.OFFLINE: False}

AGAIN = 30.0  # seconds until an occasion that the database did not take is tried again

log = structlog.get_logger(__name__)


class ChannelEvents:
    """Takes every occasion in once, across restarts too.

    That it is taken in is written in one transaction with what `reward` pays for it. So there is nothing of
    it, or all, whenever the program ends: an occasion that comes again is paid if it was not.
    """

    def __init__(
        self,
        deduplication: Deduplication,
        members: CommunityMembers,
        outbox: Outbox,
        watch: Watch,
        reward: Reward,
    ) -> None:
        """`reward` gives what is said when all is written, and fails as the database does."""
        self._deduplication, self._members, self._outbox, self._watch = deduplication, members, outbox, watch
        self._reward = reward
        self._waiting: set[str] = set()  # ids of those that the database has not taken yet

    async def take(self, room: Room, occasion: Occasion) -> None:
        if not self._deduplication.fresh(occasion.id) and occasion.id not in self._waiting:
            return
        room.live = _STREAM.get(occasion.kind, room.live)  # known, but from before a restart: still so
        await self._take(room, occasion)

    async def _take(self, room: Room, occasion: Occasion) -> None:
        """Act on an occasion, as soon as the database is there, as long as the program runs."""
        self._waiting.discard(occasion.id)
        try:
            if occasion.account is not None:
                await self._members.people.settle([occasion.account])
            if await self._deduplication.knows(occasion.id):
                return
            whose, told = self._members.linked_accounts.happened(occasion), list[Say]()
            async with self._deduplication.noting(occasion.id):
                told += await self._reward(room, whose)
        except Again:
            return
        except (SQLAlchemyError, OSError) as error:
            log.warning("an occasion waits for the database", occasion=occasion.id, error=str(error))
            self._waiting.add(occasion.id)
            self._watch.ring(AGAIN, partial(self._take, room, occasion))
            return
        except Exception:
            log.exception("an occasion was not taken up", room=room.id, occasion=occasion.id)
            return
        if whose.kind is Happening.RAID and whose.seat is not None:
            told.insert(0, self._greeting(whose.seat, whose))
        self._outbox.say(room, told)

    def _greeting(self, raider: Seat, occasion: Occasion) -> Say:
        self._members.meet(raider, occasion.name)
        args: Arguments = {"who": Name(raider), "raiders": occasion.amount}
        return Say(Message("raid-welcome", args), talk=Talk.NORMAL, event="Raided")
