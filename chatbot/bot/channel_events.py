"""Handles the events of channels other than lines: streams, follows, subscriptions, cheers and raids."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.ledger.store.engines import reason
from chatbot.rooms.batch import carry_out
from chatbot.rooms.line import Happening

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.bot.deduplication import Deduplication
    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.line import Occasion
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

    RewardOccasion: TypeAlias = Callable[[Batch, Room, Occasion], Awaitable[Sequence[Say]]]

_STREAM = {Happening.ONLINE: True, Happening.OFFLINE: False}

RETRY_DELAY = 30.0  # seconds until an event that could not be written is tried again

log = structlog.get_logger(__name__)


class ChannelEvents:
    """Handles every event once, across restarts too.

    The id of an event is written in one transaction with what `reward` pays for it. So either both are
    written or neither, whenever the program ends: an event that is delivered again is paid if it was not.
    """

    def __init__(
        self,
        ledger: Ledger,
        deduplication: Deduplication,
        members: CommunityMembers,
        outbox: Outbox,
        watch: Watch,
        reward: RewardOccasion,
    ) -> None:
        """Create the handler; `reward` pays for an event and returns the messages about that.

        It raises the errors of the database.
        """
        self._ledger = ledger
        self._deduplication, self._members, self._outbox, self._watch = deduplication, members, outbox, watch
        self._reward = reward
        self._waiting_ids: set[str] = set()  # ids of events that could not be written yet

    async def take(self, room: Room, occasion: Occasion) -> bool:
        """Handle an event, unless it was handled before; return False if it waits for the database."""
        is_fresh = self._deduplication.fresh(occasion.id, occasion.sent)
        if not is_fresh and occasion.id not in self._waiting_ids:
            return True
        # Also for an event that was handled before a restart, as `live` is in memory only.
        room.live = _STREAM.get(occasion.kind, room.live)
        await self._take(room, occasion)
        return occasion.id not in self._waiting_ids

    async def _take(self, room: Room, occasion: Occasion) -> None:
        """Handle an event, and retry while the database fails."""
        self._waiting_ids.discard(occasion.id)
        try:
            if occasion.account is not None:
                await self._members.people.settle([occasion.account])
            await carry_out(self._ledger, partial(self._decide, room=room, occasion=occasion))
        except (SQLAlchemyError, OSError) as error:
            log.warning("an occasion waits for the database", occasion=occasion.id, error=reason(error))
            self._waiting_ids.add(occasion.id)
            self._watch.ring(RETRY_DELAY, partial(self._take, room, occasion))
            return
        except Exception:
            log.exception("an occasion was not taken up", room=room.id, occasion=occasion.id)

    async def _decide(self, batch: Batch, room: Room, occasion: Occasion) -> None:
        if not await batch.unit.first(occasion.id, self._watch.date()):
            return
        batch.then(self._deduplication.sweep)
        member_occasion = self._members.linked_accounts.with_member(occasion)
        says = [*await self._reward(batch, room, member_occasion)]
        if member_occasion.kind is Happening.RAID and member_occasion.seat is not None:
            says.insert(0, self._greeting(member_occasion.seat, member_occasion))
        batch.then(partial(self._outbox.say, room, says))

    def _greeting(self, raider: Seat, occasion: Occasion) -> Say:
        args: Arguments = {"who": Name(raider), "raiders": occasion.amount}
        return Say(Message("raid-welcome", args), talk=Talk.NORMAL, event="Raided")
