"""Sessions of `chickp` are scored as a referee says that was written from the rulebook alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from tests.games.chickenpoker.rulebook_referee import Game, play
from tests.games.referees import Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chickp.conftest import Chickp

SHOWN = re.compile(r"^game (\d+) round (\d+) shown ((?:\d+ \d+ )+)winner (\d+) points (\d+)$", re.MULTILINE)
FAILED = re.compile(r"^game (\d+) round (\d+) player (\d+) failed ", re.MULTILINE)
SCORED = re.compile(r"^game (\d+) player (\d+) id (\d+) points (\d+) total (\d+) ", re.MULTILINE)
WAYWARD = """
import random
draws = random.Random({0})
while True:
    own, n, players = opening()
    say("wayward")
    for number in range(n):
        line()
        say(number + 1 if draws.random() < .9 else draws.choice(["", "no", 0, n + 1]))
"""


class Session:
    """What `chickp -v` has printed of a session, by games from 0."""

    def __init__(self, printed: str, players: int) -> None:
        self._players = players
        self.cards: dict[tuple[int, int], dict[int, int]] = {}
        self.won: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.failed = {
            (int(game) - 1, int(number), int(who) - 1) for game, number, who in FAILED.findall(printed)
        }
        self.scored: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for game, number, row, winner, points in SHOWN.findall(printed):
            cards = [int(each) for each in row.split()]
            self.cards[int(game) - 1, int(number)] = dict(zip(cards[::2], cards[1::2], strict=True))
            self.won[int(game) - 1].append((int(winner), int(points)))
        for game, _, id_, points, total in SCORED.findall(printed):
            self.scored[int(game) - 1].append((int(id_), int(points), int(total)))

    def program(self, who: int) -> Callable[[str], list[str]]:
        """Return a program that plays what this player played."""

        def answer(line: str) -> list[str]:
            asked = json.loads(line)
            view = asked["view"]
            if (view["game"], view["round"], who) in self.failed:
                return []
            cards = self.cards.get((view["game"], view["round"]), {})
            card = cards.get(view["own"], view["hands"][view["own"] - 1][0])
            return [json.dumps({"id": asked["id"], "answer": card})]

        return answer

    def replayed(self, n: int) -> list[Game]:
        people = [Asked(self.program(who), "chickenpoker", str(who)) for who in range(self._players)]
        return [play(n, people, game) for game in range(len(self.scored))]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_each_round_and_game_is_scored_as_the_rulebook_says(chickp: Chickp, count: int) -> None:
    programs = [chickp.program(f"wayward{number}", WAYWARD.format(number)) for number in range(2)]
    players = [programs[0], "linear 1 1", programs[1], "random"][:count]
    done = chickp("-v", "-s", "15", "-n", "5", "--seed", "rulebook", *players)
    assert done.code == 0
    session, totals = Session(done.out, count), [0] * count
    games = session.replayed(5)
    assert len(games) == 15 * count
    assert session.failed
    for number, game in enumerate(games):
        totals = [total + points for total, points in zip(totals, game.points, strict=True)]
        assert session.won[number] == [(each.winner, each.points) for each in game.rounds], number
        assert session.scored[number] == list(zip(game.ids, game.points, totals, strict=True)), number
