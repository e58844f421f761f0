"""Whole evenings at random, faults and crashes included, keep every promise after every step."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulator.__main__ import main
from tests.simulator.stage import play

SEEDS, CHUNK = 20, 10
CHUNKS = [0, *(pytest.param(first, marks=pytest.mark.nightly) for first in range(CHUNK, SEEDS, CHUNK))]
HOSTED = 3  # fewer of them
SHOWS = ("plays High Show", "At stake:", "K was", "Hint for", "Review for", "plays this one")
CARDS = ("plays the house at Six Card", "to a duel at Six Card", "takes up the challenge")
MARKET = ("opens a table of Poker Market", "The cards lie open", "offers", "accepts", "The market is closed")
CHICKEN = ("Join with !chicken", "The seats are drawn", "You have chosen")
LINKS = ("You now play with the wallet of", "was called off by", "fan7")
"""What is told of LINKS, calling off and crowds, and of each game, in evenings enough."""
TELLING = (
    34,
)  # evenings that tell what few do; a simulator that draws otherwise has others, found by trying
PATIENCE = 60  # evenings in which all of that must have been told: what each holds hangs on luck
KEPT_SEEDS = (
    49, 215,  # the clock ran out at a table whose cancelling had been written, and its answer lost
    214, 260, 348, 370,  # a gift that came again after a day was told as if given again
    794, 910,  # what was refused as the database failed came again two hours later
    524,  # a preset that overwrites something was confirmed after it had come twice
    30,  # who had been seated by a line that was in doubt was seated by their next one too
)  # fmt: skip
"""Each has found a breach once; a simulator that draws otherwise makes other evenings of them."""


@pytest.mark.parametrize("first", CHUNKS)
def test_evenings_at_random_keep_every_promise(first: int) -> None:
    told = "".join(_kept(seed) for seed in range(first, first + CHUNK))
    for seed in (*TELLING, *range(CHUNK, PATIENCE)) if not first else ():
        if not _untold(told):
            break
        told += _kept(seed)
    assert first or _untold(told) == []


def test_evenings_with_players_of_the_house_keep_every_promise_too() -> None:
    joined = 0
    for seed in range(HOSTED):
        report = play(seed, hosted=True)
        assert not report.breach, (
            f"seed {seed}, step {report.step}: uv run python -m tests.simulator --hosted --seed {seed}"
        )
        joined += sum("(house)" in line for line in report.trace)
    assert joined, "nobody of the house was ever told of"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", KEPT_SEEDS)
def test_evenings_that_failed_once_do_not_fail_again(seed: int) -> None:
    assert play(seed, shows=False).breach == ""


def test_a_seed_plays_the_same_evening_in_every_process() -> None:
    """A set of strings has another order in every process: nothing may hang on it."""
    script = "from tests.simulator.stage import play; print(play(3, 25).digest)"
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {f"{play(3, 25).digest}\n"}


def test_the_command_plays_evenings_and_tells_how_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "2", "--jobs", "1", "--steps", "5"]) == 0
    assert "2 of 2 evenings, 0 with a breach" in capsys.readouterr().out


def test_the_command_shows_the_steps_of_one_evening(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "3", "--steps", "5", "--trace"]) == 0
    shown = capsys.readouterr().out
    assert "\n5. " in shown
    assert "seed 3: no breach" in shown


def _kept(seed: int) -> str:
    """Play an evening that keeps its promises, and give what happened in it."""
    report = play(seed)
    assert not report.breach, (
        f"seed {seed}, step {report.step}: uv run python -m tests.simulator --seed {seed}"
    )
    return "\n".join(report.trace)


def _untold(told: str) -> list[str]:
    return [line for line in (*SHOWS, *CARDS, *MARKET, *CHICKEN, *LINKS) if line not in told]
