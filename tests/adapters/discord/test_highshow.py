"""High Show through the adapter: whole games by typing, by slash commands and by buttons, and their board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.highshow.rules.moves import CashOut, SeeAnother
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Timeout
from chatbot.speech import safe
from cogs.discord import boards
from cogs.discord.adapter import MANNER
from cogs.discord.tables import PACE
from tests.adapters.discord.highshow import (
    DECISION,
    begun,
    labels,
    lines,
    paid,
    pressed,
    progress,
    table,
)
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import Stage, left_to_do
from tests.fakes.discord_faults import Bucket, too_much

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

PATCHES = r"PATCH /channels/\d+/messages"


# Whole games


@pytest.mark.parametrize("stake", [0, 50])
async def test_a_game_is_played_by_typing(stage: Stage, stake: int) -> None:
    ann = stage.world.join("ann")
    await stage.people.say(ann, stage.town, f"!highshow 6 2 linear=1 {stake}")
    await stage.shown("ann plays High Show: keep 2 of 6 cards")
    await stage.people.say(ann, stage.town, "!another")
    await stage.shown("ann lets")
    await stage.people.say(ann, stage.town, "!cashout")
    await stage.shown("1 of 2 kept")
    await stage.people.say(ann, stage.town, "!see another")
    await stage.until(lambda: len(progress(stage, ann).rejected) == 2)
    await stage.people.say(ann, stage.town, "!cash out")
    await stage.shown("ann, what is K")
    await stage.turn(5)  # five lines in five seconds are enough for a channel
    await stage.people.say(ann, stage.town, "!guess 3 40.5")
    await stage.shown("ann: K was")
    await stage.shown("Review for ann")
    await paid(stage, ann, stake)


@pytest.mark.parametrize("stake", ["0", "half"])
async def test_a_game_is_played_by_slash_commands(stage: Stage, stake: str) -> None:
    ann = stage.world.join("ann")
    opening = await stage.people.slash(
        ann, stage.town, "highshow", cards=6, keep=2, penalty="linear", parameter="1/2", stake=stake
    )
    await stage.shown("ann plays High Show: keep 2 of 6 cards")
    assert "each rejection costs 0.5" in stage.world.texts(stage.town)
    assert not opening.private, "the opening is the visible answer of the command that opened"
    for word, told in (("another", "ann lets"), ("cashout", "1 of 2 kept"), ("cashout", "ann, what is K")):
        answering = await stage.people.slash(ann, stage.town, word)
        await stage.shown(told)
        assert answering.response == 4
        assert not answering.private
    await stage.people.slash(ann, stage.town, "guess", k="skip", profit="81/4")
    await stage.shown("ann: K was")
    await stage.shown("Review for ann")
    await paid(stage, ann, 120 if stake == "half" else 0)
    assert not stage.world.whispers(ann)


@pytest.mark.parametrize("stake", ["0", "50"])
async def test_a_game_is_played_by_buttons(stage: Stage, stake: str) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann, stake=stake)
    shown = progress(stage, ann).shown
    assert f"# {shown}" in board["embeds"][0]["description"]
    hint = ["Hint"] if stake == "0" else []
    assert labels(board) == ["Cash out", "See another", *hint]
    await pressed(stage, ann, board, "See another")
    assert f"**Rejected** {shown}" in board["embeds"][0]["description"]
    await pressed(stage, ann, board, "Cash out")
    await pressed(stage, ann, board, "Cash out")
    assert labels(board) == ["Guess…", "Skip guesses"]
    await pressed(stage, ann, board, "Skip")
    await stage.shown("ann: K was")
    await stage.shown("Review for ann")
    await stage.turn(PACE)
    await stage.world.until(lambda: not left_to_do(board))
    assert "Finished" in board["embeds"][0]["description"]
    assert len(stage.boards) == 1
    await paid(stage, ann, int(stake))


@pytest.mark.parametrize("stake", ["0", "50"])
async def test_a_game_is_played_by_the_clock_alone(stage: Stage, stake: str) -> None:
    ann = stage.world.join("ann")
    await begun(stage, ann, stake=stake)
    first = progress(stage, ann).shown
    for seconds in (DECISION, MANNER.patience, MANNER.patience):
        await stage.turn(seconds)
    await stage.shown("Time is up: ann keeps")
    await stage.shown("ann: K was")
    await stage.shown("Review for ann")
    assert progress(stage, ann).kept[0] == first
    await paid(stage, ann, int(stake))


async def test_several_play_at_once_each_on_a_message_of_their_own(stage: Stage) -> None:
    people = [stage.world.join(name) for name in ("ann", "bob", "kim")]
    boards = [await begun(stage, each) for each in people]
    assert len({each["id"] for each in boards}) == 3
    for user, board, word in zip(people, boards, ("See another", "Cash out", "Hint"), strict=True):
        assert user.name in board["embeds"][0]["description"]
        await pressed(stage, user, board, word)
    done = [(len(progress(stage, each).rejected), len(progress(stage, each).kept)) for each in people]
    assert done == [(1, 0), (0, 1), (0, 0)]
    await stage.shown("Hint for kim")
    assert "Hint" not in labels(boards[2]), "there is one for each card"


# What is said where


async def test_a_game_by_buttons_does_not_fill_the_channel(stage: Stage) -> None:
    """The message that is pressed is the answer: what is said besides is the opening and the end."""
    ann = stage.world.join("ann")
    board = await begun(stage, ann, cards=20, keep=3)
    for turn in range(12):
        await pressed(stage, ann, board, "See another")
        assert len(progress(stage, ann).rejected) == turn + 1
        assert f"# {progress(stage, ann).shown}" in board["embeds"][0]["description"], "at once, at that"
    for _ in range(3):
        await pressed(stage, ann, board, "Cash out")
    assert [each.split(":")[0] for each in lines(stage)] == ["ann plays High Show"]
    await pressed(stage, ann, board, "Skip")
    await stage.shown("Review for ann")
    begins = [each.split(":")[0] for each in lines(stage)]
    assert begins == ["ann plays High Show", "ann", "Review for ann"]
    assert not stage.world.whispers(ann)
    assert not stage.server.asked(PATCHES), "answers to buttons cost nothing of what a channel allows"
    assert stage.server.late == 0


async def test_who_types_is_answered_by_a_line_and_the_board_follows(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann)
    await stage.people.say(ann, stage.town, "!another")
    await stage.shown("ann lets")
    await stage.turn(PACE)
    await stage.world.until(lambda: "**Rejected**" in board["embeds"][0]["description"])


async def test_what_a_button_did_is_said_where_the_message_cannot_show_it(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann)
    stage.server.fail(r"POST /interactions/", "unknown", times=20)
    await stage.people.press(ann, board, "See another")
    await stage.shown("ann lets")


async def test_a_message_that_a_button_has_changed_is_edited_by_the_clock_too(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann)
    await pressed(stage, ann, board, "See another")
    await stage.turn(DECISION)
    await stage.turn(PACE)
    await stage.world.until(lambda: "1 of 2" in str(board["embeds"][0]["fields"]))
    assert len(stage.boards) == 1


async def test_a_hint_is_the_answer_to_its_slash_command(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await begun(stage, ann)
    asked = await stage.people.slash(ann, stage.town, "hint")
    await stage.shown("Hint for ann")
    await stage.world.until(lambda: asked.original)
    assert "Hint for ann" in stage.world.messages[asked.original or 0]["content"]
    assert not stage.world.whispers(ann)


async def test_the_channel_is_told_of_every_game_though_discord_is_slow(
    server: DiscordServer, store: Store
) -> None:
    server.bucket = Bucket(5, 0.5)
    async with Stage(server, store) as stage:
        people = [stage.world.join(f"fan{number}") for number in range(6)]
        for user in people:
            await stage.people.slash(user, stage.town, "highshow", cards=6, keep=2)
        await stage.world.until(lambda: len(stage.boards) == len(people))
        assert all(f"{each.name} plays High Show" in stage.world.texts(stage.town) for each in people)
        assert server.bucket.broken == 0


# After a restart


async def test_after_a_restart_buttons_and_forms_go_on(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    boards = [await begun(stage, each, stake="50") for each in (ann, bob)]
    for word in ("Cash out", "Cash out"):
        await pressed(stage, bob, boards[1], word)
    asked = await pressed(stage, bob, boards[1], "Guess")
    await stage.close()
    async with Stage(server, store, "b") as again:
        await again.until(lambda: again.bot.has(f"discord:{again.town}"))
        await pressed(again, ann, boards[0], "See another")
        assert len(progress(again, ann).rejected) == 1
        await again.people.fill(bob, asked, k="3", profit="12.5")
        await again.shown("bob: K was")
        assert [each["id"] for each in again.boards] == [each["id"] for each in boards]
        await paid(again, bob, 50)


# The board


@pytest.mark.parametrize("keep", [1, 500, 999])
async def test_a_thousand_cards_fit_into_an_embed_and_into_plain_words(stage: Stage, keep: int) -> None:
    ann = stage.world.join("x" * 32)
    await stage.people.say(ann, stage.town, f"!highshow 1000 {keep} turnvalue=999999/999998")
    await stage.until(lambda: f"discord:{stage.town}" in stage.bot.rooms and stage.room.tables)
    own = table(stage, ann)
    rules, seat = own.game, seat_of(ann.id)
    while (
        clock := rules.clock(own.state)
    ) is not None:  # without chat, which takes no thousand lines at once
        deciding = clock.phase.startswith("decision")
        keeps = len(own.state.seen) % 2 if deciding and keep > 1 else False
        action = (CashOut if keeps else SeeAnother)(seat) if deciding else Timeout(clock)
        own.state = rules.apply(own.state, action, Moment(Rng(b""))).state
        if not deciding or len(own.state.seen) % 97 == 0:
            shown = boards.sheet(stage.bot, own, 1, safe.discord)
            assert too_much({"embeds": [shown.embed().to_dict()]}) is None
            assert too_much({"content": shown.plain()}) is None
    stage.bot.watch.ring(0.0, own.void)  # what was played so stands in no journal


async def test_the_board_lays_the_cards_out(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann, cards=8, keep=3)
    for word in ("See another", "Cash out", "See another"):
        await pressed(stage, ann, board, word)
    now = progress(stage, ann)
    text = board["embeds"][0]["description"]
    assert f"\n# {now.shown}\n" in text
    assert f"**Kept** {now.kept[0]}\n" in text
    assert f"**Rejected** {now.rejected[0]} · {now.rejected[1]}\n" in text
    assert "**Left** 4 face down" in text
