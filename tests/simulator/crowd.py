"""A crowd that speaks in one room at the same moment, and what must be so of each of them afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from chatbot.kernel.game import Role
from chatbot.kernel.say import Credits, Message, Name
from tests.simulator.town import COMMUNITIES, Person, account_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.say import Say
    from chatbot.rooms.table_protocol import Table
    from tests.simulator.books import Books, Move
    from tests.simulator.lines import Spoken

Kind: TypeAlias = Literal["stake", "pledge", "talk"]

FEWEST, MOST = 20, 80  # people of a crowd
GAMES = ("heist", "heist", "chicken", "market", "alone", "all")
"""What a crowd is after; some of each want something else."""


class Wanted(NamedTuple):
    """Who of a crowd types what."""

    person: Person
    text: str
    kind: Kind = "talk"
    amount: str = ""


@dataclass(eq=False, slots=True)
class Crowd:
    """Those who live in the town are among it, and whoever is linked may be there as two."""

    rng: Random
    people: list[Person]
    amount: Callable[[], str]

    def gather(self) -> list[Wanted]:
        strangers = [
            Person(name, account_of(name), Role.VIEWER) for name in (f"fan{each}" for each in range(MOST))
        ]
        there = self.rng.sample([*self.people, *strangers], self.rng.randint(FEWEST, MOST))
        game = self.rng.choice(GAMES)
        return [self._of(each, game) for each in there]

    def _of(self, person: Person, game: str) -> Wanted:
        if game == "all" or self.rng.random() < 0.1:
            game = self.rng.choice(("heist", "chicken", "market", "alone", "talk"))
        amount = self.amount() or "5"
        amount = "-0" if amount == "0" else amount
        match game:
            case "heist":
                return Wanted(person, f"!heist {amount}", "stake", amount)
            case "chicken" | "market" if self.rng.random() < 0.9:
                return Wanted(person, f"!{game}", "pledge")
            case "chicken":
                return Wanted(person, f"!chicken 3 {amount}", "stake", amount)
            case "market":
                return Wanted(person, f"!market 1 {amount}", "stake", amount)
            case "alone":
                text = self.rng.choice(("!highshow 5 2 none", "!sixcard"))
                return Wanted(person, f"{text} {amount}", "stake", amount)
        return Wanted(person, self.rng.choice(("!credits", "hello", "!heist odds")))


class Stake(NamedTuple):
    """What somebody was told that they have staked; 0 is for honour."""

    seat: str
    credits: int


class Scene(NamedTuple):
    """A crowd, what it was told, and what was moved since it spoke."""

    lines: Sequence[Spoken]
    says: Sequence[tuple[str, Say]]
    books: Books
    moves: Sequence[Move]
    tables: Mapping[str, Table]  # that stand, by their ids

    @property
    def room(self) -> str:
        return self.lines[0].room


def told(scene: Scene) -> Counter[Stake]:
    """Tell who was told that they are in, and with which stake."""
    return Counter(
        Stake(scene.books.root(seat), _amount(say.message))
        for room, say in scene.says
        if room == scene.room and (seat := _in(say)) is not None
    )


def unlike(scene: Scene) -> Iterator[str]:
    """Tell whose stakes, credits and seats are not what the answers said, where nothing was disturbed."""
    inside, taken = told(scene), Counter(_staked(scene))
    for stake in taken - inside:
        yield f"{stake} was taken, but not told"
    for stake in (each for each in inside - taken if each.credits):
        yield f"{stake} was told, but not taken"
    yield from _unanswered(scene)
    yield from _seatless(scene, inside)


def _staked(scene: Scene) -> Iterator[Stake]:
    """Give what has left the wallets of everybody in the community; the house's own players are not told."""
    wallets = f"wallet:{COMMUNITIES[scene.room]}:"
    for each in scene.moves:
        seat = each.source.removeprefix(wallets)
        if each.source.startswith(wallets) and not seat.startswith("house:") and each.why != "link":
            yield Stake(scene.books.root(seat), each.credits)


def _unanswered(scene: Scene) -> Iterator[str]:
    answered = {seat for _, say in scene.says for seat in (say.to, _in(say)) if seat is not None}
    for each in scene.lines:
        if each.kind != "talk" and not answered & scene.books.everyone(scene.books.home(each.line.account)):
            yield f"nobody answered {each}"


def _seatless(scene: Scene, inside: Counter[Stake]) -> Iterator[str]:
    """Tell who was told that they are in, and sits nowhere, though no table there is over."""
    community = COMMUNITIES[scene.room]
    standing = [each for each in scene.tables.values() if each.room.community == community]
    seated = {scene.books.root(seat) for table in standing for seat in table.seated}
    yield from (
        f"{each.seat} was told that they are in, but sits nowhere"
        for each in inside
        if each.seat not in seated
    )
    pots = {f"pot:{each.id}" for each in standing}
    for each in scene.moves:
        if each.why == "stake" and each.target not in pots:
            yield f"transfer {each.id} is a stake at no table that stands"


def _in(say: Say) -> str | None:
    """Give who is told, or of whom all are told, that they sit at a table."""
    if say.message.id.endswith("-you-joined"):
        return say.to
    who = say.message.args.get("who")
    return who.seat if say.message.id.endswith("-opened") and isinstance(who, Name) else None


def _amount(message: Message) -> int:
    stake = message.args.get("stake")
    terms = message.args.get("terms")
    if stake is None and isinstance(terms, Message):
        stake = terms.args.get("stake")
    if isinstance(stake, Message):
        stake = stake.args.get("stake")
    return stake.amount if isinstance(stake, Credits) else 0
