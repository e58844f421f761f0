"""Ranks that a community names: by which credits who is called what, and what is no list of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.channel import Manner
from chatbot.speech import safe, titles
from chatbot.speech.titles import NONE, NamedRank
from tests.bot.hosting import MO
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

LADDER = "100 Rookie, 1000 Regular, 10000 Boss"


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("", NONE),
        (" None ", NONE),
        ("0 Newbie", "0 Newbie"),
        ("100   Rookie ,1000  Old  Hand", "100 Rookie, 1000 Old Hand"),
        ("5 \uff22oss", "5 Boss"),  # as all texts of streamers, without disguises
        ("1 a\u200bb", "1 ab"),
        ("1 \u200b", "1 ?"),
        (f"1 {'x' * 30}", f"1 {'x' * 30}"),
        (f"{10**15} God", f"{10**15} God"),
    ],
)
def test_ranks_are_normalized_and_normalizing_again_changes_nothing(text: str, normalized: str) -> None:
    assert titles.checked(text) == normalized
    assert titles.checked(normalized) == normalized


@pytest.mark.parametrize(
    "text",
    [
        "Rookie",
        "100",
        "Rookie 100",
        "-1 Rookie",
        "1.5 Rookie",
        "٣ Rookie",
        "100 Rookie,",
        "100 Rookie, 100 Regular",
        "100 Rookie, 50 Regular",
        f"1 {'x' * 31}",
        f"{10**15 + 1} God",
        ", ".join(f"{each} x" for each in range(21)),
    ],
)
def test_what_is_no_list_of_rising_ranks_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not"):
        titles.checked(text)


@pytest.mark.parametrize(
    ("balance", "title", "following"),
    [
        (0, None, NamedRank(100, "Rookie")),
        (99, None, NamedRank(100, "Rookie")),
        (100, NamedRank(100, "Rookie"), NamedRank(1000, "Regular")),
        (9999, NamedRank(1000, "Regular"), NamedRank(10000, "Boss")),
        (10000, NamedRank(10000, "Boss"), None),
    ],
)
def test_a_rank_begins_at_its_amount(
    balance: int, title: NamedRank | None, following: NamedRank | None
) -> None:
    assert titles.find(LADDER, balance) == (title, following)
    assert titles.find(NONE, balance) == (None, None)


@pytest.mark.slow
async def test_credits_and_rank_tell_the_rank_and_the_next_one(stage: Stage) -> None:
    await stage.endow("ann", 1500)
    await stage.endow("bob", 99)
    assert await stage.say("ann", "!credits") == ["ann has 1,500 credits."]
    await stage.say(MO, f"!set credits ranks {LADDER}")
    assert await stage.say("ann", "!credits") == ["ann has 1,500 credits (Regular)."]
    assert await stage.say("ann", "!credits @bob") == ["bob has 99 credits."]
    (told,) = await stage.say("ann", "!rank")
    assert "Rank: Regular. Boss from 10,000 credits." in told
    (told,) = await stage.say("bob", "!rank")
    assert "Rank:" not in told
    assert "Rookie from 100 credits." in told
    await stage.say(MO, "!set credits ranks none")
    assert await stage.say("ann", "!credits") == ["ann has 1,500 credits."]


@pytest.mark.slow
async def test_ranks_that_cannot_be_are_refused_in_one_sentence_with_an_example(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set credits ranks Rookie 100")
    assert "100 Rookie, 1000 Regular, 10000 Boss" in told
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]


@pytest.mark.slow
async def test_a_rank_s_name_is_shown_harmlessly(store: Store) -> None:
    stage = await Stage(store, manner=Manner(dress=safe.discord)).open()
    await stage.say(MO, "!set credits ranks 0 @everyone **evil.com**")
    (told,) = await stage.say("ann", "!credits")
    assert told == f"ann has 240 credits ({safe.discord('@everyone **evil.com**')})."
    assert "@everyone" not in told
    assert "**" not in told.replace("\\*", "")
