"""Who stands where: everybody finds their own place, and whoever is excluded takes nobody's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.ledger.members import Presence, Sighting
from tests.bot.hosting import MO, WHOLE
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


async def test_equals_share_the_better_place_and_one_s_own_is_always_shown(stage: Stage) -> None:
    for name, amount in (("ann", 500), ("bob", 400), ("cat", 400), ("dan", 300), ("eve", 100)):
        await stage.endow(name, amount)
    assert await stage.say("eve", "!top 4") == [
        "Richest: 1. ann 500 credits, 2. bob 400 credits, 2. cat 400 credits, 4. dan 300 credits.",
        "You: 5. eve 100 credits.",
    ]


@pytest.mark.slow
async def test_bots_and_whoever_keepers_exclude_are_in_no_ranking(stage: Stage) -> None:
    for name, amount in (("Nightbot", 900), ("eve", 800), ("ann", 500), ("bob", 400)):
        await stage.endow(name, amount)
    await stage.say(MO, "!take @mo all")
    await stage.say(MO, "!exclude @eve")
    assert (await stage.say("bob", "!top"))[
        0
    ] == "Richest: 1. ann 500 credits, 2. bob 400 credits, 3. mo 0 credits."
    assert await stage.say("bob", "!top 1") == ["Richest: 1. ann 500 credits.", "You: 2. bob 400 credits."]
    assert await stage.say("eve", "!top 1") == ["Richest: 1. ann 500 credits."]
    (first,) = await stage.say("ann", "!rank")
    assert first.startswith("ann is in place 1 of 3 with 500 credits")
    assert "behind the next" not in first  # eve and Nightbot have more, but are nobody to catch up with
    assert await stage.say("eve", "!rank") == ["> eve: eve is left out of the ranking here."]
    await stage.say(MO, "!exclude @Nightbot off")
    assert (await stage.say("bob", "!top 1"))[0] == "Richest: 1. Nightbot 900 credits."


async def test_a_rank_tells_place_credits_and_the_way_to_the_next(stage: Stage) -> None:
    for name, amount in (("ann", 500), ("bob", 420), ("cat", 300)):
        await stage.endow(name, amount)
    (told,) = await stage.say("cat", "!rank")
    assert told.startswith("cat is in place 3 of 3 with 300 credits, 120 credits behind the next.")
    (told,) = await stage.say("cat", "!rank @ann")
    assert told.startswith("ann is in place 1 of 3 with 500 credits. ")
    assert told.endswith("Not a regular yet.")


async def test_a_rank_tells_what_was_watched_and_said_and_who_is_a_regular(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "hello")
    await Presence(store).add([Sighting("town", seat("ann"), stage.watch.date(), minutes=135, messages=7)])
    await stage.say(MO, "!regular @ann")
    (told,) = await stage.say("ann", "!rank")
    assert told.endswith("Watched 2 h 15 min, 7 messages. A regular here.")


@pytest.mark.slow
async def test_a_career_is_one_s_own_or_another_s(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    own = await stage.say("ann", "!heist career")
    assert "ann" in own[0]
    assert await stage.say("ann", "!career") == own
    assert await stage.say("bob", "!career @ann") == own


async def test_where_no_game_has_careers_that_is_said(store: Store) -> None:
    plain = {name: replace(kit, chat=replace(kit.chat, topics={})) for name, kit in kits().items()}
    stage = await Stage(store, plain).open()
    assert await stage.say("ann", "!career") == ["> ann: No game here keeps careers."]


async def test_whoever_has_no_wallet_yet_is_the_last_of_all(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say("mo(moderator)", "!set credits start 0")
    (told,) = await stage.say("bob", "!rank")
    assert told.startswith("bob is in place 3 of 3 with 0 credits, 240 credits behind the next.")
