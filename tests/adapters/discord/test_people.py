"""Who is heard, as whom, and who is answered where."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Role
from chatbot.rooms.line import Line
from cogs.discord import answers, rights, sender
from cogs.discord.lines import account_of, channel_of
from tests.fakes.discord_world import APP
from tests.ledger.importing import bring

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    import pytest

    from chatbot.rooms.room import Room
    from tests.adapters.discord.stage import Stage


async def test_a_manager_of_the_server_may_change_settings_and_a_pretender_may_not(stage: Stage) -> None:
    pretender = stage.world.join("MODERATOR")
    await stage.people.say(pretender, stage.town, "!set heist lobby 30")
    await stage.shown("That is for moderators or above")
    await stage.people.say(stage.world.join("kim", manages=True), stage.town, "!set heist lobby 30")
    await stage.shown("lobby was 60 and is now 30")


async def test_the_permissions_of_a_slash_command_are_those_of_that_very_moment(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby", value="30")
    await stage.shown("lobby was 60 and is now 30")
    kim.manages = False
    refused = await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby", value="40")
    await stage.told(kim, "That is for moderators or above")
    assert refused.private


async def test_the_owner_is_the_broadcaster_and_a_booster_a_subscriber(stage: Stage) -> None:
    await stage.people.say(stage.world.owner, stage.town, "!set heist starters broadcaster")
    await stage.shown("starters was viewer and is now broadcaster")
    kim = stage.world.join("kim", manages=True)
    await stage.people.say(kim, stage.town, "!heist")
    await stage.people.say(stage.world.owner, stage.town, "!heist")
    await stage.shown("owner is planning a bank heist")
    await stage.people.slash(kim, stage.town, "cancel", game="heist", reason="-- not now")
    await stage.shown("Bank Heist was called off by kim;")
    await stage.people.slash(kim, stage.town, "audit", count=1)
    await stage.told(kim, "(not now)")
    await stage.until(lambda: "heist" not in stage.room.tables or stage.table.over)
    await stage.turn(300)
    await stage.people.say(stage.world.owner, stage.town, "!set heist starters subscriber")
    await stage.shown("starters was broadcaster and is now subscriber")
    bob, ann = stage.world.join("bob"), stage.world.join("ann", boosts=True)
    await stage.people.slash(bob, stage.town, "heist")
    await stage.people.slash(ann, stage.town, "heist")
    await stage.until(lambda: stage.sits(ann))
    assert not stage.sits(bob)


async def test_credits_that_wait_for_a_login_go_to_who_signed_in_by_it_whatever_name_they_show(
    stage: Stage,
) -> None:
    mallory, ann, bob = (stage.world.join(each) for each in ("mallory", "ann", "bob"))
    mallory.shown, ann.shown, bob.shown = "ann", "Änn 安", "ann"
    await stage.people.say(mallory, stage.town, "!heist many")
    await stage.shown("many")  # the room is open, and the community known
    amounts, at = {"ann": 30, "bob": 7}, stage.watch.date()
    await bring(stage.store, amounts, stage.room.community, platform="discord", at=at)
    await stage.turn(60)
    await stage.people.say(mallory, stage.town, "!credits")
    await stage.shown("ann has 240")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("Änn 安 has 270")
    await stage.people.slash(bob, stage.town, "credits")
    await stage.shown("ann has 247")


async def test_bots_webhooks_and_itself_are_not_heard(stage: Stage) -> None:
    robot, ann = stage.world.join("robot"), stage.world.join("ann")
    robot.bot = True
    await stage.people.say(robot, stage.town, "!heist 69")
    await stage.people.say(stage.world.bot, stage.town, "!heist 69")
    await stage.people.say(ann, stage.town, "!heist 69", webhook=True)
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")
    assert not stage.room.tables


async def test_an_edited_message_is_not_heard_again(stage: Stage) -> None:
    ann = stage.world.join("ann")
    event = await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")
    await stage.server.gateway.dispatch("MESSAGE_UPDATE", {**event, "content": "!heist 69"})
    await stage.people.say(ann, stage.town, "!top")
    await stage.shown("1. ann")
    assert not stage.room.tables


async def test_talk_opens_no_room_and_counts_as_activity_where_one_is_open(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(bob, stage.town, "good evening, !everyone")
    await stage.people.say(bob, stage.town, "!nothing that anybody knows")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")
    assert len(stage.room.spoke) == 1
    await stage.people.say(bob, stage.town, "good evening")
    await stage.until(lambda: len(stage.room.spoke) == 2)


async def test_a_mention_names_a_member_who_never_spoke(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(stage.world.join("kim", manages=True), stage.town, "!set credits give_start yes")
    await stage.shown("give_start is on now")
    await stage.people.say(ann, stage.town, f"!give <@{bob.id}> 40", mentions=[bob])
    await stage.shown("bob")
    await stage.people.slash(ann, stage.town, "credits", member=bob)
    await stage.shown("bob has 40")
    await stage.people.say(ann, stage.town, f"!give <@!{bob.id}> 10", mentions=[bob])
    await stage.people.slash(ann, stage.town, "credits")
    await stage.shown("ann has 190")


async def test_a_message_that_mentions_the_bot_is_a_command(stage: Stage) -> None:
    await stage.people.say(stage.world.join("ann"), stage.town, f"<@{APP}> heist 69")
    await stage.shown("ann is planning a bank heist")


async def test_a_thread_is_a_channel_of_its_own(stage: Stage) -> None:
    ann = stage.world.join("ann")
    thread = stage.world.add_thread(stage.town)
    await stage.server.gateway.dispatch("THREAD_CREATE", stage.world.channels[thread])
    await stage.people.say(ann, thread, "!heist 69")
    await stage.shown("ann is planning a bank heist", thread)
    assert "ann" not in stage.world.texts(stage.town)
    await stage.people.slash(ann, stage.town, "credits")
    await stage.shown("ann has 171")  # one server, one purse


async def test_a_move_can_be_written_to_the_bot_alone(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann, bob)
    await stage.turn(60)
    await stage.people.whisper(bob, "!backout")
    alone = stage.world.dm(bob.id)
    await stage.shown("can still change it", alone)
    assert "bob" not in stage.world.texts(stage.town).partition("Heisters")[2]
    await stage.play_out()
    assert stage.net(bob) == 0


async def test_whoever_plays_nowhere_is_told_so(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.whisper(ann, "!heist 69")
    await stage.shown("type a command in a channel of a server first", stage.world.dm(ann.id))


async def test_a_secret_answer_to_a_typed_move_goes_to_its_author_alone(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann, bob)
    await stage.turn(60)
    await stage.people.say(bob, stage.town, "!guncheck")
    await stage.shown("can still change it", stage.world.dm(bob.id))
    await stage.people.say(bob, stage.town, "!credits")
    await stage.shown("bob has")
    assert "can still change it" not in stage.world.texts(stage.town)
    assert "an answer for you alone" not in stage.world.texts(stage.town), "it has arrived"


async def test_a_secret_answer_to_a_typed_move_follows_the_last_slash_command(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    stage.server.closed_dms.add(bob.id)
    await stage.people.slash(bob, stage.town, "credits")
    await stage.lobby(ann, bob)
    await stage.turn(60)
    await stage.people.say(bob, stage.town, "!guncheck")
    await stage.told(bob, "can still change it")
    assert "an answer for you alone" not in stage.world.texts(stage.town)


async def test_whoever_takes_no_messages_is_pointed_to_the_slash_command(
    stage: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    stage.server.closed_dms.add(bob.id)
    await stage.lobby(ann, bob)
    await stage.turn(60)
    await stage.people.say(bob, stage.town, "!guncheck")
    await stage.shown("@bob: I have an answer for you alone")
    assert "somebody could not be written to alone" in {each["event"] for each in told}
    await stage.people.say(bob, stage.town, "!guncheck")
    await stage.world.until(lambda: stage.world.texts(stage.town).count("an answer for you alone") == 2)
    writing = rf"POST /channels/{stage.world.dm(bob.id)}/messages"
    assert len(stage.server.asked(writing)) == 1, "Discord shuts out who insists"
    assert "can still change it" not in stage.world.texts(stage.town)
    await stage.people.slash(bob, stage.town, "backout")
    await stage.told(bob, "can still change it")


async def test_what_is_said_pings_nobody(stage: Stage) -> None:
    evil = stage.world.join("@everyone <@&1> **x**")
    await stage.people.say(evil, stage.town, "!heist 69")
    await stage.people.slash(stage.world.join("ann"), stage.town, "heist", stake="69")
    board = await stage.board("ann")
    for shown in (stage.world.texts(stage.town), board["embeds"][0]["description"]):
        assert "@everyone" not in shown
        assert "<@&1>" not in shown
        assert "**x**" not in shown
    spoken = [
        *stage.server.asked("POST /channels"),
        *(each["data"] for each in stage.server.asked("callback")),
    ]
    assert spoken
    assert all(each["allowed_mentions"]["parse"] == [] for each in spoken)


async def test_a_channel_that_nobody_can_write_in_does_not_stop_the_game(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    del stage.world.channels[stage.town]
    while not stage.table.over:
        await stage.turn(60)
    line = Line("dc:1", channel_of(stage.town), account_of(ann.id), "ann", Role.VIEWER, "!credits")
    assert await stage.bot.converse(line)


async def test_where_the_bot_may_not_refer_to_messages_the_answer_is_addressed(stage: Stage) -> None:
    stage.server.fail(r"POST /channels/\d+/messages", "no replies", times=100)
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.talk_much()
    await stage.lobby(ann, bob)
    await stage.shown("@bob: You are in with 69")
    await stage.people.say(bob, stage.town, "!heist many")
    await stage.shown("many")
    posted = stage.server.asked(r"POST /channels/\d+/messages")
    assert len([each for each in posted if each.get("message_reference")]) == 1, "it is tried once"


async def test_after_a_while_the_bot_refers_to_messages_again_where_it_was_not_let(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, posting = stage.world.join("ann"), rf"POST /channels/{stage.town}/messages"
    stage.server.fail(posting, "no replies")
    await stage.people.say(ann, stage.town, "!heist many")
    await stage.shown("@ann")
    monkeypatch.setattr(sender, "asyncio", _Later(sender.UNREFERRED))
    asking = await stage.people.say(ann, stage.town, "!heist none")
    await stage.world.until(lambda: "none" in str(stage.world.shown(stage.town)[-1]))
    assert stage.world.shown(stage.town)[-1]["message_reference"]["message_id"] == int(asking["id"])


async def test_a_name_does_not_multiply_what_is_said_to_it(stage: Stage) -> None:
    evil = stage.world.join("\N{OBJECT REPLACEMENT CHARACTER}" * 30)
    stage.server.fail(r"POST /channels/\d+/messages", "no replies", times=100)
    await stage.talk_much()
    await stage.lobby(stage.world.join("ann"), evil)
    await stage.shown("You are in with 69")
    assert stage.world.texts(stage.town).count("You are in with 69") == 1


async def test_where_the_bot_may_not_write_it_is_silent_for_a_while(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, posting = stage.world.join("ann"), rf"POST /channels/{stage.town}/messages"
    stage.server.fail(posting, "forbidden")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.world.until(lambda: stage.server.asked(posting))
    await stage.people.say(ann, stage.town, "!heist many")
    await stage.people.slash(stage.world.join("bob"), stage.town, "credits")
    await stage.shown("bob has 240")  # an interaction needs no permission
    assert len(stage.server.asked(posting)) == 1
    for module in (sender, rights):
        monkeypatch.setattr(module, "asyncio", _Later())
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")


class _Later:
    """Time that has gone on since."""

    def __init__(self, seconds: float = rights.SILENT) -> None:
        self._seconds = seconds

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    def get_running_loop(self) -> _Later:
        return self

    def time(self) -> float:
        return asyncio.get_running_loop().time() + self._seconds


async def test_a_room_that_cannot_be_opened_is_tried_once_for_all_who_wait(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = asyncio.Event()
    tried: list[str] = []

    async def refuse(room: Room) -> None:
        tried.append(room.id)
        await going.wait()
        raise OSError

    crowd = [stage.world.join(f"fan{number}") for number in range(6)]
    with monkeypatch.context() as patch:
        patch.setattr(stage.bot, "open", refuse)
        patch.setattr(answers, "PROMPT", 0.05)
        for user in crowd[:5]:
            await stage.people.say(user, stage.town, "!credits")
        asked = await stage.people.slash(crowd[5], stage.town, "credits")
        await stage.world.until(lambda: asked.response == 5)  # it waits behind the others
        going.set()
        await stage.told(crowd[5], "try again")
    assert len(tried) == 1
    await stage.shown("@fan4")
    await stage.people.say(crowd[0], stage.town, "!credits")
    await stage.shown("fan0 has 240")


async def test_a_large_grant_takes_two_moderators_by_slash_commands_too(stage: Stage) -> None:
    ann, kim = stage.world.join("ann"), stage.world.join("kim", manages=True)
    lee = stage.world.join("lee", manages=True)
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")
    await stage.people.slash(kim, stage.town, "grant", member=ann, amount="20k", reason="for the quiz")
    await stage.shown("kim wants to grant ann 20,000 credits (for the quiz), which makes more than 10,000")
    await stage.people.slash(kim, stage.town, "confirm")
    await stage.told(kim, "Another moderator has to confirm that.")
    await stage.people.slash(ann, stage.town, "confirm")
    await stage.told(ann, "That is for moderators or above.")
    await stage.people.slash(lee, stage.town, "confirm", member=kim)
    await stage.shown("kim grants ann 20,000 credits (for the quiz), confirmed by lee.")
    await stage.people.slash(ann, stage.town, "auditmint")
    await stage.shown("#1 kim to ann, 0 s ago: 20,000 credits (for the quiz), confirmed by lee")
