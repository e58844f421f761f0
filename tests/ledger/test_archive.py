"""A table that goes into the archive is told as before, and the books add up at every moment."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import DBAPIError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.archive import archive
from chatbot.ledger.archive.archive import Archive, faults
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.history import Histories
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, Posting, Turn
from chatbot.ledger.erasure import Erasure
from chatbot.ledger.member_export import FoundPerson, MemberExport
from chatbot.ledger.store.store import Store
from chatbot.ledger.takings import Takings

from .conftest import opened
from .samples import (
    ALICE,
    AT,
    BOB,
    CAROL,
    HOME,
    HOUSE,
    MINT,
    OPENING,
    before_each_statement,
    doctor,
    everything,
    gift,
    grant,
    posting,
    row,
    smuggled,
    wallet,
)

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.books.purses import Purse

LATE = AT + timedelta(days=400)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
NASH = wallet(Seat("house:nash"))
GONE = ("step", "journal")  # which no archived table has


def pot(table: str) -> Purse:
    return purses.pot(HOME, table)


async def play(
    store: Store,
    table: str,
    at: datetime,
    stakes: dict[Seat, int],
    *won: tuple[Purse | None, Purse, int],
    told: bool = True,
) -> None:
    """Let members stake and win at a table of their own, by an opening, joins and an end of the clock."""
    ledger, of_table = Ledger(store), pot(table)
    for number, (seat, stake) in enumerate(stakes.items(), 1):
        turns = (
            Turn(
                table,
                number,
                f'{{"Join":{{"seat":"{seat}"}}}}',
                f'{{"{seat}":{stake}}}',
                f"m:{table}:{number}",
            ),
        )
        entry = Entry(wallet(seat), of_table, stake, "stake")
        new = replace(OPENING, table=table) if number == 1 else None
        line, when = f"line:m:{table}:{number}", at + number * MINUTE
        await ledger.post(Posting(line, HOME, when, seat, (entry,), opening=new, table=table, turns=turns))
    last = len(stakes) + 1
    turns = (Turn(table, last, '{"Timeout":{"phase":"lobby","seconds":60}}', "{}", ""),)
    paid = tuple(Entry(each or of_table, to, credits_, "winnings") for each, to, credits_ in won)
    end = Posting(
        f"clock:{table}:{last}", HOME, at + last * MINUTE, "", paid, table=table, turns=turns, settles=True
    )
    await ledger.post(end)
    if told:
        await Journal(store).told(table)


async def lived(store: Store) -> None:
    """Play four tables in two months, with other movements between them, and call one off."""
    for each in (ALICE, BOB, CAROL):
        await Ledger(store).post(grant(each, 500))
    await play(
        store, "t1", AT + DAY, {ALICE: 40, BOB: 10}, (None, wallet(ALICE), 50), (HOUSE, wallet(BOB), 7)
    )
    await Ledger(store).post(replace(gift(ALICE, BOB, 5), at=AT + 2 * DAY))
    await play(store, "t2", AT + 3 * DAY, {BOB: 60}, (None, HOUSE, 60), (HOUSE, NASH, 9))
    await play(store, "t3", AT + 40 * DAY, {ALICE: 1, CAROL: 30}, (None, wallet(CAROL), 31))
    await Ledger(store).post(
        Posting("line:m:t4:1", HOME, AT + 41 * DAY, BOB, (Entry(wallet(BOB), pot("t4"), 20, "stake"),),
                opening=replace(OPENING, table="t4"), turns=(Turn("t4", 1, '{"Join":4}', "{}", "m:t4:1"),))
    )  # fmt: skip
    await Ledger(store).void("t4", AT + 42 * DAY)
    await Journal(store).told("t4")


TABLES = ("t1", "t2", "t3", "t4")


async def names_of(store: Store) -> dict[int, Purse]:
    rows = await everything(store)
    async with store.reading() as connection:
        return await holdings.named(connection, [row[0] for row in rows["purse"]])


async def put_away(store: Store, before: datetime = LATE, most: int = 2) -> tuple[int, list[str]]:
    """Archive all that is due, in portions of two."""
    archive, done, wrong, place = Archive(store), 0, list[str](), None
    while (portion := await archive.portion(before, place, most)).last is not None:
        done, place = done + portion.tables, portion.last
        wrong += portion.faults
    return done, wrong


async def told(store: Store) -> dict[str, Any]:
    """Ask everything that can be asked of tables and wallets."""
    wallets = [wallet(each) for each in (ALICE, BOB, CAROL)]
    person = FoundPerson((ALICE,), (), ())
    dossier = await MemberExport(store).of(person)
    stories = Journal(store)
    return {
        "stories": [await stories.of(each) for each in TABLES],
        "last": (await stories.last_settled("den", "heist"), await stories.last_over("den", "heist")),
        "states": await stories.states("den"),
        "histories": [await Histories(store).newest(each, 20) for each in wallets],
        "short": [await Histories(store).newest(each, 2) for each in wallets],
        "balances": await Ledger(store).balances([*wallets, HOUSE, MINT, NASH]),
        "takings": await Takings(store).at("den", "heist"),
        "lately": await Takings(store).at("den", "heist", AT + 30 * DAY),
        "movements": sorted(dossier["movements"], key=repr),
        "actions": dossier["actions"],
        "remains": await Erasure(store).weigh(person),
    }


@pytest.mark.slow
async def test_a_table_in_the_archive_is_told_as_before(store: Store) -> None:
    await lived(store)
    before = await told(store)
    assert await put_away(store) == (4, [])
    after = await told(store)
    del before["remains"], after["remains"]  # whose transfers are fewer rows now
    assert after == before
    assert await faults(store) == []


async def test_its_rows_are_gone_and_each_purse_has_one_posting_a_month(store: Store) -> None:
    await lived(store)
    for table in ("t1", "t2"):  # of one month, and not at once
        last = await Archive(store).portion(LATE, most=1)
        assert last.last is not None
        assert last.last[1] == table
    assert (await Archive(store).portion(LATE)).tables == 2
    rows = await everything(store)
    assert [rows[each] for each in GONE] == [[], []]
    assert {row[4] for row in rows["transfer"]} == {None}  # no table any more
    assert not any(row[0].startswith(("line:", "clock:", "void:")) for row in rows["posting"])
    assert not any(row[2] == "pot" for row in rows["purse"])
    names = await names_of(store)
    postings = {row[0]: row for row in rows["posting"]}
    carried = {
        (f"{postings[row[1]][3]:%Y-%m}", names[row[5]], names[row[6]], row[7])
        for row in rows["transfer"]
        if row[8] == "archived"
    }
    assert carried == {
        # What each won less what each staked: Bob 7 - 10 at the first table and -60 at the second.
        ("2026-01", MINT, wallet(ALICE), 10),
        ("2026-01", wallet(BOB), MINT, 63),
        ("2026-01", MINT, HOUSE, 51),  # -7 + 60 - 9, and 7 of the mint's, for it was empty
        ("2026-01", MINT, NASH, 9),
        ("2026-02", wallet(ALICE), MINT, 1),
        ("2026-02", MINT, wallet(CAROL), 1),
    }
    empty = postings.keys() - {row[1] for row in rows["transfer"]}
    assert [f"{postings[each][3]:%Y-%m}" for each in empty] == ["2026-02"]  # Bob's, 0 in all


async def test_more_than_one_transfer_holds_is_carried_in_several(store: Store) -> None:
    for number in range(3):
        await Ledger(store).post(posting(Entry(MINT, wallet(ALICE), MOST, "grant"), name=f"grant-{number}"))
    for number in range(3):
        await play(store, f"big{number}", AT + number * MINUTE, {ALICE: MOST}, (None, HOUSE, MOST))
        assert (await Archive(store).portion(LATE)).tables == 1
    rows = await everything(store)
    names = await names_of(store)
    carried = [row for row in rows["transfer"] if row[8] == "archived" and names[row[5]] == wallet(ALICE)]
    assert sorted((row[2], row[7]) for row in carried) == [(1, MOST), (2, MOST), (3, MOST)]
    assert await faults(store) == []


async def test_the_guard_of_transfers_is_back_afterwards(store: Store) -> None:
    await lived(store)
    await put_away(store)
    for statement in ("UPDATE transfer SET credits = 1", "DELETE FROM transfer"):
        with pytest.raises(DBAPIError, match="transfers"):
            await doctor(store, statement)


async def test_a_write_takes_no_more_turns_than_it_should(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(store)  # tables of 3, 2, 3 turns, and 1
    monkeypatch.setattr(archive, "TURNS_PER_WRITE", 4)
    assert [(await Archive(store).portion(LATE)).tables for _ in range(4)] == [1, 1, 2, 0]


async def test_a_table_for_honour_is_archived_and_forgotten_like_others(store: Store) -> None:
    turns = Turn("t5", 1, f'{{"Join":{{"seat":"{BOB}"}}}}', "{}", "m:t5"), Turn("t5", 2, "{}", "{}", "m:t5")
    opening = replace(OPENING, table="t5")
    await Ledger(store).post(Posting("line:m:t5", HOME, AT, BOB, opening=opening, turns=turns, settles=True))
    await Journal(store).told("t5")
    assert await put_away(store) == (1, [])
    await Erasure(store).forget(FoundPerson((BOB,), (), ()), LATE)
    story = await Journal(store).of("t5")
    assert story is not None
    assert str(BOB) in story.steps[0].turns[0].action, "it says nothing about who sat there"
    assert await faults(store) == []


async def test_what_is_young_open_untold_or_archived_stays_as_it_is(store: Store) -> None:
    await lived(store)
    assert await put_away(store, AT + 20 * DAY) == (2, [])
    assert await Archive(store).waiting(LATE) == 2
    assert await put_away(store, AT + 20 * DAY) == (0, [])
    await Ledger(store).post(
        Posting("line:o", HOME, AT, BOB, (Entry(wallet(BOB), pot("open"), 1, "stake"),),
                opening=replace(OPENING, table="open"), turns=(Turn("open", 1, "{}", "{}", "o"),))
    )  # fmt: skip
    await play(store, "untold", AT, {BOB: 2}, (None, HOUSE, 2), told=False)
    assert await put_away(store) == (2, [])
    await Journal(store).told("untold")
    assert await put_away(store) == (1, [])
    assert (await everything(store))["journal"][0][0] == "open"


async def test_nothing_can_happen_at_a_table_in_the_archive(store: Store) -> None:
    await lived(store)
    await put_away(store)
    before = await told(store)
    late = Posting("line:late", HOME, LATE, BOB, (Entry(wallet(BOB), pot("t1"), 1, "stake"),), table="t1")
    with pytest.raises(Closed):
        await Ledger(store).post(late)
    assert await Ledger(store).void("t1", LATE) == ()
    assert await told(store) == before


@pytest.mark.slow
async def test_a_crash_at_any_statement_leaves_the_old_or_the_new(store: Store) -> None:
    await lived(store)
    before, asked = await everything(store), await told(store)
    for moment in range(1, 200):
        calls = count(1)

        def crash(calls: count[int] = calls, moment: int = moment) -> None:
            if next(calls) == moment:
                raise ConnectionAbortedError

        with before_each_statement(store, crash):
            try:
                await Archive(store).portion(LATE, most=3)
            except ConnectionAbortedError:
                assert await everything(store) == before
                assert await breaches(store) == []
                with pytest.raises(DBAPIError):
                    await doctor(store, "DELETE FROM transfer")
            else:
                break
    assert moment > 20  # statements of one portion
    after = await told(store)
    assert (after["stories"], after["histories"]) == (asked["stories"], asked["histories"])


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
async def test_two_processes_archive_each_table_once(url: str) -> None:
    store, other = await opened(url), await Store.open(url)
    await lived(store)
    done = list(await asyncio.gather(put_away(store, most=1), put_away(other, most=1)))
    while (again := await put_away(store)) != (0, []):  # what one held, the other passed by
        done.append(again)
    assert sum(tables for tables, _ in done) == 4
    assert [*await breaches(store), *await faults(store)] == []
    await store.close()
    await other.close()


TWICE_STAKED = smuggled(wallet(BOB), pot("t2"), 1, posting=r"line\:m\:t2\:1", number=2, table_id="'t2'")
CARRIED_TWICE = (
    "INSERT INTO transfer "  # noqa: S608
    "(posting, number, community, source, target, credits, why, actor, created_at) "
    "SELECT posting, 2, community, source, target, 5, why, actor, created_at FROM transfer "
    f"WHERE why = 'archived' AND source = {row(wallet(BOB))}"
)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM journal WHERE table_id = 't2' AND turn = 1", "table t2"),
        ("UPDATE step SET turns = 2 WHERE table_id = 't2' AND turn = 2", "table t2"),
        ("UPDATE journal SET at = at + 1 WHERE table_id = 't2' AND turn = 2", "table t2"),
        (TWICE_STAKED, "pot:local:t2 holds 1"),
    ],
)
async def test_a_table_that_is_not_sound_stays_and_holds_up_no_other(
    doctored: Store, statement: str, said: str
) -> None:
    await lived(doctored)
    await doctor(doctored, statement)
    journal = [row for row in (await everything(doctored))["journal"] if row[0] == "t2"]
    done, wrong = await put_away(doctored)
    assert done == 3
    assert [said in each for each in wrong] == [True]
    assert (await everything(doctored))["journal"] == journal


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE archive SET kept = kept + 1 WHERE table_id = 't1'",
            "the archive of table t1 is not what was",
        ),
        ("UPDATE archive SET body = digest WHERE table_id = 't1'", "of the archive is unknown"),
        ("UPDATE archive SET digest = body WHERE table_id = 't1'", "the archive of table t1 is not what was"),
        ("UPDATE game_table SET opened_at = opened_at + 1 WHERE id = 't1'", "the archive of table t1 is not"),
        ("DELETE FROM archive WHERE table_id = 't1'", "table t1 is in no archive"),
        (
            CARRIED_TWICE,
            "of wallet:local:twitch:2, 5 too few are carried forward of what was archived of 2026-01",
        ),
    ],
)
async def test_who_has_been_at_the_archive_is_found(doctored: Store, statement: str, said: str) -> None:
    await lived(doctored)
    await put_away(doctored)
    assert await faults(doctored) == []
    await doctor(doctored, statement)
    assert any(said in each.sentence for each in await faults(doctored))


async def test_what_is_archived_stays_as_it_is_when_somebody_is_forgotten(store: Store) -> None:
    await lived(store)
    await put_away(store)
    weighed = await Erasure(store).weigh(FoundPerson((BOB,), (), ()))
    assert weighed.tables == 3  # all but the third
    before = [await Journal(store).of(each) for each in TABLES]
    await Erasure(store).forget(FoundPerson((BOB,), (), ()), LATE)
    after = [await Journal(store).of(each) for each in TABLES]
    assert after == before
    assert await faults(store) == []
    assert [each.credits for each in await Histories(store).newest(wallet(ALICE), 2)] == [-1, -5]


async def test_a_damaged_archive_is_told_as_a_corrupt_table(doctored: Store) -> None:
    await lived(doctored)
    await put_away(doctored)
    await doctor(doctored, "DELETE FROM archive WHERE table_id = 't1'")
    with pytest.raises(ValueError, match="not in the archive"):
        await Journal(doctored).of("t1")
