"""The money of games with a lobby: equal stakes, a pot that players share, and what `!odds` says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel import returns
from chatbot.kernel.kit import Money
from chatbot.kernel.lobby import Leave, buy_in, winnable
from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.returns import Method
from chatbot.kernel.say import Arguments, Listing, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.lobby import LobbyGame, LobbyTable


def odds(game: LobbyGame) -> Odds:
    """Publish that all that is staked goes back, and what the best play returns against the house."""
    return Odds(tuple(_rows(game)), None)


def _rows(game: LobbyGame) -> Iterator[Message]:
    if not game.stakes:
        yield Message("odds-honour")
        return
    yield Message(f"{game.lengths.word}-odds")
    if game.fills:
        yield Message("odds-house", {"rows": Listing(tuple(_row(game, each) for each in game.names))})


def _row(game: LobbyGame, strategy: str) -> Message:
    """State the figure of a strategy at the length at which most comes back."""
    figure = returns.worst(game.name, strategy, range(game.lengths.least, game.lengths.most + 1))
    if figure is None:
        return Message("odds-house-unknown", {"strategy": strategy})
    args: Arguments = {"strategy": strategy, "back": percent(figure.returns)}
    if figure.method is Method.EXACT:
        return Message("odds-house-exact", args)
    return Message("odds-house-searched", {**args, "error": round(100 * figure.error, 2)})


MONEY: Money[LobbyTable] = Money(buy_in=buy_in, leave=Leave, winnable=winnable, odds=odds)
