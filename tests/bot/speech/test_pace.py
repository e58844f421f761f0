"""How much is said in public of a whole table, in a room that has chosen nothing.

The games are those of a chat that cannot be answered in private, except for secrets: there most is public.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.rooms.channel import Manner, Privacy
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


async def playing(store: Store, language: str = "en", private: Privacy = Privacy.SECRETS) -> Stage:
    stage = await Stage(store, kits(), Manner(private)).open()
    for who in CROWD:
        await stage.endow(who, 5000)
    await stage.say("mo(moderator)", f"!set room language {language}")
    return stage


def told(stage: Stage, since: int) -> list[str]:
    """Give the public lines since then, once each is found to be short and without hashes."""
    public = [each for each in stage.adapter.deliveries[since:] if each.to is None]
    lines = [each for each in public if each.says[0].event not in ASIDE]
    for each in lines:
        assert len(each.text) <= LONGEST or each.says[0].message.id in LISTS, each.text
        assert not HASH.search(each.text), each.text
    return [each.text for each in lines]


async def heist(stage: Stage, crew: int, *answers: str) -> list[str]:
    since = len(stage.adapter.deliveries)
    for who in CROWD[:crew]:
        await stage.say(who, "!heist 100")
    await stage.turn(60)
    for who, answer in zip(CROWD, answers, strict=False):
        await stage.say(who, answer, private=True)
    await stage.turn(HEIST - 60)
    lines = told(stage, since)
    await stage.turn(1000)
    return lines


@pytest.mark.slow
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


@pytest.mark.parametrize("language", languages())
async def test_chicken_poker_alone_is_at_most_eight_lines(store: Store, language: str) -> None:
    """Opened, the seats with the first round, and each round with how the one before it ended."""
    stage = await playing(store, language)
    since = len(stage.adapter.deliveries)
    await stage.say("ann", "!chicken 6 50")
    await stage.turn(60)
    for card in range(1, 7):
        await stage.say("ann", f"!play {card}", private=True)
    assert len(told(stage, since)) <= 8


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("players", [2, 4, 6])
async def test_chicken_poker_in_company_is_at_most_two_lines_a_round(
    store: Store, language: str, players: int
) -> None:
    stage = await playing(store, language)
    for who in CROWD[:players]:
        await stage.say(who, "!chicken 4 50" if who == "ann" else "!chicken")
    since = len(stage.adapter.deliveries)
    await stage.turn(60)
    for number in range(1, 5):
        for place, who in enumerate(CROWD[:players]):
            card = 1 + (number + place) % 4
            await stage.say(who, f"!play {card}", private=True)
    assert len(told(stage, since)) <= 2 * 4


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.slow
async def test_a_market_of_silent_people_is_one_line_a_turn(
    store: Store, language: str, players: int
) -> None:
    stage = await playing(store, language)
    for who in CROWD[:players]:
        await stage.say(who, "!market 2" if who == "ann" else "!market")
    since = len(stage.adapter.deliveries)
    await stage.turn(60)
    assert len(told(stage, since)) <= 2  # the cards, and the first turn
    patience = stage.room.patience
    for seconds in (*[30] * players, *[patience] * (players - 1)):
        since = len(stage.adapter.deliveries)
        await stage.turn(seconds)
        assert len(told(stage, since)) == 1
    since = len(stage.adapter.deliveries)
    await stage.turn(patience)
    assert 1 <= len(told(stage, since)) <= 3  # the list of the results, and the best swap of all


@pytest.mark.parametrize("language", languages())
async def test_high_show_is_one_line_a_decision_and_three_more(store: Store, language: str) -> None:
    """The opening, the question for K and the profit with the last card, the result, the review."""
    stage = await playing(store, language)
    since = len(stage.adapter.deliveries)
    await stage.say("ann", "!highshow 8 3 50")
    assert len(told(stage, since)) == 1
    for _ in range(3):
        since = len(stage.adapter.deliveries)
        await stage.say("ann", "!cashout")
        assert len(told(stage, since)) == 1
    since = len(stage.adapter.deliveries)
    await stage.say("ann", "!guess 1 1")
    await stage.turn(60)
    assert len(told(stage, since)) <= 2


@pytest.mark.parametrize("language", languages())
async def test_six_card_poker_is_at_most_four_lines(store: Store, language: str) -> None:
    stage = await playing(store, language, Privacy.ALL)
    since = len(stage.adapter.deliveries)
    await stage.say("ann", "!sixcard 50")
    await stage.say("ann", "!set auto")
    await stage.turn(60)
    assert 2 <= len(told(stage, since)) <= 4
    since = len(stage.adapter.deliveries)
    await stage.say("bob", "!sixcard @cat 50")
    await stage.say("cat", "!sixcard accept")
    for who in ("bob", "cat"):
        await stage.say(who, "!set auto", private=True)
    await stage.turn(60)
    assert 3 <= len(told(stage, since)) <= 4
