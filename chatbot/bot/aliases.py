"""Words of a room's own that stand for commands, with whatever belongs behind them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Quote
from chatbot.settings.fields import Entries

if TYPE_CHECKING:
    from chatbot.bot.command_index import CommandIndex
    from chatbot.rooms.room import Line, Room

ALIASES = "aliases"
LONGEST = 25  # characters of a word
SIGN = "!"


class Aliases:
    """`group` are the words as settings: a new word, and what it stands for. One never stands for another."""

    def __init__(self, command_index: CommandIndex) -> None:
        self._command_index = command_index
        example = "go", next(iter(command_index.kits.values())).word
        self.group = Entries(ALIASES, self._entry, Message("expects-command"), example, words=("alias",))

    def meant(self, room: Room, line: Line) -> Line:
        """Give a line as it is meant in a room.

        Moderators make the words, so that a word does nothing which is for the broadcaster alone.
        """
        text = self.written_out(room, line.text)
        if text == line.text or line.role is not Role.BROADCASTER:
            return replace(line, text=text)
        return replace(line, text=text, role=Role.MODERATOR, badges=line.roles)

    def written_out(self, room: Room, text: str) -> str:
        """Write out the word that a typed line begins with; a command's own word is never another's."""
        word, behind = _cut(text.removeprefix(SIGN))
        stands_for = self.group.of(room).get(word.lower())
        if stands_for is None:
            return text
        return f"{SIGN if text.startswith(SIGN) else ''}{stands_for}{behind}"

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        word, old = key.lower().removeprefix(SIGN), " ".join(text.removeprefix(SIGN).split())
        if not word.isalnum() or len(word) > LONGEST:
            raise Refusal(Message("alias-wrong", {"word": Quote(key), "most": LONGEST}))
        if self._answers(word) or self._command_index.split(word)[0] != word:
            raise Refusal(Message("alias-taken", {"word": Quote(word)}))
        if not self._answers(self._command_index.split(old)[0]):
            raise Refusal(Message("command-unknown", {"word": Quote(text)}))
        return word, old

    def _answers(self, word: str) -> bool:
        return self._command_index.service(word) is not None or self._command_index.command(word) is not None


def _cut(text: str) -> tuple[str, str]:
    """Cut what was typed behind the sign after its first word."""
    word = text.split(maxsplit=1)[0] if text and not text[0].isspace() else ""
    return word, text[len(word) :]
