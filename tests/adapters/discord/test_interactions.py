"""Slash commands and buttons are answered in time, once, and to the right eyes."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.say import Message, Say
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.rooms.channel import Delivery
from cogs.discord import answers
from cogs.discord.lines import account_of, channel_of
from cogs.discord.slash_commands import SlashCommandCog
from tests.adapters.discord.seats import seat_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.ledger.books.purses import Purse
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import User


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the adapter ask for more time sooner than it would, so that no test waits for a second."""
    monkeypatch.setattr(answers, "PROMPT", 0.1)


class Gate(asyncio.Event):
    """Lets answers pass once it is set; `waits` tells that one waits."""

    waits = False

    async def passed(self) -> None:
        self.waits = True
        await self.wait()


@pytest.fixture
async def slow(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Hold every answer of the house back until the event is set."""
    going, balances = Gate(), Ledger.balances

    async def held(ledger: Ledger, names: Collection[Purse]) -> dict[Purse, int]:
        await going.passed()
        return await balances(ledger, names)

    async def held_too(unit: UnitOfWork, name: Purse) -> int:
        await going.passed()
        return await decided(unit, name)

    decided = UnitOfWork.balance

    await stage.lobby(stage.world.join("first"))
    await stage.shown("first is planning a bank heist")
    monkeypatch.setattr(Ledger, "balances", held)
    monkeypatch.setattr(UnitOfWork, "balance", held_too)
    return going


@pytest.mark.usefixtures("hasty")
async def test_a_slash_command_is_acknowledged_while_the_database_is_slow(stage: Stage, slow: Gate) -> None:
    ann = stage.world.join("ann")
    asked = await stage.people.slash(ann, stage.town, "credits")
    await stage.world.until(lambda: asked.response == 5)
    assert asked.private
    slow.set()
    answer = await stage.told(ann, "ann has 240 credits")
    assert int(answer["id"]) == asked.original, "it took the place of the waiting"
    assert "240" not in stage.world.texts(stage.town), "a crowd that asks at once would fill the channel"


@pytest.mark.usefixtures("hasty")
async def test_a_join_that_took_long_is_answered_by_a_follow_up(stage: Stage, slow: Gate) -> None:
    ann = stage.world.join("ann")
    asked = await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.world.until(lambda: asked.response == 5)
    slow.set()
    answer = await stage.told(ann, "You are in with 69")
    assert int(answer["id"]) == asked.original, "it took the place of the waiting"


@pytest.mark.usefixtures("hasty")
async def test_a_button_is_acknowledged_while_the_database_is_slow(stage: Stage, slow: Gate) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    board = await stage.board("first")
    joining = await stage.people.press(ann, board, "Join with 69")
    asking = await stage.people.press(bob, board, "My moves")
    await stage.world.until(lambda: joining.response == 5 and asking.response == 5)
    slow.set()
    await stage.told(ann, "You are in with 69")
    assert (await stage.told(bob, "What you can do now"))["components"]


@pytest.mark.usefixtures("hasty")
async def test_a_move_on_ones_own_menu_is_acknowledged_while_the_database_is_slow(
    stage: Stage, slow: Gate
) -> None:
    ann, board = stage.world.join("ann"), await stage.board("first")
    slow.set()
    await stage.people.press(ann, board, "My moves")
    menu = await stage.told(ann, "What you can do now")
    slow.clear()
    move = await stage.people.press(ann, menu, "Join with 69")
    await stage.world.until(lambda: move.response == 6)
    slow.set()
    await stage.world.until(lambda: "You are in with 69" in menu["content"])


async def test_the_adapter_speaks_the_language_of_the_room(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(stage.world.owner, stage.town, "!set room language ko")
    await stage.shown("설정 변경")
    await stage.lobby(ann)
    board = await stage.board("은행털이")
    await stage.people.press(bob, board, "내 차례")
    await stage.told(bob, "지금 할 수 있는 일:")
    await stage.people.press(ann, board, "내 차례")
    await stage.told(ann, "지금 할 수 있는 일:")


async def test_what_comes_too_late_is_said_in_another_way(stage: Stage) -> None:
    """Discord has given up on the interaction; the command has been obeyed all the same."""
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    stage.server.patience = -1.0
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.shown("ann is planning a bank heist")
    await stage.people.slash(bob, stage.town, "heist", stake="69")
    await stage.shown("@bob: You are in with 69")
    assert stage.sits(bob)


async def test_a_secret_that_comes_too_late_stays_one(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    await stage.turn(60)
    stage.server.patience = -1.0
    await stage.people.slash(ann, stage.town, "guncheck")
    await stage.shown("can still change it", stage.world.dm(ann.id))
    assert "can still change it" not in stage.world.texts(stage.town)


async def test_what_is_told_later_follows_the_command_while_discord_allows_it(stage: Stage) -> None:
    bob = stage.world.join("bob")
    asked = await stage.people.slash(bob, stage.town, "credits")
    await stage.shown("bob has 240")
    await stage.adapter.send(_for(stage, bob, "your salary is paid"))
    await stage.told(bob, "your salary is paid")
    asked.expired = True
    await stage.adapter.send(_for(stage, bob, "your salary is paid again"))
    await stage.shown("@bob: your salary is paid again")


async def test_what_is_told_much_later_answers_in_the_channel(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = stage.world.join("bob")
    await stage.people.slash(bob, stage.town, "credits")
    await stage.shown("bob has 240")
    monkeypatch.setattr(answers, "LASTING", 0.0)
    await stage.adapter.send(_for(stage, bob, "long ago"))
    await stage.shown("@bob: long ago")


def _for(stage: Stage, user: User, text: str) -> Delivery:
    say = Say(Message("try-again"), to=seat_of(user.id))
    return Delivery(channel_of(stage.town), text, account_of(user.id), (say,))


async def test_a_refusal_is_seen_by_its_author_alone(stage: Stage) -> None:
    ann = stage.world.join("ann")
    refused = await stage.people.slash(ann, stage.town, "heist", stake="many")
    await stage.world.until(lambda: refused.response)
    assert refused.private
    assert "many" in stage.world.whispers(ann)
    assert not stage.room.tables


async def test_nothing_is_answered_twice_or_late(stage: Stage) -> None:
    crowd = [stage.world.join(f"fan{number}") for number in range(10)]
    for user in crowd:
        await stage.people.slash(user, stage.town, "heist", stake="69")
    await stage.until(lambda: all(map(stage.sits, crowd)))
    await stage.world.until(lambda: all(each.response for each in stage.world.interactions.values()))
    await stage.play_out()
    assert stage.server.late == 0


async def test_a_forged_click_on_somebodys_menu_moves_the_one_who_clicks(stage: Stage) -> None:
    ann, mallory = stage.world.join("ann"), stage.world.join("mallory")
    await stage.lobby(ann)
    await stage.turn(60)
    await stage.people.press(ann, await stage.board("Getaway"), "My moves")
    menu = await stage.told(ann, "What you can do now")
    forged = await stage.people.press(mallory, menu, "Back out")
    await stage.world.until(lambda: forged.response)
    own = stage.table.view(seat_of(ann.id)).own
    assert own.act is None, "her move is still hers"


async def test_a_forged_button_says_no_more_than_its_sender_may(stage: Stage) -> None:
    ann, mallory = stage.world.join("ann"), stage.world.join("mallory")
    await stage.lobby(ann)
    board = await stage.board("ann")
    await stage.people.click(mallory, board | {"components": _row("rabble:a-table-1:!cancel heist")}, _CANCEL)
    await stage.told(mallory, "That is for moderators or above")
    assert not stage.table.over


_CANCEL = "rabble:a-table-1:!cancel heist"


def _row(name: str) -> list[dict[str, object]]:
    button = {"type": 2, "style": 1, "label": "x", "custom_id": name, "disabled": False}
    return [{"type": 1, "components": [button]}]


async def test_a_button_of_a_table_that_is_over_says_so(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    old = dict(await stage.board("ann"))
    await stage.play_out()
    await stage.people.press(bob, old, "Join with 69")
    await stage.told(bob, "over")
    await stage.people.press(bob, old, "My moves")
    await stage.world.until(lambda: len(stage.world.ephemeral(bob)) == 2)
    assert not stage.sits(bob)


async def test_a_command_that_is_offered_no_more_is_answered(stage: Stage) -> None:
    ann = stage.world.join("ann")
    stage.world.commands.append({"id": "5", "name": "gone", "type": 1, "options": []})
    await stage.people.slash(ann, stage.town, "gone")
    await stage.told(ann, "not offered any more")


async def test_a_command_that_is_too_long_is_not_called_done(stage: Stage) -> None:
    owner = stage.world.owner
    await stage.people.slash(owner, stage.town, "set", group="heist", key="x" * 300, value="y" * 300)
    await stage.told(owner, "longer than a command may be")
    assert "Done" not in stage.world.whispers(owner)


async def test_a_command_that_fails_is_not_said_to_be_gone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise LookupError

    monkeypatch.setattr(SlashCommandCog, "run", broken)
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "credits")
    await stage.told(ann, "try again")


def _attended(stage: Stage) -> bool:
    """Whether any interaction still waits for the house to have done with it."""
    assert stage.adapter.client is not None
    return any(not each._attended for each in stage.adapter.client.answers._askers.values())


async def test_what_is_told_long_after_a_move_is_a_message_of_its_own(stage: Stage) -> None:
    """A menu that is edited tells nobody."""
    bob = stage.world.join("bob")
    await stage.lobby(stage.world.join("ann"))
    await stage.people.press(bob, await stage.board("ann"), "My moves")
    menu = await stage.told(bob, "What you can do now")
    await stage.people.press(bob, menu, "Join with 69")
    await stage.world.until(lambda: "You are in with 69" in menu["content"])
    await stage.until(lambda: not _attended(stage))
    await stage.adapter.send(_for(stage, bob, "your salary is paid"))
    later = await stage.told(bob, "your salary is paid")
    assert later["id"] != menu["id"]


async def test_a_menu_leaves_nothing_running_behind(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    board = await stage.board("ann")
    for number in range(5):
        fan = stage.world.join(f"fan{number}")
        await stage.people.press(fan, board, "My moves")
        await stage.told(fan, "What you can do now")
    kept = [each for each in asyncio.all_tasks() if "timeout" in str(each.get_coro())]
    assert not kept, "one for each menu, for a quarter of an hour"


async def test_interactions_that_cannot_be_answered_any_more_are_forgotten(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "LASTING", 0.0)
    for number in range(3):
        fan = stage.world.join(f"fan{number}")
        await stage.people.slash(fan, stage.town, "credits")
        await stage.shown(f"fan{number} has 240")
    await stage.until(lambda: len(_askers(stage)) <= 1)


def _askers(stage: Stage) -> list[answers.Asker]:
    """Give those of this test: what another one before it has left alive is none of its business."""
    gc.collect()
    found = [each for each in gc.get_objects() if type(each) is answers.Asker]
    return [each for each in found if each._interaction.client is stage.adapter.client]


async def test_what_a_table_tells_is_no_answer_to_whoever_asks_just_then(stage: Stage, slow: Gate) -> None:
    ann = stage.world.join("ann")
    asked = await stage.people.slash(ann, stage.town, "credits")
    await stage.until(lambda: slow.waits)
    ended = asyncio.create_task(stage.turn(stage.table.clock.seconds if stage.table.clock else 0))
    slow.set()
    await ended
    await stage.shown("The target is")
    await stage.shown("ann has 240 credits")
    await stage.world.until(lambda: asked.original)
    assert stage.world.messages[asked.original or 0]["content"] == "ann has 240 credits."
