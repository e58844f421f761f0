"""What happens in chats besides talk, and what may have been paid for it at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Occasion
from tests.simulator.town import ROOM_OF, Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.simulator.books import Books, Move

KINDS = (
    Happening.FOLLOW, Happening.FOLLOW, Happening.CHEER, Happening.SUBSCRIBE, Happening.RAID,
    Happening.ONLINE,
)  # fmt: skip
BITS = (1, 33, 100, 1000)
DAY = 86_400_000  # milliseconds
PERCENTS = (100, 150)  # of moderators, as `keeping.CHOICES` has it
MOST = {"watch": 7, "talk": 5, "follow": 20, "subscribe": 500}  # credits, as settings have it at most
LIMITED, DAILY = ("watch", "talk", "raid"), 500


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is in a channel, with their names."""

    channel: str
    people: Mapping[Account, str]


@dataclass(eq=False, slots=True)
class Paying:
    """Makes up occasions; now and then one comes again, or an old one late."""

    rng: Random
    people: list[Person]
    happened: dict[str, Occasion] = field(default_factory=dict)

    def occasion(self) -> Occasion:
        if self.happened and self.rng.random() < 0.25:
            return self.rng.choice(list(self.happened.values())[-10:])
        kind, person = self.rng.choice(KINDS), self.rng.choice(self.people)
        amount = self.rng.choice(BITS)
        whose = None if kind is Happening.ONLINE else person.account
        number = f"occasion:{len(self.happened) + 1}"
        made = Occasion(number, self.rng.choice(list(ROOM_OF)), kind, whose, person.name, amount)
        self.happened[number] = made
        return made

    def audience(self) -> Audience:
        """Choose a channel and who is there."""
        there = self.rng.sample(self.people, self.rng.randint(1, len(self.people)))
        return Audience(self.rng.choice(list(ROOM_OF)), {each.account: each.name for each in there})


class Payments:
    """Looks at each payment once, with who was one person before it."""

    def __init__(self) -> None:
        self._moves = 0
        self._former: Books | None = None
        self._paid: dict[str, str] = {}  # for what a person is paid once, and as which seat
        self._days: Counter[tuple[str, int]] = Counter()

    def breaches(self, books: Books, happened: Mapping[str, Occasion]) -> Iterator[str]:
        known = self._former or books
        for move in books.moves[self._moves :]:
            kind, _, rest = move.posting.partition(":")
            if move.why != kind:
                continue
            if kind in {"follow", "watch"}:
                yield from self._again(move, rest, known)
            if kind in {"cheer", "subscribe", "raid"}:
                yield from _unlike(move, happened.get(rest), books)
            yield from self._too_much(move)
        self._moves, self._former = len(books.moves), books

    def _again(self, move: Move, rest: str, known: Books) -> Iterator[str]:
        """Tell what was paid to another seat of the same person before."""
        place, platform, number, *mark = rest.split(":")
        for seat in known.everyone(f"{platform}:{number}"):
            paid = ":".join((move.why, place, seat, *mark))
            if paid in self._paid:
                yield f"{move.posting} was paid as {self._paid[paid]} already"
        self._paid[move.posting] = move.posting

    def _too_much(self, move: Move) -> Iterator[str]:
        if move.credits > MOST.get(move.why, move.credits) * max(PERCENTS) // 100:
            yield f"transfer {move.id} pays {move.credits} for {move.why}"
        if move.why in LIMITED:
            self._days[move.target, move.at // DAY] += move.credits
            if self._days[move.target, move.at // DAY] > DAILY:
                yield f"{move.target} was paid more than {DAILY} on one day"


def _unlike(move: Move, occasion: Occasion | None, books: Books) -> Iterator[str]:
    if occasion is None or occasion.kind.value != move.why or occasion.account is None:
        yield f"transfer {move.id} pays for what has not happened: {occasion}"
    elif not books.one(move.target).endswith(f":{books.person(books.home(occasion.account))}"):
        yield f"transfer {move.id} pays {move.target} for {occasion}"
    elif move.why == "cheer" and move.credits not in {occasion.amount * each // 100 for each in PERCENTS}:
        yield f"transfer {move.id} pays {move.credits} for {occasion}"


def unpaid(books: Books, occasion: Occasion, community: str) -> Iterator[str]:
    """Tell whether what has just happened for the first time, and nothing disturbed, was not paid for."""
    if occasion.account is None or occasion.kind is Happening.RAID:  # of raids a day has a most
        return
    home = books.home(occasion.account)
    seats, excluded = books.everyone(home), books.settings.get((f"community {community}", "excluded"), {})
    place = occasion.channel.replace(":", "-")
    wanted = (
        {f"follow:{place}:{each}" for each in seats}
        if occasion.kind is Happening.FOLLOW
        else {f"{occasion.kind.value}:{occasion.id}"}
    )
    if not wanted & books.postings and not any(
        excluded.get(each) == "yes" for each in books.accounts_of(home)
    ):
        yield f"nothing was paid for {occasion}"
