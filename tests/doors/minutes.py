"""What a house has heard from its doors, and to which lines it said that their speakers may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from chatbot.kernel.game import Role, Seat
    from chatbot.kernel.say import Say
    from chatbot.live.house import House
    from chatbot.live.room import Line, Room


class Minutes:
    """Keeps them while the house works as ever."""

    def __init__(self, house: House, patch: pytest.MonkeyPatch) -> None:
        self.lines: list[Line] = []
        self._refused: set[str] = set()
        hear, say = house.hear, house.outbox.say

        async def heard(line: Line) -> bool:
            taken = await hear(line)
            assert taken, f"{line.text} came in a flood"
            self.lines.append(line)
            return taken

        def said(room: Room, says: Iterable[Say]) -> None:
            told = list(says)
            self._refused.update(each.answers for each in told if each.message.id == "not-allowed")
            say(room, told)

        patch.setattr(house, "hear", heard)
        patch.setattr(house.outbox, "say", said)

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
