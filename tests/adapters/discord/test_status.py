"""One message for each table: edited, never spammed, within the limits, and found again."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chatbot.kernel.board import Board, Fact, Place
from chatbot.kernel.say import Message, Quote
from chatbot.rooms.availability import offered
from chatbot.speech import safe
from cogs.discord import boards
from cogs.discord.tables import PACE
from tests.adapters.discord.highshow import begun, labels, pressed, progress
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import TICK, Stage, left_to_do
from tests.fakes.discord_faults import too_much, units

if TYPE_CHECKING:
    import pytest

    from chatbot.kernel.game import Seat
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from tests.fakes.discord_server import DiscordServer

HASH = re.compile(r"[0-9a-f]{16}")
EDITS = r"PATCH /channels/\d+/messages"


def people(stage: Stage, count: int, name: str) -> list[Seat]:
    """Make members whose names are as long as the house shows them."""
    seats = [seat_of(number) for number in range(1, count + 1)]
    for number, seat in enumerate(seats):
        stage.bot.members.meet(seat, f"{name}{number:03d}")
    return seats


async def test_a_table_has_one_message_which_is_edited(stage: Stage) -> None:
    crowd = [stage.world.join(f"fan{number}") for number in range(5)]
    await stage.lobby(*crowd)
    await stage.turn(PACE)
    await stage.board("fan4")
    await stage.play_out()
    assert len(stage.boards) == 1
    (board,) = stage.boards
    assert left_to_do(board) == []
    assert "Finished" in board["embeds"][0]["description"]
    assert "<t:" not in board["embeds"][0]["description"]


async def test_the_way_in_counts_who_is_in_and_a_raid_costs_few_edits(stage: Stage) -> None:
    crowd = [stage.world.join(f"fan{number}") for number in range(30)]
    await stage.lobby(crowd[0])
    board = await stage.board("fan0")
    assert "Join with 69 credits (1)" in left_to_do(board)
    for user in crowd[1:]:
        await stage.people.press(user, board, "Join with 69")
    await stage.until(lambda: all(map(stage.sits, crowd)))
    await stage.turn(PACE)
    await stage.world.until(lambda: "Join with 69 credits (30)" in left_to_do(stage.boards[-1]))
    assert len(stage.server.asked(EDITS)) <= 2


async def test_the_result_offers_the_next_table_which_the_button_opens(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    await stage.play_out()
    (board,) = stage.boards
    (button,) = [each for row in board["components"] for each in row["components"]]
    assert button["label"].startswith("Play again: Join with")
    await stage.turn(300)
    await stage.people.press(ann, board, "Play again")
    await stage.world.until(lambda: len(stage.boards) == 2)
    await stage.until(lambda: stage.sits(ann))


async def test_a_game_that_is_switched_off_offers_no_next_table(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.people.say(stage.world.owner, stage.town, "!disable heist")
    await stage.until(lambda: not offered(stage.room, stage.table.kit))
    await stage.play_out()
    assert stage.boards[0]["components"] == []


async def test_the_message_counts_down_to_the_end_of_the_phase(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    ends = int(stage.watch.date().timestamp()) + 60
    assert f"Lobby · <t:{ends}:R>" in (await stage.board("ann"))["embeds"][0]["description"]


async def test_changes_that_come_quickly_are_one_edit_and_the_last_is_shown(stage: Stage) -> None:
    first, *crowd = [stage.world.join(f"fan{number}") for number in range(12)]
    await stage.lobby(first)
    await stage.board("fan0")
    await stage.lobby(*crowd)
    assert not stage.server.asked(EDITS)
    await stage.turn(PACE)
    await stage.board("fan11")
    assert len(stage.server.asked(EDITS)) == 1


async def test_a_second_table_has_a_message_of_its_own(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    await stage.play_out()
    await stage.turn(300)
    await stage.people.say(ann, stage.town, "!heist 20")
    await stage.world.until(lambda: len(stage.boards) == 2)


async def test_a_heist_that_is_called_off_shows_its_end(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.board("ann")
    await stage.people.say(stage.world.owner, stage.town, "!cancel heist")
    await stage.until(lambda: "heist" not in stage.room.tables or stage.table.over)
    await stage.turn(PACE)
    shown = (await stage.board("Called off"))["embeds"][0]["description"]
    assert "Join with" not in shown, "a table that was called off asks nobody for anything"


async def test_a_hundred_players_fit_into_an_embed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await stage.lobby(stage.world.join("ann"))
    seats = people(stage, 100, "*" * 29)
    places = tuple(Place(seat, Message("word", {"word": "x" * 60})) for seat in seats)
    facts = tuple(Fact(_quoted("l" * 40), _quoted("v" * 40)) for _ in range(40))
    board = Board(_quoted("t" * 40), facts, places, Message("word", {"word": "n" * 2000}))
    embed = _embed(stage, stage.table, board, monkeypatch)
    assert too_much({"embeds": [embed]}) is None
    shown = embed["description"].count("— xxx")
    assert f"and {100 - shown} more" in embed["description"]
    assert 0 < shown < 100
    assert len(embed["fields"]) == 25


def _quoted(text: str) -> Message:
    return Message("word", {"word": Quote(text)})


def _embed(stage: Stage, table: Table, board: Board, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    patch.setattr(table, "kit", replace(table.kit, display=replace(table.kit.display, board=lambda _: board)))
    return dict(boards.sheet(stage.bot, table, 1, safe.discord).embed().to_dict())


async def test_a_heist_with_more_players_than_can_be_shown_counts_the_others(stage: Stage) -> None:
    crowd = [stage.world.join(f"{'_' * 28}{number:03d}") for number in range(40)]
    await stage.lobby(crowd[0])
    for user in crowd[1:]:
        await stage.people.slash(user, stage.town, "heist", stake="69")
    await stage.until(lambda: all(map(stage.sits, crowd)))
    await stage.play_out()
    assert "more" in stage.boards[0]["embeds"][0]["description"]
    assert units(stage.boards[0]["embeds"][0]["description"]) <= 4096


async def test_where_the_bot_may_not_embed_the_table_is_shown_in_plain_words(stage: Stage) -> None:
    stage.server.fail(r"POST /channels/\d+/messages$", "no embeds", times=100)
    ann = stage.world.join("ann")
    await stage.people.say(ann, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(ann))
    await stage.eventually("**Bank Heist** · Lobby")
    await stage.turn(60)
    await stage.eventually("**Bank Heist** · Getaway")
    assert not stage.boards


async def test_a_message_that_somebody_deleted_is_posted_again(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    board = await stage.board("ann")
    del stage.world.messages[int(board["id"])]
    await stage.lobby(stage.world.join("bob"))
    await stage.eventually("bob — 69")
    assert len(stage.boards) == 1


async def test_a_message_is_posted_again_however_often_it_is_deleted(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    board = await stage.board("ann")
    for number in range(7):
        del stage.world.messages[int(board["id"])]
        await stage.lobby(stage.world.join(f"fan{number}"))
        await stage.eventually(f"fan{number} — 69")
        (board,) = stage.boards


async def test_a_message_goes_on_after_discord_was_in_trouble(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    board = await stage.board("ann")
    trouble = stage.server.fail(EDITS, "503", times=1000)
    await stage.lobby(stage.world.join("bob"))
    for _ in range(20):
        await stage.turn(1)
        await asyncio.sleep(2 * TICK)
    assert 3 <= 1000 - trouble.times <= 6, "ever more rarely"
    stage.server.faults.clear()
    await stage.eventually("bob — 69")
    assert stage.boards == [board]


async def test_after_a_restart_the_message_is_found_and_its_buttons_work(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    ann, bob, kim = (stage.world.join(name) for name in ("ann", "bob", "kim"))
    await stage.lobby(ann)
    board = await stage.board("ann")
    await stage.people.say(ann, stage.town, "some talk in between")
    await stage.close()
    async with Stage(server, store, "b") as again:
        await again.until(lambda: again.bot.has(f"discord:{again.town}"))
        await again.people.press(bob, board, "Join with 69")
        await again.told(bob, "You are in with 69")
        await again.lobby(kim)
        await again.play_out()
        assert again.boards == [board], "it is the same message"
        assert {each.seat for each in again.table.view(None).crew} == {
            seat_of(each.id) for each in (ann, bob, kim)
        }


async def test_after_a_restart_a_message_that_is_gone_is_posted_anew(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.lobby(stage.world.join("ann"))
    del stage.world.messages[int((await stage.board("ann"))["id"])]
    await stage.close()
    async with Stage(server, store, "b") as again:
        await again.board("ann")
        await again.play_out()


async def test_a_channel_that_the_bot_may_not_see_keeps_its_table_and_stops_nothing(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.close()
    del stage.world.channels[stage.town]
    server.fail(f"GET /channels/{stage.town}$", "forbidden", times=1000)
    async with Stage(server, store, "b") as again:
        again.town = again.world.add_channel("other")
        await again.server.gateway.dispatch("CHANNEL_CREATE", again.world.channels[again.town])
        await again.people.say(again.world.join("bob"), again.town, "!credits")
        await again.shown("bob has 240")
        assert not again.bot.has(f"discord:{stage.town}")


async def test_a_table_that_cannot_be_shown_is_not_tried_anew_at_every_change(stage: Stage) -> None:
    """Discord shuts out a bot that lets itself be refused too often."""
    posting = r"POST /channels/\d+/messages"
    stage.server.fail(posting, "forbidden", times=1000)
    crowd = [stage.world.join(f"fan{number}") for number in range(8)]
    for user in crowd:
        await stage.people.say(user, stage.town, "!heist 69")
        await stage.until(lambda: stage.sits(crowd[0]))
        await stage.turn(PACE)
    assert len(stage.server.asked(posting)) <= 3, "twice for the table, once for all that is said"
    assert not any(stage.sits(each) for each in crowd[1:]), "by then it is known that nobody would see it"


async def test_a_message_that_cannot_be_edited_is_not_posted_again_and_again(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.board("ann")
    stage.server.fail(EDITS, "unknown", times=1000)
    for number in range(4):
        await stage.lobby(stage.world.join(f"fan{number}"))
        await stage.turn(PACE)
    assert len(stage.boards) == 1


async def test_a_table_that_was_shown_to_its_end_is_not_looked_for_when_a_session_begins_anew(
    stage: Stage,
) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.play_out()
    for _ in range(2):
        stage.adapter.arrived(0)
        await stage.turn(PACE)
    assert not stage.server.asked("GET /channels/.+/messages")


async def test_where_the_bot_may_not_look_back_a_table_gets_a_new_message_after_a_restart(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.board("ann")
    await stage.close()
    server.fail("GET /channels/.+/messages", "forbidden", times=100)
    async with Stage(server, store, "b") as again:
        await again.world.until(lambda: len(again.boards) == 2)


async def test_a_button_of_a_former_message_moves_the_game_and_the_new_message_goes_on(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    ann = stage.world.join("ann")
    former = await begun(stage, ann)
    await stage.close()
    server.fail("GET /channels/.+/messages", "forbidden", times=100)
    async with Stage(server, store, "b") as again:
        await again.world.until(lambda: len(again.boards) == 2)
        before = str(again.boards[1])
        await pressed(again, ann, former, labels(former)[1])
        await again.until(lambda: progress(again, ann).rejected)
        await again.turn(PACE)
        await again.world.until(lambda: str(again.boards[1]) != before)


async def test_nobody_is_told_what_proves_the_draws_unless_they_ask(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.say(ann, stage.town, "!sixcard")
    await stage.board("Set the cards")
    await stage.people.say(ann, stage.town, "!set auto")
    await stage.shown("ann against Nash ")
    await stage.people.say(ann, stage.town, "!heist 69")
    await stage.play_out()
    assert not HASH.search(stage.world.texts(stage.town))
    assert not HASH.search(" ".join(str(each["embeds"]) for each in stage.boards))
    await stage.people.say(ann, stage.town, "!fair heist")
    await stage.world.until(lambda: HASH.search(stage.world.texts(stage.town)))


async def test_what_proves_the_draws_is_small_print_on_lines_of_its_own(stage: Stage) -> None:
    await stage.people.say(stage.world.owner, stage.town, "!set room proofs yes")
    await stage.shown("proofs is on now")
    await stage.lobby(stage.world.join("ann"))
    await stage.play_out()
    lines = stage.world.texts(stage.town).splitlines()
    for proof in ("; terms ", "is over: seed "):
        assert all(each.startswith("-# ") for each in lines if proof in each)
        assert any(proof in each for each in lines)
    assert not [each for each in lines if "Results:" in each and "is over: seed" in each]
