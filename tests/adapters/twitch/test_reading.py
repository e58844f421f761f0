"""What is said and what happens reaches the house as it was meant, in its order, and nothing else does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.deduplication import RETENTION
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Line
from cogs.twitch.channels import LONGEST_GAP
from cogs.twitch.lines import account_of, channel_of, community_of
from tests.ledger.importing import bring

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]


@pytest.mark.parametrize(
    ("badges", "role"),
    [
        ([], Role.VIEWER),
        (["premium", "bits"], Role.VIEWER),
        (["subscriber"], Role.SUBSCRIBER),
        (["founder"], Role.SUBSCRIBER),
        (["subscriber", "vip"], Role.VIP),
        (["vip", "moderator"], Role.MODERATOR),
        (["lead_moderator"], Role.MODERATOR),
        (["broadcaster"], Role.VIEWER),  # whoever it is, it is not whose channel this is
    ],
)
async def test_badges_are_roles(stage: Stage, badges: list[str], role: Role) -> None:
    await stage.open()
    await stage.say("ann", "ada", "hello", badges)
    assert stage.bot.lines[-1].role is role


async def test_a_line_carries_what_twitch_says_of_it(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.user("ann", "Änn 安")
    message = await stage.fake.chat("ann", "ada", "hello")
    await stage.heard(message)
    channel = channel_of(stage.fake.world.users["ada"].id)
    assert stage.bot.lines == [
        Line(
            f"tw:{message}",
            channel,
            account_of(stage.fake.world.user("ann").id),
            "Änn 安",
            Role.VIEWER,
            "hello",
            login="ann",
            sent=stage.watch.date(),
        )
    ]


async def test_what_twitch_sends_again_after_a_month_is_not_heard(stage: Stage, told: Told) -> None:
    """By then nobody knows any more whether it was acted on before."""
    await stage.open()
    eventsub = stage.fake.eventsub
    eventsub.date = lambda: stage.watch.date() - RETENTION - timedelta(seconds=1)
    await stage.fake.chat("ann", "ada", "!heist 69")
    await stage.until(lambda: len(told) == 1)
    eventsub.date = lambda: stage.watch.date() - RETENTION + timedelta(seconds=1)
    assert "planning a bank heist" in (await stage.say("bob", "ada", "!heist 69"))[0]
    assert stage.seat("ann") not in stage.table("ada").seated
    assert "is the clock of this machine right?" in told[0]["event"]


async def test_a_whisper_carries_the_login_and_not_the_name_that_is_shown(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.user("ann", "Änn 安")
    await stage.say("ann", "ada", "hello")  # a whisper belongs where somebody has spoken
    await stage.fake.whisper("ann", "!credits")
    await stage.until(lambda: stage.bot.lines[-1].private)
    assert stage.bot.lines[-1].login == "ann"
    assert stage.bot.lines[-1].name == "Änn 安"


async def test_credits_that_wait_for_a_login_go_to_who_signed_in_by_it_whatever_name_they_show(
    stage: Stage,
) -> None:
    await stage.open()
    ada = community_of(stage.fake.world.users["ada"].id)
    stage.fake.world.user("mallory", "Ann")  # shows the name of another's login
    await bring(stage.store, {"ann": 30}, ada, at=stage.watch.date())
    assert "240" in (await stage.say("mallory", "ada", "!credits"))[0]
    stage.fake.world.user("ann", "Änn 安")
    assert "270" in (await stage.say("ann", "ada", "!credits"))[0]


@pytest.mark.parametrize(
    "written",
    [
        "!credits \U000e0000",
        "!credits\U000e0000\u034f ",
        "\u200b!credits \u2060\ufeff",
        "\x01ACTION !credits\x01",
        "  !credits  ",
    ],
)
async def test_what_nobody_sees_is_no_part_of_a_command(stage: Stage, written: str) -> None:
    await stage.open()
    assert "240" in (await stage.say("ann", "ada", written))[0]


async def test_a_reply_is_read_without_the_name_that_twitch_puts_before_it(stage: Stage) -> None:
    await stage.open()
    message = await stage.fake.chat("ann", "ada", "@Bob !credits", reply_to="bob", mentions=["bob"])
    await stage.heard(message)
    assert stage.bot.lines[-1].text == "!credits"
    assert stage.bot.lines[-1].named == {}


async def test_a_message_of_another_channel_in_a_shared_chat_is_not_heard(stage: Stage) -> None:
    await stage.open()
    await stage.fake.chat("eve", "ada", "!credits", ["moderator"], source="zoe")
    await stage.say("ann", "ada", "hello")
    await stage.fake.chat("bob", "ada", "hello", source="ada")
    await stage.until(lambda: len(stage.bot.lines) == 2)
    assert [each.name for each in stage.bot.lines] == ["Ann", "Bob"]


async def test_lines_of_a_chat_are_heard_in_their_order(stage: Stage) -> None:
    await stage.open()
    said = [await stage.fake.chat(f"user{number % 7}", "ada", f"line {number}") for number in range(200)]
    await stage.heard(said[-1])
    assert [each.text for each in stage.bot.lines] == [f"line {number}" for number in range(200)]


async def test_what_is_said_before_the_subscription_is_answered_is_heard(stage: Stage) -> None:
    stage.fake.helix.hello = True
    await stage.open()
    await stage.heard("hello")


async def test_a_slow_room_holds_up_no_other(stage: Stage) -> None:
    stage.connect_streamer("bea")
    await stage.open()
    await stage.watch.turn()  # whatever a new room looks after has been done
    async with stage.chat("ada").room.order:
        await stage.fake.chat("ann", "ada", "hello")
        assert "240" in (await stage.say("bob", "bea", "!credits"))[0]
        assert [each.name for each in stage.bot.lines] == ["Bob"]
    await stage.until(lambda: len(stage.bot.lines) == 2)


async def test_a_full_queue_gives_up_talk_before_commands_and_says_so(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.open()
    await stage.watch.turn()  # whatever a new room looks after has been done
    monkeypatch.setattr("chatbot.rooms.inbox.MOST_WAITING", 2)
    texts = "!credits", "talk", "!help", "!top"
    async with stage.chat("ada").room.order:
        await stage.fake.chat("zoe", "ada", "hello")
        await stage.until(lambda: stage.bot.rooms.load.handled)
        for number, text in enumerate(texts):
            await stage.fake.chat(f"user{number}", "ada", text)
        await stage.until(lambda: told)
        await stage.until(lambda: stage.chat("ada").room.inbox.refused)
    await stage.until(lambda: len(stage.bot.lines) == 4)
    refused = [each["lines"] for each in told if "faster than its room" in each["event"]]
    assert refused == [1], "the second one is told of a minute later"
    assert [each.text for each in stage.bot.lines] == ["talk", "hello", "!credits", "!help"]


async def test_what_happens_besides_talk_is_noticed(stage: Stage) -> None:
    await stage.open()
    fake = stage.fake
    await fake.happen("stream.online", "ada", id="1", type="live", started_at="2026-01-01T00:00:00Z")
    await fake.happen("channel.follow", "ada", "ann", followed_at="2026-01-01T00:00:00Z")
    await fake.happen("channel.subscribe", "ada", "ann", tier="1000", is_gift=False)
    months = {"duration_months": 1, "cumulative_months": 15, "streak_months": None}
    resub = {"tier": "1000", "message": {"text": "!heist", "emotes": []}, **months}
    await fake.happen("channel.subscription.message", "ada", "bob", **resub)
    await fake.happen("channel.cheer", "ada", "ann", is_anonymous=False, message="Cheer100", bits=100)
    await fake.happen("channel.cheer", "ada", is_anonymous=True, message="Cheer5", bits=5)
    await fake.raid("zoe", "ada", 12)
    await fake.happen("stream.offline", "ada", id="1")
    await stage.until(lambda: len(stage.bot.noticed) == 8)
    ann, bob, zoe = (Account.read(stage.seat(each)) for each in ("ann", "bob", "zoe"))
    assert [(each.kind, each.account, each.amount) for each in stage.bot.noticed] == [
        (Happening.ONLINE, None, 0),
        (Happening.FOLLOW, ann, 0),
        (Happening.SUBSCRIBE, ann, 1),
        (Happening.SUBSCRIBE, bob, 15),
        (Happening.CHEER, ann, 100),
        (Happening.CHEER, None, 5),
        (Happening.RAID, zoe, 12),
        (Happening.OFFLINE, None, 0),
    ]
    assert {each.channel for each in stage.bot.noticed} == {stage.chat("ada").channel.id}
    assert len({each.id for each in stage.bot.noticed}) == 8


async def test_an_occasion_that_is_told_twice_happens_once(stage: Stage) -> None:
    await stage.open()
    await stage.fake.raid("zoe", "ada", 12)
    await stage.fake.eventsub.repeat(stage.fake.eventsub.frames[-1])
    await stage.fake.raid("zoe", "ada", 13)
    await stage.until(lambda: len(stage.bot.noticed) == 3)
    await stage.watch.turn(2 * LONGEST_GAP)
    told = " ".join(stage.fake.sent("ada"))
    assert [told.count(f"and {raiders} raiders!") for raiders in (12, 13)] == [1, 1]


async def test_a_stream_that_was_on_before_the_bot_came_is_known_to_be_on(stage: Stage) -> None:
    stage.connect_streamer("bea")
    stage.fake.world.streaming.add("ada")
    await stage.open()
    assert stage.chat("ada").room.live
    assert not stage.chat("bea").room.live


async def test_without_an_answer_about_streams_the_chats_are_heard_all_the_same(
    stage: Stage, told: list[dict[str, object]]
) -> None:
    stage.fake.world.disturb("streams", 500, times=9)
    await stage.open()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert [each["status"] for each in told if "which streams are on" in str(each["event"])] == [500]
