"""Which of several texts is told follows from the table: the same again, and not twice in a row."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.channel import Manner
from chatbot.tables.narration import narrate, told_again
from chatbot.tables.replay import reread
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.tables.narration import Narrated

MO = "mo(moderator)"
VARIED = {"heist-opened", "heist-targeted", "heist-storming", "heist-solo-success", "heist-solo-failure"}


async def heist(stage: Stage, *crew: str) -> list[tuple[str, str]]:
    """Play a heist; give what was told in public, each with the id of its message."""
    since = len(stage.adapter.deliveries)
    for who in crew or ("ann",):
        await stage.endow(who, 1000)
        await stage.say(who, "!heist 5")
    await stage.turn(60 + 30 + 6)
    await stage.turn(300)
    return public(stage, since)


def public(stage: Stage, since: int = 0) -> list[tuple[str, str]]:
    told = [each for each in stage.adapter.deliveries[since:] if each.to is None]
    return [(each.says[0].message.id, each.text) for each in told]


def variants(stage: Stage, message: str, since: int = 0) -> list[int]:
    """Give in which text each line about something was told."""
    lines = (say for each in stage.adapter.deliveries[since:] for say in each.says)
    return [say.message.variant for say in lines if say.message.id == message]


async def again(stage: Stage) -> Narrated:
    """Read the last table from the database, and tell it from its opening on."""
    found = await reread(stage.bot.parts.journal, stage.table.id, stage.bot.kits)
    assert found is not None
    return told_again(stage.table, found[1], 0)


async def restarted(before: Stage, run: str) -> Stage:
    after = Stage(before.store, run=run)
    after.watch.set_calendar(before.watch.now())
    return await after.open()


@pytest.mark.slow
async def test_no_text_is_told_twice_in_a_row_and_a_room_begins_with_the_first(stage: Stage) -> None:
    await stage.say(MO, "!set heist rabble 0")
    for _ in range(8):
        await heist(stage)
    for message in ("heist-opened", "heist-targeted", "heist-storming"):
        assert [each % 6 for each in variants(stage, message)] == [0, 5, 4, 3, 2, 1, 0, 5]


async def test_a_table_tells_a_message_in_all_its_texts_in_turns_however_its_steps_are_cut(
    stage: Stage,
) -> None:
    await stage.say(MO, "!set room talk full")
    crew = [f"m{number}" for number in range(8)]
    for who in crew:
        await stage.endow(who, 1000)
    await stage.say(crew[0], "!heist 5")
    joined = len(stage.adapter.deliveries)
    for who in crew[1:4]:
        await stage.say(who, "!heist 5")
    await asyncio.gather(*(stage.say(who, "!heist 5") for who in crew[4:]))
    assert variants(stage, "heist-joined", joined) == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.slow
async def test_a_table_that_is_read_again_is_told_in_the_same_words(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    texts = set()
    for _ in range(3):
        since = len(stage.adapter.deliveries)
        await heist(stage, "ann", "bob", "cat")
        told = [
            say
            for each in stage.adapter.deliveries[since:]
            for say in each.says
            if say.table == stage.table.id
        ]
        read = await again(stage)
        ours = [say.message for say in read.says if say.to is None]
        theirs = [say.message for say in told if say.to is None and say.game == "heist"]
        assert [(each.id, each.variant) for each in ours] == [(each.id, each.variant) for each in theirs]
        texts |= {each.variant for each in ours}
    assert len(texts) > 3


async def test_after_a_restart_between_two_tables_no_text_is_told_again(store: Store) -> None:
    stage = await Stage(store).open()
    last: dict[str, int] = {}
    for number in range(8):
        await heist(stage)
        for message in VARIED:
            for told in variants(stage, message):
                assert told % 6 != last.get(message), message
                last[message] = told % 6
        stage = await restarted(stage, f"run {number}")


async def test_a_table_that_goes_on_after_a_restart_goes_on_with_the_next_text(store: Store) -> None:
    before = await Stage(store).open()
    await before.say(MO, "!set room talk full")
    for who in ("ann", "bob", "cat", "dan"):
        await before.endow(who, 1000)
    for who in ("ann", "bob", "cat"):
        await before.say(who, "!heist 5")
    after = await restarted(before, "after")
    await after.say("dan", "!heist 5")
    assert variants(before, "heist-joined") + variants(after, "heist-joined") == [0, 1, 2]


async def test_an_end_that_was_written_just_before_a_crash_is_told_in_the_texts_that_were_chosen(
    store: Store,
) -> None:
    before = await Stage(store).open()
    await heist(before)
    await before.say("ann", "!heist 5")
    await before.turn(60 + 30)
    chosen: list[tuple[str, int]] = []

    async def crash(table: object, narrated: Narrated, *_: object) -> None:
        chosen.extend((say.message.id, say.message.variant) for say in narrated.says)

    before.table.on_step = crash
    await before.turn(6)
    assert chosen
    after = await restarted(before, "after")
    told = [say.message for each in after.adapter.deliveries for say in each.says]
    found = [(each.id, each.variant) for each in told]
    assert [each for each in chosen if each[0] in VARIED] == [each for each in found if each[0] in VARIED]


async def test_a_refused_step_leaves_the_next_choice_as_it_was(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    known = dict(stage.table.tellings)
    assert "too little" not in " ".join(await stage.say("bob", "!heist 999999999"))
    assert stage.table.tellings == known


async def test_the_page_and_every_platform_are_told_the_same(store: Store) -> None:
    stage = await Stage(store, manner=Manner()).open()
    heard: list[tuple[str, int]] = []
    stage.bot.outbox.listeners.append(lambda _, say: heard.append((say.message.id, say.message.variant)))
    for _ in range(3):
        await heist(stage)
    shown = [(each, variant) for each in VARIED for variant in variants(stage, each)]
    assert sorted(shown) == sorted(each for each in heard if each[0] in VARIED)


async def test_a_table_that_cannot_be_told_is_played_all_the_same(
    stage: Stage,
) -> None:
    await stage.say("ann", "!heist 5")
    assert narrate(stage.table, [object()]).says == ()
