"""Who watches a stream is asked of Twitch, page by page; without that right, who talks counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_server import Twitch

LOOK, SLOT = 120, 600  # seconds
ASKED = "GET chat/chatters"


async def streaming(stage: Stage, fake: Twitch, *, moderator: bool = True) -> None:
    fake.world.user("ada")
    fake.world.user("rabblebot")
    fake.world.streaming.add("ada")
    fake.world.moderate("ada", "rabblebot", on=moderator)
    await stage.open()


async def credits_of(stage: Stage, user: str) -> int:
    return await stage.bot.balances.purse(stage.chat("ada").room, stage.seat(user))


async def test_all_pages_of_who_watches_are_paid_but_not_the_bot(stage: Stage, fake: Twitch) -> None:
    fake.helix.page = 2
    fake.world.chatters["ada"] = {"ann", "bob", "cat", "ada", "rabblebot", "nightbot"}
    await streaming(stage, fake)
    await stage.watch.turn(SLOT + LOOK)
    assert [await credits_of(stage, each) for each in ("ann", "bob", "cat", "ada")] == [1, 1, 1, 1]
    assert [await credits_of(stage, each) for each in ("rabblebot", "nightbot")] == [0, 0]


async def test_a_streamer_whose_account_is_the_bot_s_too_is_paid_like_any_other(
    stage: Stage, fake: Twitch
) -> None:
    stage.connect("rabblebot", (*BOT_SCOPES, *BROADCASTER_SCOPES), "bot", "broadcaster")
    fake.world.streaming.add("rabblebot")
    fake.world.chatters["rabblebot"] = {"ann", "rabblebot"}
    await stage.open()
    await stage.watch.turn(SLOT + LOOK)
    room = stage.chat("rabblebot").room
    balances = stage.bot.balances
    assert [await balances.purse(room, stage.seat(each)) for each in ("ann", "rabblebot")] == [1, 1]


async def test_nobody_is_asked_for_while_no_stream_is_on(stage: Stage, fake: Twitch) -> None:
    fake.world.chatters["ada"] = {"ann"}
    await stage.open()
    await stage.watch.turn(SLOT)
    assert ASKED not in fake.world.requests


async def test_a_bot_that_is_no_moderator_is_told_of_once_and_talk_counts(
    stage: Stage, fake: Twitch, told: list[MutableMapping[str, Any]]
) -> None:
    fake.world.chatters["ada"] = {"ann", "bob"}
    await streaming(stage, fake, moderator=False)
    await stage.say("ann", "ada", "hello")
    await stage.watch.turn(SLOT)
    await stage.say("ann", "ada", "still here")
    await stage.watch.turn(LOOK)
    assert [each["advice"] for each in told if "advice" in each] == ["type /mod rabblebot"]
    assert (await credits_of(stage, "ann"), await credits_of(stage, "bob")) == (240 + 1, 0)


async def test_a_key_of_before_is_not_asked_with_and_the_operator_told(
    stage: Stage, fake: Twitch, told: list[MutableMapping[str, Any]]
) -> None:
    stage.connect_bot([each for each in BOT_SCOPES if each != "moderator:read:chatters"])
    fake.world.chatters["ada"] = {"ann"}
    await streaming(stage, fake)
    await stage.watch.turn(SLOT)
    assert ASKED not in fake.world.requests
    advices = [each["advice"] for each in told if "advice" in each]
    assert advices == ["run `chatbot connect twitch --bot` again"]


async def test_an_answer_that_failed_costs_nobody_the_time_before(stage: Stage, fake: Twitch) -> None:
    fake.world.chatters["ada"] = {"ann"}
    await streaming(stage, fake)
    await stage.watch.turn(LOOK)
    fake.world.disturb("chat/chatters", 500)
    await stage.watch.turn(SLOT)
    assert await credits_of(stage, "ann") == 1


async def test_a_adapter_that_has_left_asks_no_more(stage: Stage, fake: Twitch) -> None:
    await streaming(stage, fake)
    assert stage.adapter is not None
    await stage.adapter.stop()
    await stage.watch.turn(SLOT)
    assert ASKED not in fake.world.requests


async def test_all_badges_are_read_not_only_the_highest(stage: Stage, fake: Twitch) -> None:
    await streaming(stage, fake)
    await stage.say("ann", "ada", "hello", ["moderator", "subscriber", "vip"])
    roles = {each.value for each in stage.bot.lines[-1].roles}
    assert roles >= {"moderator", "subscriber", "vip"}
    assert "broadcaster" not in roles
