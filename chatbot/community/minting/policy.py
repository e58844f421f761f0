"""The one policy for settings that make credits: what they may make, who agrees to it, whom it reaches when.

A change that makes more than before, beyond what ships, is a raise. It is recorded as one. If all that is in
force makes more than the setting `grant_confirm` a day, it needs the consent of another keeper. What a keeper
has raised or agreed to does not reach them on the same day (UTC). Nothing here stops a payment to others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from chatbot.community.changes_in_words import described
from chatbot.community.earning.settings import EARNINGS, SHIPPED
from chatbot.community.minting import projection
from chatbot.community.minting.projection import (
    DAYS,
    GamePolicy,
    Policy,
    RewardPolicy,
    excess,
)
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.kernel.stakes import MOST_IN_CHAT
from chatbot.ledger.changes import CONFIRMED, OPERATOR, RAISED, Change
from chatbot.ledger.minted import EXEMPT
from chatbot.rooms.request import NeedsConsent
from chatbot.rooms.settings.lists import REGULARS
from chatbot.runtime.limits import remember
from chatbot.settings.community import TERMS
from chatbot.settings.fields import OfGame, selected
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from chatbot.community.earning.settings import Earnings
    from chatbot.community.minting.projection import Parts
    from chatbot.ledger.minted import Minted, Raise
    from chatbot.ledger.people import People
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import Actor
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.settings.fields import AnySelection, Groups

DAY = timedelta(days=1)
REMEMBERED = 1000  # games under some settings, whose odds take up to a second
HOUSE_KEY = "house_daily"  # of what can be won of players of the house, at the games whose returns are known
SUBJECT = "mint"  # of the change that records a raise


@dataclass(frozen=True, slots=True)
class Agreement:
    """What exactly somebody agrees to: these changes, beside all that is in force."""

    changes: tuple[Change, ...]
    before: Policy


class MintPolicy:
    """Decides on changes of what is made, and what reaches those who have raised it today."""

    def __init__(
        self,
        groups: Groups,
        minted: Minted,
        people: People,
        rooms: Rooms,
        watch: Watch,
        say: Callable[[Room, Sequence[Say]], None],
    ) -> None:
        self._groups, self._minted, self._people = groups, minted, people
        self._rooms, self._watch, self._say = rooms, watch, say
        self._games: OrderedDict[object, tuple[Fraction, int]] = OrderedDict()
        # Those of a day, by the communities that share wallets; dropped with each raise.
        self._raises: dict[tuple[str, ...], tuple[datetime, list[Raise]]] = {}
        self._recorded = 0  # raises since the start
        self._told_on: dict[Seat, datetime] = {}  # the day on which a keeper was told of the rule of the day

    # What reaches whom

    async def earnings(self, room: Room, seat: Seat) -> Earnings:
        """Return the settings of earning for a person: on the day of a raise of theirs those before it."""
        present = EARNINGS.of(room)
        if present == SHIPPED:
            return present
        for each in await self._own(room, seat):
            present = present.modest(SHIPPED)
            for key, old in each.before.get(EARNINGS.name, {}).items():
                with suppress(Refusal):  # a value that is not valid any more
                    old_earnings = EARNINGS.read({} if old is None else {key: old}).value
                    present = present.modest(replace(present, **{key: getattr(old_earnings, key)}))
        return present

    async def has_raised(self, room: Room, seat: Seat) -> bool:
        """Return whether a person has raised something today, or agreed to it."""
        return bool(await self._own(room, seat))

    async def raisers(self, room: Room) -> frozenset[Seat]:
        """Return all seats of those who have raised something today, or agreed to it."""
        raises = await self._today(room)
        return frozenset(seat for each in raises for seat in self._people.ties.everyone(Seat(each.by)))

    async def admit(self, table: Table, actor: Seat) -> None:
        """Check that somebody may sit down at a table of a game whose payments they have not raised today.

        Raises:
            Refusal: they have.
        """
        if actor in table.seated:
            return
        for each in await self._own(table.room, actor):
            if table.kit.name in each.before or (table.kit.programs.returns and HOUSE_KEY in _terms(each)):
                now = self._watch.date()
                wait = lasting(ceil((midnight(now) + DAY - now).total_seconds()))
                raise Refusal(Message("raise-not-you", {"wait": wait}))

    async def _own(self, room: Room, seat: Seat) -> list[Raise]:
        """Return the raises of today by a person, whichever account they have used."""
        raises = await self._today(room)
        everyone = set(self._people.ties.everyone(seat)) if raises else ()
        return [each for each in raises if each.by in everyone]

    async def _today(self, room: Room) -> list[Raise]:
        day, communities = midnight(self._watch.date()), tuple(self._people.ties.united(room.community))
        last_read, count = self._raises.get(communities), self._recorded
        if last_read is not None and last_read[0] == day:
            return last_read[1]
        raises = await self._minted.raises(communities, day, day + DAY)
        if count == self._recorded:  # else one may have been written after the read
            self._raises[communities] = day, raises
        return raises

    # Changes

    async def require(
        self, actor: Actor, selections: Mapping[str, AnySelection], changes: Sequence[Change]
    ) -> Sequence[Change]:
        """Return how a change of settings is recorded if it is a raise; nothing otherwise.

        Raises:
            NeedsConsent: it makes more than one keeper may let be made.
            Refusal: it makes more than keepers may, or differs from what was agreed to.
        """
        before, after = await self._policies(actor.room, selections)
        return await self._decide(actor, before, after, changes)

    async def require_reward(
        self, actor: Actor, reward: str, policy: RewardPolicy, change: Change
    ) -> Sequence[Change]:
        """Return how a new or changed reward is recorded; raises as `require`. A new one has no id yet."""
        before, _ = await self._policies(actor.room, {})
        rewards = await self._sold(actor.room)
        others = tuple(each for key, each in rewards.items() if key != reward)
        after = replace(before, rewards=tuple(sorted((*others, policy), key=str)))
        return await self._decide(actor, before, after, [change])

    def record(self, actor: Actor, changes: Sequence[Change]) -> None:
        """Let a raise that was written count, and tell those whom it does not reach, or reaches, today."""
        if not changes:
            return
        self._recorded += 1
        self._raises.clear()
        day = midnight(self._watch.date())
        keepers = {Seat(actor.seat): changes[0].key}
        keepers |= {Seat(each.subject): each.key for each in changes if each.kind == CONFIRMED}
        for seat, key in keepers.items():
            if seat == OPERATOR:
                continue
            if key == EXEMPT:
                message = Message("raise-exempt", {"who": Name(seat)})
                self._say(actor.room, [Say(message, event=message.id, everywhere=True)])
            elif self._told_on.get(self._people.ties.person(seat)) != day:
                self._told_on[self._people.ties.person(seat)] = day
                self._say(actor.room, [Say(Message("raise-tomorrow"), to=seat, event="RaiseTomorrow")])

    async def _decide(
        self, actor: Actor, before: Policy, after: Policy, changes: Sequence[Change]
    ) -> Sequence[Change]:
        if before == after:
            return ()
        activity = await self._known(actor.room, before, after)
        old_parts, parts = excess(before, activity), excess(after, activity)
        if all(credits_ <= old_parts.get(name, 0) for name, credits_ in parts.items()):
            return ()
        self._require_allowed(actor, Agreement(tuple(changes), before), parts, activity)
        return _recorded(actor, sum(old_parts.values()), sum(parts.values()))

    def _require_allowed(
        self, actor: Actor, terms: Agreement, parts: Parts, activity: projection.CommunityActivity
    ) -> None:
        bounds, total, consent = TERMS.of(actor.room), sum(parts.values()), actor.consent
        owns = actor.seat == OPERATOR or actor.role is Role.BROADCASTER or (consent and consent.owns)
        args: Arguments = {
            "who": Name(Seat(actor.seat)),
            "changes": described(*terms.changes),
            "credits": Credits(_rounded(total)),
            "members": activity.members,
            "most": Credits(bounds.grant_daily),
        }
        if consent is not None and consent.to != terms:
            raise Refusal(Message("raise-changed"))
        if total > bounds.grant_daily and not owns:
            raise Refusal(Message("raise-most", args))
        if total > bounds.grant_confirm and consent is None:
            raise NeedsConsent(Message("raise-ask", args), terms)

    # What is in force

    async def _policies(self, room: Room, selections: Mapping[str, AnySelection]) -> tuple[Policy, Policy]:
        """Return the policy of a community that is in force, and that with selections for a room."""
        rewards = tuple(sorted((await self._sold(room)).values(), key=str))
        before = await self._policy(room, {}, rewards)
        return before, await self._policy(room, selections, rewards) if selections else before

    async def _policy(
        self, room: Room, selections: Mapping[str, AnySelection], rewards: tuple[RewardPolicy, ...]
    ) -> Policy:
        games, resets = list[GamePolicy](), False
        for each in self._together(room):
            for group in self._groups.values():
                if isinstance(group, OfGame):
                    own = selections if each.id == room.id else {}
                    selection = own.get(group.name, selected(group, each))
                    season = group.kit.rules.season(selection.value)
                    resets = resets or (season is not None and season.resets_credits)
                    games += [
                        GamePolicy(each.id, group.name, *some) for some in await self._game(group, selection)
                    ]
        terms = selections.get(TERMS.name, selected(TERMS, room)).value
        return Policy(
            selections.get(EARNINGS.name, selected(EARNINGS, room)).value,
            terms.start,
            terms.house_daily,
            resets,
            len(selections.get(REGULARS.name, selected(REGULARS, room)).value),
            tuple(games),
            rewards,
        )

    def _together(self, room: Room) -> list[Room]:
        """Return the open rooms whose members share wallets with those of a room, and the room."""
        holder = self._people.ties.community(room.community)
        others = [
            each for each in self._rooms.values() if self._people.ties.community(each.community) == holder
        ]
        return sorted({each.id: each for each in (*others, room)}.values(), key=lambda each: each.id)

    async def _game(self, group: OfGame, selection: AnySelection) -> list[tuple[Fraction, int, int]]:
        """Return what a game makes beyond its default, if it does, and the most that is staked there."""
        if selection.value == group.unset.value:
            return []
        key = group.name, tuple(sorted((name, str(each)) for name, each in selection.choices.items()))
        if key not in self._games:
            usual, flat = await _makes(group, group.unset.value)
            back, more = await _makes(group, selection.value)
            surplus, more = max(back - max(usual, Fraction(1)), Fraction(0)), max(more - flat, 0)
            remember(self._games, key, (surplus, more), REMEMBERED)
        surplus, more = self._games[key]
        return [(surplus, more, _largest_stake(selection.value))] if surplus or more else []

    async def _sold(self, room: Room) -> dict[str, RewardPolicy]:
        communities = self._people.ties.united(room.community)
        texts = await self._minted.rewards(communities)
        return {key: _reward(text) for key, text in texts.items() if "?" not in text}

    async def _known(self, room: Room, *policies: Policy) -> projection.CommunityActivity:
        holder, communities = (
            self._people.ties.community(room.community),
            self._people.ties.united(room.community),
        )
        since = self._watch.date() - timedelta(days=DAYS)
        bustle = await self._minted.bustle(communities, holder, since)
        amounts = {SHIPPED.upkeep_above, *(each.earnings.upkeep_above for each in policies)}
        above = {each: await self._minted.above(holder, each) for each in sorted(amounts)}
        return projection.CommunityActivity(bustle, above)


def _terms(raised: Raise) -> Mapping[str, str | None]:
    return raised.before.get(TERMS.name, {})


def _recorded(actor: Actor, old_total: int, total: int) -> Sequence[Change]:
    exempt = EXEMPT if actor.role is Role.BROADCASTER and actor.seat != OPERATOR else ""
    record = Change(RAISED, SUBJECT, exempt, str(old_total), str(total))
    consent = actor.consent
    if consent is None or consent.by == OPERATOR:
        return (record,)
    return record, Change(CONFIRMED, consent.by, EXEMPT if consent.owns else "")


def _rounded(credits_: int) -> int:
    """Round an estimate to two digits, upwards."""
    unit = 10 ** max(len(str(credits_)) - 2, 0)
    return int(-(-credits_ // unit) * unit)


def _reward(text: str) -> RewardPolicy:
    return RewardPolicy(*(int(each) for each in text.split("/")))


def _largest_stake(rules: Any) -> int:
    """Return what somebody stakes who knows that more comes back: as much as may be staked.

    A limit that is missing, or above what one may stake in chat unless a room says otherwise, counts as that,
    since hardly a wallet holds more; but what is staked where nothing is said is always counted.
    """
    most = int(getattr(rules, "max_stake", 0)) or MOST_IN_CHAT
    return max(min(most, MOST_IN_CHAT), int(getattr(rules, "usual_stake", 0)))


async def _makes(group: OfGame, rules: Any) -> tuple[Fraction, int]:
    """Return what a game pays back of each credit, and makes for each member; 1 if the house has no part."""
    kit = group.kit
    if kit.money.minting is not None:
        back, flat = await asyncio.to_thread(kit.money.minting, rules)
        return back, flat
    payback = None if kit.money.odds is None else (await asyncio.to_thread(kit.money.odds, rules)).back
    return Fraction(1) if payback is None else payback, 0
