"""Somebody writes into the database behind the back of the process that owns it.

What memory has decided is refused there, read again and decided once more, and no credit is lost or made.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.links import Links
from chatbot.ledger.people import People
from chatbot.ledger.store.store import Store
from tests.bot.stage import account, seat
from tests.ledger.samples import AT, doctor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.bot.stage import Stage


@pytest.fixture
async def other(store: Store) -> AsyncIterator[Store]:
    """Another process on the same database, which has no lease and tells nobody what it does."""
    another = await Store.open(store._writer.url.render_as_string(hide_password=False))
    yield another
    await another.close()


async def moved(other: Store, one: str, another: str, amount: int) -> None:
    entry = Entry(purses.wallet("town", seat(one)), purses.wallet("town", seat(another)), amount, "gift")
    await Ledger(other).post(Posting(f"behind:{one}:{amount}", "town", AT, entries=(entry,)))


async def known(stage: Stage, *names: str) -> None:
    for each in names:
        await stage.say(each, "hello")
        await stage.say(each, "!credits")  # so that memory knows the balance


async def test_a_stake_is_taken_from_what_is_there_and_not_from_what_was(stage: Stage, other: Store) -> None:
    await known(stage, "ann", "bob", "cid")
    await stage.say("cid", "!heist 20")
    await moved(other, "ann", "bob", 200)
    (told,) = await stage.say("ann", "!heist 100")
    assert "only 40 credits" in told
    assert await stage.say("ann", "!heist 30") == ["> ann: You are in with 30 credits."]
    assert (await stage.credits("ann"), await stage.pot()) == (10, 50)
    assert await breaches(stage.store) == []


async def test_of_lines_that_were_decided_together_each_is_answered_by_what_is_there(
    stage: Stage, other: Store
) -> None:
    await known(stage, "ann", "bob", "cid", "dan")
    await stage.say("dan", "!heist 20")
    await moved(other, "ann", "bob", 200)
    lines = [stage.line(who, "!heist 100") for who in ("ann", "bob", "cid")]
    before = len(stage.adapter.deliveries)
    await asyncio.gather(*map(stage.bot.converse, lines))
    await stage.watch.turn()
    told = stage.said(before)
    assert any("only 40 credits" in each for each in told), told
    assert await stage.pot() == 220
    assert [await stage.credits(each) for each in ("ann", "bob", "cid")] == [40, 340, 140]
    assert await breaches(stage.store) == []


async def test_an_account_that_was_unlinked_behind_its_back_does_not_stake_what_another_person_has(
    stage: Stage, other: Store
) -> None:
    """Parting moves no credit, so that no balance tells of it."""
    await known(stage, "ann", "alt", "cid")
    people = stage.bot.people
    change = ChangeSet("link", stage.room.id, "town", AT, seat("alt"), "alt", ())
    await Links(stage.store, people).link(change, seat("alt"), seat("ann"))
    await stage.say("cid", "!heist 20")
    theirs = People(other)
    await theirs.load()
    await theirs.meet([account("alt")])
    await Links(other, theirs).unlink(replace(change, id="unlink"), account("alt"))
    before = await stage.credits("ann")
    told = await stage.say("alt", "!heist 100")
    assert not any("You are in" in each for each in told), told
    assert (await stage.credits("ann"), await stage.pot()) == (before, 20)
    assert people.home(account("alt")) not in {seat("alt"), seat("ann")}
    assert await breaches(stage.store) == []


async def test_at_a_table_that_was_called_off_behind_its_back_nobody_stakes(
    stage: Stage, other: Store
) -> None:
    await known(stage, "bob")
    await stage.say("ann", "!heist 69")
    first = stage.table.id
    await Ledger(other).void(first, AT)
    told = await stage.say("bob", "!heist 20")
    assert told[0] == "Bank Heist was called off; every stake has been returned."
    assert stage.table.id != first
    assert await stage.pot() == 20
    assert await breaches(stage.store) == []


@pytest.mark.parametrize(
    ("written", "row"),
    [
        ("heard", "INSERT INTO heard (id, at) VALUES ('a:again', 1)"),
        (
            "posting",
            "INSERT INTO posting (id, community, turns, created_at) VALUES ('line:a:again', 'town', 0, 1)",
        ),
    ],
)
async def test_a_line_that_somebody_else_has_acted_on_is_not_acted_on_again(
    stage: Stage, written: str, row: str
) -> None:
    await known(stage, "ann", "bob")
    await stage.say("ann", "!heist 69")
    await doctor(stage.store, row)
    await stage.say("bob", "!heist 20", line="a:again")
    assert (await stage.credits("bob"), await stage.pot()) == (240, 69), written
    assert await stage.say("bob", "!heist 20") == ["> bob: You are in with 20 credits."]


async def test_a_hint_that_was_given_behind_its_back_is_not_given_again(stage: Stage) -> None:
    await known(stage, "ann", "bob")
    await stage.say("ann", "!heist 69")
    await stage.turn(1)
    given = len(stage.hints())
    stage.bot.parts.hints._recent.clear()
    row = f"'heist town {seat('bob')}', 'town', '{seat('bob')}'"
    await doctor(stage.store, f"INSERT INTO hint (id, community, seat) VALUES ({row})")  # noqa: S608
    assert await stage.say("bob", "!heist 20") == ["> bob: You are in with 20 credits."]
    await stage.turn(1)
    assert len(stage.hints()) == given


async def test_whoever_another_process_has_met_is_the_same_person_here(stage: Stage, other: Store) -> None:
    await stage.say("ann", "!heist 69")
    line = stage.line("zed", "!heist 20")
    await stage.bot.people.meet([account("zed")])  # who is new, as far as memory knows
    elsewhere = People(other)
    await elsewhere.settle([account("zed")])
    await stage.bot.converse(line)
    await stage.turn(0)
    assert stage.bot.people.home(account("zed")) == elsewhere.home(account("zed"))
    assert await stage.pot() == 89
    assert await breaches(stage.store) == []


async def test_a_link_that_was_taken_behind_its_back_is_dealt_to_no_table(stage: Stage) -> None:
    await known(stage, "ann")
    await doctor(stage.store, "UPDATE chain SET used = used + 1")
    assert "!heist and an amount" in (await stage.say("ann", "!heist 69"))[-1]
    assert stage.table.secret.link == 2
    assert await breaches(stage.store) == []


async def test_a_database_that_contradicts_everything_is_asked_five_times_and_costs_nothing(
    stage: Stage,
) -> None:
    await known(stage, "ann", "bob")
    await stage.say("ann", "!heist 69")
    await doctor(
        stage.store,
        "CREATE TRIGGER stubborn BEFORE INSERT ON step BEGIN SELECT RAISE(ABORT, 'no'); END"
        if stage.store._writer.dialect.name == "sqlite"
        else "ALTER TABLE step ADD CONSTRAINT stubborn CHECK (turn < 1) NOT VALID",
    )
    (told,) = await stage.say("bob", "!heist 20")
    assert "try again" in told
    assert (await stage.credits("bob"), await stage.pot()) == (240, 69)
    await doctor(
        stage.store,
        "DROP TRIGGER stubborn"
        if stage.store._writer.dialect.name == "sqlite"
        else "ALTER TABLE step DROP CONSTRAINT stubborn",
    )
    assert await stage.say("bob", "!heist 20") == ["> bob: You are in with 20 credits."]
    assert await breaches(stage.store) == []
