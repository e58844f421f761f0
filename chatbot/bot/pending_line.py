"""A line that waits to be answered, and what is known of it while it waits."""

from __future__ import annotations

from dataclasses import dataclass

from chatbot.bot.command import AnyCommand, BotCommand
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.line import Line


@dataclass(frozen=True, slots=True)
class Route:
    """A command after aliases were resolved: its word, the other words, and what answers it."""

    line: Line
    word: str
    words: tuple[str, ...]
    target: AnyCommand | None

    @property
    def is_slow(self) -> bool:
        """Whether it is a move in a game that takes long to decide."""
        return self.target is not None and not isinstance(self.target, BotCommand) and self.target[1].slow


@dataclass(eq=False, slots=True)
class PendingLine:
    """A line that waits to be answered; `came` is when it arrived, in seconds of the watch."""

    line: Line
    exchange: Exchange
    came: float
    is_talk: bool  # whether it needs no answer
    answered: bool = False
    route: Route | None = None
    version: int = -1  # `People.version` when the speaker was filled in; negative: not in a way that lasts

    def refuse(self) -> None:
        """Leave it without an answer, as if it had not been accepted, if it has none yet."""
        if self.answered:
            self.exchange.finish()
        else:
            self.answered = True
            self.exchange.refuse()

    def fail(self, error: Exception) -> None:
        """Leave it without an answer, because of an error of the program, if it has none yet."""
        self.exchange.finish(None if self.answered else error)
        self.answered = True
