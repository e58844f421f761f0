"""The settings of earning and of the upkeep of large wallets, and the amounts that follow from them.

An amount is multiplied first and rounded down once, at the end, so that many small ones never add up to more
than one large one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from chatbot.kernel.game import Role
from chatbot.kernel.settings import Flag, Unit, Whole
from chatbot.settings.fields import Fields, Scope

if TYPE_CHECKING:
    from collections.abc import Collection

BITS, RAIDERS = 100, 10  # the units of the rates of cheers and raids

Rate = Annotated[Whole, Field(ge=0, le=1_000_000), Unit("credits")]
Percent = Annotated[Whole, Field(ge=0, le=1000), Unit("percent")]


class Stacking(Enum):
    """Which percentages count for a member with several roles."""

    HIGHEST = "highest"  # the highest of their percentages
    STACKED = "stacked"  # their differences from 100% are added: 150% and 120% are 170%


@dataclass(frozen=True, slots=True)
class Earnings:
    """The settings of earning. Credits per event, unless a comment says otherwise."""

    watch: Rate = 1  # per `watch_minutes` while the stream is on
    watch_offline: Rate = 0
    watch_minutes: Annotated[Whole, Field(ge=5, le=240), Unit("minutes")] = 10
    watch_active: Annotated[Whole, Field(ge=0, le=240), Unit("minutes")] = 0  # 0: viewers need not talk
    talk: Rate = 1  # per `talk_messages` while the stream is on
    talk_offline: Rate = 0
    talk_messages: Annotated[Whole, Field(ge=1, le=100), Unit("messages")] = 5
    talk_gap: Annotated[Whole, Field(ge=0, le=600), Unit("seconds")] = 30  # between two messages that count
    follow: Rate = 20  # paid once to each person
    subscribe: Rate = 500
    cheer: Rate = 100  # per 100 bits
    raid: Rate = 50
    raid_viewers: Rate = 10  # per 10 viewers of the raid
    claim: Rate = 120
    claim_hours: Annotated[Whole, Field(ge=1, le=168), Unit("hours")] = 12
    claim_live: Flag = False  # whether it can be claimed only while the stream is on
    daily_most: Rate = 500  # by watching, talking and raids on one day, in UTC; 0: no limit
    upkeep: Annotated[Whole, Field(ge=0, le=100), Unit("percent")] = 3  # a day, of what is above upkeep_above
    upkeep_above: Rate = 1000
    stacking: Stacking = Stacking.HIGHEST
    regular: Percent = 100
    subscriber: Percent = 100
    vip: Percent = 100
    moderator: Percent = 100
    broadcaster: Percent = 100

    def percent(self, roles: Collection[Role]) -> int:
        """Return the percentage of a rate that a member with these roles gets, 0 or more."""
        percentages = {
            Role.REGULAR: self.regular,
            Role.SUBSCRIBER: self.subscriber,
            Role.VIP: self.vip,
            Role.MODERATOR: self.moderator,
            Role.BROADCASTER: self.broadcaster,
        }
        percents = [percent for role, percent in percentages.items() if role in roles]
        if self.stacking is Stacking.STACKED:
            return max(0, 100 + sum(each - 100 for each in percents))
        return max(percents, default=100)

    def share(self, rate: int, roles: Collection[Role], units: int = 1, per: int = 1) -> int:
        """Return the credits for `units`, where the rate is for `per` of them."""
        return rate * units * self.percent(roles) // (100 * per)

    def raided(self, roles: Collection[Role], viewers: int) -> int:
        """Return the credits for a raid with so many viewers."""
        together = self.raid * RAIDERS + self.raid_viewers * viewers
        return together * self.percent(roles) // (100 * RAIDERS)

    def modest(self, other: Earnings) -> Earnings:
        """Return settings that pay nobody more than these or the `other` ones: of each setting the lesser."""
        if self == other:
            return self
        values: dict[str, Any] = {each.name: _lesser(each.name, self, other) for each in fields(self)}
        return replace(self, **values)

    def upkeep_of(self, balance: int) -> int:
        """Return the credits that a day of activity costs a wallet that holds so many, rounded down.

        Earnings do not depend on what a member holds, so without upkeep wallets would grow without a limit.
        """
        return max(balance - self.upkeep_above, 0) * self.upkeep // 100


SHIPPED = Earnings()
"""The settings that ship: what others pay beyond them is accounted for separately."""

_LESS_IF_MORE = frozenset({
    "watch_minutes", "watch_active", "talk_messages", "talk_gap", "claim_hours", "claim_live", "upkeep",
})  # fmt: skip
"""Settings of which the larger value pays less."""


def _lesser(name: str, one: Earnings, other: Earnings) -> object:
    """Return which value of a setting pays less."""
    values = getattr(one, name), getattr(other, name)
    if name == "stacking":  # the highest percentage alone is never more than all of them, from 100% on
        return Stacking.HIGHEST if Stacking.HIGHEST in values else Stacking.STACKED
    if name == "daily_most":  # 0 is no limit
        return min(filter(None, values), default=0)
    return max(values) if name in _LESS_IF_MORE else min(values)


EARNINGS = Fields("earning", Earnings, Scope.COMMUNITY)
