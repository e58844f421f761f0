"""What is noted of chats in which the bot is barred: none overwrites another, and a damaged file has none."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from chatbot.keys.barred_chats import BarredChats

if TYPE_CHECKING:
    from pathlib import Path

LONG_ENOUGH = 0.25  # seconds in which a writer that nobody stops has written


class Slow(BarredChats):
    """Begins to write what another one has to say as well, after it has read what there is."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.other = threading.Thread(target=BarredChats(path).note, args=("2", "bar", "muted"))

    def load(self) -> dict[str, tuple[str, str]]:
        found = super().load()
        self.other.start()
        self.other.join(LONG_ENOUGH)
        return found


def test_two_notes_at_once_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "barred.json"
    slow = Slow(path)
    slow.note("1", "den", "timed out")
    slow.other.join()
    assert BarredChats(path).load() == {"1": ("den", "timed out"), "2": ("bar", "muted")}


def test_a_chat_in_which_the_bot_is_barred_no_more_is_forgotten_and_the_others_stay(tmp_path: Path) -> None:
    chats = BarredChats(tmp_path / "folder" / "barred.json")
    chats.note("1", "den", "timed out")
    chats.note("2", "bar", "muted")
    chats.note("1", "den", "")
    assert chats.load() == {"2": ("bar", "muted")}


def test_a_file_that_is_missing_or_damaged_has_none_and_can_be_written_again(tmp_path: Path) -> None:
    chats = BarredChats(tmp_path / "barred.json")
    assert chats.load() == {}
    chats.path.write_text('{"1": "den"}')
    assert chats.load() == {}
    chats.note("2", "bar", "muted")
    assert chats.load() == {"2": ("bar", "muted")}
