"""A game may be named by its word wherever its name is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.hosting import MO
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


@pytest.mark.slow
@pytest.mark.parametrize("word", ["chicken", "chickenpoker", "CHICKEN", "!chicken"])
async def test_a_moderator_may_name_a_game_by_the_word_that_people_type(store: Store, word: str) -> None:
    stage = await Stage(store).open()
    assert "chickenpoker" in " ".join(await stage.say(MO, f"!settings {word}"))
    assert "long" in " ".join(await stage.say(MO, f"!preset {word} long"))
    assert "was 10 and is now 7" in " ".join(await stage.say(MO, f"!set {word} cards 7"))
    assert stage.room.settings("chickenpoker") == {"preset": "long", "cards": "7"}
    assert "cards is 7" in " ".join(await stage.say(MO, f"!settings {word} cards"))
    await stage.say("ann", "!chicken")
    assert "was called off by mo" in " ".join(await stage.say(MO, f"!cancel {word}"))


@pytest.mark.slow
@pytest.mark.parametrize("word", ["chicken", "chickenpoker", "!chicken"])
async def test_anybody_may_name_a_game_by_the_word_that_people_type(store: Store, word: str) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", f"!fair {word}")
    assert any("link 1 of chain" in each.text for each in stage.adapter.deliveries)


async def test_a_word_of_no_game_is_one_sentence_and_changes_nothing(store: Store) -> None:
    stage = await Stage(store).open()
    for line in ("!set play cards 7", "!preset play long", "!settings play", "!cancel play", "!fair play"):
        (told,) = await stage.say(MO, line)
        assert "play" in told
    assert not any(each.choices for each in stage.room.chosen.values())


async def test_values_are_suggested_for_the_word_too(store: Store) -> None:
    stage = await Stage(store).open()
    assert list(stage.bot.suggest("room:chat", "preset", "name", {"game": "chicken"}))[:2] == [
        "usual",
        "quick",
    ]
    assert "cards" in stage.bot.suggest("room:chat", "set", "key", {"group": "chicken"})
    assert not stage.bot.suggest("room:chat", "set", "key", {"group": "nonsense"})
