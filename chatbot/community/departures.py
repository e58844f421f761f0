"""Who has left: which members of a community are at none of its platforms any more.

No platform tells the bot who leaves unless it may watch everybody (on Discord a privileged intent), so only
those whom a ranking is about to show are looked up, and what is found is used for `FRESH` seconds. Whoever
speaks meanwhile is back at once. Somebody is gone if all their accounts are that belong to platforms on which
the community has an open room: an account on another one cannot speak here anyway.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import structlog

from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.people import Account, People
    from chatbot.rooms.channel import Channel
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

FRESH = 900.0  # seconds for which what was found about an account is used
ANSWER_TIMEOUT = 1.0  # seconds that an answer waits for a platform; it then tells what is known
MOST_ASKED = 100  # accounts in one question, which is as many as Discord and Twitch answer
REMEMBERED = 10_000  # accounts and communities about which something is stored

_Key: TypeAlias = "tuple[str, Account]"
"""The community that holds the wallets, and an account."""

log = structlog.get_logger(__name__)


@runtime_checkable
class MemberRegister(Protocol):
    """An adapter whose platform can say whether accounts are still there; on others nobody ever leaves."""

    async def departed(
        self, channels: Collection[str], accounts: Sequence[Account]
    ) -> Collection[Account] | None:
        """Return those of up to `MOST_ASKED` accounts that can be in none of these channels any more.

        None: it is not known now.
        """


class Departures:
    """Remembers which accounts were gone when they were looked up last."""

    def __init__(self, people: People, rooms: Rooms, watch: Watch) -> None:
        self._people, self._rooms, self._watch = people, rooms, watch
        self._lookups: OrderedDict[_Key, tuple[bool, float]] = OrderedDict()  # whether it was gone, and when
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by the first of the keys

    async def find_gone(self, room: Room, seats: Collection[Seat]) -> set[Seat]:
        """Look up those of these persons of whom nothing is known, and return who is gone."""
        await self._people.learn(seats)
        async with self._asking[
            self._people.ties.community(room.community)
        ]:  # what one finds, all others use
            channels = self._channels(room)
            unknown = self._unknown(room, seats, channels)
            await asyncio.gather(*(self._ask(room, channels[each], unknown[each]) for each in unknown))
        return {each for each in seats if self._is_gone(room, each, channels)}

    def known_gone(self, room: Room) -> set[Seat]:
        """Return all seats of the persons of whom it is known that they are gone."""
        holder, channels = self._people.ties.community(room.community), self._channels(room)
        accounts = [
            account
            for (community, account), (left, _) in self._lookups.items()
            if left and community == holder
        ]
        seats = {
            self._people.ties.root(self._people.home(each)) for each in accounts if self._people.met(each)
        }
        gone_seats = [each for each in seats if self._is_gone(room, each, channels)]
        return {own for each in gone_seats for own in self._people.ties.everyone(each)}

    def _channels(self, room: Room) -> Mapping[str, list[Channel]]:
        """Return the channels of the united communities, of open rooms, by platform."""
        channels = defaultdict[str, list["Channel"]](list)
        for each in self._united(room):
            for channel in each.channels:
                channels[channel.platform].append(channel)
        return channels

    def _united(self, room: Room) -> list[Room]:
        communities = set(self._people.ties.united(room.community))
        return [each for each in self._rooms.values() if each.community in communities]

    def _unknown(
        self, room: Room, seats: Collection[Seat], channels: Mapping[str, list[Channel]]
    ) -> Mapping[str, list[Account]]:
        """Return the accounts that have to be asked about, by platform."""
        unknown = defaultdict[str, list["Account"]](list)
        for account in [each for seat in seats for each in self._people.accounts(seat)]:
            group = unknown[account.platform] if account.platform in channels else None
            if group is not None and len(group) < MOST_ASKED and self._fresh(room, account) is None:
                group.append(account)
        return {platform: accounts for platform, accounts in unknown.items() if accounts}

    async def _ask(self, room: Room, channels: Sequence[Channel], accounts: Sequence[Account]) -> None:
        """Ask the platform of these channels about accounts; without an answer, nothing is known of them."""
        adapter, holder = channels[0].adapter, self._people.ties.community(room.community)
        if not isinstance(adapter, MemberRegister):
            return
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                left = await adapter.departed([each.id for each in channels], accounts)
        except TimeoutError:
            return
        except Exception:
            log.exception("a platform could not be asked who has left", platform=channels[0].platform)
            return
        for each in accounts if left is not None else ():
            assert left is not None  # noqa: S101  (for mypy)
            remember(self._lookups, (holder, each), (each in left, self._watch.now()), REMEMBERED)

    def _fresh(self, room: Room, account: Account) -> tuple[bool, float] | None:
        """Return whether an account was gone, and when it was looked up, unless that is too long ago."""
        lookup = self._lookups.get((self._people.ties.community(room.community), account))
        return lookup if lookup is not None and lookup[1] > self._watch.now() - FRESH else None

    def _is_gone(self, room: Room, seat: Seat, channels: Mapping[str, list[Channel]]) -> bool:
        accounts = [each for each in self._people.accounts(seat) if each.platform in channels]
        lookups = [self._fresh(room, each) for each in accounts]
        gone_since = [at for left, at in filter(None, lookups) if left]
        if not lookups or len(gone_since) < len(lookups):
            return False
        return max(self._spoke(room, seat), default=float("-inf")) <= min(gone_since)

    def _spoke(self, room: Room, seat: Seat) -> Iterator[float]:
        """Yield when a person was active in the open rooms of the united communities."""
        for each in self._united(room):
            yield from (each.spoke[own] for own in self._people.ties.everyone(seat) if own in each.spoke)
