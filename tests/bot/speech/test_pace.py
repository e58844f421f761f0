"""How much is said in public of a whole table, in a room that has chosen nothing.

The games are those of a chat that cannot be answered in private, except for secrets: there most is public.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.rooms.room import Manner, Privacy
from chatbot.speech.words import languages
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

CROWD = ("ann", "bob", "cat", "dan", "eve", "fay")
LONGEST = 300  # characters of a line; a list of what everybody gets may be longer
LISTS = {"heist-results"}
HASH = re.compile(r"[0-9a-f]{16}")
ASIDE = {"Hint", "Rested", "Refusal"}  # not of the table
HEIST = 60 + 30 + 6  # seconds of lobby, getaway and suspense


async def playing(store: Store, language: str = "en") -> Stage:
    stage = await Stage(store, kits(), Manner(Privacy.SECRETS)).open()
    for who in CROWD:
        await stage.endow(who, 5000)
    await stage.say("mo(moderator)", f"!set room language {language}")
    return stage


def told(stage: Stage, since: int) -> list[str]:
    """Give the public lines since then, once each is found to be short and without hashes."""
    public = [each for each in stage.door.deliveries[since:] if each.to is None]
    lines = [each for each in public if each.says[0].event not in ASIDE]
    for each in lines:
        assert len(each.text) <= LONGEST or each.says[0].message.id in LISTS, each.text
        assert not HASH.search(each.text), each.text
    return [each.text for each in lines]


async def heist(stage: Stage, crew: int, *answers: str) -> list[str]:
    since = len(stage.door.deliveries)
    for who in CROWD[:crew]:
        await stage.say(who, "!heist 100")
    await stage.turn(60)
    for who, answer in zip(CROWD, answers, strict=False):
        await stage.say(who, answer, private=True)
    await stage.turn(HEIST - 60)
    lines = told(stage, since)
    await stage.turn(1000)
    return lines


@pytest.mark.parametrize("language", languages())
async def test_a_heist_is_at_most_six_lines(store: Store, language: str) -> None:
    """Opened, a bank in reach, the target with the getaway, the storming, the outcome, the results."""
    stage = await playing(store, language)
    assert len(await heist(stage, 1)) == 5  # one alone brings no other bank into reach
    assert len(await heist(stage, 6)) == 6
    for answers in (
        ("!doublecross", "!finger", "!allin", "!backout"),
        ("!finger", "!finger", "!finger", "!doublecross"),
        ("!intel", "!guard", "!deposit", "!withdraw", "!changejobs"),
    ):
        for _ in range(3):
            assert len(await heist(stage, 6, *answers)) <= 6
