"""Whole heists through the adapter: by typing, by slash commands, and by buttons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.runtime.clock import LoopWatch
from chatbot.tables.phase_timer import GRACE
from cogs.discord.tables import PACE
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_faults import Bucket
from tests.fakes.discord_world import EPHEMERAL

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

START = 240  # credits of a newcomer


async def unpaid(stage: Stage) -> None:
    """Let heists end without a payday, so that only the robbery moves credits."""
    await stage.people.say(stage.world.owner, stage.town, "!set heist payday no")
    await stage.shown("payday")


async def test_a_heist_is_played_by_typing(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await unpaid(stage)
    await stage.talk_much()
    await stage.people.say(ann, stage.town, "!heist 69")
    await stage.shown("ann is planning a bank heist")
    joining = await stage.people.say(bob, stage.town, "!heist69")
    await stage.shown("You are in with 69")
    assert stage.world.shown(stage.town)[-1]["message_reference"]["message_id"] == int(joining["id"])
    assert await stage.credits(bob) == START - 69
    await stage.play_out()
    results = stage.world.texts(stage.town).partition("Results:")[2]
    for user in (ann, bob):
        assert await stage.credits(user) == START + stage.net(user)
        assert f"({stage.net(user):+d})".replace("-", "\N{MINUS SIGN}") in results


async def test_a_heist_is_played_by_slash_commands(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await unpaid(stage)
    opening = await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.shown("ann is planning a bank heist")
    assert opening.response == 4
    assert not opening.private, "the opening is the visible answer of the command that opened"
    joining = await stage.people.slash(bob, stage.town, "heist", stake="half")
    await stage.told(bob, "You are in with 120")
    assert joining.private
    await stage.turn(60)
    answering = await stage.people.slash(bob, stage.town, "guncheck")
    await stage.world.until(lambda: answering.response)
    assert answering.private
    assert "bob" not in stage.world.texts(stage.town).split("seconds for one move")[1]
    await stage.play_out()
    assert await stage.credits(bob) == START + stage.net(bob)
    assert await stage.credits(ann) == START + stage.net(ann)


async def test_a_heist_is_played_by_buttons(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await unpaid(stage)
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.people.press(bob, await stage.board("ann"), "Join with 69")
    await stage.told(bob, "You are in with 69")
    await stage.turn(60)
    board = await stage.board("Getaway")
    assert [each["label"] for row in board["components"] for each in row["components"]] == ["My moves"]
    await stage.people.press(bob, board, "My moves")
    menu = await stage.told(bob, "What you can do now:")
    assert menu["flags"] & EPHEMERAL
    answer = await stage.people.press(bob, menu, "Back out")
    await stage.world.until(lambda: answer.response == 7)
    assert "What you can do now" not in menu["content"], "the menu shows the answer in its place"
    await stage.play_out()
    assert stage.net(bob) == 0
    assert await stage.credits(bob) == START
    assert await stage.credits(ann) == START + stage.net(ann)


async def test_whoever_is_alone_starts_it_by_a_button(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.people.press(ann, await stage.board("ann"), "Start now")
    await stage.told(ann, "Here we go!")
    await stage.turn(GRACE)
    await stage.turn(PACE)
    await stage.board("Getaway")
    answering = await stage.people.slash(ann, stage.town, "guncheck")
    await stage.world.until(lambda: answering.response)
    await stage.turn(GRACE)
    assert stage.table.clock is not None
    assert stage.table.clock.phase == "storming"


async def test_with_others_about_nobody_starts_it_by_a_button(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    board = await stage.board("ann")
    refused = await stage.people.press(bob, board, "Start now")
    await stage.told(bob, "Only those who are in can start it")
    assert refused.private
    refused = await stage.people.press(ann, board, "Start now")
    await stage.told(ann, "Others are here who may want to join")
    assert refused.private


async def test_a_heist_is_played_by_the_clock_that_runs_by_itself(
    server: DiscordServer, store: Store
) -> None:
    async with Stage(server, store, watch=LoopWatch()) as stage:
        ann = stage.world.join("ann")
        await stage.people.slash(ann, stage.town, "heist", stake="69")
        await stage.board("ann")
        while not stage.table.over:
            await stage.bot.hurry(stage.room, stage.table.id)
        await stage.shown("Results:")


async def test_who_joins_by_typing_is_seen_on_the_board_and_not_told_to_all(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    await stage.people.say(bob, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(bob))
    await stage.turn(PACE)
    await stage.board("bob")
    await stage.people.say(bob, stage.town, "!heist 70")
    await stage.shown("You are in this heist already")
    assert "You are in with" not in stage.world.texts(stage.town)


async def test_the_same_message_twice_acts_once(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.talk_much()
    await stage.lobby(ann)
    joining = await stage.people.say(bob, stage.town, "!heist 69")
    await stage.people.redeliver(joining)
    await stage.until(lambda: stage.sits(bob))
    await stage.people.redeliver(joining)
    await stage.play_out()
    assert stage.world.texts(stage.town).count("You are in with") == 1
    assert len(stage.table.view(None).crew) == 2


async def test_a_double_click_acts_once(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    board = await stage.board("ann")
    clicks = [await stage.people.press(bob, board, "Join with 69") for _ in range(2)]
    await stage.world.until(lambda: all(each.response for each in clicks))
    assert await stage.credits(bob) == START - 69
    await stage.play_out()


async def test_fifty_joins_in_a_burst_are_all_answered_within_the_rate_limit(stage: Stage) -> None:
    crowd = [stage.world.join(f"fan{number}") for number in range(50)]
    await stage.talk_much()
    await stage.lobby(crowd[0])
    stage.server.bucket = Bucket(5, 1.0)
    before = len(stage.server.asked(r"POST /channels/\d+/messages"))
    for user in crowd[1:]:
        await stage.people.say(user, stage.town, "!heist 69")
    await stage.until(lambda: all(map(stage.sits, crowd)))
    others = {each.name for each in crowd[1:]}

    def told() -> set[str]:
        lines = stage.world.texts(stage.town).splitlines()
        return {name for line in lines if "You are in with" in line for name in re.findall(r"fan\d+", line)}

    await stage.world.until(lambda: told() == others)
    assert len(stage.server.asked(r"POST /channels/\d+/messages")) - before < 49  # some together
    await stage.play_out()
    assert not stage.server.bucket.broken
    assert len(stage.table.view(None).crew) == 50


async def test_the_button_counts_those_in_the_crew_and_not_those_who_only_talk(stage: Stage) -> None:
    ann, bob, cat = (stage.world.join(name) for name in ("ann", "bob", "cat"))
    await stage.people.say(cat, stage.town, "!credits")
    await stage.shown("cat has 240 credits")
    await stage.lobby(ann)
    board = await stage.board("ann")
    assert "Join with 69 credits (1)" in str(board["components"])
    await stage.lobby(bob)
    await stage.turn(PACE)
    await stage.board("(2)")
