"""High Show is played from a Twitch chat: by lines alone, within what a bot may say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cogs.twitch.channels import MANNER
from tests.adapters.twitch.chatting import START, purse, told, within_limits
from tests.adapters.twitch.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_server import Twitch

DECISION = 60


def table(stage: Stage, user: str) -> Table:
    return stage.chat("ada").room.tables[f"highshow {stage.seat(user)}"]


def progress(stage: Stage, user: str) -> Any:
    return table(stage, user).view(None).progress


@pytest.mark.parametrize("stake", [0, 50])
async def test_a_game_is_played_by_chat(stage: Stage, stake: int) -> None:
    await stage.open()
    opening = await told(stage, "ann", f"!highshow 6 2 linear=1 {stake}")
    assert "Ann plays High Show: keep 2 of 6 cards" in opening
    assert f"First card: {progress(stage, 'ann').shown}." in opening
    assert ("At stake: 50 credits; the more profit" in opening) == bool(stake)
    answer = await told(stage, "ann", "!hint")
    assert ("Hint for Ann" in answer) == (not stake)
    assert "Ann lets" in await told(stage, "ann", "!another")
    assert "1 of 2 kept" in await told(stage, "ann", "!cashout")
    assert "skip leaves one out" in await told(stage, "ann", "!cash out")
    end = await told(stage, "ann", "!guess 3 40.5")
    assert "Ann: K was" in end
    await stage.watch.turn(3)
    assert "Review for Ann" in " ".join(stage.fake.sent("ada"))
    assert await purse(stage, "ann") == START - stake + table(stage, "ann").view(None).result.payout
    assert within_limits(stage)


@pytest.mark.parametrize("stake", [0, 50])
async def test_who_says_nothing_keeps_what_is_shown_and_is_shown_the_end(stage: Stage, stake: int) -> None:
    await stage.open()
    await told(stage, "ann", f"!highshow 6 2 linear=1 {stake}")
    first = progress(stage, "ann").shown
    for seconds in (DECISION, MANNER.patience, MANNER.patience, 5):
        await stage.watch.turn(seconds)
    said = " ".join(stage.fake.sent("ada"))
    for line in (f"Time is up: Ann keeps {first}", "Ann: K was", "Review for Ann"):
        assert line in said
    assert await purse(stage, "ann") == START - stake + table(stage, "ann").view(None).result.payout


async def test_a_thousand_cards_are_told_in_lines_that_twitch_takes(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ann", "!highshow 1000 999 turnvalue=999999/999998")
    await told(stage, "ann", "!another")  # after which every card is needed
    assert "you need every card that is left" in " ".join(stage.fake.sent("ada"))
    await told(stage, "ann", "!guess 3000 -999999.5")
    await stage.watch.turn(5)
    assert "Ann: K was" in " ".join(stage.fake.sent("ada"))
    assert within_limits(stage)


async def test_several_play_at_once_within_the_budget_and_nothing_important_is_lost(stage: Stage) -> None:
    """Lines that wait become one message; a moderator's bot could say five times as much."""
    await stage.open()
    people = [f"fan{number}" for number in range(6)]
    for who in people:
        await stage.fake.chat(who, "ada", "!highshow 12 3")
    for turn in range(6):
        sent = [await stage.fake.chat(who, "ada", "!another" if turn < 3 else "!cashout") for who in people]
        await stage.heard(sent[-1])
        await stage.watch.turn(1)
    sent = [await stage.fake.chat(who, "ada", "!guess skip") for who in people]
    await stage.heard(sent[-1])
    await stage.watch.turn(120)
    said = " ".join(stage.fake.sent("ada"))
    for who in people:
        assert (
            table(stage, who).over if f"highshow {stage.seat(who)}" in stage.chat("ada").room.tables else True
        )
        name = who.capitalize()
        for line in (f"{name} plays High Show", f"{name}, what is K", f"{name}: K was", f"Review for {name}"):
            assert line in said, line
        assert said.count(f"{name} lets") == 3
    assert within_limits(stage)
    lines = said.count(" plays ") + said.count(" lets ") + said.count(" keeps ") + said.count("K was")
    assert len(stage.fake.sent("ada")) < lines, "they were merged"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!highshow 5 5", "5 cannot be kept"),
        ("!highshow 5 9", "9 cannot be kept"),
        ("!highshow 1", "from 2 to 1000 cards"),
        ("!highshow 1000000000", "from 2 to 1000 cards"),
        ("!highshow 20 3 linear=1/0", "is no parameter"),
        ("!highshow 20 3 linear=-1", "is no parameter"),
        ("!highshow 20 3 squared", "is no penalty"),
        ("!highshow 5 2 linear=1 241", "only 240 credits"),
        ("!highshow 5 2 linear=1 50 60", "is one too many"),
        ("!cashout", "start one with !highshow"),
        ("!guess 3 4", "start one with !highshow"),
    ],
)
async def test_what_cannot_be_played_is_one_sentence_and_changes_nothing(
    stage: Stage, text: str, reason: str
) -> None:
    await stage.open()
    said = await stage.say("ann", "ada", text)
    assert len(said) == 1
    assert reason in said[0]
    assert stage.chat("ada").room.tables == {}
    assert await purse(stage, "ann") == START


async def test_playing_out_of_turn_and_guessing_nonsense_change_nothing(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ann", "!highshow 5 2 linear=1 50")
    before = table(stage, "ann").state
    for text in ("!guess 3 4", "!guess many", "!hint", "!highshow 6 2", "!cashout now"):
        assert len(await stage.say("ann", "ada", text)) == 1, text
    assert len(await stage.say("bob", "ada", "!cashout")) == 1
    assert table(stage, "ann").state is before
    assert (await purse(stage, "ann"), await purse(stage, "bob")) == (START - 50, START)


async def test_a_line_that_is_delivered_twice_rejects_one_card(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ann", "!highshow 6 2 linear=1")
    for _ in range(2):
        await stage.fake.chat("ann", "ada", "!another", message_id="twice")
    await told(stage, "eve", "hello")
    assert len(progress(stage, "ann").rejected) == 1


async def test_after_a_restart_everybody_goes_on_where_they_were(
    fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch, stage: Stage
) -> None:
    await stage.open()
    for who in ("ann", "bob"):
        await told(stage, who, "!highshow 6 2 linear=1 50")
    await told(stage, "ann", "!another")
    states = [table(stage, who).state for who in ("ann", "bob")]
    await stage.close()
    second = Stage(fake, store, tmp_path, watch, "b")
    try:
        await second.open()
        await second.watch.turn(2)
        assert [table(second, who).state for who in ("ann", "bob")] == states
        said = " ".join(second.fake.sent("ada"))
        assert "@Ann: High Show goes on after a break" in said
        assert "@Bob: High Show goes on after a break" in said
        assert "1 of 2 kept" in await told(second, "bob", "!cashout")
    finally:
        await second.close()
