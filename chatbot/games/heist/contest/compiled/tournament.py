"""A tournament at compiled speed: games whose amounts fit into 64 bits are played by the compiled loop.

All others are played by `tournament.py` with Python's own integers, as is everything where Numba is not
installed. Both give the same games, draw by draw. Strategies that are not built in are asked at their turns.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.compiled import compilation
from chatbot.games.heist.contest.compiled.arrays import (
    ASKED,
    BEGIN,
    CONTESTANT,
    DONE,
    NEWS,
    NONE,
    PURSES,
    contestants_in,
    game_in,
    make_memory,
    place_in_game,
    record_width,
    workspace_in,
)
from chatbot.games.heist.contest.contestants import ACTS, CONTESTANTS
from chatbot.games.heist.contest.situation import ACTING, EXACT, MOST_COMPILED, Played, Situation, standing
from chatbot.games.heist.contest.tournament import GUNCHECK, Tournament, situation_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.contest.tournament import Rival
    from chatbot.kernel.contest import Entrant

MOST_PAUSE = 64  # plain games until the compiled loop is tried again
BATCH = 64  # games between two returns from compiled code: so long does an interruption wait
STRATEGIES = {id(each): number for number, each in enumerate(CONTESTANTS.values())}
NUMBERS = {id(act): number for number, act in enumerate(ACTS)}  # looking up an Enum itself takes much longer
WORD = (1 << 64) - 1
NUMBER, UNTIL, RECORD, PHASE, TOTAL = map(place_in_game, ("number", "until", "record", "phase", "total"))
ROUND, CREDITS = map(Situation._fields.index, ("round", "credits"))

# What a contestant is told, as it lies in the memory
_read_fields = Struct("@11q?q2dq").unpack_from
_CAREER = Struct("@5q5d5q")
_CAREER_AT = Struct("@3q?2q").size


class CompiledTournament:
    """Plays what `Tournament` plays."""

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        self._plain = Tournament(entrants, rabble, seed)
        self._advance = compilation.advance()
        count = len(entrants)
        self._batch = 1 if any(id(each.strategy) not in STRATEGIES for each in entrants) else BATCH
        self._memory = make_memory(count, rabble, self._batch)
        self._game, self._own = game_in(self._memory)[0], contestants_in(self._memory, count)
        self._own["strategy"] = [STRATEGIES.get(id(each.strategy), ASKED) for each in entrants]
        self._own["act"] = NONE
        self._memory_bytes, self._own_bytes = self._memory.data.cast("B"), self._own.data.cast("B")
        self._game["asks"] = self._batch == 1
        self._width = self._game["width"].item()
        self._purses = workspace_in(self._memory, count, self._width)[PURSES, :rabble]
        self._cells = self._memory.data  # quicker than NumPy for single numbers and short rows
        self._first = len(self._cells) - self._batch * self._width  # where the first game's record is
        self._players = [(each.strategy, each.luck) for each in self._plain.rivals]
        self._careers: list[tuple[tuple[float, ...], ...]] = [()] * count
        self._record_width = record_width(count)
        self._loaded = False

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until somebody has come to hold more than can be told."""
        for number, record in self._play(games, 0):
            yield record if isinstance(record, Played) else self._game_of(number, record)

    def scores(self, games: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Play, and tell of each game only its number, from 0, and everybody's credits after it."""
        for number, record in self._play(games, 3 + 7 * len(self._own)):
            yield number, record.credits if isinstance(record, Played) else record

    def _play(self, games: int, column: int) -> Iterator[tuple[int, list[int] | Played]]:
        """Yield each game with its record from this column on, or as the plain tournament tells it."""
        number, wait, pause = 0, 0, 1
        while number < games:
            if not wait and (self._loaded or self._fits()):
                self._load()
                stopped = self._run(number, min(number + self._batch, games))
                for game in range(self._cells[RECORD]):
                    yield number, self._record(game, column)
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
        cells, advance, memory, answer = self._cells, self._advance, self._memory, self._answer
        cells[NUMBER], cells[UNTIL], cells[RECORD], cells[PHASE] = start, until, 0, BEGIN
        who = advance(memory, 0)
        while who >= 0:
            who = advance(memory, answer(who))
        return who

    # Strategies that are not compiled: all here is done some fifteen times a game

    def _answer(self, who: int) -> int:
        """Ask a contestant for the stake, or for the number of an answer."""
        fields = _read_fields(self._memory_bytes)
        if who >= NEWS:
            who -= NEWS
            fields = self._with_news(fields, who)
        situation = situation_of(fields + self._careers[who])
        strategy, luck = self._players[who]
        if fields[ROUND] == ACTING:
            return NUMBERS[id(strategy(situation, ACTS, luck) or GUNCHECK)]
        wealth = fields[CREDITS]
        stake = strategy(situation, range(wealth + 1), luck) or 0
        return int(stake) if 0 <= stake <= wealth else wealth if stake > 0 else 0

    def _with_news(self, fields: tuple[object, ...], who: int) -> tuple[object, ...]:
        """Read an own career anew, and work out means that doubles do not tell."""
        career = _CAREER.unpack_from(self._own_bytes, who * CONTESTANT.itemsize + _CAREER_AT)
        self._careers[who] = career[:5], career[5:10], career[10:]
        if self._cells[TOTAL] < EXACT:
            return fields
        return fields[:-3] + standing(self._own["credits"].tolist())

    # The log

    def _record(self, game: int, column: int) -> list[int]:
        """Return the record of a game of the batch from this column on."""
        at = self._first + game * self._width
        record: list[int] = self._cells[at + column : at + self._record_width].tolist()
        return record

    def _game_of(self, number: int, record: Sequence[int]) -> Played:
        count = len(self._own)
        players, answers, results, *rest = record
        bets, rest = rest[: 2 * count], rest[2 * count :]
        acts, rest = rest[: 2 * answers], rest[2 * count :]
        dice, balances = rest[: 3 * results], rest[3 * count :]
        return Played(
            number,
            players,
            list(zip(bets[::2], bets[1::2], strict=True)),
            [(who, ACTS[act]) for who, act in zip(acts[::2], acts[1::2], strict=True)],
            [
                (who, bool(success), may_gain)
                for who, success, may_gain in zip(dice[::3], dice[1::3], dice[2::3], strict=True)
            ],
            balances,
        )

    # From the plain tournament to the arrays, and back

    def _fits(self) -> bool:
        """Return whether all that is held is far below what 64 bits hold, as `bounded` says it."""
        return sum(map(_fortune, self._plain.rivals)) < MOST_COMPILED // 4

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
        self._game["stream"] = _words(*self._plain.luck.position())
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
        self._plain.luck.move_to(_state(self._game["stream"].tolist()))
        self._plain.balances = self._own["credits"].tolist()
        self._loaded = False


def _fortune(rival: Rival) -> int:
    return rival.credits + 2 * rival.salary + sum(rival.odds) + 16 * sum(rival.accounts)


def _words(state: int, increment: int) -> tuple[int, int, int, int]:
    return state >> 64, state & WORD, increment >> 64, increment & WORD


def _state(words: Sequence[int]) -> int:
    return words[0] << 64 | words[1]
