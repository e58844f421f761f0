"""A tournament at compiled speed: games whose amounts fit into 64 bits are played by the compiled loop.

All others are played by `tournament.py` with Python's own integers, and so is everything until there is
compiled code. Both give the same games, draw by draw, so that one follows the other between any two games.
Strategies that are not built in are asked at their turns.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from chatbot.games.heist.contest.compiled import machine_code
from chatbot.games.heist.contest.compiled.arrays import (
    ASKED,
    BEGIN,
    CONTESTANT,
    DONE,
    NEWS,
    NONE,
    PURSES,
    RAISED,
    RECORDS,
    contestants_in,
    game_in,
    make_memory,
    place_in_game,
    record_width,
    rows_in,
)
from chatbot.games.heist.contest.contestants import ACTS, CONTESTANTS
from chatbot.games.heist.contest.situation import ACTING, EXACT, MOST_COMPILED, Played, Situation, standing
from chatbot.games.heist.contest.tournament import GUNCHECK, Tournament, situation_of
from chatbot.kernel.contest import next_point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.games.heist.contest.compiled.arrays import Numbers
    from chatbot.games.heist.contest.compiled.machine_code import Loop
    from chatbot.games.heist.contest.tournament import Rival
    from chatbot.kernel.contest import Entrant

MOST_PAUSE = 64  # plain games until the compiled loop is tried again
BATCH = 64  # games between two returns from compiled code: so long does an interruption wait
LOOKS_AFTER = 256  # plain games until it is looked again whether there is compiled code
LOAD_GAMES = 1_000  # for fewer, compiled code is not worth the time that it takes to be loaded
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

    def __init__(self, entrants: Sequence[Entrant], rabble: int, seed: str, later: int = 0) -> None:
        """Begin; `later` games of other tournaments follow, which are worth loading the code for, too."""
        self._plain = Tournament(entrants, rabble, seed)
        self._rabble, self._later, self._looks_in = rabble, later, 0
        self._strategies = [STRATEGIES.get(id(each.strategy), ASKED) for each in entrants]
        self._players = [(each.strategy, each.luck) for each in self._plain.rivals]
        self._careers: list[tuple[tuple[float, ...], ...]] = [()] * len(entrants)
        self._has_code = False  # and, with it, what `_make_memory` makes
        self._loaded = False  # whether what lasts from game to game is in the memory

    def _make_memory(self, bind: Callable[[Numbers], Loop]) -> None:
        count = len(self._strategies)
        asks = ASKED in self._strategies
        self._batch = 1 if asks else BATCH
        self._memory = make_memory(count, self._rabble, self._batch)
        self._game, self._own = game_in(self._memory)[0], contestants_in(self._memory, count)
        self._own["strategy"], self._own["act"] = self._strategies, NONE
        self._memory_bytes, self._own_bytes = self._memory.data.cast("B"), self._own.data.cast("B")
        self._game["asks"] = asks
        self._width = self._game["width"].item()
        self._purses = rows_in(self._memory)[PURSES, : self._rabble]
        self._cells = self._memory.data  # quicker than NumPy for single numbers and short rows
        self._first = RECORDS * self._width  # where the first game's record is
        self._record_width = record_width(count)
        self._loop = bind(self._memory)

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, or until somebody has come to hold more than can be told."""
        for number, step in self._steps(games, lambda _: games):
            if isinstance(step, Played):
                yield step
            else:
                for game in range(step):
                    yield self._game_of(number + game, self._record(game, 0))

    def scores(self, games: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Play, and tell how many games have been played, and everybody's credits after them.

        That is told after each game if there are strategies that are asked, which can take long; else where
        the curve of a match has a point, and where it ends.
        """
        asks = ASKED in self._strategies

        def until(played: int) -> int:
            return played + 1 if asks else next_point(played, games)

        column = 3 + 7 * len(self._strategies)
        point = until(0)
        for number, step in self._steps(games, until):
            played = number + (1 if isinstance(step, Played) else step)
            if played == point or self._plain.ended:
                yield played, step.credits if isinstance(step, Played) else self._record(step - 1, column)
                point = until(played)

    def _steps(self, games: int, until: Callable[[int], int]) -> Iterator[tuple[int, int | Played]]:
        """Play; yield the number of the next game, and how many are recorded or one that was played plainly.

        No step goes beyond the number that `until` gives for that of its first game.
        """
        number, wait, pause = 0, 0, 1
        while number < games:
            if not wait and self._is_compiled(games - number) and (self._loaded or self._fits()):
                self._load()
                stopped = self._run(number, min(number + self._batch, until(number)))
                if count := self._cells[RECORD]:
                    yield number, count
                    number += count
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

    def _is_compiled(self, left: int) -> bool:
        """Whether compiled code is there, for which it is looked now and then; `left` games are to come."""
        if self._has_code:
            return True
        self._looks_in -= 1
        if self._looks_in >= 0:
            return False
        self._looks_in = LOOKS_AFTER
        if left + self._later < LOAD_GAMES or (bind := machine_code.loaded()) is None:
            return False
        self._make_memory(bind)
        self._has_code = True
        return True

    def _run(self, start: int, until: int) -> int:
        """Play compiled games; return why that stopped."""
        cells, ask, (advance, memory, answer, _) = self._cells, self._answer, self._loop
        cells[NUMBER], cells[UNTIL], cells[RECORD], cells[PHASE] = start, until, 0, BEGIN
        answer.value = 0
        who = advance(memory, answer)
        while who >= 0:
            answer.value = ask(who)
            who = advance(memory, answer)
        if who == RAISED:
            raise RuntimeError("compiled code has raised an exception")
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
        count = len(self._strategies)
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
