"""Writes a tournament's log in the form of the contest's own example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.contest.situation import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.contest.played import Played


def written(played: Played, names: Sequence[str]) -> str:
    """Write one game: its two rounds, what the dice said, and who stands where."""
    return "".join(f"{line}\n" for line in _lines(played, names))


def _lines(played: Played, names: Sequence[str]) -> Iterator[str]:
    yield f"#####GAME {played.number}: {played.players} players######"
    yield "Round 1:"
    for who, stake in played.bets:
        yield f"{names[who]} bet {stake}."
    yield "Round 2"
    for who, act in played.answers:
        yield f"{names[who]} decided to {WORDS[act]}."
    yield "Results"
    for who, success, may_gain in played.results:
        said = f"was successful, and may gain ¥{may_gain}" if success else "failed. :("
        yield f"{names[who]} {said}"
    yield "Results:"
    yield from ranking(names, played.credits)


def ranking(names: Sequence[str], held: Sequence[int]) -> Iterator[str]:
    """Write the standings, the richest first, numbered from 0; equals by name, capitals first."""
    ordered = sorted(zip(names, held, strict=True), key=lambda each: (-each[1], each[0]))
    for place, (name, credits_held) in enumerate(ordered):
        yield f"{place}. {name}: {credits_held}"
