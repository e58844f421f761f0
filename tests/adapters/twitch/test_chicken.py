"""Chicken Poker from a Twitch chat: cards are whispered to the bot, which says only who has chosen."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.chickenpoker.rules.moves import Play
from chatbot.kernel.house_seats import of_house
from tests.adapters.twitch.chatting import START, everything, purse, within_limits

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table
    from tests.adapters.twitch.stage import Stage

LOBBY, CHOICE = 60, 30
FOUR = ("ann", "bob", "cat", "dan")


def table(stage: Stage) -> Table:
    return stage.chat("ada").room.tables["chickenpoker"]


def view(stage: Stage, user: str = "") -> Any:
    return table(stage).view(stage.seat(user) if user else None)


async def lobby(stage: Stage, people: tuple[str, ...], terms: str) -> None:
    """Let these play, with a player of the house."""
    await stage.say("ada", "ada", "!set chickenpoker house_players 1", ["broadcaster"])
    await stage.say(people[0], "ada", f"!chicken {terms}")
    for user in people[1:]:
        await stage.say(user, "ada", "!chicken")
    await stage.watch.turn(LOBBY)
    await stage.watch.turn(2)


async def whisper(stage: Stage, user: str, text: str) -> None:
    known = len(stage.bot.lines)
    await stage.fake.whisper(user, text)
    await stage.until(lambda: len(stage.bot.lines) > known)
    await stage.watch.turn(1.5)


async def test_four_people_and_the_house_play_by_whispers(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room proofs yes", ["broadcaster"])
    await lobby(stage, FOUR, "5")
    assert len(view(stage).players) == 5
    while not table(stage).over:
        number = len(view(stage).history) + 1
        for user in FOUR[:-1]:
            own = view(stage, user)
            await whisper(stage, user, f"!play {own.hands[own.seat][-1]}")
            assert f"round {number} of 5" not in _shown(everything(stage))
        await whisper(stage, "dan", f"!play {view(stage, 'dan').hands[stage.seat('dan')][0]}")
        await stage.watch.turn(2)
    await stage.watch.turn(2)
    told = everything(stage)
    assert re.findall(r"round (\d) of 5", _shown(told)) == ["1", "2", "3", "4", "5"]
    assert "Chicken Poker with" in told
    for user in FOUR:
        assert await purse(stage, user) == START
    _check_hashes(told)
    assert within_limits(stage)


def _check_hashes(told: str) -> None:
    """Check what the house published, as anybody in the chat can."""
    hashes = re.findall(r"SHA-256\): Nash \(house\) ([0-9a-f]{64})", told)
    opened = re.findall(r"Opened \(nonce and card\): Nash \(house\) ([0-9a-f]{32}) (\d+)", told)
    assert len(hashes) == 4, "the last card is nobody's choice"
    made = [hashlib.sha256(bytes.fromhex(nonce) + card.encode()).hexdigest() for nonce, card in opened]
    assert made == hashes


async def test_what_was_whispered_is_said_nowhere_before_the_round_is_shown(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room talk full", ["broadcaster"])
    await lobby(stage, FOUR, "15")
    before = len(stage.fake.sent("ada"))
    await whisper(stage, "ann", "!play 13")
    await whisper(stage, "bob", "!play 13")
    await whisper(stage, "bob", "!play 14")
    told = " ".join(stage.fake.sent("ada")[before:])
    assert "Ann has chosen" in told
    assert "13" not in told
    assert "14" not in told
    to_ann = [each.text for each in stage.fake.world.whispers if each.to == stage.fake.world.users["ann"].id]
    assert to_ann == ["You have chosen 13. You can still change it."]
    await stage.watch.turn(CHOICE)
    await stage.watch.turn(2)
    assert "Ann 13 (" in everything(stage)
    assert "Bob 14 (" in everything(stage)
    assert "Cat 1* (" in everything(stage)


async def test_a_public_choice_counts_and_is_hinted_at_once_without_its_card(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room talk full", ["broadcaster"])
    await lobby(stage, FOUR, "15")
    told = " ".join(await stage.say("ann", "ada", "!play 13"))
    assert "Others can read what you choose here" in told
    assert "13" not in told
    assert table(stage).view(stage.seat("ann")).own == 13
    again = " ".join(await stage.say("ann", "ada", "!play 12"))
    assert "Others can read" not in again
    assert "12" not in again


async def test_alone_against_the_house_one_plays_in_public(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!chicken 3 20")
    await stage.watch.turn(LOBBY + 2)
    assert [of_house(each) for each in view(stage).players].count(True) == 1
    for _ in range(2):
        hand = view(stage).hands[stage.seat("ann")]
        answer = " ".join(await stage.say("ann", "ada", f"!play {hand[-1]}"))
        assert f"Ann {hand[-1]} (" in answer
        assert "Others can read" not in answer
        assert "hisper" not in answer
    assert table(stage).over
    assert await purse(stage, "ann") == 220 + view(stage).shares.get(stage.seat("ann"), 0)


REFUSED = [
    ("ann", "!play 9", "You do not hold that card; you have 1 2 3 4 5."),
    ("ann", "!play seven", "Play one of your cards by its number"),
    ("ann", "!play 1 2", "Play one of your cards by its number"),
    ("eve", "!play 1", "You are not in this game"),
    ("ann", "!chicken", "You are in already, for 20 credits each."),
    ("eve", "!chicken", "This game has begun without you"),
]


@pytest.mark.parametrize(("user", "text", "reason"), REFUSED)
async def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(
    stage: Stage, user: str, text: str, reason: str
) -> None:
    await stage.open()
    await lobby(stage, ("ann", "bob"), "5 20")
    before = table(stage).state
    told = await stage.say(user, "ada", text)
    assert len(told) == 1
    assert reason in told[0]
    assert table(stage).state is before
    assert await purse(stage, user) == (START if user == "eve" else START - 20)


async def test_a_second_join_is_refused_naming_the_stake_and_other_terms_naming_those_of_the_table(
    stage: Stage,
) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!chicken 5 20")
    assert "You are in already, for 20 credits each." in (await stage.say("ann", "ada", "!chicken 5 30"))[0]
    assert "the cards 1 to 5, for 20 credits each" in (await stage.say("bob", "ada", "!chicken 6"))[0]
    assert (await purse(stage, "ann"), await purse(stage, "bob")) == (START - 20, START)
    assert view(stage).players == (stage.seat("ann"),)


async def test_no_round_no_card(stage: Stage) -> None:
    await stage.open()
    assert "start one with !chicken" in (await stage.say("ann", "ada", "!play 3"))[0]
    await stage.say("ann", "ada", "!chicken 5")
    assert "No round is being played yet" in (await stage.say("ann", "ada", "!play 3"))[0]


async def test_a_whisper_that_is_delivered_twice_chooses_once(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room talk full", ["broadcaster"])
    await lobby(stage, ("ann", "bob"), "5")
    seat = stage.seat("ann")
    assert table(stage).menu(seat, 0) == [Play(seat, card) for card in range(1, 6)]
    for _ in range(2):
        await stage.fake.chat("ann", "ada", "!play 2", message_id="twice")
    await stage.say("eve", "ada", "hello")
    await stage.watch.turn(2)
    assert everything(stage).count("Ann has chosen") == 1


def _shown(text: str) -> str:
    """Leave out the beginnings of rounds, so that only those that were shown are named."""
    return re.sub(r"Round \d+ of 5: (pick|!play)", "", text).lower()
