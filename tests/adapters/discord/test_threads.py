"""A long table is told in a thread of its message, if the room wants it; its board and its result are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.keys.barred_chats import BarredChats
from cogs.discord.tables import PACE
from tests.adapters.discord.stage import Stage
from tests.adapters.discord.test_chicken import CHOICE, LOBBY, view
from tests.fakes.discord_world import BEGIN_THREADS, HAS_THREAD, SEND_IN_THREADS, THREAD

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import Json, User

ROUNDS = 5


def threads(stage: Stage) -> list[int]:
    return [number for number, each in stage.world.channels.items() if each["type"] == THREAD]


async def permit(stage: Stage, permissions: int) -> None:
    """Let everybody have these permissions in the town and no others of those for threads."""
    denied = (BEGIN_THREADS | SEND_IN_THREADS) & ~permissions
    await stage.people._gateway.dispatch("CHANNEL_UPDATE", stage.world.forbid(stage.town, denied))


def is_archived(stage: Stage, thread: int) -> bool:
    return bool(stage.world.channels[thread]["thread_metadata"]["archived"])


async def wanted(stage: Stage) -> None:
    await stage.people.say(stage.world.owner, stage.town, "!set room threads yes")
    await stage.shown("threads is on now")


async def opened(stage: Stage, *users: User) -> Json:
    """Let these sit down at Chicken Poker of five rounds with a player of the house; gives the board."""
    await stage.people.say(stage.world.owner, stage.town, "!set chickenpoker house_players 1")
    await stage.shown("house_players")
    for user in users:
        await stage.people.slash(user, stage.town, "chicken", cards=ROUNDS, stake="20")
    return await stage.board("Lobby")


async def begun(stage: Stage, *users: User) -> tuple[Json, int]:
    """Let these begin to play; gives the board and the number of the thread."""
    board = await opened(stage, *users)
    await stage.turn(LOBBY)
    await stage.turn(PACE)
    await taken_up(stage)
    (thread,) = threads(stage)
    return board, thread


async def taken_up(stage: Stage) -> None:
    """Wait until the bot knows the thread of the table."""
    table = stage.room.tables["chickenpoker"].id
    client = stage.adapter.client
    await stage.until(lambda: client is not None and client.tables.thread(stage.room.id, table))


def rounds(stage: Stage, channel: int) -> set[int]:
    """List the rounds whose cards were told in a channel."""
    return {
        int(each) for each in re.findall(rf"Round (\d) of {ROUNDS}: (?!pick)", stage.world.texts(channel))
    }


async def played_out(stage: Stage, since: int = 0) -> None:
    """Let every round after these pass."""
    for number in range(since + 1, ROUNDS):  # the last cards are shown by themselves
        await stage.turn(CHOICE)
        await stage.until(lambda number=number: len(view(stage).history) >= number)  # type: ignore[misc]
        await stage.turn(PACE)


@pytest.fixture
def ann(stage: Stage) -> User:
    return stage.world.join("ann")


@pytest.fixture
def bob(stage: Stage) -> User:
    return stage.world.join("bob")


async def test_the_play_is_told_in_the_thread_and_the_result_in_the_channel(
    stage: Stage, ann: User, bob: User
) -> None:
    await wanted(stage)
    board, thread = await begun(stage, ann, bob)
    assert thread == int(board["id"]), "Discord gives it the id of its message"
    assert stage.world.channels[thread]["name"] == "Chicken Poker"
    await played_out(stage)
    await stage.chicken_won()
    assert {1, 2} <= rounds(stage, thread)
    assert not {1, 2} & rounds(stage, stage.town)
    assert " wins " not in stage.world.texts(thread)
    await stage.board("Finished")
    await stage.world.until(lambda: is_archived(stage, thread))
    assert stage.boards == [board]


async def test_after_the_thread_was_deleted_the_play_is_told_in_the_channel(
    stage: Stage, ann: User, bob: User
) -> None:
    await wanted(stage)
    _, thread = await begun(stage, ann, bob)
    gone = stage.world.channels.pop(thread)
    keys = ("id", "guild_id", "parent_id", "type")
    await stage.people._gateway.dispatch("THREAD_DELETE", {key: gone[key] for key in keys})
    await played_out(stage)
    await stage.chicken_won()
    assert {1, 2} <= rounds(stage, stage.town)
    assert threads(stage) == []


async def test_a_lobby_has_no_thread(stage: Stage, ann: User) -> None:
    await wanted(stage)
    await opened(stage, ann)
    await stage.turn(PACE)
    assert threads(stage) == []


async def test_unless_it_is_wanted_there_is_no_thread(stage: Stage, ann: User, bob: User) -> None:
    await opened(stage, ann, bob)
    await stage.turn(LOBBY)
    await stage.board("Choose a card")
    await played_out(stage)
    await stage.chicken_won()
    assert threads(stage) == []


async def test_a_short_game_has_no_thread(stage: Stage, ann: User) -> None:
    await wanted(stage)
    await stage.lobby(ann)
    await stage.play_out()
    assert threads(stage) == []


async def test_what_is_typed_in_the_thread_reaches_the_table_and_is_answered_there(
    stage: Stage, ann: User, bob: User
) -> None:
    await wanted(stage)
    _, thread = await begun(stage, ann, bob)
    await stage.people.say(ann, thread, "!credits")
    await stage.shown("ann has 220 credits", thread)
    asking = await stage.people.say(ann, thread, "!play 1")
    await stage.shown("Others can read what you choose here", thread)
    assert stage.world.shown(thread)[-1]["message_reference"]["message_id"] == int(asking["id"])
    assert view(stage, ann).own == 1
    await stage.people.slash(bob, thread, "play", card=2)
    await stage.told(bob, "You have chosen 2")
    await stage.until(lambda: view(stage).history)
    assert list(stage.bot.rooms) == [stage.room.id], "the thread is no room of its own"


async def test_after_a_restart_the_table_goes_on_in_its_thread(
    stage: Stage, server: DiscordServer, store: Store, ann: User, bob: User
) -> None:
    await wanted(stage)
    board, thread = await begun(stage, ann, bob)
    await stage.close()
    async with Stage(server, store, "b") as again:
        await again.until(lambda: again.bot.has(f"discord:{again.town}"))
        await taken_up(again)
        await again.people.say(ann, thread, "!play 1")
        await again.shown("Others can read what you choose here", thread)
        await played_out(again)
        await again.chicken_won()
        assert {1, 2} <= rounds(again, thread)
        await again.world.until(lambda: is_archived(again, thread))
        assert threads(again) == [thread]
        assert again.boards == [board]
        assert board["flags"] & HAS_THREAD


@pytest.mark.parametrize(
    ("denied", "permission"),
    [(BEGIN_THREADS, "Create Public Threads"), (SEND_IN_THREADS, "Send Messages in Threads")],
)
async def test_without_a_permission_the_table_stays_in_the_channel_and_the_room_is_told_which(
    stage: Stage, ann: User, bob: User, denied: int, permission: str
) -> None:
    await stage.people.say(ann, stage.town, "!credits")
    await stage.people._gateway.dispatch("CHANNEL_UPDATE", stage.world.forbid(stage.town, denied))
    await wanted(stage)
    await stage.shown("I cannot begin threads here, so tables stay in the channel.")
    await stage.shown(f"can give me the permission “{permission}”.")
    await opened(stage, ann, bob)
    await stage.turn(LOBBY)
    await stage.board("Choose a card")
    await played_out(stage)
    await stage.chicken_won()
    assert threads(stage) == []
    assert stage.server.asked(r"POST .*/threads") == []
    assert {1, 2} <= rounds(stage, stage.town)


async def test_what_is_missing_for_wanted_threads_is_remembered_for_the_operator_until_it_is_given(
    stage: Stage, ann: User, tmp_path: Path
) -> None:
    known = BarredChats(tmp_path / "discord-threadless.json")
    stage.adapter._threadless = known
    town = f"discord:{stage.town}"
    await stage.people.say(ann, stage.town, "!credits")
    await permit(stage, ~(BEGIN_THREADS | SEND_IN_THREADS))
    assert known.load() == {}  # nobody wants any
    await wanted(stage)
    both = "the bot lacks “Create Public Threads” and “Send Messages in Threads”"
    await stage.until(lambda: known.load() == {town: ("#town of Town", both)})
    await permit(stage, ~SEND_IN_THREADS)
    one = "the bot lacks “Send Messages in Threads”"
    await stage.until(lambda: known.load() == {town: ("#town of Town", one)})
    await permit(stage, ~0)
    await stage.until(lambda: not known.load())
    await permit(stage, ~BEGIN_THREADS)
    await stage.until(known.load)
    await stage.people.say(stage.world.owner, stage.town, "!set room threads no")
    await stage.until(lambda: not known.load())


async def test_what_was_remembered_of_threads_is_looked_at_when_the_bot_comes(
    stage: Stage, tmp_path: Path
) -> None:
    known = BarredChats(tmp_path / "discord-threadless.json")
    for each in (f"discord:{stage.town}", "discord:1"):  # the second is no more
        known.note(each, "#town of Town", "the bot lacks “Create Public Threads”")
    stage.adapter._threadless = known
    stage.adapter.arrived(0)
    await stage.until(lambda: not known.load())


@pytest.mark.parametrize("fault", ["forbidden", "unknown"])
async def test_where_discord_begins_no_thread_the_table_goes_on_in_the_channel(
    stage: Stage, ann: User, bob: User, fault: str, told: list[MutableMapping[str, Any]]
) -> None:
    await wanted(stage)
    stage.server.fail(r"POST .*/threads", fault, times=100)
    await opened(stage, ann, bob)
    await stage.turn(LOBBY)
    await stage.until(lambda: stage.server.asked(r"POST .*/threads"))
    await stage.until(lambda: "a thread could not be begun" in {each["event"] for each in told}, 2)
    [entry] = [each for each in told if each["event"] == "a thread could not be begun"]
    assert entry["channel"] == f"discord:{stage.town}"
    await played_out(stage)
    await stage.chicken_won()
    assert {1, 2} <= rounds(stage, stage.town)


async def test_a_thread_whose_beginning_was_not_answered_is_taken_up(
    stage: Stage, ann: User, bob: User
) -> None:
    await wanted(stage)
    stage.server.fail(r"POST .*/threads", "mute")
    await opened(stage, ann, bob)
    await stage.turn(LOBBY)
    await stage.world.until(lambda: threads(stage))
    await stage.turn(CHOICE)
    await stage.until(lambda: len(view(stage).history) == 1)
    await stage.turn(PACE)
    await taken_up(stage)
    (thread,) = threads(stage)
    await played_out(stage, since=1)
    await stage.chicken_won()
    await stage.world.until(lambda: is_archived(stage, thread))
    assert 1 in rounds(stage, stage.town)
    assert 3 in rounds(stage, thread)


async def test_a_thread_that_somebody_else_has_begun_is_a_room_of_its_own(stage: Stage, ann: User) -> None:
    thread = stage.world.add_thread(stage.town)
    await stage.people._gateway.dispatch("THREAD_CREATE", stage.world.channels[thread])
    await stage.people.say(ann, thread, "!credits")
    await stage.shown("ann has 240 credits", thread)
    assert f"discord:{thread}" in stage.bot.rooms
