"""Runs `chickp`: reads its options, plays the session, and prints what comes of it."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from chatbot import __version__
from chatbot.arena.engine.match import DeferredSignals
from chatbot.cli.arena import here, leave, stoppable
from chatbot.cli.chickp import telling
from chatbot.cli.chickp.options import USAGE, OptionQuestion, Options, read
from chatbot.cli.chickp.players import ChickpSeat, built_in, seat
from chatbot.cli.chickp.telling import Debug, SessionTally
from chatbot.games.chickenpoker.contest.session import Failed, Played, SessionShown, play
from chatbot.games.chickenpoker.rules.showdown import player_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.cli.chickp.players import LineProgram
    from chatbot.games.chickenpoker.contest.batch import GameBatch
    from chatbot.games.chickenpoker.contest.session import Event, SessionPlayer


def main() -> None:
    """Run the command line that this process was started with.

    Raises:
        Failure: it is wrong.
    """
    ordered = read(sys.argv[1:])
    try:
        if isinstance(ordered, OptionQuestion):
            sys.stdout.write(USAGE if ordered.name == "help" else f"chickp, Rabble {__version__}\n")
        else:
            folder = here()
            seats = [seat(each, ordered.cards, folder) for each in ordered.commands]
            with stoppable():
                Session(ordered, seats).run()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has heard enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Session:
    def __init__(self, options: Options, seats: Sequence[ChickpSeat]) -> None:
        self._options, self._seats = options, seats
        self._tally = SessionTally.of(len(seats))
        self._programs: dict[int, LineProgram] = {}  # by place
        self._debugs: list[Debug] = []

    def run(self) -> None:
        """Play it, and tell what it came to; Ctrl-C leaves the games that are over."""
        interrupted = False
        try:
            for event in self._events():
                self._take(event)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            with DeferredSignals():  # an impatient second Ctrl-C leaves no program behind
                self._close()
        with DeferredSignals():
            self._print(*telling.session(self._options, self._tally, self._names))
            sys.stdout.flush()
        if interrupted:
            sys.stderr.write("Stopped; the games that were over count.\n")
            leave()

    def _take(self, event: Event) -> None:
        self._tally.count(event)
        if self._options.quiet:
            return
        match event:
            case SessionShown():
                if self._options.verbose:
                    self._print(telling.rounds(event))
            case Failed():
                self._print(telling.failure(event))
            case Played():
                self._print(*telling.game(event, self._tally, self._names))
                sys.stdout.flush()

    def _events(self) -> Iterator[Event]:
        if all(each.foreseen for each in self._seats):
            return self._foreseen()
        players = [self._player(place, each) for place, each in enumerate(self._seats)]
        return play(players, self._options.cards, self._options.games)

    def _player(self, place: int, seat: ChickpSeat) -> SessionPlayer:
        if seat.command is None:
            return built_in(seat, place, self._options.seed)
        from chatbot.cli.chickp.players import LineProgram  # noqa: PLC0415

        tell = self._print if self._options.debug else None
        self._debugs.append(Debug(place + 1, tell, quiet=self._options.quiet))
        self._programs[place] = LineProgram(seat.command, self._options.unlimited, self._debugs[-1])
        return self._programs[place]

    @property
    def _names(self) -> list[str]:
        programs = self._programs
        return [
            programs[place].name or each.label if place in programs else each.label
            for place, each in enumerate(self._seats)
        ]

    def _close(self) -> None:
        """Put the programs away; one that does not end by itself is given time, and others need not wait."""
        if self._programs:
            with ThreadPoolExecutor(len(self._programs)) as pool:
                list(pool.map(lambda program: program.close(), self._programs.values()))
        for each in self._debugs:
            each.end()

    # The fast path

    def _foreseen(self) -> Iterator[Event]:
        from chatbot.games.chickenpoker.contest import batch  # noqa: PLC0415  (it loads NumPy, which takes its time)

        styles = [each.steps for each in self._seats]
        seed = f"{self._options.seed}/batch"
        for games in batch.play(styles, self._options.cards, self._options.games, seed):
            if self._options.quiet:
                self._add(games)
            else:
                yield from self._told(games)

    def _add(self, games: GameBatch) -> None:
        points = games.points
        self._tally.games += len(points)
        for place, total in enumerate(points.sum(axis=0)):
            self._tally.totals[place] += int(total)

    def _told(self, games: GameBatch) -> Iterator[Event]:
        players = len(self._seats)
        for offset, points in enumerate(games.points.tolist()):
            game = games.first + offset
            ids = tuple(player_id(place, game, players) for place in range(players))
            if self._options.verbose:
                yield from _rounds(games, offset, ids)
            yield Played(game, ids, tuple(points))

    def _print(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))


def _rounds(games: GameBatch, offset: int, ids: tuple[int, ...]) -> Iterator[SessionShown]:
    by_round = games.shown[:, offset].T.tolist()
    winners = games.wins[:, offset].argmax(axis=0).tolist()
    for number, (cards, best) in enumerate(zip(by_round, winners, strict=True), 1):
        shown = dict(sorted(zip(ids, cards, strict=True)))
        yield SessionShown(games.first + offset, number, shown, ids[best], sum(cards))
