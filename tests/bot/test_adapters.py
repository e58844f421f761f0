"""What the house offers adapters: mentions, buttons, whispers, occasions, forms, and an end to floods."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.bot import flood_limit
from chatbot.community import members
from chatbot.community.earning.payments import Payments
from chatbot.games import kits
from chatbot.kernel.commands import Kind
from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Occasion
from chatbot.speech.words import Words, languages
from tests.bot.stage import Stage, account, seat
from tests.generous import let_give

if TYPE_CHECKING:
    from chatbot.kernel.commands import Option
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line

MO = "mo(moderator)"


async def heard(stage: Stage, line: Line) -> list[str]:
    before = len(stage.adapter.deliveries)
    await stage.bot.converse(line)
    await stage.watch.turn()
    return stage.said(before)


# Mentions


async def test_a_mention_counts_whatever_the_name(stage: Stage) -> None:
    """Two people of one name: only the platform knows who was meant."""
    let_give(stage.room)
    bob, other = account("b1"), account("b2")
    for each in (bob, other):
        await stage.bot.converse(replace(stage.line("x", "hi"), account=each, name="Bob"))
    assert (await stage.say("ann", "!give @Bob 5"))[0].startswith("> ann: ")
    line = replace(stage.line("ann", f"!give @{bob} 5"), named={bob: "Bob"})
    assert await heard(stage, line) == ["ann gives Bob 5 credits."]
    assert (await stage.credits("b1"), await stage.credits("b2")) == (245, 240)


async def test_somebody_who_was_mentioned_and_never_spoke_can_be_given_credits(stage: Stage) -> None:
    let_give(stage.room)
    line = replace(stage.line("ann", f"!give @{seat('new')} 5"), named={account("new"): "Newcomer"})
    assert await heard(stage, line) == ["ann gives Newcomer 5 credits."]
    assert await stage.credits("new") == 5
    await stage.say("new", "hello")
    assert await stage.credits("new") == 245


async def test_an_id_that_was_typed_by_hand_mentions_nobody(stage: Stage) -> None:
    await stage.say("bob", "hello")
    assert "Nobody called" in (await stage.say("ann", f"!give @{seat('bob')} 5"))[0]
    assert await stage.credits("bob") == 240


async def mentioning(stage: Stage, who: str, text: str) -> str:
    """Let somebody mention Bob and Bea, whose ids begin alike, as a platform that resolves it does."""
    heard = len(stage.adapter.deliveries)
    text = text.replace("@Bob", "@test:4").replace("@Bea", "@test:42")
    named = {account("4"): "Bob", account("42"): "Bea"}
    await stage.bot.converse(replace(stage.line(who, text), named=named))
    await stage.turn(10)
    return "\n".join(stage.said(heard))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("!give 50 @Bea", "“@Bea” is no amount"),
        ("!grant 50 @Bob", "“@Bob” is no amount"),
        ("!credits @Bea please", "Nobody called “Bea please” has been here"),
        ("!history @Bea please", "“Bea please” is neither"),
        ("!set @Bob 1 2", "no settings called “@Bob”"),
        ("!grant @Bob 50 for @Bea and @Bob", "grants Bob 50 credits (for @Bea and @Bob)"),
        ("!alias boss credits @Bob", "!boss stands for !credits @Bob now"),
        ("!set aliases boss credits @Bob", "!boss stands for !credits @Bob now"),
    ],
)
async def test_a_mention_is_shown_as_it_was_typed(stage: Stage, typed: str, told: str) -> None:
    assert told in await mentioning(stage, "mo(moderator)", typed)


async def test_a_mention_in_a_reason_is_kept_as_it_was_typed(stage: Stage) -> None:
    await mentioning(stage, "mo(moderator)", "!set heist lobby 45 -- as @Bea wished")
    assert "(as @Bea wished)" in (await stage.say("mo(moderator)", "!audit"))[0]


async def test_an_alias_may_mention_somebody(stage: Stage) -> None:
    await mentioning(stage, "mo(moderator)", "!alias boss credits @Bob")
    await mentioning(stage, "mo(moderator)", "!credits @Bob")
    assert await stage.say("ann", "!boss") == ["Bob has 0 credits."]


# Buttons


@pytest.mark.slow
async def test_a_button_acts_at_its_own_table_only(stage: Stage) -> None:
    await stage.say("ann", "!heist 10")
    first = stage.table.id
    await stage.say(MO, "!cancel heist")
    old = replace(stage.line("bob", "!heist 10"), table=first)
    assert await heard(stage, old) == ["> bob: It is over already."]
    await stage.say("ann", "!heist 10")
    assert await heard(stage, replace(stage.line("bob", "!heist 10"), table=first)) == [
        "> bob: It is over already."
    ]
    fresh = replace(stage.line("bob", "!heist 10"), table=stage.table.id)
    assert await heard(stage, fresh) == ["> bob: You are in with 10 credits."]


# Whispers


@pytest.mark.slow
async def test_a_whisper_belongs_where_somebody_plays_or_else_spoke_last(stage: Stage) -> None:
    other = stage.new_room("test:other")
    first = stage.new_room("test:first")
    for room in (other, first):
        room.channels[0].id = f"{room.id}:chat"
        await stage.bot.open(room)
    ann = account("ann")
    assert await stage.bot.whereabouts(ann) is None
    await stage.bot.converse(stage.line("ann", "!heist 5", room="test:first"))
    await stage.watch.turn(1)
    await stage.bot.converse(stage.line("ann", "hello", room="test:other"))
    await stage.bot.converse(stage.line("bob", "hello", room="test:other"))
    assert await stage.bot.whereabouts(ann) == "test:first:chat"
    assert await stage.bot.whereabouts(account("bob")) == "test:other:chat"
    await stage.watch.turn(600)
    assert await stage.bot.whereabouts(ann) == "test:other:chat"
    assert await stage.bot.whereabouts(Account("elsewhere", "ann")) is None


@pytest.mark.slow
async def test_rooms_with_standing_tables_are_known(store: Store) -> None:
    stage = await Stage(store).open()
    for name in ("discord:1", "discord:2", "twitch:4"):
        await stage.bot.open(stage.new_room(name))
        await stage.bot.converse(stage.line("ann", "!heist 5", room=name))
    await stage.say(MO, "hello")
    await stage.bot.converse(stage.line(MO, "!cancel heist", room="discord:2"))
    assert await stage.bot.control.standing() == ["discord:1", "twitch:4"]


# Waiting


async def test_a_command_that_waited_before_it_was_heard_is_as_old_as_it_is(stage: Stage) -> None:
    for seconds, answer in ((11, "> ann: That did not work"), (9, "stakes 5 credits")):
        async with stage.room.order:  # the room is slow
            hearing = asyncio.create_task(heard(stage, stage.line("ann", "!heist 5")))
            await asyncio.sleep(0)
            await stage.turn(seconds)
        assert answer in (await hearing)[0]


# Occasions


def raid(of: int = 30) -> Occasion:
    return Occasion("tw:e:1", "room:chat", Happening.RAID, account("raider"), "Raider", of)


@pytest.mark.slow
async def test_an_occasion_is_taken_in_once_even_after_a_restart(store: Store) -> None:
    stage = await Stage(store).open()
    for _ in range(2):
        await stage.bot.notice(raid())
    # A raid earns 50 credits, and 10 more for every 10 viewers.
    assert await stage.turn(0) == [
        "Welcome, Raider and 30 raiders! !help lists what can be played here.",
        "Thank you for the raid, Raider: 80 credits for you.",
    ]
    again = await Stage(store, run="b").open()
    await again.bot.notice(raid())
    assert await again.turn(0) == []


async def test_a_room_knows_whether_its_stream_is_on(stage: Stage) -> None:
    for number, (kind, live) in enumerate(
        [(Happening.ONLINE, True), (Happening.CHEER, True), (Happening.OFFLINE, False)]
    ):
        await stage.bot.notice(Occasion(f"tw:{number}", "room:chat", kind))
        assert stage.room.live is live


async def test_news_of_a_stream_that_comes_again_late_does_not_turn_it_on(stage: Stage) -> None:
    begun = Occasion("tw:1", "room:chat", Happening.ONLINE)
    for each in (begun, Occasion("tw:2", "room:chat", Happening.OFFLINE), begun):
        await stage.bot.notice(each)
    assert not stage.room.live


async def test_a_reward_that_fails_stops_neither_the_next_nor_the_chat(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(Payments, "pay", fail)
        await stage.bot.notice(raid())
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]
    await stage.bot.notice(replace(raid(), id="tw:e:2"))
    assert "Welcome, Raider and 30 raiders! !help lists what can be played here." in await stage.turn(0)


# Forms


def options(stage: Stage) -> list[tuple[str, Option]]:
    commands = [each for kit in kits().values() for each in kit.chat.commands]
    return [
        *((each.word, option) for each in commands for option in each.options),
        *((each.word, option) for each in stage.bot.command_index.bot_commands for option in each.options),
    ]


@pytest.mark.parametrize("language", languages())
async def test_every_option_is_described_in_every_language_in_a_hundred_characters(
    language: str, stage: Stage
) -> None:
    words = Words(language)
    known = {f"option-{word}-{option.name}" for word, option in options(stage)}
    assert known == {each for each in words.ids if each.startswith("option-")}


async def test_what_must_be_given_comes_before_what_may_be(stage: Stage) -> None:
    services = [each.options for each in stage.bot.command_index.bot_commands]
    for each in (*services, *(command.options for kit in kits().values() for command in kit.chat.commands)):
        assert list(each) == sorted(each, key=lambda option: not option.required)
        assert all(option.kind is not Kind.TEXT for option in each[:-1])


@pytest.mark.parametrize(
    ("word", "option", "given", "expected"),
    [
        ("set", "value", {"group": "heist", "key": "rabble"}, ["220", "default"]),
        ("set", "value", {"group": "heist", "key": "nonsense"}, []),
        ("set", "key", {"group": "nonsense"}, []),
        (
            "settings",
            "key",
            {"group": "games"},
            ["chickenpoker", "heist", "highshow", "pokermarket", "sixcardpoker"],
        ),
        ("cancel", "game", {}, ["heist", "chickenpoker", "highshow", "pokermarket", "sixcardpoker"]),
        ("preset", "name", {"game": "nonsense"}, []),
        ("heist", "nonsense", {}, []),
        ("nonsense", "x", {}, []),
    ],
)
async def test_values_are_suggested_that_fit_the_rest(
    stage: Stage, word: str, option: str, given: dict[str, str], expected: list[str]
) -> None:
    assert list(stage.bot.suggest("room:chat", word, option, given)) == expected


@pytest.mark.slow
async def test_every_suggested_setting_can_be_set_to_what_is_suggested(stage: Stage) -> None:
    groups = list(stage.bot.suggest("room:chat", "set", "group", {}))
    assert groups[:5] == ["heist", "chickenpoker", "highshow", "pokermarket", "sixcardpoker"]
    assert sorted(groups) == sorted(stage.bot.parts.groups)
    for group in groups:
        for key in stage.bot.suggest("room:chat", "set", "key", {"group": group}):
            value, *others = stage.bot.suggest("room:chat", "set", "value", {"group": group, "key": key})
            assert value not in others
            (told,) = await stage.say("bo(broadcaster)", f"!set {group} {key} {value}")
            assert told == f"{group}: {key} is {value} already, so nothing changes."
            await stage.watch.turn(1)


# Floods


async def test_one_members_flood_is_cut_off_and_nobody_elses_command_with_it(stage: Stage) -> None:
    answers = [await stage.say("ann", "!credits") for _ in range(30)]
    assert sum(map(bool, answers)) == flood_limit.BURST
    assert await stage.say("bob", "!credits") == ["bob has 240 credits."]
    await stage.watch.turn(1)
    assert len([each for _ in range(5) if (each := await stage.say("ann", "!credits"))]) == flood_limit.RATE


async def test_talk_is_no_flood(stage: Stage) -> None:
    for _ in range(50):
        await stage.say("ann", "hello")
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]


async def test_names_that_were_forgotten_are_learnt_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "REMEMBERED", 2)
    for who in ("ann", "bob", "cid", "dan"):
        await stage.say(who, "hello")
    assert await stage.say("dan", "!top 4") == [
        "Richest: 1. ann 240 credits, 1. bob 240 credits, 1. cid 240 credits, 1. dan 240 credits."
    ]
