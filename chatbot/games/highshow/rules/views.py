"""What anybody may know of a game of High Show: all that has been shown, and nothing of K before the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.highshow.rules.moves import Progress, Result
from chatbot.games.highshow.rules.par import Par
from chatbot.games.highshow.rules.states import Empty, Guessing, Over, Playing, Unused
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.states import State


@dataclass(frozen=True, slots=True)
class View:
    """The same for everybody: the game has no secret that only its player knows."""

    phase: str  # opening, decision, estimates, over
    player: Seat | None
    progress: Progress | None  # None: nothing has been chosen yet
    stake: int
    par: Par | None
    result: Result | None = None  # when it is over
    rest: tuple[int, ...] = ()  # what would have come, when it is over


def view(state: State) -> View:
    match state:
        case Empty():
            return View("opening", state.player, None, 0, None)
        case Unused():
            return View("over", state.player, None, 0, None)
        case Playing():
            return View("decision", state.player, state.progress, state.show.stake, state.show.par)
        case Guessing():
            return View("estimates", state.player, state.progress, state.show.stake, state.show.par)
        case Over():
            return _over(state)


def _over(state: Over) -> View:
    show, rest = state.show, state.show.deck[len(state.seen) :]
    return View("over", state.player, state.progress, show.stake, show.par, state.result, rest)
