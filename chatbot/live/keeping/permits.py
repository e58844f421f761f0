"""Who may do what: one table of commands and the least roles for them, which keepers may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Quote
from chatbot.live.asked import first_word
from chatbot.live.keeping.groups import Entries
from chatbot.live.keeping.values import wrong
from chatbot.live.wording.suggestions import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.live.guide import Guide
    from chatbot.live.room import Room


class Permits:
    """`group` is the table as settings: the word of a command, and the least role that it takes."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        roles = ", ".join(each.value for each in Role)
        expected = Message("expects-one-of", {"choices": roles})
        self.group = Entries(
            "permissions",
            self._entry,
            expected,
            ("give", "regular"),
            default=self._usual,
            least=Role.BROADCASTER,
        )

    def words(self) -> Iterator[str]:
        """List every command by its first word: the rows of the table."""
        yield from (each.word for each in self._guide.services)
        for kit in self._guide.kits.values():
            yield from (each.word for each in kit.commands if self._guide.service(each.word) is None)

    def least(self, room: Room, word: str) -> Role:
        """Tell the least role that a command takes in a room."""
        return Role(self.group.of(room).get(word) or self._usual(word))

    def check(self, room: Room, word: str, role: Role) -> None:
        """Let pass who may use a command.

        Raises:
            Refusal: the role is not enough.
        """
        least = self.least(room, word)
        if not role.covers(least):
            raise Refusal(Message("not-allowed", {"role": Message(f"role-{least.value}")}))

    def _usual(self, word: str) -> str:
        service = self._guide.service(word)
        return (service.least if service is not None else Role.VIEWER).value

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        word, role = word_of(self._guide, key), text.lower()
        if role not in {each.value for each in Role}:
            raise wrong(word, text, self.group.expected)
        return word, role


def word_of(guide: Guide, text: str) -> str:
    """Give the first word of a command that somebody names, with its mark or without, or by another word.

    Raises:
        Refusal: there is no such command.
    """
    word = text.lower().removeprefix("!")
    found = guide.service(word) or guide.command(word)
    if found is None:
        words = [each.word for each in guide.services]
        raise unknown(Message("command-unknown", {"word": Quote(text)}), word, words)
    return first_word(found)
