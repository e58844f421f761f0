"""A tournament at compiled speed: games whose amounts fit into 64 bits are played by the compiled loop.

All others are played by `tournament.py` with Python's own integers, as is everything where Numba is not
installed. Both give the same games, draw by draw. Strategies that are not built in are asked at their turns.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.heist.contest.compiled import compilation
from chatbot.games.heist.contest.compiled.arrays import (
    ASKED,
    CONTESTANT,
    DONE,
    GAME,
    NONE,
    PURSES,
    RECORDS,
    record_width,
    workspace,
)
from chatbot.games.heist.contest.contestants import ACTS, CONTESTANTS
from chatbot.games.heist.contest.situation import EXACT, MOST_COMPILED, STAKING, Played, standing
from chatbot.games.heist.contest.tournament import Tournament, situation_of
from chatbot.games.heist.rules.moves import Act

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.contest.tournament import Rival
    from chatbot.kernel.contest import Entrant

MOST_PAUSE = 64  # plain games until the compiled loop is tried again
BATCH = 64  # games between two returns from compiled code: so long does an interruption wait
STRATEGIES = {id(each): number for number, each in enumerate(CONTESTANTS.values())}
NUMBERS = {id(act): number for number, act in enumerate(ACTS)}  # looking up an Enum itself takes much longer
WORD = (1 << 64) - 1

# What a contestant is told, as it lies in the arrays
_GAME = Struct("@8q")
_STANDING = Struct("@2d2q")
_STANDING_AT = _GAME.size
_OWN = Struct("@3q?2q")
_CAREER = Struct("@5q5d5q")
_CAREER_AT = _OWN.size


class CompiledTournament:
    """Plays what `Tournament` plays."""

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        self._plain = Tournament(entrants, rabble, seed)
        self._advance = compilation.advance()
        count = len(entrants)
        self._game = np.zeros(1, GAME)
        self._own = np.zeros(count, CONTESTANT)
        self._own["strategy"] = [STRATEGIES.get(id(each.strategy), ASKED) for each in entrants]
        self._own["act"] = NONE
        self._batch = BATCH if ASKED not in self._own["strategy"] else 1
        self._game["rabble"], self._game["asks"] = rabble, self._batch == 1
        self._work = workspace(count, rabble, self._batch)
        self._purses, self._records = self._work[PURSES, :rabble], self._work[RECORDS:, : record_width(count)]
        self._told_game, self._told_own = self._game.data.cast("B"), self._own.data.cast("B")
        self._careers: list[tuple[tuple[float, ...], ...]] = [()] * count
        self._standing: tuple[object, ...] = ()
        self._standing_of = -1  # which game's
        self._loaded = False

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until somebody has come to hold more than can be told."""
        for number, found in self._play(games, 0):
            yield found if isinstance(found, Played) else self._played(number, found)

    def scores(self, games: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Play, and tell of each game only its number, from 0, and everybody's credits after it."""
        for number, found in self._play(games, 3 + 7 * len(self._own)):
            yield number, found.credits if isinstance(found, Played) else found

    def _play(self, games: int, column: int) -> Iterator[tuple[int, list[int] | Played]]:
        """Yield each game with its record from this column on, or as the plain tournament tells it."""
        number, wait, pause = 0, 0, 1
        while number < games:
            if not wait and (self._loaded or self._fits()):
                self._load()
                stopped = self._run(number, min(number + self._batch, games))
                for each in self._records[: self._game["record"].item(), column:].tolist():
                    yield number, each
                    number += 1
                if stopped == DONE:
                    pause = 1
                    continue
                wait, pause = pause, min(2 * pause, MOST_PAUSE)  # to go from one to the other takes time
            self._unload()
            wait = max(wait - 1, 0)
            yield number, self._plain.play_one(number)
            number += 1
            if self._plain.ended:
                return

    def _run(self, start: int, until: int) -> int:
        """Play compiled games; return why that stopped."""
        game = self._game[0]
        game["number"], game["until"], game["record"], game["phase"] = start, until, 0, 0
        advance, all_games, own, work = self._advance, self._game, self._own, self._work
        who = advance(all_games, own, work, 0)
        while who >= 0:
            who = advance(all_games, own, work, self._asked(who))
        return who

    # Strategies that are not compiled

    def _asked(self, who: int) -> int:
        """Ask a contestant for the stake, or for the number of an answer."""
        told_game = _GAME.unpack_from(self._told_game)
        *own, changed = _OWN.unpack_from(self._told_own, who * CONTESTANT.itemsize)
        if changed:
            self._read_career(who)
        if told_game[0] != self._standing_of:
            self._read_standing(told_game[0])
        told = situation_of((*told_game, *own, *self._standing, *self._careers[who]))
        rival = self._plain.rivals[who]
        if told_game[1] == STAKING:
            held = own[0]
            return int(min(max(rival.strategy(told, range(held + 1), rival.luck) or 0, 0), held))
        return NUMBERS[id(rival.strategy(told, ACTS, rival.luck) or Act.GUNCHECK)]

    def _read_career(self, who: int) -> None:
        found = _CAREER.unpack_from(self._told_own, who * CONTESTANT.itemsize + _CAREER_AT)
        self._careers[who] = found[:5], found[5:10], found[10:]
        self._own[who]["changed"] = 0

    def _read_standing(self, number: int) -> None:
        mean, deviation, most, total = _STANDING.unpack_from(self._told_game, _STANDING_AT)
        exact = total < EXACT
        self._standing = (mean, deviation, most) if exact else standing(self._own["credits"].tolist())
        self._standing_of = number

    # The log

    def _played(self, number: int, record: Sequence[int]) -> Played:
        count = len(self._own)
        players, answers, results, *rest = record
        bets, rest = rest[: 2 * count], rest[2 * count :]
        acts, rest = rest[: 2 * answers], rest[2 * count :]
        dice, held = rest[: 3 * results], rest[3 * count :]
        return Played(
            number,
            players,
            list(zip(bets[::2], bets[1::2], strict=True)),
            [(who, ACTS[act]) for who, act in zip(acts[::2], acts[1::2], strict=True)],
            [
                (who, bool(success), may_gain)
                for who, success, may_gain in zip(dice[::3], dice[1::3], dice[2::3], strict=True)
            ],
            held,
        )

    # From the plain tournament to the arrays, and back

    def _fits(self) -> bool:
        """Return whether all that is held is far below what 64 bits hold, as `bounded` says it."""
        return sum(map(_held, self._plain.rivals)) < MOST_COMPILED // 4

    def _load(self) -> None:
        if self._loaded:
            return
        for rival, own in zip(self._plain.rivals, self._own, strict=True):
            own["credits"], own["salary"], own["employed"] = rival.credits, rival.salary, rival.employed
            own["accounts"], own["chances"], own["odds"] = rival.accounts, rival.chances, rival.odds
            own["guards"], own["bribes"], own["changed"] = rival.guards, rival.bribes, 1
            if own["strategy"] != ASKED:
                own["stream"] = _words(*rival.luck.position())
        self._purses[:] = self._plain.purses
        self._game[0]["stream"] = _words(*self._plain.luck.position())
        self._standing_of = -1
        self._loaded = True

    def _unload(self) -> None:
        if not self._loaded:
            return
        for rival, own in zip(self._plain.rivals, self._own, strict=True):
            rival.credits, rival.salary = own["credits"].item(), own["salary"].item()
            rival.employed = own["employed"].item()
            rival.accounts, rival.chances = tuple(own["accounts"].tolist()), tuple(own["chances"].tolist())
            rival.odds, rival.guards = tuple(own["odds"].tolist()), own["guards"].tolist()
            rival.bribes, rival.saving = own["bribes"].item(), any(rival.accounts)
            if own["strategy"] != ASKED:
                rival.luck.move_to(_state(own["stream"].tolist()))
        self._plain.purses[:] = self._purses
        self._plain.luck.move_to(_state(self._game[0]["stream"].tolist()))
        self._plain.held = self._own["credits"].tolist()
        self._loaded = False


def _held(rival: Rival) -> int:
    return rival.credits + 2 * rival.salary + sum(rival.odds) + 16 * sum(rival.accounts)


def _words(state: int, increment: int) -> tuple[int, int, int, int]:
    return state >> 64, state & WORD, increment >> 64, increment & WORD


def _state(words: Sequence[int]) -> int:
    return words[0] << 64 | words[1]
