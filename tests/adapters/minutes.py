"""What a house has heard from its adapters, and to which lines it said that their speakers may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from chatbot.bot.bot import Bot
    from chatbot.kernel.game import Role, Seat
    from chatbot.kernel.say import Say
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room


class Minutes:
    """Keeps them while the house works as ever."""

    def __init__(self, bot: Bot, patch: pytest.MonkeyPatch) -> None:
        self.lines: list[Line] = []
        self._refused: set[str] = set()
        admit, say = bot._admit, bot.outbox.say

        def heard(room: Room | None, line: Line, exchange: Exchange) -> bool:
            on_end = exchange._on_end

            def ended(each: Exchange) -> None:
                self.lines.append(line)
                if on_end is not None:
                    on_end(each)

            exchange._on_end = ended
            assert admit(room, line, exchange), f"{line.text} came in a flood"
            return True

        def said(room: Room, says: Iterable[Say], exchange: Exchange | None = None) -> None:
            told = list(says)
            if exchange is not None and exchange.line is not None:
                refused = any(each.message.id == "not-allowed" for each in told)
                self._refused |= {exchange.line.id} if refused else set()
            say(room, told, exchange)

        patch.setattr(bot, "_admit", heard)
        patch.setattr(bot.outbox, "say", said)

    def heard(self, seat: Seat, words: Iterable[str]) -> bool:
        """Whether each of these commands of somebody has been answered."""
        return self.commands(seat) >= set(words)

    def commands(self, seat: Seat) -> set[str]:
        return {_word(each) for each in self.lines if str(each.account) == seat}

    def allowed(self, seat: Seat) -> set[str]:
        """Name the commands that somebody has used and was not kept from."""
        own = [each for each in self.lines if str(each.account) == seat]
        return {_word(each) for each in own if each.id not in self._refused}

    def roles(self, seat: Seat) -> set[Role]:
        return {each.role for each in self.lines if str(each.account) == seat}


def _word(line: Line) -> str:
    return line.text.partition(" ")[0].removeprefix("!")
