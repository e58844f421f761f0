"""The form of a command is told in the words of the room: what is to be filled in too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words, languages
from chatbot.web import showing

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

MO = "mo(moderator)"
BLANK = re.compile(r"[A-Z]{2,}")


def forms(stage: Stage) -> list[str]:
    """List what goes behind every command."""
    command_index = stage.bot.command_index
    games = [each.arguments for kit in command_index.kits.values() for each in kit.chat.commands]
    return [*games, *(each.arguments for each in command_index.bot_commands)]


@pytest.mark.parametrize("language", languages())
async def test_each_language_has_a_word_for_every_blank(stage: Stage, language: str) -> None:
    blanks = {f"blank-{each.lower()}" for form in forms(stage) for each in BLANK.findall(form)}
    assert len(blanks) > 20
    assert blanks - Words(language).ids == set()


async def test_a_room_that_speaks_korean_is_told_forms_in_korean(stage: Stage) -> None:
    await stage.say(MO, "!set room language ko")
    assert await stage.say(MO, "!set") == ["> mo: 이렇게 입력해 주세요: !set 묶음 항목 값 [항목 값 ...]"]
    assert await stage.say("ann", "!give") == ["> ann: 이렇게 입력해 주세요: !give @이름 금액"]
    (told, *_) = await stage.say("ann", "!help swap")
    assert told.startswith("!swap 카드 카드 [@이름] — ")


async def test_words_that_are_typed_as_they_are_stay(stage: Stage) -> None:
    await stage.say(MO, "!set room language ko")
    (told, *_) = await stage.say("ann", "!help market more")
    assert told.startswith(
        "!market [라운드수] [판돈] | leave | start | swap 카드 카드 [@이름] | accept | decline | pass "
        "| rules — "
    )


def test_the_page_shows_them_so_too(store: Store) -> None:
    bot = Bot(kits(), store, Words("ko"), HandWatch())
    shown = {each["word"]: each["arguments"] for each in showing.commands(bot)}
    assert shown["set"] == "묶음 항목 값 [항목 값 ...]"
    assert shown["swap"] == "카드 카드 [@이름]"
    assert shown["cashout"] == ""
