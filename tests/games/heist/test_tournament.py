"""The fast path plays what the referee plays, game by game, on the same draws, and tells the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.referee import Referee, Unbounded
from chatbot.games.heist.contest.situation import STAKING, Situation
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.games.heist.rules.moves import (
    Act,
    Crossed,
    GuardsLeft,
    Hired,
    Identified,
    Settled,
    Sprung,
    Stitched,
)
from chatbot.games.heist.rules.rabble import RABBLE, STAKES, Purses
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.games.heist.rules.rules import Input
    from chatbot.games.heist.rules.states import State
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Moment, Step

pytestmark = pytest.mark.slow

Answer = int | Act | None
ANY: tuple[Act | None, ...] = (*Act, None)
BUILTIN = dict(CONTESTANTS)


@dataclass
class Overheard:
    """What happened in the referee's games, by kind."""

    counts: Counter[str] = field(default_factory=Counter)
    banks: Counter[int] = field(default_factory=Counter)

    def hear(self, event: object) -> None:
        self.counts[type(event).__name__] += 1
        if isinstance(event, Crossed):
            self.counts["ran off"] += bool(event.ran and event.loot)
            self.counts["shares went back"] += bool(event.undone and event.back)
            self.counts["crossed together"] += len(event.ran) + len(event.undone) > 1
        elif isinstance(event, Sprung):
            self.counts["spoils of crossers"] += bool(event.extra)
        elif isinstance(event, Settled):
            self.banks[event.bank] += 1
            self.counts["nobody went"] += not event.outcomes and not event.rabble_in


def rules(rabble: int, overheard: Overheard) -> Unbounded:
    class Told(Unbounded):
        def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
            step = super().apply(state, action, moment)
            for each in step.events:
                overheard.hear(each)
            return step

    return Told(rabble=rabble)


def erratic(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
    """Answer anything at all, legal or not."""
    if told.round == STAKING:
        held = told.credits
        return rng.choice((None, 0, -1, 1, 1, min(69, held), held // 2, held, held + 1, 10 * held))
    return rng.choice(ANY)


def loyal(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
    """Take part with a little, and be no trouble to anybody."""
    return rng.below(100) if told.round == STAKING else rng.choice((Act.GUNCHECK, Act.DEPOSIT, Act.INTEL))


def rat(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
    return rng.below(50) if told.round == STAKING else rng.choice((Act.DOUBLE_CROSS, Act.WITHDRAW))


def bankrupt(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
    """Have guards and no credits to pay them."""
    if told.round == STAKING:
        return told.credits if rng.chance(0.9) else None
    return rng.choice((Act.GUARD, Act.GUARD, Act.GUARD, Act.ALL_IN, Act.CHANGE_JOBS))


def snitch(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
    return 10 if told.round == STAKING else Act.FINGER


def told_to(seen: list[tuple[Situation, object]], strategy: Strategy) -> Strategy:
    def asked(told: Situation, menu: Sequence[object], rng: Rng) -> Answer:
        seen.append((told, menu))
        answer: Answer = strategy(told, menu, rng)
        return answer

    return asked


def kinds(value: object) -> Any:
    return [type(value), *map(kinds, value)] if isinstance(value, tuple | list) else type(value)


Enrich = tuple["Callable[[Referee], None]", "Callable[[Tournament], None]"]


def compare(
    strategies: Sequence[Strategy], rabble: int, seed: str, games: int, enrich: Enrich | None = None
) -> Overheard:
    """Play both game by game: all that anybody is told must be equal, and of the same types."""
    overheard = Overheard()
    slow_seen, fast_seen = list[tuple[Situation, object]](), list[tuple[Situation, object]]()
    slow = Referee(entrants(strategies, slow_seen), rabble, seed)
    fast = Tournament(entrants(strategies, fast_seen), rabble, seed)
    slow._rules = rules(rabble, overheard)
    if enrich:
        enrich[0](slow)
        enrich[1](fast)
    for plain, quick in zip(slow.play(games), fast.play(games), strict=True):
        assert quick == plain
        assert kinds(quick) == kinds(plain)
        assert fast_seen == slow_seen
        assert [kinds(told) for told, _ in fast_seen] == [kinds(told) for told, _ in slow_seen]
        slow_seen.clear()
        fast_seen.clear()
    return overheard


def entrants(strategies: Sequence[Strategy], seen: list[tuple[Situation, object]]) -> list[Entrant]:
    return [Entrant(f"no. {number}", told_to(seen, each)) for number, each in enumerate(strategies)]


def rich_rabble(credits_of: Callable[[int], int], count: int) -> Enrich:
    purses = [credits_of(place) for place in range(count)]

    def enrich_referee(referee: Referee) -> None:
        referee._records[RABBLE] = Purses(tuple(purses))

    def enrich_tournament(tournament: Tournament) -> None:
        tournament.purses[:] = np.array(purses)

    return enrich_referee, enrich_tournament


def rich_contestants(held: int) -> Enrich:
    def enrich_referee(referee: Referee) -> None:
        for seat in referee._seats:
            referee._purses[seat] = held

    def enrich_tournament(tournament: Tournament) -> None:
        for each in tournament.rivals:
            each.credits = held
        tournament.balances = [held] * len(tournament.rivals)

    return enrich_referee, enrich_tournament


# Each on the same draws


@pytest.mark.parametrize("rabble", [0, 1, 7, 60, 500])
def test_the_house_s_own_players_have_the_same_games(rabble: int) -> None:
    compare(list(BUILTIN.values()), rabble, f"builtin {rabble}", 60)


@pytest.mark.parametrize("rabble", [0, 1, 7, 60, 500])
def test_whoever_answers_anything_has_the_same_games(rabble: int) -> None:
    compare([erratic] * 10, rabble, f"erratic {rabble}", 60)


def test_copies_have_streams_of_their_own() -> None:
    compare([*BUILTIN.values()] * 3, 60, "copies", 60)


@pytest.mark.parametrize("name", BUILTIN)
def test_one_alone_has_the_same_games(name: str) -> None:
    compare([BUILTIN[name]], 30, f"alone {name}", 60)


@pytest.mark.parametrize("rabble", [0, 40])
def test_thirty_who_answer_anything_have_the_same_games(rabble: int) -> None:
    compare([erratic] * 30, rabble, f"thirty {rabble}", 60)


def test_two_crossers_among_twenty_come_out_the_same() -> None:
    overheard = compare([loyal] * 22 + [rat] * 3 + [snitch] * 2, 20, "secret", 100)
    assert overheard.counts["crossed together"] >= 10
    assert overheard.counts["spoils of crossers"] >= 1


def test_nobody_at_all_has_the_same_games() -> None:
    assert compare([BUILTIN["lurker"]] * 2, 0, "nobody", 60).counts["nobody went"] == 60


# What must have happened for the above to say anything


def test_fingers_crosses_and_jobs_come_out_the_same() -> None:
    line_up = [erratic, erratic, loyal, loyal, rat, rat, snitch, bankrupt, bankrupt]
    overheard = compare(line_up, 25, "strife", 150)
    wanted = (Identified, Stitched, Crossed, Sprung, Hired, GuardsLeft)
    assert all(overheard.counts[each.__name__] >= 10 for each in wanted), overheard.counts
    assert overheard.counts["ran off"] >= 10
    assert overheard.counts["shares went back"] >= 10


def test_all_five_banks_come_out_the_same() -> None:
    overheard = compare([loyal] * 10, 500, "banks", 60)
    assert set(overheard.banks) == {0, 1, 2, 3, 4}


def test_a_rich_rabble_s_stakes_count_for_the_bank() -> None:
    # 76 and three contestants are 79 heisters at most; only what they stake makes the last bank's 80 of them
    rich = rich_rabble(lambda place: 1_000_000 + 50_000 * place, 76)
    overheard = compare([loyal, erratic, rat], 76, "rich rabble", 250, rich)
    assert set(overheard.banks) == {0, 1, 2, 3, 4}


def test_a_rabble_of_all_stakes_comes_out_the_same() -> None:
    mixed = rich_rabble(lambda place: 240 + STAKES[place % 4] * (1 + place % 3), 120)
    overheard = compare([loyal, erratic, rat, snitch], 120, "mixed rabble", 100, mixed)
    assert set(overheard.banks) >= {0, 1, 2, 3}


@pytest.mark.parametrize("held", [10**6, 10**15, 10**25])
def test_the_richest_contestants_come_out_the_same(held: int) -> None:
    # More than 64 bits hold, staked, won, and split among a rabble of eight
    overheard = compare([erratic] * 6 + [snitch, rat, loyal], 8, f"rich {held}", 120, rich_contestants(held))
    assert overheard.counts["Stitched"]
    assert overheard.counts["Sprung"]


def test_no_game_leaves_anything_behind_but_what_lasts() -> None:
    tournament = Tournament(entrants([erratic] * 5, []), 20, "left")
    for _ in tournament.play(30):
        assert {(each.stake, each.act, each.winnings, each.exposed) for each in tournament.rivals} == {
            (0, None, 0, False)
        }


# A longer look


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(3))
def test_long_tournaments_stay_the_same_to_the_end(seed: int) -> None:
    everybody = [*BUILTIN.values(), erratic, rat, snitch, bankrupt, loyal]
    compare(everybody, 500, f"long {seed}", 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_many_line_ups_come_out_the_same(seed: int) -> None:
    pool = [*BUILTIN.values(), erratic, erratic, rat, snitch, bankrupt, loyal]
    line_up = list(islice(cycle(pool[seed % len(pool) :] + pool), 1 + seed % 12))
    compare(line_up, (0, 1, 7, 60, 150)[seed % 5], f"line-up {seed}", 200)
