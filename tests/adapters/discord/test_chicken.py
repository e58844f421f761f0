"""Chicken Poker through the adapter: by private buttons, slash commands, by typing where it is harmless."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Join
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Seat, Timeout
from chatbot.kernel.house_seats import of_house
from chatbot.speech import safe
from cogs.discord import boards
from cogs.discord.slash_commands import SlashCommand, typed
from cogs.discord.tables import PACE
from tests.adapters.discord.seats import seat_of
from tests.fakes.discord_faults import too_much
from tests.fakes.discord_world import EPHEMERAL
from tests.generous import let_give

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import User

START = 240  # credits of a newcomer
LOBBY, CHOICE = 60, 30


def table(stage: Stage) -> Table:
    return stage.room.tables["chickenpoker"]


def view(stage: Stage, user: User | None = None) -> Any:
    return table(stage).view(None if user is None else seat_of(user.id))


def lines(stage: Stage) -> str:
    return stage.world.texts(stage.town)


def seen_by_all(stage: Stage) -> str:
    """Give all that everybody can read, boards included."""
    return str(stage.world.shown(stage.town))


async def lobby(stage: Stage, people: list[User], **terms: Any) -> None:
    """Let these play for honour, with a player of the house; a short game unless it is said otherwise."""
    await stage.people.say(stage.world.owner, stage.town, "!set chickenpoker house_players 1")
    await stage.shown("house_players")
    first, *others = people
    await stage.people.slash(first, stage.town, "chicken", **({"cards": 3} | terms))
    await stage.shown("Join with !chicken")
    await stage.board("Lobby")
    for user in others:
        await stage.people.slash(user, stage.town, "chicken")
        await stage.told(user, "You are in")
    await stage.turn(LOBBY)
    await stage.shown("The seats are drawn")


async def chosen(stage: Stage, user: User, card: int) -> None:
    """Choose by the private buttons, which nobody else sees."""
    board = await stage.board("Choose a card")
    await stage.people.press(user, board, "My moves")
    menu = await stage.told(user, "What you can do now:")
    assert menu["flags"] & EPHEMERAL
    pressed = await stage.people.press(user, menu, f"Play {card}")
    await stage.world.until(lambda: pressed.response)


async def test_who_types_a_card_is_offered_those_of_their_own_hand(stage: Stage) -> None:
    ann, bob, cat = (stage.world.join(name) for name in ("ann", "bob", "cat"))

    async def offered(user: User, typed: str = "") -> list[int]:
        return await stage.people.autocomplete(user, stage.town, "play", "card", card=typed)

    assert await offered(ann) == []  # there is no table
    await lobby(stage, [ann, bob], cards=15)
    assert await offered(ann) == list(range(1, 16))
    assert await offered(ann, "3") == [3, 13]
    assert await offered(ann, "16") == []
    assert await offered(cat) == []  # who does not play
    await stage.people.slash(ann, stage.town, "play", card=3)
    await stage.people.slash(bob, stage.town, "play", card=13)
    await stage.until(lambda: table(stage).state.number == 2)
    assert await offered(ann, "3") == [13]
    assert await offered(bob, "3") == [3]


async def test_four_people_and_the_house_play_by_private_buttons(stage: Stage) -> None:
    people = [stage.world.join(name) for name in ("ann", "bob", "cat", "dan")]
    await stage.people.say(stage.world.owner, stage.town, "!set room proofs yes")
    await stage.shown("proofs")
    await lobby(stage, people)
    assert len(view(stage).players) == 5
    for number in (1, 2):
        for user in people:
            await chosen(stage, user, view(stage).hands[seat_of(user.id)][-1])
        await stage.until(lambda number=number: len(view(stage).history) >= number)  # type: ignore[misc]
        await stage.turn(PACE)
    await stage.turn(5)
    await stage.chicken_won()
    await stage.turn(PACE)
    await stage.board("Finished")
    for user in people:
        assert await stage.credits(user) == START
    assert re.findall(r"^-# Fixed by the house", lines(stage), re.MULTILINE), "the hashes are small print"
    assert re.findall(r"^-# Opened", lines(stage), re.MULTILINE)


async def test_a_card_by_slash_command_is_answered_to_its_author_alone(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await lobby(stage, [ann, bob], cards=15)
    answering = await stage.people.slash(ann, stage.town, "play", card=13)
    await stage.told(ann, "You have chosen 13")
    assert answering.private
    await stage.turn(PACE)
    await stage.board("2 of 3 have chosen")  # the house among them
    assert "13" not in re.sub(r"[0-9a-f]{64}|1–15|\d{15,}", "", _words(stage))
    await stage.turn(CHOICE)
    await stage.shown("ann 13 (")


def _words(stage: Stage) -> str:
    """Give the words that everybody can read, without hands and hashes."""
    texts = [each["embeds"][0]["description"] for each in stage.boards]
    notes = [line for text in texts for line in text.split("\n") if "holds" not in line]
    return "\n".join([lines(stage), *notes])


async def test_a_choice_that_was_typed_counts_and_its_author_is_told_that_others_can_read_it(
    stage: Stage,
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await lobby(stage, [ann, bob], cards=5)
    await stage.people.say(ann, stage.town, "!play 3")
    await stage.shown("Others can read what you choose here")
    assert view(stage, ann).own == 3
    assert "chosen 3" not in lines(stage)


async def test_alone_against_the_house_one_may_type(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.say(ann, stage.town, "!chicken 3")
    await stage.shown("Join with !chicken")
    await stage.board("Lobby")
    await stage.turn(LOBBY)
    await stage.shown("the house has fixed its own")
    for _ in range(2):
        hand = view(stage).hands[seat_of(ann.id)]
        await stage.people.say(ann, stage.town, f"!play {hand[-1]}")
        await stage.shown(f"ann {hand[-1]} (")
    await stage.chicken_won()
    assert "Others can read" not in lines(stage)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("play", {"card": 9}, "You do not hold that card; you have 1 2 3."),
    ("chicken", {}, "You are in already, for honour."),
]


@pytest.mark.parametrize(("word", "given", "reason"), REFUSED)
async def test_what_cannot_be_done_is_told_to_its_author_alone_and_changes_nothing(
    stage: Stage, word: str, given: dict[str, Any], reason: str
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await lobby(stage, [ann, bob])
    before = table(stage).state
    await stage.people.slash(ann, stage.town, word, **given)
    await stage.told(ann, reason)
    assert table(stage).state is before


async def test_other_terms_are_refused_naming_those_of_the_table(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.slash(ann, stage.town, "chicken", cards=3, stake="20")
    await stage.shown("Join with !chicken")
    await stage.people.slash(bob, stage.town, "chicken", cards=4)
    await stage.told(bob, "The open table has the cards 1 to 3, for 20 credits each")
    board = await stage.board("Join with")
    await stage.people.press(bob, board, "Join for 20 credits: cards 1 to 3")
    await stage.told(bob, "You are in, for 20 credits each.")
    assert await stage.credits(bob) == START - 20


async def test_the_house_matches_a_stake_above_what_newcomers_have(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.people.say(bob, stage.town, "!credits")
    await stage.shown("bob has 240")
    let_give(stage.room)
    await stage.people.slash(bob, stage.town, "give", member=ann, amount="200")
    await stage.shown("bob gives ann 200")
    await stage.people.slash(ann, stage.town, "chicken", cards=3, stake="all")
    await stage.shown("Join with !chicken")
    await stage.board("Lobby")
    await stage.turn(LOBBY)
    await stage.shown("In the pot: 880 credits.")
    assert sum(map(of_house, view(stage).players)) == 1


def test_every_choice_of_options_means_what_it_says() -> None:
    command = KIT.chat.commands[0]
    choices: list[dict[str, Any]]
    choices = [{}, {"cards": 8}, {"stake": "50"}, {"cards": 8, "stake": "50"}, {"stake": "half"}]
    for given in choices:
        line, _ = typed(SlashCommand(command.word, command.options), given)
        read = command.read(ChickenPoker(), MoveRequest(seat_of(1), 100, tuple(line.split()[1:])))
        stake = 50 if "stake" in given else None
        assert read == Join(seat_of(1), given.get("cards"), stake), line


async def test_ten_players_with_fifteen_cards_fit_into_an_embed_and_into_plain_words(stage: Stage) -> None:
    ann = stage.world.join("x" * 32)
    await stage.people.say(ann, stage.town, "!chicken 15")
    await stage.until(lambda: f"discord:{stage.town}" in stage.bot.rooms and stage.room.tables)
    own = table(stage)
    rules, luck = own.game, Rng.of("ten")
    for number in range(9):
        step = rules.apply(own.state, Join(Seat(f"house:nash-{number}")), Moment(luck))
        own.state = step.state
    while (clock := rules.clock(own.state)) is not None:  # without chat, to see every board there can be
        shown = boards.sheet(stage.bot, own, 1, safe.discord)
        assert too_much({"embeds": [shown.embed().to_dict()]}) is None
        assert too_much({"content": shown.plain()}) is None
        assert shown.places.count("\n") == 9, "everybody stands there"
        own.state = rules.apply(own.state, Timeout(clock), Moment(luck)).state
    stage.bot.watch.ring(0.0, own.void)  # what was played so stands in no journal
