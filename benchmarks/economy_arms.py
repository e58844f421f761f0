"""What a viewer can choose before a game: the room, company, terms, when to come and go, and how to play.

An arm is one choice of all that. Arms of one game, room and company are a family; a family is searched by
drawing arms, and by changing one or two things of those that did best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from benchmarks import economy_market
from chatbot.games import chickenpoker, heist, highshow, kits, pokermarket, sixcardpoker
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.house_seats import roster_of
from chatbot.kernel.settings import make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

USUAL = ""  # the room as it is before anybody chooses a preset
COALITIONS = 1, 2, 3, 10
STAKES = 200, 20, 1000
EXEMPT = frozenset({"contest", "small"})  # presets that warn, and need not hold
TOGETHER = "together"  # a way to play that the coalition agrees on
OTHERS = Act.GUNCHECK, Act.DOUBLE_CROSS, Act.FINGER, Act.ALL_IN, Act.BACK_OUT  # what mates answer at heists
CARDS = "", "2", "3", "4", "6", "10", "15"
ROUNDS = "", "1", "5"
SHOWS = "", "5 2 none", "8 3 linear=1", "12 3 turn", "12 1 value", "20 3 linear"
"""Terms as they are typed; empty: those of the room."""
AMONG = 3  # values of which the one is taken that did best so far


@dataclass(frozen=True, slots=True)
class Moment:
    """When mates come, and whether the one who opens the table leaves it again, in shares of the lobby.

    Who opens and does not stay leaves it to the mates, or to the house, or comes back.
    """

    mates: float = 0.0
    leaves: float | None = None
    returns: float | None = None

    def __str__(self) -> str:
        mates = f"mates at {self.mates:.0%}" if self.mates else ""
        leaves = "" if self.leaves is None else f"opener leaves at {self.leaves:.0%}"
        back = "" if self.returns is None else f"is back at {self.returns:.0%}"
        return ", ".join(filter(None, (mates, leaves, back)))


AT_ONCE = Moment()
MOMENTS = (
    AT_ONCE,
    Moment(0.5),
    Moment(0.92),
    Moment(0.98),
    Moment(0.92, leaves=0.3, returns=0.98),
    Moment(0.5, leaves=0.96),
)
ALONE = AT_ONCE, Moment(leaves=0.3, returns=0.95)
AT_HEISTS = AT_ONCE, Moment(0.92)


@dataclass(frozen=True, slots=True)
class Family:
    game: str
    preset: str
    people: int

    @property
    def exempt(self) -> bool:
        return self.preset in EXEMPT

    def __str__(self) -> str:
        company = "alone" if self.people == 1 else f"{self.people} together"
        return f"{self.game}, {f'preset {self.preset}' if self.preset else 'as it ships'}, {company}"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to play; `beside`: a player of the house without whom all leave before the lobby closes."""

    family: Family
    terms: str
    stake: int
    moment: Moment
    beside: str
    play: str

    def __str__(self) -> str:
        beside = f"only beside {self.beside}" if self.beside else ""
        parts = self.terms or "usual terms", f"stake {self.stake}", str(self.moment), beside, self.play
        return ", ".join(filter(None, parts))


def families() -> list[Family]:
    """List all families: a room as it ships, and with each preset; alone and in company.

    A room that has chosen no preset has the first.
    """
    return [
        Family(game, preset, people)
        for game, kit in kits().items()
        if game in _SPACES
        for preset in (USUAL, *list(kit.rules.presets)[1:])
        for people in COALITIONS
        if people in _SPACES[game].coalitions
    ]


@dataclass(frozen=True, slots=True)
class Space:
    """What can be chosen at a game; the first of each is what a newcomer would do."""

    coalitions: Sequence[int]
    terms: Sequence[str]
    moments: Sequence[Moment]
    beside: Sequence[str]
    alone: Sequence[str]
    company: Sequence[str]

    def choices(self, family: Family) -> Mapping[str, Sequence[object]]:
        """List what there is to choose from, by the field of an arm."""
        company = family.people > 1
        moments = self.moments if company else [each for each in ALONE if each in self.moments or self.beside]
        return {
            "terms": self.terms,
            "stake": STAKES,
            "moment": moments,
            "beside": ("", *(each for each in self.beside if each in seated(family))),
            "play": self.company if company else self.alone,
        }


@cache
def seated(family: Family) -> frozenset[str]:
    """Tell which players of the house may sit down in a room, if there are several to look out for."""
    kit = kits()[family.game]
    names = frozenset(roster_of(make(kit.rules.game, kit.rules.presets.get(family.preset, {}))).strategies)
    return names if len(names) > 1 else frozenset()


def _heist_plays(people: int) -> list[str]:
    own = [each.value for each in Act]
    return own if people == 1 else [f"{a}/{b.value}" for a, b in product(own, OTHERS)]


_SPACES = {
    heist.KIT.name: Space(COALITIONS, ("",), AT_HEISTS, (), _heist_plays(1), _heist_plays(2)),
    highshow.KIT.name: Space((1,), SHOWS, (AT_ONCE,), (), tuple(highshow.KIT.programs.strategies), ()),
    sixcardpoker.KIT.name: Space(
        (1, 2),
        ("",),
        (AT_ONCE,),
        (),
        tuple(sixcardpoker.KIT.programs.strategies),
        tuple(sixcardpoker.KIT.programs.strategies),
    ),
    chickenpoker.KIT.name: Space(
        COALITIONS,
        CARDS,
        MOMENTS,
        tuple(chickenpoker.KIT.programs.strategies),
        (TOGETHER, *chickenpoker.KIT.programs.strategies),
        (TOGETHER, *chickenpoker.KIT.programs.strategies),
    ),
    pokermarket.KIT.name: Space(
        COALITIONS,
        ROUNDS,
        MOMENTS,
        tuple(pokermarket.KIT.programs.strategies),
        economy_market.STRATEGIES,
        (TOGETHER, *economy_market.STRATEGIES),
    ),
}


def choices(family: Family) -> Mapping[str, Sequence[object]]:
    return _SPACES[family.game].choices(family)


Liking: TypeAlias = "Callable[[str, object], float]"
"""How well a choice did so far, by the field of an arm."""


def drawn(family: Family, likes: Random, liking: Liking | None = None) -> Arm:
    """Draw an arm; of some values for each field the one is taken that did best so far.

    Whom to sit beside is left open: it takes time, and shows by chance first.
    """
    values = dict[str, object]()
    for name, some in choices(family).items():
        few = likes.sample(some, min(AMONG, len(some)))
        values[name] = few[0] if liking is None else max(few, key=partial(liking, name))
    values["beside"] = ""
    return Arm(family, **values)  # type: ignore[arg-type]


def changed(arm: Arm, likes: Random) -> Arm:
    """Change one thing of an arm, or two."""
    space = {name: [each for each in some if each != getattr(arm, name)] for name, some in _space(arm)}
    open_to_change = [name for name, some in space.items() if some]
    names = likes.sample(open_to_change, min(likes.choice((1, 1, 2)), len(open_to_change)))
    return replace(arm, **{name: likes.choice(space[name]) for name in names})  # type: ignore[arg-type]


def fitted(arm: Arm, family: Family) -> Arm:
    """Take an arm over for another family; what cannot be chosen there is what comes first."""
    own = {name: getattr(arm, name) for name in choices(family)}
    values = {name: own[name] if own[name] in some else some[0] for name, some in choices(family).items()}
    return Arm(family, **values)  # type: ignore[arg-type]


def _space(arm: Arm) -> Iterator[tuple[str, Sequence[object]]]:
    values = choices(arm.family)
    yield from ((each.name, values[each.name]) for each in fields(arm) if each.name in values)
