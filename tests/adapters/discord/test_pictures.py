"""The picture of a table: sent with its message, sent again when the cards have changed, and never needed."""

from __future__ import annotations

from io import BytesIO
from threading import get_ident
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from chatbot.pictures import fonts
from chatbot.pictures.layout import WIDTH
from chatbot.pictures.raid import signed
from cogs.discord import table_pictures
from cogs.discord.table_pictures import ADDRESS, NAME
from cogs.discord.tables import PACE
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_uploads import FILES
from tests.fakes.discord_world import GUILD

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import Json, User

UPLOADS = r"(POST|PATCH) /channels/\d+/messages|POST /interactions"
ATTACH = 0x8000


@pytest.fixture
def ann(stage: Stage) -> User:
    return stage.world.join("ann")


async def begun(stage: Stage, user: User) -> Json:
    """Let somebody begin a game whose cards lie on the table; gives its message."""
    known = len(stage.boards)
    await stage.people.slash(user, stage.town, "highshow", cards=6, keep=2)
    await stage.world.until(lambda: len(stage.boards) > known)
    return stage.boards[-1]


def sent(stage: Stage) -> list[bytes]:
    """List the pictures that were sent."""
    bodies = [each.get("data") or each for each in stage.server.asked(UPLOADS)]
    return [content for each in bodies for content in each.get(FILES, {}).values()]


def image(board: Json) -> Any:
    return (board["embeds"][0].get("image") or {}).get("url")


async def test_the_message_of_a_table_with_cards_has_their_picture(stage: Stage, ann: User) -> None:
    board = await begun(stage, ann)
    (attachment,) = board["attachments"]
    assert attachment["filename"] == NAME
    assert attachment["description"] == "High Show: the cards on the table, as they are written above"
    assert image(board) == ADDRESS
    assert Image.open(BytesIO(stage.world.files[attachment["id"]])).format == "PNG"
    assert "# " in board["embeds"][0]["description"], "the words remain"


async def test_a_button_is_answered_with_the_new_picture_in_the_place_of_the_old(
    stage: Stage, ann: User
) -> None:
    board = await begun(stage, ann)
    (before,) = board["attachments"]
    await stage.people.press(ann, board, "See another")
    await stage.world.until(lambda: board["attachments"][0]["id"] != before["id"])
    (after,) = board["attachments"]
    assert stage.world.files[after["id"]] != stage.world.files[before["id"]]
    assert image(board) == ADDRESS


async def test_a_picture_that_has_not_changed_is_not_sent_again(stage: Stage, ann: User) -> None:
    board = await begun(stage, ann)
    status = next(iter(stage.adapter.client.tables._statuses[stage.room.id].values()))  # type: ignore[union-attr]
    await stage.until(lambda: status._content)
    status._content = None  # whatever else of it has changed
    (before,) = board["attachments"]
    edits = len(stage.server.asked(r"PATCH /channels"))
    status.renew()
    await stage.turn(PACE)
    await stage.world.until(lambda: len(stage.server.asked(r"PATCH /channels")) > edits)
    assert board["attachments"] == [before]
    assert image(board) == ADDRESS
    assert len(sent(stage)) == 1


async def test_after_a_restart_the_picture_takes_the_place_of_the_former_one(
    stage: Stage, server: DiscordServer, store: Store, ann: User
) -> None:
    board = await begun(stage, ann)
    (before,) = board["attachments"]
    await stage.close()
    async with Stage(server, store, "b") as again:
        await again.world.until(lambda: board["attachments"][0]["id"] != before["id"])
        assert len(board["attachments"]) == 1
        assert again.boards == [board]


async def test_a_message_that_was_deleted_comes_back_with_its_picture(stage: Stage, ann: User) -> None:
    board = await begun(stage, ann)
    del stage.world.messages[int(board["id"])]
    await stage.people.say(ann, stage.town, "!another")
    await stage.eventually("attachment://")
    assert len(stage.boards[-1]["attachments"]) == 1


async def test_where_the_bot_may_attach_no_files_there_are_words_alone(stage: Stage, ann: User) -> None:
    guild = stage.adapter.client.get_guild(GUILD)  # type: ignore[union-attr]
    assert guild is not None
    everyone = guild.default_role
    everyone._permissions &= ~ATTACH
    board = await begun(stage, ann)
    assert board["attachments"] == []
    assert image(board) is None
    assert "# " in board["embeds"][0]["description"]
    assert sent(stage) == []


@pytest.mark.parametrize("fault", ["no files", "large files"])
async def test_a_picture_that_is_refused_is_left_out_from_then_on(
    stage: Stage, ann: User, fault: str
) -> None:
    stage.server.fail(UPLOADS, fault, times=100)
    await stage.people.slash(ann, stage.town, "highshow", cards=6, keep=2)
    await stage.until(lambda: sent(stage))
    for _ in range(3):
        await stage.turn(PACE)
    await stage.world.until(lambda: stage.boards)
    (board,) = stage.boards
    assert image(board) is None
    await stage.people.press(ann, board, "See another")
    await stage.board("Rejected")
    assert len(sent(stage)) == 1
    assert len(stage.boards) == 1


async def test_where_nothing_can_be_drawn_there_are_words_alone(
    stage: Stage, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise OSError("no font")

    monkeypatch.setattr(fonts, "_installed", missing)
    board = await begun(stage, ann)
    assert board["attachments"] == []
    assert image(board) is None


async def test_the_result_of_a_heist_is_a_picture_on_the_message_of_its_table(
    stage: Stage, ann: User
) -> None:
    await stage.lobby(ann)
    board = await stage.board("ann")
    assert board["attachments"] == []
    await stage.play_out()
    await stage.world.until(lambda: board["attachments"])
    (attachment,) = board["attachments"]
    net = stage.net(ann)
    assert attachment["description"].startswith("Bank Heist, Municipal Bank: ")
    assert attachment["description"].endswith(f"ann: {'got away' if net > 0 else 'caught'}, {signed(net)}")
    assert image(board) == ADDRESS
    drawn = Image.open(BytesIO(stage.world.files[attachment["id"]]))
    assert (drawn.format, drawn.width) == ("PNG", WIDTH)
    assert signed(net) in board["embeds"][0]["description"], "the words remain"


@pytest.mark.parametrize("fault", ["no files", "large files"])
async def test_a_result_whose_picture_is_refused_is_told_in_words(
    stage: Stage, ann: User, fault: str
) -> None:
    stage.server.fail(UPLOADS, fault, times=100)
    await stage.lobby(ann)
    board = await stage.board("ann")
    await stage.play_out()
    await stage.until(lambda: sent(stage))
    await stage.turn(PACE)
    await stage.board("Finished")
    assert board["attachments"] == []
    assert len(sent(stage)) == 1


async def test_a_picture_is_drawn_beside_everything_else(
    stage: Stage, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def draw(_: object) -> bytes:
        threads.append(get_ident())
        return b"drawn"

    monkeypatch.setattr(table_pictures, "_png", draw)
    await stage.lobby(ann)
    await stage.board("ann")
    await stage.play_out()
    await stage.until(lambda: threads)
    assert get_ident() not in threads


async def test_a_table_without_cards_has_no_picture(stage: Stage, ann: User) -> None:
    await stage.lobby(ann)
    board = await stage.board("ann")
    assert board["attachments"] == []
    assert sent(stage) == []
