"""Poker Market is played from Discord: by menus, buttons, slash commands and typing, at one table of ten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogs.discord.lines import channel_of
from cogs.discord.tables import PACE
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import Stage, left_to_do
from tests.fakes.discord_world import EPHEMERAL

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.states import View
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import Interaction, Json, User

START, STAKE = 240, 50
TURN, ANSWER = 30, 20  # seconds
NAMES = ("ann", "bob", "kim", "lee", "Bartholomew the Magnificent III")


def table(stage: Stage) -> Table:
    return stage.room.tables["pokermarket"]


def view(stage: Stage) -> View:
    seen: View = table(stage).view(None)
    return seen


def hand(stage: Stage, user: User) -> tuple[str, ...]:
    return view(stage).hands[seat_of(user.id)]


def acting(stage: Stage, *users: User) -> User:
    return next(each for each in users if seat_of(each.id) == view(stage).acting)


def labels(shown: Json) -> list[str]:
    """Give what stands on buttons."""
    return [each["label"] for row in shown["components"] for each in row["components"] if "label" in each]


def menus(shown: Json) -> list[Json]:
    return [each for row in shown["components"] for each in row["components"] if "options" in each]


async def moves(stage: Stage, user: User, board: Json) -> Json:
    """Ask for somebody's own moves."""
    known = len(stage.world.ephemeral(user))
    await stage.people.press(user, board, "My moves")
    await stage.world.until(lambda: len(stage.world.ephemeral(user)) > known)
    return stage.world.ephemeral(user)[-1]


async def answered(stage: Stage, made: Interaction) -> None:
    await stage.world.until(lambda: made.response)


async def dealt(stage: Stage, *names: str, rounds: int = 1) -> list[User]:
    """Let people open a table by slash command and join it by its button, until the cards lie open."""
    users = [stage.world.join(each) for each in names]
    await stage.people.slash(users[0], stage.town, "market", rounds=rounds, stake=str(STAKE))
    lobby = await stage.board("Lobby")
    for each in users[1:]:
        await answered(stage, await stage.people.press(each, lobby, "Join"))
    await stage.until(lambda: len(view(stage).players) == len(users))
    while table(stage).clock.phase == "lobby":  # type: ignore[union-attr]
        await stage.turn(10)
    await stage.turn(PACE)
    # A player of the house whose turn is the first has proposed already.
    prompts = ("Propose a swap", "Answer the offer")
    await stage.world.until(lambda: any(each in str(stage.boards[-1]) for each in prompts))
    return users


async def test_a_swap_is_chosen_in_menus_and_accepted_by_a_button(stage: Stage) -> None:
    users = await dealt(stage, "ann", "bob")
    first = acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    board = await stage.board("Propose a swap")
    assert labels(board) == ["Pass", "My moves"]
    shown = await moves(stage, first, board)
    assert shown["flags"] & EPHEMERAL
    own, theirs = hand(stage, first), hand(stage, second)
    (menu,) = menus(shown)
    assert [each["value"] for each in menu["options"]] == list(own)
    await answered(stage, await stage.people.choose(first, shown, own[0]))
    await stage.world.until(lambda: len(menus(shown)) == 2)
    chosen, wanted = menus(shown)
    assert [each["value"] for each in chosen["options"] if each.get("default")] == [own[0]]
    assert [each["value"] for each in wanted["options"]] == list(theirs)
    assert all(each["label"].endswith(second.name) for each in wanted["options"])
    await answered(stage, await stage.people.choose(first, shown, theirs[1]))
    await stage.shown(f"{first.name} offers {second.name} ")
    await stage.world.until(lambda: not left_to_do(shown))
    await stage.turn(PACE)
    offer = await stage.board("Answer the offer")
    assert labels(offer) == ["Accept", "Decline", "My moves"]
    await answered(stage, await stage.people.press(first, offer, "Accept"))
    await stage.told(first, f"That swap is for {second.name} to answer.")
    assert view(stage).proposed is not None
    await answered(stage, await stage.people.press(second, offer, "Accept"))
    assert theirs[1] in hand(stage, first)
    assert own[0] in hand(stage, second)
    await stage.turn(PACE)
    assert len(stage.boards) == 1, "the table is one message, edited"


async def test_ten_play_to_the_end_and_every_card_can_be_asked_for(stage: Stage) -> None:
    users = await dealt(stage, *NAMES, *(f"guest{number}" for number in range(10 - len(NAMES))))
    assert len(view(stage).players) == 10
    assert stage.boards[-1]["attachments"], "the cards are drawn"
    people = {seat_of(each.id): each for each in users}
    proposed = 0
    while not table(stage).over:
        user = people.get(view(stage).acting)  # type: ignore[arg-type]
        if user is None:
            await stage.turn(1)
        elif view(stage).proposed is not None:
            await answered(stage, await stage.people.slash(user, stage.town, "decline"))
        elif proposed < 2:
            proposed += 1
            await propose(stage, user)
        else:
            await stage.turn(PACE)  # until the board shows the turn
            await stage.world.until(lambda: "Pass" in labels(stage.boards[-1]))
            await answered(stage, await stage.people.press(user, stage.boards[-1], "Pass"))
    await stage.shown("The market is closed (pot 500 credits)")
    await stage.turn(PACE)
    await stage.board("Finished")
    assert proposed == 2
    assert len(stage.boards) == 1
    ranked = view(stage).ranked
    assert ranked is not None
    assert sum(each.credits for each in ranked.places) == 10 * STAKE
    for each in ranked.places:
        if each.seat in people:
            assert await stage.credits(people[each.seat]) == START - STAKE + each.credits
    assert (await stage.bot.ledger.balances([table(stage).pot]))[table(stage).pot] == 0


async def propose(stage: Stage, user: User) -> None:
    """Choose a swap out of all that there are; two menus hold the cards of nine others."""
    await stage.turn(PACE)
    shown = await moves(stage, user, stage.boards[-1])
    give = hand(stage, user)[-1]
    await answered(stage, await stage.people.choose(user, shown, give))
    await stage.world.until(lambda: len(menus(shown)) == 3)
    wanted = [option["value"] for menu in menus(shown)[1:] for option in menu["options"]]
    others = [card for seat, cards in view(stage).hands.items() if seat != seat_of(user.id) for card in cards]
    assert sorted(wanted) == sorted(others)
    assert labels(shown) == ["Pass"]
    turn = view(stage).market
    await answered(stage, await stage.people.choose(user, shown, wanted[-1]))
    await stage.until(lambda: view(stage).proposed is not None or view(stage).market != turn)
    done = view(stage).done
    swap = view(stage).proposed or done[-1].proposed
    assert swap is not None


@pytest.mark.parametrize("way", ["slash", "typed"])
async def test_a_wrong_swap_is_told_to_its_author_alone_in_one_sentence(stage: Stage, way: str) -> None:
    users = await dealt(stage, "ann", "bob")
    first = acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    own, theirs = hand(stage, first), hand(stage, second)
    before, deadline = table(stage).state, table(stage).deadline
    cases = [
        (first, (theirs[0], own[0]), "You do not hold "),
        (first, (own[0], own[1]), " yourself; ask for a card of somebody else."),
        (first, (own[0], "1X"), "“1X” is no card"),
        (second, (theirs[0], own[0]), f"It is the turn of {first.name}"),
    ]
    for user, (give, take), reason in cases:
        if way == "slash":
            await stage.people.slash(user, stage.town, "swap", give=give, take=take)
            assert await stage.told(user, reason)
        else:
            await stage.people.say(user, stage.town, f"!swap {give} {take}")
            await stage.shown(reason)
        assert table(stage).state is before
        assert table(stage).deadline == deadline
    await stage.people.slash(second, stage.town, "accept")
    await stage.told(second, "Nothing has been proposed that could be answered.")
    assert table(stage).state is before


async def test_cards_are_offered_to_who_types_a_swap_and_whoever_holds_them_may_be_named(
    stage: Stage,
) -> None:
    users = await dealt(stage, "ann", "bob")
    first = acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    ask = stage.people.autocomplete
    assert await ask(first, stage.town, "swap", "give", give="", take="") == list(hand(stage, first))
    assert await ask(first, stage.town, "swap", "take", give="", take=second.name) == list(
        hand(stage, second)
    )
    assert await ask(second, stage.town, "swap", "give", give="", take="") == []
    give, take = hand(stage, first)[0], hand(stage, second)[0]
    await stage.people.slash(first, stage.town, "swap", give=give, take=take, partner=first)
    await stage.told(first, f"is held by {second.name}: name {second.name}, or nobody.")
    await stage.people.slash(first, stage.town, "swap", give=give, take=take, partner=second)
    await stage.shown(f"{first.name} offers {second.name} ")
    await stage.people.slash(second, stage.town, "decline")
    await stage.shown(f"{second.name} declines ")


async def test_menus_from_before_a_restart_go_on_and_what_they_began_too(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    users = await dealt(stage, "ann", "bob")
    first = acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    own, theirs = hand(stage, first), hand(stage, second)
    shown = await moves(stage, first, stage.boards[-1])
    await answered(stage, await stage.people.choose(first, shown, own[2]))
    await stage.world.until(lambda: len(menus(shown)) == 2)
    await stage.turn(10)
    await stage.close()
    async with Stage(server, store, "b") as after:
        await after.shown("Poker Market goes on after a break")
        await after.until(lambda: channel_of(after.town) in after.bot.rooms)
        await answered(after, await after.people.choose(first, shown, theirs[2]))
        await after.shown(f"{first.name} offers {second.name} ")
        await after.turn(ANSWER)
        await after.shown(f"{second.name} has not answered")


async def test_menus_of_a_turn_that_is_over_change_nothing(stage: Stage) -> None:
    users = await dealt(stage, "ann", "bob")
    first = acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    own, theirs = hand(stage, first), hand(stage, second)
    early, late = [await moves(stage, first, stage.boards[-1]) for _ in range(2)]
    await answered(stage, await stage.people.choose(first, late, own[0]))
    await stage.world.until(lambda: len(menus(late)) == 2)
    await stage.turn(TURN)
    await stage.shown(f"No word from {first.name}")
    before = table(stage).state
    await answered(stage, await stage.people.choose(first, early, own[0]))
    await stage.world.until(lambda: "nothing for you to do" in early["content"])
    assert not left_to_do(early)
    await answered(stage, await stage.people.choose(first, late, theirs[0]))
    await stage.world.until(lambda: f"It is the turn of {second.name}" in late["content"])
    assert table(stage).state is before
