"""A season of days ends on time, once, whoever is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.platforms import Platforms

pytestmark = pytest.mark.slow

BO, MO, DAY = "bo(broadcaster)", "mo(moderator)", 86_400
OVER = "Bank Heist: season 1 is over!"
BOB = "twitch:bob"
DISCORD_OWNER, TWITCH_OWNER = "discord:owner(broadcaster)", "twitch:owner(broadcaster)"


async def prepare(stage: Stage) -> None:
    """A season of one day begins, and all that a new one resets is reset."""
    for setting in ("rabble 0", "season_days 1", "season_resets everything"):
        await stage.say(MO, f"!set heist {setting}")
    await stage.endow("bob", 1000)
    await stage.say("ann", "!season")  # begins when somebody looks


def ends(said: list[str]) -> int:
    return sum(line.startswith(OVER) for line in said)


async def test_it_ends_when_its_days_are_over(stage: Stage) -> None:
    await prepare(stage)
    assert ends(await stage.turn(DAY - 1)) == 0
    assert ends(await stage.turn(1)) == 1
    assert await stage.credits("bob") == 240
    assert "season 2: 0 played" in (await stage.say("ann", "!season"))[0]


async def test_the_next_one_ends_a_day_later(stage: Stage) -> None:
    await prepare(stage)
    await stage.turn(DAY)
    assert not any("season 2 is over" in line for line in await stage.turn(DAY - 1))
    assert any("season 2 is over" in line for line in await stage.turn(1))


async def test_while_a_table_stands_it_waits_for_its_end(stage: Stage) -> None:
    await prepare(stage)
    await stage.turn(DAY - 10)
    await stage.say("ann", "!heist 10")
    assert ends(await stage.turn(60)) == 0
    assert ends(await stage.turn(30 + 6)) == 1


async def test_one_whose_time_came_while_the_bot_was_away_ends_once_when_it_is_back(
    store: Store, stage: Stage
) -> None:
    await prepare(stage)
    late = Stage(store, run="b")
    late.watch.set_calendar(2 * DAY)
    await late.open()
    assert ends(late.said()) == 1
    assert ends(await late.turn(DAY / 2)) == 0


async def test_limits_that_are_set_later_count_within_the_hour(stage: Stage) -> None:
    await stage.say("ann", "!season")
    await stage.turn(DAY * 2)
    await stage.say(MO, "!set heist season_days 1")
    assert ends(await stage.turn(3600)) == 1


async def test_opening_a_room_again_ends_nothing_twice(stage: Stage) -> None:
    await prepare(stage)
    await stage.bot.open(stage.room)
    assert ends(await stage.turn(DAY)) == 1


async def test_while_the_books_do_not_add_up_nothing_ends(stage: Stage) -> None:
    await prepare(stage)
    await stage.bot.control.halt()
    assert ends(await stage.turn(DAY)) == 0
    assert await stage.credits("bob") == 1000


async def test_one_whose_end_is_taken_back_ends_again_within_the_hour_unless_it_may_last_longer(
    stage: Stage,
) -> None:
    await prepare(stage)
    await stage.turn(DAY)
    told = await stage.say(BO, "!undo")
    assert told[-1].startswith("Its days are over, so it ends again within the hour")
    assert ends(await stage.turn(3600)) == 1
    await stage.say(BO, "!undo")
    await stage.say(MO, "!set heist season_days 2")
    assert ends(await stage.turn(3600)) == 0


async def prepare_chat(both: Platforms) -> None:
    """A season of one day begins in the Twitch chat, and all that a new one resets is reset."""
    for setting in ("season_days 1", "season_resets everything"):
        await both.say(TWITCH_OWNER, f"!set heist {setting}")
    await both.endow(BOB, 1000)
    await both.say(BOB, "!season")


async def test_the_season_of_a_chat_does_not_end_while_that_is_joined_with_another(both: Platforms) -> None:
    await prepare_chat(both)
    await both.bridge()
    assert not any(OVER in line for line in await both.turn(2 * DAY))
    assert await both.credits(BOB, "guild") == 1000


async def test_the_season_of_a_chat_that_has_parted_ends_by_its_settings(both: Platforms) -> None:
    await both.bridge()
    await both.say(DISCORD_OWNER, "!bridge end")
    await prepare_chat(both)
    assert sum(OVER in line for line in await both.turn(DAY + 3600)) == 1
    assert await both.credits(BOB) == 240


async def test_while_a_channel_is_in_another_room_the_season_of_its_own_does_not_end(both: Platforms) -> None:
    """It would reset the purses of that room, too."""
    await both.say("twitch:owner(broadcaster)", "!set heist season_days 1 season_resets everything")
    await both.say("twitch:bob", "!season")
    await both.endow("discord:ann", 1000)
    await both.bridge()
    assert await both.turn(2 * DAY) == []
    assert await both.credits("discord:ann") == 1000
    parted = await both.say("discord:owner(broadcaster)", "!bridge end")
    assert ends([each.removeprefix("twitch:7: ") for each in parted]) == 1
    assert await both.credits("discord:ann") == 1000
    assert any("season 2 is over" in each for each in await both.turn(DAY))
