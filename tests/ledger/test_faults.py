"""A database in trouble: commands are answered, nothing is half done, and all goes on without a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from chatbot.ledger.store import engines
from tests.slow.trouble import (
    AGAIN,
    CREW,
    LOBBY,
    TRY_AGAIN,
    answers_lost,
    changes,
    filled,
    held,
    in_front_of_the_bank,
    limit,
    opened,
    url_of,
    waits_for_space,
)

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rabble.db"


async def used(store: Store) -> int:
    """Count the pages of the database."""
    async with store.reading() as connection:
        return int((await connection.execute(text("PRAGMA page_count"))).scalar_one())


async def test_a_full_database_refuses_what_it_cannot_hold_and_goes_on_once_there_is_space(
    file: Path,
) -> None:
    async with opened(url_of(file)) as stage:
        await in_front_of_the_bank(stage)
        await limit(stage.store, await used(stage.store))
        await filled(stage)
        await waits_for_space(stage, lambda: limit(stage.store, 1_000_000))


async def test_a_database_that_another_process_locks_for_a_minute_asks_to_try_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = [each.replace("busy_timeout = 5000", "busy_timeout = 20") for each in engines._WRITER]
    monkeypatch.setattr(engines, "_WRITER", impatient)
    async with opened(url_of(file)) as stage:
        for each in CREW[:3]:
            await stage.say(each, "!heist 20")
        before = await changes(stage.store)
        with held(file):
            for line in ("!heist 20", f"!give @{CREW[1]} 1"):
                assert TRY_AGAIN in (await stage.say(CREW[0], line))[0]
            assert "220 credits" in (await stage.say(CREW[0], "!credits"))[0]  # reading waits for nobody
            assert await stage.turn(LOBBY) == []
        assert await changes(stage.store) == before
        assert "gives" in (await stage.say(CREW[0], f"!give @{CREW[1]} 1"))[0]
        assert "The target is" in (await stage.turn(AGAIN))[0]


async def test_what_a_commit_did_though_its_answer_was_lost_is_neither_denied_nor_forgotten(
    file: Path,
) -> None:
    async with opened(url_of(file)) as stage:
        ann, bob, cat = CREW[:3]
        for each in (bob, cat):
            await stage.say(each, "hello")
        await stage.say(ann, "!heist 20")
        with answers_lost(stage.store, "transfer"):
            told = await stage.say(bob, "!heist 30")
        with answers_lost(stage.store, "transfer"):
            told += await stage.say(cat, f"!give @{ann} 7")
        assert len(told) == 2
        assert TRY_AGAIN not in str(told)
        assert (await stage.credits(cat), await stage.pot()) == (233, 50)
        told = await stage.say(cat, "!heist 40")
        assert told == [f"> {bob}: You are in with 30 credits.", f"> {cat}: You are in with 40 credits."]
