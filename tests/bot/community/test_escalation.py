"""Nobody gains by a way round what they may not do straight on: not by a word, not by a second account."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Role
from tests.bot.platforms import DISCORD, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

OWNER, MO = "owner(broadcaster)", "mo(moderator)"
ANN, ANNA, BOB = "discord:ann", "twitch:anna", "discord:bob"
KEEPER = "discord:mod(moderator)"


@pytest.mark.parametrize("meant", ["permit grant viewer", "set permissions grant viewer"])
async def test_a_moderators_word_lets_no_broadcaster_do_what_moderators_may_not(
    stage: Stage, meant: str
) -> None:
    await stage.say(MO, f"!alias hug {meant}")
    await stage.say(OWNER, "!hug")
    assert stage.bot.parts.access.least(stage.room, "grant") is Role.MODERATOR


async def test_what_is_the_broadcasters_alone_is_not_done_by_a_word_either(stage: Stage) -> None:
    await stage.say(OWNER, "!permit pause broadcaster")
    await stage.say(MO, "!alias hug pause")
    assert await stage.say(OWNER, "!hug") == ["> owner: That is for broadcasters."]
    assert not stage.room.habits.paused


async def test_no_word_stands_for_a_grant(stage: Stage) -> None:
    await stage.say(MO, "!alias hug grant @mo 1000")
    assert await stage.say(OWNER, "!hug") == []
    assert await stage.credits("mo") == 240


async def test_a_broadcaster_may_use_words_for_what_moderators_do(stage: Stage) -> None:
    await stage.say(MO, "!alias calm talk quiet")
    await stage.say(OWNER, "!calm")
    assert stage.room.habits.talk.value == "quiet"


@pytest.mark.slow
async def test_a_word_takes_nothing_of_what_a_broadcaster_earns_by_being_one(stage: Stage) -> None:
    for setting in ("claim 50", "broadcaster 300", "moderator 150"):
        await stage.say(MO, f"!set earning {setting}")
    await stage.say(MO, "!alias pocket claim")
    assert "owner claims 150 credits" in (await stage.say(OWNER, "!pocket"))[0]  # 300% of 50


@pytest.mark.slow
async def test_who_is_excluded_earns_and_gets_nothing_by_linking_to_another(store: Store) -> None:
    both = await on_one_server(store)
    await both.endow(BOB, 1000)
    await both.say(ANNA, "hello")
    await both.say(KEEPER, "!exclude @anna-t")
    await both.link(ANNA, ANN)
    for who in (ANNA, ANN):
        assert "who earn nothing here" in (await both.say(who, "!claim"))[0]
        assert "anna" not in "".join(await both.say(BOB, f"!give @{who[-3:]} 10"))
    before = await both.credits(ANN, "guild")
    await both.say(BOB, "!give @ann-d 10")
    assert await both.credits(ANN, "guild") == before
    assert "ann-d" not in (await both.say(BOB, "!top"))[0]


@pytest.mark.slow
async def test_rooms_of_two_communities_that_are_one_share_the_limits_of_gifts(store: Store) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    other = both.own_room("twitch:8", "channel")
    await both.bot.open(other)
    await both.endow("twitch:ann", 5000, TWITCH)
    await both.say("twitch:bob", "hello", TWITCH)
    assert "gives" in (await both.say("twitch:ann", "!give @bob-t 800", TWITCH))[0]
    held = await both.credits("twitch:bob", "guild")
    await both.say("twitch:bob", "hello", "twitch:8")
    told = await both.say("twitch:ann", "!give @bob-t 800", "twitch:8")
    assert "today you can still give 200 credits" in told[0]
    assert await both.credits("twitch:bob", "guild") == held
    assert await both.sound()


@pytest.mark.slow
async def test_an_end_is_taken_back_of_two_who_became_one_and_spent_what_it_gave(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(KEEPER, "!set heist season_resets everything")
    for who in (ANN, ANNA):
        await both.endow(who, 40)
    owner = "discord:owner(broadcaster)"
    await both.say(owner, "!season end heist")
    await both.say(owner, "!confirm")
    assert [await both.credits(who, "guild") for who in (ANN, ANNA)] == [240, 240]
    await both.link(ANNA, ANN)
    await both.endow(ANN, 250, DISCORD)  # of 400 that the new season gave the two
    told = await both.say(owner, "!undo")
    assert "season 1 goes on" in told[0]
    assert await both.credits(ANN, "guild") == 0
    assert "150" in told[1]
    assert await both.sound()
