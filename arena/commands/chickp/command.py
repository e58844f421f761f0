"""The command `chickp`: parses its options, plays the session and prints the results."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.commands.chickp import output
from arena.commands.chickp.classic import ClassicOutput
from arena.commands.chickp.options import USAGE, InfoRequest, Options, read
from arena.commands.chickp.output import ProgramTrace, SessionTally
from arena.commands.chickp.players import ChickpSeat, built_in, seat
from arena.commands.tournaments import current_folder, exit_interrupted, interruptible
from arena.engine.match import DeferredSignals
from chatbot import __version__
from chatbot.cli.context import discard_output, print_text
from chatbot.games.chickenpoker.contest.session import Failed, Played, SessionShown, play
from chatbot.games.chickenpoker.rules.showdown import player_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from arena.commands.chickp.players import LineProgram
    from chatbot.games.chickenpoker.contest.batch import GameBatch
    from chatbot.games.chickenpoker.contest.session import SessionEvent, SessionPlayer


def main() -> None:
    """Run the command line of this process.

    Raises:
        Failure: an option or a player is wrong, or standard output cannot be written.
    """
    request = read(sys.argv[1:])
    if isinstance(request, InfoRequest):
        print_text(USAGE.rstrip() if request.name == "help" else f"chickp, Rabble {__version__}")
        return
    folder = current_folder()
    seats = [seat(each, request.cards, folder) for each in request.commands]
    with interruptible(), suppress(BrokenPipeError):  # the reader has closed the pipe, as `head` does
        Session(request, seats).run()


class Session:
    """A session of games: its players, its totals and its output."""

    def __init__(self, options: Options, seats: Sequence[ChickpSeat]) -> None:
        self._options, self._seats = options, seats
        self._tally = SessionTally.of(len(seats))
        self._classic = ClassicOutput(options) if options.classic else None
        self._programs: dict[int, LineProgram] = {}  # by place
        self._traces: list[ProgramTrace] = []

    def run(self) -> None:
        """Play all games, and print the totals; after Ctrl-C, those of the games that are over."""
        interrupted = False
        if self._classic is not None:
            self._print(*self._classic.opening(), flush=True)
        try:
            for event in self._events():
                self._handle(event)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            with DeferredSignals():  # a second Ctrl-C must not leave programs running
                self._close()
        with DeferredSignals():
            self._print(*self._summary(), flush=True)
        if interrupted:
            sys.stderr.write("Stopped; the games that were over count.\n")
            exit_interrupted()

    def _handle(self, event: SessionEvent) -> None:
        self._tally.count(event)
        if self._options.quiet:
            return
        if self._classic is not None:
            self._print(*self._classic.lines(event), flush=isinstance(event, Played))
            return
        match event:
            case SessionShown():
                if self._options.verbose:
                    self._print(output.rounds(event))
            case Failed():
                self._print(output.failure(event))
            case Played():
                self._print(*output.game(event, self._tally, self._names), flush=True)

    def _summary(self) -> Iterable[str]:
        if self._classic is not None:
            return self._classic.closing(self._tally)
        summary = output.session(self._options, self._tally, self._names)
        return [*summary, *self._containment()]

    def _containment(self) -> list[str]:
        if not self._programs:
            return []
        from arena.programs.sandbox import containment  # noqa: PLC0415

        return [f"session containment {containment(sandbox=self._options.sandbox)}"]

    def _events(self) -> Iterator[SessionEvent]:
        if all(each.predetermined for each in self._seats):
            return self._batched_events()
        players = [self._player(place, each) for place, each in enumerate(self._seats)]
        return play(players, self._options.cards, self._options.games)

    def _player(self, place: int, seat: ChickpSeat) -> SessionPlayer:
        if seat.command is None:
            return built_in(seat, place, self._options.seed)
        from arena.commands.chickp.players import LineProgram  # noqa: PLC0415

        write = self._print if self._options.debug else None
        self._traces.append(ProgramTrace(place + 1, write, quiet=self._options.quiet))
        self._programs[place] = LineProgram(
            seat.command, self._options.unlimited, self._traces[-1], sandbox=self._options.sandbox
        )
        return self._programs[place]

    @property
    def _names(self) -> list[str]:
        programs = self._programs
        return [
            programs[place].name or each.label if place in programs else each.label
            for place, each in enumerate(self._seats)
        ]

    def _close(self) -> None:
        """Close the programs all at once, since each may take some time to end."""
        if self._programs:
            with ThreadPoolExecutor(len(self._programs)) as pool:
                list(pool.map(lambda program: program.close(), self._programs.values()))
        for each in self._traces:
            each.end()

    # Sessions of predetermined players

    def _batched_events(self) -> Iterator[SessionEvent]:
        from chatbot.games.chickenpoker.contest import batch  # noqa: PLC0415  (it loads NumPy, which is slow)

        step_players = [each.steps for each in self._seats]
        seed = f"{self._options.seed}/batch"
        for games in batch.play(step_players, self._options.cards, self._options.games, seed):
            if self._options.quiet:
                self._count(games)
            else:
                yield from self._events_of(games)

    def _count(self, games: GameBatch) -> None:
        points = games.points
        self._tally.games += len(points)
        for place, total in enumerate(points.sum(axis=0)):
            self._tally.totals[place] += int(total)

    def _events_of(self, games: GameBatch) -> Iterator[SessionEvent]:
        players = len(self._seats)
        for offset, points in enumerate(games.points.tolist()):
            game = games.first + offset
            ids = tuple(player_id(place, game, players) for place in range(players))
            if self._options.verbose:
                yield from _rounds(games, offset, ids)
            yield Played(game, ids, tuple(points))

    def _print(self, *lines: str, flush: bool = False) -> None:
        """Print lines.

        Raises:
            BrokenPipeError: the reader has closed the pipe; no more need to be played.
            Failure: standard output cannot be written for another reason.
        """
        try:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            if flush:
                sys.stdout.flush()
        except OSError as error:
            discard_output(error)
            raise


def _rounds(games: GameBatch, offset: int, ids: tuple[int, ...]) -> Iterator[SessionShown]:
    by_round = games.shown[:, offset].T.tolist()
    winners = games.wins[:, offset].argmax(axis=0).tolist()
    for number, (cards, best) in enumerate(zip(by_round, winners, strict=True), 1):
        cards_by_player = dict(sorted(zip(ids, cards, strict=True)))
        yield SessionShown(games.first + offset, number, cards_by_player, ids[best], sum(cards))
