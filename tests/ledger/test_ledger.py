"""What is posted is paid whole or not at all: nobody overdraws, and what was paid is never changed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, Moved, Posting, Remembered, Short
from chatbot.ledger.store.store import Store

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
    gift,
    grant,
    joining,
    opening,
    posting,
    settling,
    turn,
    wallet,
)

pytestmark = pytest.mark.slow


async def test_every_kind_of_posting_leaves_the_books_sound(store: Store, ledger: Ledger) -> None:
    record = Remembered("den", "heist", ALICE, "{}")
    for each in (
        grant(ALICE, 100),
        grant(BOB, 100),
        gift(ALICE, BOB, 7),
        opening(ALICE, 50),
        joining(BOB, 60),
        posting(table=TABLE, turns=(turn(3),), records=(record,)),
        posting(Entry(wallet(BOB), HOUSE, 1, "fine"), table=TABLE, turns=(turn(4),)),
        settling(Entry(POT, wallet(BOB), 100, "win"), Entry(POT, HOUSE, 10, "rake")),
        posting(Entry(wallet(BOB), MINT, 5, "gone")),
    ):
        assert await ledger.post(each)
        assert await breaches(store) == []
    # Alice: 100 - 7 - 50. Bob: 100 + 7 - 60 - 1 + 100 - 5. House: 1 + 10. Mint: -200 + 5.
    expected = {wallet(ALICE): 43, wallet(BOB): 141, HOUSE: 11, MINT: -195, POT: 0}
    assert await ledger.balances(expected) == expected


async def test_the_house_is_good_for_its_debts_at_the_mints_cost(store: Store, ledger: Ledger) -> None:
    await ledger.post(posting(Entry(MINT, HOUSE, 30, "start")))
    await ledger.post(posting(Entry(HOUSE, wallet(ALICE), 100, "win"), name="win"))
    assert await ledger.balances([HOUSE, MINT, wallet(ALICE)]) == {HOUSE: 0, MINT: -100, wallet(ALICE): 100}
    assert await ledger.moved("win") == (
        Entry(MINT, HOUSE, 70, "bankroll"),  # 100 - 30
        Entry(HOUSE, wallet(ALICE), 100, "win"),
    )


async def test_a_house_that_can_pay_does_not_ask_the_mint(ledger: Ledger) -> None:
    await ledger.post(posting(Entry(MINT, HOUSE, 100, "start")))
    await ledger.post(posting(Entry(HOUSE, wallet(ALICE), 100, "win")))
    assert await ledger.balances([HOUSE, MINT]) == {HOUSE: 0, MINT: -100}


async def test_a_bankroll_beyond_the_largest_amount_comes_in_parts(ledger: Ledger) -> None:
    wins = [Entry(HOUSE, wallet(seat), MOST, "win") for seat in (ALICE, BOB, CAROL)]
    assert await ledger.post(posting(*wins))
    assert await ledger.balances([HOUSE, MINT]) == {HOUSE: 0, MINT: -3 * MOST}


async def test_an_overdraft_is_refused_and_nothing_has_changed(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    before = await books(store)
    with pytest.raises(Short) as short:
        await ledger.post(opening(ALICE, 101))
    assert (short.value.purse, short.value.balance) == (wallet(ALICE), 100)
    assert await books(store) == before


async def test_a_wallet_nobody_has_heard_of_is_empty(store: Store, ledger: Ledger) -> None:
    before = await books(store)
    with pytest.raises(Short) as short:
        await ledger.post(gift(ALICE, BOB, 1))
    assert (short.value.purse, short.value.balance) == (wallet(ALICE), 0)
    assert await books(store) == before


async def test_credits_may_pass_through_a_purse_within_one_posting(ledger: Ledger) -> None:
    through = Entry(wallet(ALICE), wallet(BOB), 10, "gift"), Entry(MINT, wallet(ALICE), 10, "payday")
    assert await ledger.post(posting(*through))
    assert await ledger.balances([wallet(ALICE), wallet(BOB)]) == {wallet(ALICE): 0, wallet(BOB): 10}


async def test_two_entries_of_one_posting_cannot_overdraw_together(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    with pytest.raises(Short):  # 60 + 60 > 100
        await ledger.post(posting(*[Entry(wallet(ALICE), wallet(BOB), 60, "gift")] * 2))


async def test_a_posting_id_is_written_once(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    stake = opening(ALICE, 40)
    assert await ledger.post(stake)
    after = await everything(store)
    assert not await ledger.post(stake)
    assert not await ledger.post(stake)
    assert await everything(store) == after


async def test_a_balance_that_changed_since_it_was_looked_at_is_decided_afresh(
    store: Store, ledger: Ledger
) -> None:
    await ledger.post(grant(ALICE, 100))
    all_in = posting(Entry(wallet(ALICE), wallet(BOB), 100, "all"), expects={wallet(ALICE): 100})
    await ledger.post(gift(ALICE, CAROL, 1))
    before = await books(store)
    with pytest.raises(Moved) as moved:
        await ledger.post(all_in)
    assert moved.value.purse == wallet(ALICE)
    assert await books(store) == before


async def test_a_balance_may_be_expected_of_a_purse_that_does_not_pay(ledger: Ledger) -> None:
    expects = {wallet(BOB): 0}
    assert await ledger.post(posting(Entry(MINT, wallet(ALICE), 1, "payday"), expects=expects))
    await ledger.post(grant(BOB, 1))
    with pytest.raises(Moved):
        await ledger.post(posting(Entry(MINT, wallet(ALICE), 1, "payday"), expects=expects))


async def test_transfers_are_never_changed(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    before = await everything(store)
    changes = ["UPDATE transfer SET credits = 1", "DELETE FROM transfer"]
    if store._writer.dialect.name == "postgresql":
        changes.append("TRUNCATE transfer")
    else:
        changes.append("REPLACE INTO transfer SELECT * FROM transfer")
    for change in changes:
        with pytest.raises(DBAPIError, match="never changed"):
            await doctor(store, change)
    assert await everything(store) == before


async def test_the_ranking_has_the_richest_first_and_equals_by_seat(ledger: Ledger) -> None:
    for seat, held in ((CAROL, 5), (BOB, 9), (ALICE, 5)):
        await ledger.post(grant(seat, held))
    await ledger.post(posting(Entry(MINT, HOUSE, 1000, "start")))
    far = Entry(purses.mint("far"), purses.wallet("far", Seat("x:1")), 7, "payday")
    await ledger.post(Posting("far", "far", AT, entries=(far,)))
    assert await ledger.top(HOME, 9) == [(BOB, 9), (CAROL, 5), (ALICE, 5)]  # "discord:3" < "twitch:1"
    places = [await ledger.place(HOME, seat) for seat in (BOB, CAROL, ALICE, Seat("twitch:99"))]
    assert places == [1, 2, 2, 4]  # nobody has less than the unknown: 1 + 3


async def test_equal_wallets_are_ordered_alike_on_every_database(ledger: Ledger) -> None:
    seats = [Seat(f"x:{name}") for name in ("b", "B", "a", "_", "é", "Z", "10", "9")]
    for seat in seats:
        await ledger.post(grant(seat, 1))
    assert [seat for seat, _ in await ledger.top(HOME, 99)] == sorted(seats)  # by code point


async def test_records_are_kept_by_room_game_and_seat(ledger: Ledger) -> None:
    first = [Remembered("den", "heist", seat, f"1 of {seat}") for seat in (ALICE, BOB)]
    other = [Remembered("den", "highshow", ALICE, "h"), Remembered("bar", "heist", ALICE, "b")]
    await ledger.post(posting(records=(*first, *other)))
    await ledger.post(posting(records=(Remembered("den", "heist", ALICE, "2"),)))
    assert await ledger.records("den", "heist") == {ALICE: "2", BOB: "1 of twitch:2"}
    assert await ledger.records("den", "heist", [BOB, CAROL]) == {BOB: "1 of twitch:2"}
    assert await ledger.records("den", "heist", []) == {}


async def test_a_crowd_beyond_the_parameters_of_one_statement_is_asked_about(ledger: Ledger) -> None:
    crowd = [Seat(f"twitch:{number}") for number in range(40_000)]
    paid = [Entry(MINT, wallet(seat), 1, "payday") for seat in crowd[:12_000]]
    await ledger.post(posting(*paid, records=(Remembered("den", "heist", crowd[39_999], "last"),)))
    found = await ledger.balances([wallet(seat) for seat in crowd])
    assert (len(found), sum(found.values())) == (40_000, 12_000)
    assert await ledger.records("den", "heist", crowd) == {crowd[39_999]: "last"}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (1, 2))])
async def test_a_random_day_with_every_line_delivered_three_times_ends_sound(
    store: Store, ledger: Ledger, seed: int
) -> None:
    luck = random.Random(seed)
    seats = [ALICE, BOB, CAROL]
    pots: dict[str, int] = {}

    def stake(table: str) -> Posting:
        amount = luck.randint(1, 60)
        entry = Entry(wallet(luck.choice(seats)), purses.pot(HOME, table), amount, "stake")
        return posting(entry, table=table)

    for step in range(40):
        table = f"t{luck.randint(1, 4)}.{step // 20}"
        if luck.random() < 0.3:
            line = grant(luck.choice(seats), luck.randint(1, 100))
        elif luck.random() < 0.3:
            giver, taker = luck.sample(seats, 2)
            line = gift(giver, taker, luck.randint(1, 100))
        elif table not in pots:
            line = posting(opening=replace(OPENING, table=table))
            pots[table] = 0
        elif luck.random() < 0.6:
            line = stake(table)
        elif luck.random() < 0.3:
            await ledger.void(table, AT)
            continue
        else:
            held = (await ledger.balances([purses.pot(HOME, table)]))[purses.pot(HOME, table)]
            win = (Entry(purses.pot(HOME, table), wallet(luck.choice(seats)), held, "win"),) if held else ()
            line = posting(*win, table=table, settles=True)
        answers: list[object] = []
        for _ in range(3):
            try:
                answers.append(await ledger.post(line))
            except (Short, Closed) as refusal:
                answers.append(type(refusal).__name__)
            assert await breaches(store) == []
        assert answers == [True, False, False] or len(set(answers)) == 1


async def test_the_databases_own_checks_stand_behind_the_ledger(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    copied = (
        "INSERT INTO transfer (posting, number, community, source, target, credits, why, actor, created_at) "
        "SELECT posting, {}, community, {}, target, {}, why, actor, created_at FROM transfer"
    )
    for change in (
        *(copied.format(2, "source", amount) for amount in ("0", "-1", "1000000000000001", "NULL")),
        *(copied.format(number, "source", 1) for number in (0, 1)),  # and 1 is there
        copied.format(2, 99_999, 1),  # a purse that is not there
        "UPDATE purse SET balance = -1 WHERE kind = 'person'",
        "UPDATE purse SET balance = 'many'",
        "UPDATE purse SET kind = 'purse'",
        "UPDATE purse SET kind = 'house'",
        "UPDATE purse SET owner = ''",
        "DELETE FROM purse",
    ):
        with pytest.raises(DBAPIError):
            await doctor(store, change)
    async with store.reading() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM transfer"))).scalar() == 1


async def test_a_reader_that_was_lost_is_replaced(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    ledger, house = Ledger(store), purses.house("town")
    async with store.reading() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        await raw.close()
    with pytest.raises(SQLAlchemyError):
        await ledger.balances([house])
    assert await ledger.balances([house]) == {house: 0}
    await store.close()
