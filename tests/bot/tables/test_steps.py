"""Moves that are too many to be offered one by one are divided into parts, for every adapter alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.games.pokermarket.rules.moves import Pass
from chatbot.kernel.kit import undivided
from chatbot.tables.steps import divided, suggested
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.rooms.table_protocol import Table


async def dealt(stage: Stage) -> tuple[Table, Seat]:
    """Give a market of two, and who is on turn."""
    await stage.say("ann", "!market 1")
    await stage.say("bob", "!market")
    await stage.turn(60)
    table = stage.room.tables["pokermarket"]
    return table, table.view(None).acting


async def test_a_swap_has_two_parts_in_the_order_of_the_cards_on_the_board(stage: Stage) -> None:
    table, first = await dealt(stage)
    own = table.view(None).hands[first]
    (theirs,) = [cards for each, cards in table.view(None).hands.items() if each != first]
    actions, (steps,) = divided(table, first, 0)
    assert actions == [Pass(first)]
    assert (steps.line, steps.command.word) == ("!swap", "swap")
    assert steps.paths == tuple((give, take) for give in own for take in theirs)
    assert list(steps.after(())) == list(own)
    assert list(steps.after((own[2],))) == list(theirs)
    assert (steps.last(()), steps.last((own[2],)), steps.last((own[2], theirs[0]))) == (False, True, False)
    assert steps.after((theirs[0],)) == {}
    assert [option.name for option in map(steps.option, (0, 1)) if option] == ["give", "take"]
    assert steps.option(2) is None
    for path in steps.paths:
        assert f"!swap {' '.join(path)}" in {table.kit.chat.line(each) for each in table.menu(first, 0)}


async def test_what_was_typed_by_steps_is_what_the_house_understands(stage: Stage) -> None:
    table, first = await dealt(stage)
    _, (steps,) = divided(table, first, 0)
    await stage.say("ann" if first == seat("ann") else "bob", f"{steps.line} {' '.join(steps.paths[7])}")
    swap = table.view(None).offer(table.view(None).proposed)
    assert (swap.give, swap.take) == steps.paths[7]


async def test_whoever_is_not_on_turn_has_nothing_to_choose(stage: Stage) -> None:
    table, first = await dealt(stage)
    (second,) = {seat("ann"), seat("bob")} - {first}
    assert divided(table, second, 0) == ([], [])
    assert suggested(table, second, 0, "swap", 0) == {}
    assert suggested(table, first, 0, "pass", 0) == {}
    assert list(suggested(table, first, 0, "swap", 1)) == list(table.view(None).hands[second])


async def test_a_game_without_parts_offers_all_at_once(stage: Stage) -> None:
    table, first = await dealt(stage)
    table.kit = replace(table.kit, display=replace(table.kit.display, parts=undivided))
    actions, steps = divided(table, first, 0)
    assert (len(actions), steps) == (26, [])


async def test_the_players_of_a_table_are_those_who_sit_there_now(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    table = stage.table
    assert list(table.players()) == [seat("ann")]
    await stage.say("bob", "!heist 50")
    assert list(table.players()) == [seat("ann"), seat("bob")]
    await stage.say("ann", "!heist leave")
    assert list(table.players()) == [seat("bob")]
