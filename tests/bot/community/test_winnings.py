"""What players can win of each other is followed from state to state, and is what the rules say of each."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

from chatbot.community.receipts import ReceiptLimits, Winnings
from chatbot.games import chickenpoker, heist
from chatbot.games.heist.rules.crew import Crew, Heister
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Company, Lobby
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.lobby import Lobby as Gathering

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table

SEATS = [Seat("house:kelly"), *(Seat(f"raid:{number}") for number in range(7))]
GAME = Heist(taken_most=250, split_stakes=1)


@dataclass(eq=False)
class At:
    """A table as far as its winnings go; a state is the game's own."""

    kit: AnyKit
    game: Any
    state: Any

    @property
    def winnings(self) -> dict[Seat, int]:
        """All that can be won in the present state, as the rules say."""
        return dict(self.kit.money.winnable(self.game, self.state))

    @property
    def table(self) -> Table:
        return cast("Table", self)


def other_crew(crew: Crew, random: Random) -> Crew:
    """Let somebody join, leave or stake anew."""
    seat = random.choice(SEATS)
    others = [each for each in crew if each.seat != seat]
    if len(others) == len(crew):
        return crew.joined(Heister(seat, random.randrange(1, 400)))
    return Crew(others if random.random() < 0.5 else [Heister(seat, random.randrange(1, 400)), *others])


def test_winnings_of_a_heist_are_followed_forth_and_back() -> None:
    random, states = Random("forth and back"), [Lobby(Company({}))]
    at = At(heist.KIT, GAME, states[0])
    winnings, seen = Winnings(at.table), set[int]()
    for _ in range(500):
        if len(states) > 1 and random.random() < 0.3:  # a commit has failed
            states.pop()
        else:
            states.append(Lobby(Company({}, other_crew(states[-1].company.crew, random))))
        at.state = states[-1]
        if random.random() < 0.7:  # it is not asked at every step
            assert winnings.at(at.table) == at.winnings
            seen.add(len(at.winnings))
    assert not any(map(of_house, winnings.at(at.table)))
    assert len(seen) > 3


def test_in_a_lobby_all_can_win_more_when_one_more_comes() -> None:
    one, two = (Gathering(tuple(SEATS[1 : 2 + others]), 3, 50) for others in range(2))
    at = At(chickenpoker.KIT, chickenpoker.KIT.rules.game(), one)
    winnings = Winnings(at.table)
    assert winnings.at(at.table) == {SEATS[1]: 0}
    at.state = two
    assert winnings.at(at.table) == {SEATS[1]: 50, SEATS[2]: 50}
    at.state = one
    assert winnings.at(at.table) == {SEATS[1]: 0}


def test_what_could_be_won_at_a_table_is_kept_no_longer_than_the_table() -> None:
    unused: Any = None
    limits = ReceiptLimits({}, unused, unused, unused, unused)
    at = At(chickenpoker.KIT, chickenpoker.KIT.rules.game(), Gathering(tuple(SEATS[1:3]), 3, 50))
    assert limits._winnings_at(at.table)[SEATS[1]] == 50
    gone = ref(at)
    del at
    gc.collect()
    assert gone() is None
