"""Moves that are chosen in several steps, such as one card after the other, as there are too many to list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel.commands import Command
from chatbot.kernel.kit import undivided
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.kernel.board import Board
    from chatbot.kernel.commands import Option
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.table_protocol import Table

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """All moves of one command: each path is the words typed after it, and each word has a label."""

    line: str  # the command, such as !swap
    command: Command
    labels: Mapping[str, Message]
    paths: tuple[Path, ...]

    def after(self, words: Path) -> dict[str, Message]:
        """Return the words that can follow those chosen so far, with labels; empty if none can."""
        ways = [each for each in self.paths if each[: len(words)] == words and len(each) > len(words)]
        return {each[len(words)]: self.labels[each[len(words)]] for each in ways}

    def last(self, words: Path) -> bool:
        """Whether one more word completes a move."""
        return any(each[: len(words)] == words and len(each) == len(words) + 1 for each in self.paths)

    def option(self, number: int) -> Option | None:
        """Return the option for a part of a move; the first part has number 0."""
        return next((each for each in self.command.options if each.part == number), None)


def divided(table: Table, seat: Seat, purse: int) -> tuple[Sequence[object], list[Steps]]:
    """Return the actions of a seat that are chosen at once, and those that are chosen in steps."""
    kit, actions = table.kit, table.menu(seat, purse)
    if kit.display.parts is undivided or not actions:
        return actions, []
    view = table.view(seat, purse)
    divided_actions = [(each, kit.display.parts(view, each)) for each in actions]
    by_line: dict[str, dict[Path, None]] = {}
    labels: dict[str, dict[str, Message]] = {}
    for action, parts in divided_actions:
        if parts:
            line = kit.chat.line(action).partition(" ")[0]
            by_line.setdefault(line, {})[tuple(each.word for each in parts)] = None
            labels.setdefault(line, {}).update((each.word, each.label) for each in parts)
    places = _places(kit.display.board(view))
    steps = [
        Steps(line, _command(kit, line), labels[line], tuple(_sorted(paths, places)))
        for line, paths in by_line.items()
    ]
    return [action for action, parts in divided_actions if not parts], steps


def suggested(table: Table, seat: Seat, purse: int, word: str, number: int) -> dict[str, Message]:
    """Return the words that a seat can give for a part of a command now, with their labels."""
    _, steps = divided(table, seat, purse)
    matching_steps = (each for each in steps if each.command.word == word)
    return {
        path[number]: each.labels[path[number]]
        for each in matching_steps
        for path in each.paths
        if len(path) > number
    }


def behind(table: Table, seat: Seat, purse: int, command: Command) -> dict[str, Message]:
    """Return all that a seat can type behind a command now, with the labels of these moves."""
    kit, words = table.kit, {f"!{each}" for each in (command.word, *command.aliases)}
    lines = ((kit.chat.line(each).partition(" "), each) for each in table.menu(seat, purse))
    return {rest: kit.display.label(action) for (word, _, rest), action in lines if rest and word in words}


def _command(kit: AnyKit, line: str) -> Command:
    return next(each for each in kit.chat.commands if f"!{each.word}" == line)


def _places(board: Board) -> dict[str, int]:
    """Number the cards on a board, in their order."""
    words = (card.word for hand in board.hands for card in hand.cards if card.word)
    return {word: number for number, word in enumerate(words)}


def _sorted(paths: Iterable[Path], places: Mapping[str, int]) -> list[Path]:
    """Order paths by the positions on the board of the cards that they name."""
    return sorted(paths, key=lambda path: [places.get(word, len(places)) for word in path])
