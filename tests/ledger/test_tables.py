"""A table opens once and ends once, and what lay in its pot has gone where it belongs."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.amounts import MOST
from chatbot.ledger.books import posting_writer, purses
from chatbot.ledger.books.books import Books
from chatbot.ledger.books.journal import Journal, JournalStep, TableRecord
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, LedgerError, Posting, Short
from chatbot.ledger.store.writes import Contradiction

from .samples import (
    ALICE,
    AT,
    BOB,
    CAROL,
    HOME,
    HOUSE,
    MINT,
    OPENING,
    POT,
    TABLE,
    books,
    doctor,
    everything,
    grant,
    joining,
    opening,
    posting,
    settling,
    staked,
    turn,
    wallet,
)

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


async def test_a_redelivery_after_the_end_of_the_table_is_still_harmless(ledger: Ledger) -> None:
    await staked(ledger)
    stake = joining(ALICE, 10)
    await ledger.post(stake)
    end = settling(Entry(POT, wallet(ALICE), 50, "win"))
    assert [await ledger.post(each) for each in (end, end, stake)] == [True, False, False]
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}


async def test_a_table_settles_once(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    before = await books(store)
    for late in (settling(), settling(Entry(HOUSE, wallet(ALICE), 40, "win")), joining(ALICE, 5)):
        with pytest.raises(Closed) as closed:
            await ledger.post(late)
        assert closed.value.table == TABLE
    assert await books(store) == before


async def test_a_room_counts_as_standing_until_the_end_of_its_table_is_announced(
    store: Store, ledger: Ledger
) -> None:
    journal = Journal(store)
    await staked(ledger)
    assert await journal.standing() == ["den"]
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    assert await journal.standing() == ["den"]
    await journal.told(TABLE)
    assert await journal.standing() == []


async def test_a_void_table_cannot_settle_nor_be_voided_again(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    await ledger.void(TABLE, AT)
    before = await books(store)
    with pytest.raises(Closed):
        await ledger.post(settling())
    assert await ledger.void(TABLE, AT) == ()
    assert await books(store) == before


async def test_a_settled_table_cannot_be_voided(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    await ledger.post(settling(Entry(POT, HOUSE, 40, "loss")))
    before = await everything(store)
    assert await ledger.void(TABLE, AT) == ()
    assert await everything(store) == before


async def test_the_gate_itself_opens_once(store: Store, ledger: Ledger) -> None:
    """Whoever gets past the checks before it meets it still."""
    await ledger.post(posting(opening=OPENING, settles=True))
    books = Books({TABLE: (HOME, "open")}, {purses.pot(HOME, TABLE): 0})
    assert books.answer(replace(settling(), id="again", entries=(), turns=()))
    with pytest.raises(Contradiction):
        await store.write(partial(posting_writer.write_books, books=books))


async def test_a_table_that_was_never_opened_takes_nothing(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    with pytest.raises(Closed):
        await ledger.post(joining(ALICE, 5))


async def test_a_pot_that_is_not_empty_cannot_settle(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    before = await everything(store)
    for end in (settling(), settling(Entry(POT, wallet(ALICE), 39, "win"))):
        with pytest.raises(LedgerError, match="must be empty"):
            await ledger.post(end)
    assert await everything(store) == before


async def test_a_pot_pays_no_more_than_it_holds(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    before = await books(store)
    with pytest.raises(Short) as short:
        await ledger.post(settling(Entry(POT, wallet(ALICE), 41, "win")))
    assert (short.value.purse, short.value.balance) == (POT, 40)
    assert await books(store) == before


async def test_a_table_may_open_and_settle_in_one_posting(ledger: Ledger) -> None:
    assert await ledger.post(posting(opening=OPENING, settles=True))
    assert await Journal(ledger._store).open_in("den") == []


async def test_another_community_cannot_play_at_the_table(ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING))
    with pytest.raises(LedgerError, match="'elsewhere'"):
        await ledger.post(Posting("foreign", "elsewhere", AT, table=TABLE))


async def test_a_table_opens_once_and_a_turn_is_played_once(store: Store, ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING, turns=(turn(1),)))
    before = await books(store)
    for again in (posting(opening=OPENING), posting(table=TABLE, turns=(turn(1),))):
        with pytest.raises((LedgerError, Contradiction)):
            await ledger.post(again)
    assert await books(store) == before


async def test_a_void_returns_exactly_what_each_paid(ledger: Ledger) -> None:
    for seat, held in ((ALICE, 100), (BOB, 50), (CAROL, 10)):
        await ledger.post(grant(seat, held))
    await ledger.post(opening(ALICE, 40))
    await ledger.post(joining(BOB, 50, 2))
    await ledger.post(joining(ALICE, 5, 3))
    back = posting(Entry(POT, wallet(BOB), 20, "change"), table=TABLE)
    await ledger.post(back)
    assert await ledger.void(TABLE, AT) == (
        Entry(POT, wallet(ALICE), 45, "refund"),  # 40 + 5
        Entry(POT, wallet(BOB), 30, "refund"),  # 50 - 20
    )
    expected = {wallet(ALICE): 100, wallet(BOB): 50, wallet(CAROL): 10, POT: 0, HOUSE: 0, MINT: -160}
    assert await ledger.balances(expected) == expected
    assert await Journal(ledger._store).open_in("den") == []


async def test_a_void_returns_what_house_and_mint_put_in(ledger: Ledger) -> None:
    await staked(ledger)
    extra = Entry(HOUSE, POT, 7, "stake"), Entry(MINT, POT, 3, "bonus")
    await ledger.post(posting(*extra, table=TABLE))
    await ledger.void(TABLE, AT)
    # The house had nothing, so 7 came from the mint as its bankroll and stay with the house.
    expected = {wallet(ALICE): 100, HOUSE: 7, MINT: -107, POT: 0}
    assert await ledger.balances(expected) == expected


async def test_a_void_gives_every_stake_back_though_some_was_won_already(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 50))
    await ledger.post(grant(BOB, 50))
    await ledger.post(opening(ALICE, 50))
    await ledger.post(joining(BOB, 50))
    await ledger.post(posting(Entry(POT, wallet(ALICE), 80, "win"), table=TABLE))
    await ledger.void(TABLE, AT)
    # Alice keeps the 30 she won; Bob's 50 are 20 from the pot and 30 from the house, who lacks them.
    expected = {wallet(ALICE): 80, wallet(BOB): 50, HOUSE: 0, MINT: -130, POT: 0}
    assert await ledger.balances(expected) == expected


async def test_a_void_of_huge_stakes_comes_in_parts(ledger: Ledger) -> None:
    for number in (1, 2):
        await ledger.post(grant(ALICE, MOST))
        await ledger.post(opening(ALICE, MOST) if number == 1 else joining(ALICE, MOST))
    assert await ledger.void(TABLE, AT) == (Entry(POT, wallet(ALICE), MOST, "refund"),) * 2


async def test_a_void_ends_with_an_empty_pot_even_if_the_books_were_doctored(doctored: Store) -> None:
    ledger = Ledger(doctored)
    await staked(ledger)
    await doctor(doctored, "UPDATE purse SET balance = 47 WHERE kind = 'pot'")
    await ledger.void(TABLE, AT)
    assert await ledger.balances([POT, HOUSE, wallet(ALICE)]) == {POT: 0, HOUSE: 7, wallet(ALICE): 100}


async def test_a_table_without_stakes_is_voided_too(ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING))
    assert await ledger.void(TABLE, AT) == ()
    assert await Journal(ledger._store).open_in("den") == []


async def test_a_story_tells_all_that_a_replay_needs(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    first = replace(opening(ALICE, 40), id="first", turns=tuple(turn(number) for number in range(1, 12)))
    second = replace(joining(ALICE, 2, number=12), id="second")
    for each in (first, second):
        await ledger.post(each)
    stories = Journal(store)
    assert await stories.open_in("den") == [(TABLE, "heist")]
    story = await stories.of(TABLE)
    assert story == TableRecord(
        *(TABLE, "den", HOME, "heist", 3, '{"rake":5}', None, None, None, "open", AT, None),
        steps=(
            JournalStep("first", first.turns, first.entries),
            JournalStep("second", second.turns, second.entries),
        ),
    )
    assert {each.at for step in story.steps for each in step.turns} == {AT}
    assert await stories.of("unknown") is None
    await ledger.void(TABLE, AT)
    assert await stories.open_in("den") == []
    story = await stories.of(TABLE)
    assert story is not None
    assert (story.state, story.others) == ("void", (Entry(POT, wallet(ALICE), 42, "refund"),))


async def test_tables_that_are_read_together_are_as_each_by_itself_and_a_corrupt_row_spoils_its_own_alone(
    doctored: Store,
) -> None:
    ledger, tables = Ledger(doctored), ["one", "two", "three"]
    for table in tables:
        turns = tuple(replace(turn(number), table=table) for number in (1, 2))
        stake = Entry(wallet(ALICE), purses.pot(HOME, table), 5, "stake")
        await ledger.post(grant(ALICE, 5))
        await ledger.post(posting(stake, opening=replace(OPENING, table=table), turns=turns))
    journal = Journal(doctored)
    alone = {table: await journal.of(table) for table in tables}
    assert await journal.records([*tables, "unknown"]) == {**alone, "unknown": None}
    assert all(record is not None and len(record.steps[0].turns) == 2 for record in alone.values())
    # A time after the year 9999, which Python does not have.
    await doctor(doctored, "UPDATE journal SET at = 1000000000000000 WHERE table_id = 'two'")
    found = await journal.records(tables)
    assert {table: found[table] for table in ("one", "three")} == {t: alone[t] for t in ("one", "three")}
    assert isinstance(found["two"], ValueError)
    with pytest.raises(ValueError, match=str(found["two"])):
        await journal.of("two")


async def test_times_are_the_same_instant_from_every_zone(store: Store, ledger: Ledger) -> None:
    noon = datetime(2026, 7, 1, 12, 0, 0, 999, tzinfo=timezone(timedelta(hours=9)))
    await ledger.post(Posting("tokyo", HOME, noon, opening=OPENING))
    story = await Journal(store).of(TABLE)
    assert story is not None
    assert story.opened_at == noon.replace(microsecond=0)  # whole milliseconds are kept
    assert story.opened_at.utcoffset() == timedelta(0)
