"""What honest visitors get in an evening, on this checkout and another: credits for being there, and games.

Nobody shares what they know. Some come alone, some in company; all claim, talk, and play one game after the
other, for the usual stake and as many people would, in a channel whose settings nobody has changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.economy_arms import AT_ONCE, USUAL, Arm, Family
from benchmarks.economy_checkout import checkout, told_elsewhere
from benchmarks.economy_evening import Town, town
from benchmarks.economy_players import Coalition
from chatbot import log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from benchmarks.economy_evening import Evening

MODULE = "benchmarks.economy_visits"  # which may run as `__main__`
STAKE = 69
HOURS = 2
VISITS = {1: 90, 3: 30, 10: 10}  # of companies of each size, each in a channel of its own
SHARED = {
    "heist": ("", "guncheck"),
    "chickenpoker": ("linear", "nash", "random"),
    "pokermarket": ("greedy", "random"),
}
"""How people play in company, by turns; at a heist many say nothing."""
ALONE = {"highshow": ("threshold", "best"), "sixcardpoker": ("greedy", "random", "nash")}
VISIT, EARNED = "a whole visit", "of it for being there"
Gains = dict[str, list[float]]
"""By what was done in how much company: what each brought a person, in credits."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.economy_visits", description=__doc__)
    parser.add_argument("--seed", default="1", help="the same seed tells the same (1)")
    parser.add_argument("--checkout", type=checkout, metavar="FOLDER", help="compare with another checkout")
    arguments = parser.parse_args()
    log.configure("critical")
    before = elsewhere(arguments.seed, arguments.checkout, VISITS) if arguments.checkout else {}
    Console(width=120).print(as_table(asyncio.run(visits(arguments.seed, VISITS)), before))


def told_as_json(seed: str, counts: str) -> None:
    """Print what visits brought, for the process that asked for it."""
    log.configure("critical")
    sizes = {int(people): count for people, count in json.loads(counts).items()}
    print(json.dumps(asyncio.run(visits(seed, sizes))))


async def visits(seed: str, counts: Mapping[int, int]) -> Gains:
    """Play so many visits of companies of each size."""
    gains = defaultdict[str, list[float]](list)
    async with town(f"{seed} visits") as place:
        for people, count in counts.items():
            for number in range(count):
                await _Visit(place, people, f"{people}v{number}", gains).run()
    return dict(gains)


@dataclass(eq=False)
class _Visit:
    place: Town
    people: int
    channel: str
    found: Gains

    async def run(self) -> None:
        evening = await self.place.evening(self.channel)
        names = [f"v{number}" for number in range(self.people)]
        for each in names:
            await evening.say(each, "hello")
        before = await _total_balance(evening, names)
        for each in names:
            await evening.say(each, "!claim")
        until, number, game_gains = evening.watch.now() + HOURS * 3600, 0, 0
        while evening.watch.now() < until:
            for game, plays in SHARED.items():
                game_gains += await self._play(evening, game, plays[number % len(plays)], names)
            for game, plays in ALONE.items():
                for each in names:
                    game_gains += await self._play(evening, game, plays[number % len(plays)], [each])
            for each in names:
                await evening.say(each, "what a game")
            number += 1
        gained = await _total_balance(evening, names) - before
        self._note(VISIT, gained)
        self._note(EARNED, gained - game_gains)

    async def _play(self, evening: Evening, game: str, play: str, names: Sequence[str]) -> int:
        """Play a game with those who can pay; return what it brought all of them."""
        able = [each for each in names if await evening.purse(each) >= STAKE]
        if not able:
            await evening.wait(60)
            return 0
        arm = Arm(Family(game, USUAL, len(able)), "", STAKE, AT_ONCE, "", play)
        group = Coalition(evening, arm, self.channel, keeps=True, names=list(able))
        before = await _total_balance(evening, able)
        result = await group.play()
        gained = await _total_balance(evening, able) - before  # who was refused a seat has gained nothing
        if result.risk:
            self._note(f"a game of {game}", result.gained, len(able))
        return gained

    def _note(self, what: str, gained: int, people: int = 0) -> None:
        self.found[f"{what}|{self.people}"].append(gained / (people or self.people))


async def _total_balance(evening: Evening, names: Sequence[str]) -> int:
    return sum([await evening.purse(each) for each in names])


def elsewhere(seed: str, folder: Path, counts: Mapping[int, int]) -> Gains:
    """Play the same visits with the program of another checkout, in a process of its own."""
    gains: Gains = json.loads(told_elsewhere(folder, MODULE, seed, json.dumps(dict(counts)))[-1])
    return gains


def as_table(gains_by_key: Mapping[str, Sequence[float]], before: Mapping[str, Sequence[float]]) -> Table:
    table = Table(title=f"what a person gets, in credits; visits of {HOURS} hours, stakes of {STAKE}")
    for heading in ("what", "people", "former", "now", "difference"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for what, people in sorted((key.split("|")[0], int(key.split("|")[1])) for key in gains_by_key):
        key, gains = f"{what}|{people}", gains_by_key[f"{what}|{people}"]
        row = [what, str(people), "", _in_words(gains), ""]
        if key in before:
            row[2] = _in_words(before[key])
            row[4] = "{:+.1f} ± {:.1f}".format(*difference(gains, before[key]))
        table.add_row(*row)
    return table


def difference(gains: Sequence[float], before: Sequence[float]) -> tuple[float, float]:
    """Return how much more these brought than the former ones, and its standard error."""
    (now, now_error), (then, then_error) = _mean_and_error(gains), _mean_and_error(before)
    return now - then, (now_error**2 + then_error**2) ** 0.5


def _in_words(gains: Sequence[float]) -> str:
    return "{:+.1f} ± {:.1f} ({})".format(*_mean_and_error(gains), len(gains))


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")


if __name__ == "__main__":
    main()
