"""Projects how many credits a day settings make beyond those that ship.

Each source counts for itself: one that makes less than it does as shipped makes up for no other. Who comes is
read from the last `DAYS`; a community of which little is known counts as `LEAST_MEMBERS` members. What a
member does on a day is assumed, generously, by the constants below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from chatbot.community.earning.settings import BITS, RAIDERS, SHIPPED, Earnings
from chatbot.kernel.game import Role
from chatbot.ledger.minted import Bustle
from chatbot.settings.community import CreditSettings

DAYS = 7  # from which it is read who comes
LEAST_MEMBERS = 10  # of a community that is new, or hardly used
SHARE_OF_NEWCOMERS = Fraction(1, 10)  # of the members, who come or follow for the first time on a day
LIVE_MINUTES, OFFLINE_MINUTES = 240, 1200  # of a day, that a member watches
MESSAGES = 120  # that a member sends while the stream is on, and as many while it is off
USUAL_GAP = 30  # seconds between two of these; where less is asked for, some write faster
FASTEST_GAP = 3  # seconds
LEAST_SUBSCRIPTIONS, LEAST_BITS, RAID_VIEWERS = 1, 1000, 100
BITS_OF_A_CHEER = 300
LEAST_TABLES = 10  # of a game on a day
JOINED = 5  # tables of a game at which a member stakes on a day
POINTS = 1000  # of a channel, that a viewer gets on a day
HOURS = 24
SHIPPED_START, SHIPPED_HOUSE = CreditSettings().start, CreditSettings().house_daily

Parts: TypeAlias = "Mapping[str, int]"
"""Credits a day beyond what ships, by source."""


@dataclass(frozen=True, slots=True)
class GamePolicy:
    """What a game makes in a room: `surplus` of each credit that is staked, `wages` for each member.

    Both are beyond what the default preset makes. `stake` is the largest that somebody stakes there: whoever
    knows of a surplus stakes as much as they may.
    """

    room: str
    game: str
    surplus: Fraction
    wages: int
    stake: int


@dataclass(frozen=True, slots=True)
class RewardPolicy:
    """A stake that viewers can buy: what it costs in points, stakes in credits, and waits in seconds."""

    cost: int
    stake: int
    cooldown: int

    @property
    def text(self) -> str:
        """The three as the audit shows them, like those of `SoldReward`."""
        return f"{self.cost}/{self.stake}/{self.cooldown}"


@dataclass(frozen=True, slots=True)
class Policy:
    """All that keepers of a community have chosen and that makes credits."""

    earnings: Earnings = SHIPPED
    start: int = SHIPPED_START
    house: int = SHIPPED_HOUSE  # that each member can win of players of the house on a day
    resets: bool = False  # whether a season can give every wallet what a new one starts with
    regulars: int = 0  # accounts on the list
    games: tuple[GamePolicy, ...] = ()
    rewards: tuple[RewardPolicy, ...] = ()


@dataclass(frozen=True, slots=True)
class CommunityActivity:
    """What is known of a community: how busy it is, and what wallets hold above amounts of upkeep."""

    bustle: Bustle
    above: Mapping[int, int] = field(default_factory=dict)

    @property
    def members(self) -> int:
        """Who comes, at least `LEAST_MEMBERS`."""
        return max(self.bustle.members, LEAST_MEMBERS)

    def daily(self, *reasons: str) -> int:
        """Return how many payments for reasons there were a day, rounded up."""
        return -(-sum(self.bustle.payments.get(each, 0) for each in reasons) // DAYS)


def excess(policy: Policy, room: CommunityActivity) -> Parts:
    """Return what a policy makes beyond what ships, by source; sources without any are left out."""
    amounts, usual_amounts = _by_source(policy.earnings, policy, room), _by_source(SHIPPED, policy, room)
    parts = {name: max(int(amounts[name] - usual_amounts[name]), 0) for name in amounts}
    parts["start"] = _start(policy, room)
    parts["upkeep"] = max(_upkeep(SHIPPED, room) - _upkeep(policy.earnings, room), 0)
    parts["house"] = room.members * max(policy.house - SHIPPED_HOUSE, 0)
    for each in policy.games:
        name = f"{each.game} {each.room}"
        parts[name] = parts.get(name, 0) + _game(each, room)
    parts["rewards"] = max(sum(_reward(each, room) for each in policy.rewards), _vouchers(room))
    return {name: credits_ for name, credits_ in parts.items() if credits_ > 0}


def _by_source(earnings: Earnings, policy: Policy, room: CommunityActivity) -> dict[str, Fraction]:
    """Return the credits that settings of earning make on a day."""
    weight = _weight(earnings, policy, room)
    newcomers = room.members * SHARE_OF_NEWCOMERS
    cheers = max(Fraction(room.daily("cheer") * BITS_OF_A_CHEER), Fraction(LEAST_BITS))
    raid = earnings.raid + Fraction(earnings.raid_viewers * RAID_VIEWERS, RAIDERS)
    return {
        "presence": room.members * _presence(earnings, weight),
        "claim": room.members * weight * earnings.claim * Fraction(HOURS, earnings.claim_hours),
        "follow": max(newcomers, Fraction(room.daily("follow")), Fraction(2)) * weight * earnings.follow,
        "subscribe": max(room.daily("subscribe"), LEAST_SUBSCRIPTIONS) * weight * earnings.subscribe,
        "cheer": cheers / BITS * weight * earnings.cheer,
        "raid": max(room.daily("raid"), 1) * _limited(weight * raid, earnings),
    }


def _presence(earnings: Earnings, weight: Fraction) -> Fraction:
    """Return what a member gets on a day for watching and talking."""
    watched = Fraction(earnings.watch * LIVE_MINUTES + earnings.watch_offline * OFFLINE_MINUTES)
    messages = Fraction(MESSAGES * USUAL_GAP, max(earnings.talk_gap, FASTEST_GAP))
    if earnings.talk_gap >= USUAL_GAP:
        messages = min(Fraction(MESSAGES), Fraction(LIVE_MINUTES * 60, earnings.talk_gap))
    talked = messages * (earnings.talk + earnings.talk_offline) / earnings.talk_messages
    return _limited(weight * (watched / earnings.watch_minutes + talked), earnings)


def _limited(credits_: Fraction, earnings: Earnings) -> Fraction:
    return min(credits_, Fraction(earnings.daily_most)) if earnings.daily_most else credits_


def _weight(earnings: Earnings, policy: Policy, room: CommunityActivity) -> Fraction:
    """Return the mean percentage of all members as a factor; what is below 100% makes up for nothing."""
    counts = {role: room.bustle.roles.get(role.value, 0) for role in Role}
    counts[Role.REGULAR] = policy.regulars
    counts[Role.BROADCASTER] = max(counts[Role.BROADCASTER], 1)
    counts[Role.MODERATOR] = max(counts[Role.MODERATOR], 2)
    counts[Role.SUBSCRIBER] = max(counts[Role.SUBSCRIBER], room.members // 5)
    # Whoever has several roles counts for each of them.
    surplus = sum(count * max(earnings.percent([role]) - 100, 0) for role, count in counts.items())
    return 1 + Fraction(surplus, 100 * room.members)


def _start(policy: Policy, room: CommunityActivity) -> int:
    beyond = max(policy.start - SHIPPED_START, 0)
    newcomers = max(room.members * SHARE_OF_NEWCOMERS, Fraction(room.daily("welcome")), Fraction(2))
    return int(beyond * (newcomers + (room.bustle.everyone if policy.resets else 0)))


def _upkeep(earnings: Earnings, room: CommunityActivity) -> int:
    return room.above.get(earnings.upkeep_above, 0) * earnings.upkeep // 100


def _game(game: GamePolicy, room: CommunityActivity) -> int:
    key = game.room, game.game
    tables = max(Fraction(room.bustle.tables.get(key, 0), DAYS), Fraction(LEAST_TABLES))
    largest = Fraction(JOINED * room.members * game.stake)
    stakes = max(Fraction(room.bustle.staked.get(key, 0), DAYS), largest)
    return int(stakes * game.surplus + tables * room.members * game.wages)


def _reward(reward: RewardPolicy, room: CommunityActivity) -> int:
    purchases = Fraction(room.members * POINTS, reward.cost)
    if reward.cooldown:
        purchases = min(purchases, Fraction(LIVE_MINUTES * 60, reward.cooldown))
    return int(purchases * reward.stake)


def _vouchers(room: CommunityActivity) -> int:
    return room.bustle.vouchers // DAYS
