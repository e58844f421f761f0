from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from itertools import count, pairwise
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, rows
from chatbot.wallets.audit import breaches
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.posting import Closed, Entry, LedgerError, Moved, Posting, Remembered, Short
from chatbot.wallets.store import Store
from chatbot.wallets.stories import Step, Stories, Story

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
    before_each_statement,
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

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

pytestmark = pytest.mark.slow


async def accepted(attempts: Collection[Awaitable[bool]]) -> int:
    """Run all at once; count those written now, and allow no other refusal than Short."""
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert all(each in {True, False} or isinstance(each, Short) for each in results), results
    return results.count(True)


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
    transfers = [row for row in (await everything(store))["transfer"] if row[1] == "win"]
    assert [(row[0], row[4], row[5], row[6], row[7]) for row in transfers] == [
        ("win:1", MINT, HOUSE, 70, "bankroll"),  # 100 - 30
        ("win:2", HOUSE, wallet(ALICE), 100, "win"),
    ]


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
    assert (short.value.account, short.value.balance) == (wallet(ALICE), 100)
    assert await books(store) == before


async def test_a_wallet_nobody_has_heard_of_is_empty(store: Store, ledger: Ledger) -> None:
    before = await books(store)
    with pytest.raises(Short) as short:
        await ledger.post(gift(ALICE, BOB, 1))
    assert (short.value.account, short.value.balance) == (wallet(ALICE), 0)
    assert await books(store) == before


async def test_credits_may_pass_through_a_purse_within_one_posting(ledger: Ledger) -> None:
    through = Entry(wallet(ALICE), wallet(BOB), 10, "gift"), Entry(MINT, wallet(ALICE), 10, "payday")
    assert await ledger.post(posting(*through))
    assert await ledger.balances([wallet(ALICE), wallet(BOB)]) == {wallet(ALICE): 0, wallet(BOB): 10}


async def test_two_entries_of_one_posting_cannot_overdraw_together(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    with pytest.raises(Short):  # 60 + 60 > 100
        await ledger.post(posting(*[Entry(wallet(ALICE), wallet(BOB), 60, "gift")] * 2))


async def test_of_200_concurrent_stakes_of_10_a_wallet_of_100_pays_10(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(posting(opening=OPENING))
    stakes = [posting(Entry(wallet(ALICE), POT, 10, "stake"), table=TABLE) for _ in range(200)]
    assert await accepted([ledger.post(each) for each in stakes]) == 10
    assert await ledger.balances([wallet(ALICE), POT]) == {wallet(ALICE): 0, POT: 100}


@pytest.mark.usefixtures("threads")
async def test_two_stores_on_one_database_cannot_overdraw_together(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await ledger.post(grant(ALICE, 100))
    both = [(each, gift(ALICE, BOB, 10)) for each in (ledger, Ledger(other)) for _ in range(100)]
    assert await accepted([each.post(stake) for each, stake in both]) == 10
    assert await ledger.balances([wallet(ALICE), wallet(BOB)]) == {wallet(ALICE): 0, wallet(BOB): 100}
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_two_stores_that_touch_the_same_accounts_never_wait_in_a_circle(
    url: str, ledger: Ledger
) -> None:
    other = await Store.open(url)
    luck = random.Random(7)

    def shuffle(names: list[str]) -> Posting:
        luck.shuffle(names)
        paid = [Entry(MINT, name, 1, "payday") for name in names]
        passed = [Entry(source, target, 1, "win") for source, target in pairwise([HOUSE, *names])]
        return posting(*paid, *passed)

    for day in range(5):  # each with accounts that are new to both
        names = [wallet(Seat(f"twitch:{day}.{number}")) for number in range(300)]
        both = [each.post(shuffle(names)) for each in (ledger, Ledger(other)) for _ in range(2)]
        assert await accepted(both) == 4
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_of_two_decisions_on_one_balance_one_holds(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    for held in range(20):
        payday = Entry(MINT, wallet(ALICE), 1, "payday")
        both = [each.post(posting(payday, expects={wallet(ALICE): held})) for each in (ledger, Ledger(other))]
        first, second = await asyncio.gather(*both, return_exceptions=True)
        assert (first is True and isinstance(second, Moved)) or (second is True and isinstance(first, Moved))
    await other.close()


async def test_a_posting_id_is_written_once(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    stake = opening(ALICE, 40)
    assert await ledger.post(stake)
    after = await everything(store)
    assert not await ledger.post(stake)
    assert not await ledger.post(stake)
    assert await everything(store) == after


async def test_a_redelivery_after_the_end_of_the_table_is_still_harmless(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    stake = joining(ALICE, 10)
    await ledger.post(stake)
    end = settling(Entry(POT, wallet(ALICE), 50, "win"))
    assert [await ledger.post(each) for each in (end, end, stake)] == [True, False, False]
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}


@pytest.mark.usefixtures("threads")
async def test_one_posting_id_through_two_stores_is_written_once(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    grants = [grant(ALICE, 1) for _ in range(30)]
    assert await accepted([each.post(one) for one in grants for each in (ledger, Ledger(other))]) == 30
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 30}
    await other.close()


async def test_a_balance_that_changed_since_it_was_looked_at_is_decided_afresh(
    store: Store, ledger: Ledger
) -> None:
    await ledger.post(grant(ALICE, 100))
    all_in = posting(Entry(wallet(ALICE), wallet(BOB), 100, "all"), expects={wallet(ALICE): 100})
    await ledger.post(gift(ALICE, CAROL, 1))
    before = await books(store)
    with pytest.raises(Moved) as moved:
        await ledger.post(all_in)
    assert moved.value.account == wallet(ALICE)
    assert await books(store) == before


async def test_a_balance_may_be_expected_of_a_purse_that_does_not_pay(ledger: Ledger) -> None:
    expects = {wallet(BOB): 0}
    assert await ledger.post(posting(Entry(MINT, wallet(ALICE), 1, "payday"), expects=expects))
    await ledger.post(grant(BOB, 1))
    with pytest.raises(Moved):
        await ledger.post(posting(Entry(MINT, wallet(ALICE), 1, "payday"), expects=expects))


async def test_a_table_settles_once(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    before = await books(store)
    for late in (settling(), settling(Entry(HOUSE, wallet(ALICE), 40, "win")), joining(ALICE, 5)):
        with pytest.raises(Closed) as closed:
            await ledger.post(late)
        assert closed.value.table == TABLE
    assert await books(store) == before


async def test_a_void_table_cannot_settle_nor_be_voided_again(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    await ledger.void(TABLE, AT)
    before = await books(store)
    with pytest.raises(Closed):
        await ledger.post(settling())
    assert await ledger.void(TABLE, AT) == ()
    assert await books(store) == before


async def test_a_settled_table_cannot_be_voided(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    await ledger.post(settling(Entry(POT, HOUSE, 40, "loss")))
    before = await everything(store)
    assert await ledger.void(TABLE, AT) == ()
    assert await everything(store) == before


@pytest.mark.usefixtures("threads")
async def test_of_an_end_and_a_void_at_once_one_happens(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    ends = [settling(Entry(POT, HOUSE, 40, "loss")) for _ in range(5)]
    results = await asyncio.gather(
        *(ledger.post(each) for each in ends),
        *(Ledger(other).void(TABLE, AT) for _ in range(5)),
        return_exceptions=True,
    )
    assert [each for each in results if each and not isinstance(each, Closed)] in (
        [True],
        [(Entry(POT, wallet(ALICE), 40, "refund"),)],
    )
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_a_stake_that_meets_a_void_is_refunded_or_refused(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await ledger.post(grant(ALICE, 100))
    for number in range(10):
        table = f"t{number}"
        await ledger.post(posting(opening=replace(OPENING, table=table)))
        stake = posting(Entry(wallet(ALICE), accounts.pot(table), 40, "stake"), table=table)
        taken, void = await asyncio.gather(
            ledger.post(stake), Ledger(other).void(table, AT), return_exceptions=True
        )
        refund = (Entry(accounts.pot(table), wallet(ALICE), 40, "refund"),)
        assert (taken is True and void == refund) or (isinstance(taken, Closed) and void == ())
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}
    await other.close()


async def test_the_gate_itself_opens_once(store: Store, ledger: Ledger) -> None:
    """Whoever gets past the checks before it meets it still."""
    await ledger.post(posting(opening=OPENING, settles=True))
    with pytest.raises(Closed):
        await store.write(partial(rows.close, posting=settling(), end="void"))


async def test_a_table_that_was_never_opened_takes_nothing(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    with pytest.raises(Closed):
        await ledger.post(joining(ALICE, 5))


async def test_a_pot_that_is_not_empty_cannot_settle(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    before = await everything(store)
    for end in (settling(), settling(Entry(POT, wallet(ALICE), 39, "win"))):
        with pytest.raises(LedgerError, match="must be empty"):
            await ledger.post(end)
    assert await everything(store) == before


async def test_a_pot_pays_no_more_than_it_holds(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    before = await books(store)
    with pytest.raises(Short) as short:
        await ledger.post(settling(Entry(POT, wallet(ALICE), 41, "win")))
    assert (short.value.account, short.value.balance) == (POT, 40)
    assert await books(store) == before


async def test_a_table_may_open_and_settle_in_one_posting(ledger: Ledger) -> None:
    assert await ledger.post(posting(opening=OPENING, settles=True))
    assert await Stories(ledger._store).open_in("den") == []


async def test_another_community_cannot_play_at_the_table(ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING))
    with pytest.raises(LedgerError, match="'elsewhere'"):
        await ledger.post(Posting("foreign", "elsewhere", AT, table=TABLE))


async def test_a_table_opens_once_and_a_turn_is_played_once(store: Store, ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING, turns=(turn(1),)))
    before = await books(store)
    for again in (posting(opening=OPENING), posting(table=TABLE, turns=(turn(1),))):
        with pytest.raises((LedgerError, IntegrityError)):
            await ledger.post(again)
    assert await books(store) == before


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


class Crash(Exception):  # noqa: N818
    pass


def at(moment: int, act: Callable[[], None]) -> Callable[[], None]:
    """Make a hook that acts at its so manieth call."""
    calls = count(1)

    def hook() -> None:
        if next(calls) == moment:
            act()

    return hook


def crash() -> None:
    raise Crash


async def first_survived(store: Store, attempt: Callable[[], Awaitable[object]]) -> int:
    """Let the attempt fail at its first statement, at its second and so on; tell when it came through."""
    before = await everything(store)
    for moment in range(1, 100):
        with before_each_statement(store, at(moment, crash)):
            try:
                await attempt()
            except Crash:
                assert await everything(store) == before
            else:
                return moment
    raise AssertionError("it never came through")


async def test_a_posting_that_fails_at_any_statement_leaves_nothing(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    record = Remembered("den", "heist", ALICE, "{}")
    end = posting(
        Entry(HOUSE, wallet(ALICE), 9, "win"),
        Entry(POT, wallet(ALICE), 40, "win"),
        table=TABLE,
        turns=(turn(2),),
        records=(record,),
        settles=True,
    )
    # Id, table, new accounts, balances, posting, transfers, turn, record, moves, gate and COMMIT come before.
    assert await first_survived(store, lambda: ledger.post(end)) >= 12
    # 100 - 40 + 40 + 9
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 109}


async def test_a_void_that_fails_at_any_statement_leaves_the_table_open(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    # The table, its transfers and its pot are looked at, and then it is a posting like any other.
    assert await first_survived(store, lambda: ledger.void(TABLE, AT)) >= 12
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}


def cancelling(task: asyncio.Task[bool]) -> Callable[[], None]:
    def cancel() -> None:
        task.cancel()

    return cancel


async def test_a_cancelled_post_is_whole_or_absent(url: str) -> None:
    """Cancelled before each statement in turn, and before the commit: it goes on, and is whole."""
    cancelled = 0
    for moment in range(1, 100):
        store = await Store.open(url)
        ledger = Ledger(store)
        pay = posting(Entry(MINT, wallet(ALICE), 10, "payday"), name=f"pay-{moment}")
        task = asyncio.create_task(ledger.post(pay))
        with before_each_statement(store, at(moment, cancelling(task))):
            (result,) = await asyncio.gather(task, return_exceptions=True)
            await store.close()
        store = await Store.open(url)
        assert await Ledger(store).balances([wallet(ALICE)]) == {wallet(ALICE): 10 * moment}
        assert await breaches(store) == []
        await store.close()
        if not isinstance(result, asyncio.CancelledError):
            break
        cancelled += 1
    # id, new accounts, balances, posting, transfers, moves and COMMIT at least.
    assert cancelled >= 7


async def test_a_post_cancelled_while_it_waits_for_its_turn_is_whole_or_absent(ledger: Ledger) -> None:
    posts = [asyncio.create_task(ledger.post(grant(ALICE, 1))) for _ in range(20)]
    await asyncio.sleep(0)
    for each in posts[::2]:
        each.cancel()
    results = await asyncio.gather(*posts, return_exceptions=True)
    assert results[1::2] == [True] * 10
    assert await ledger.post(grant(BOB, 1))  # the queue goes on, behind those
    held = (await ledger.balances([wallet(ALICE)]))[wallet(ALICE)]
    assert 10 <= held <= 20


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
    assert await Stories(ledger._store).open_in("den") == []


async def test_a_void_returns_what_house_and_mint_put_in(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
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
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))
    await doctor(doctored, "UPDATE account SET balance = 47 WHERE kind = 'pot'")
    await ledger.void(TABLE, AT)
    assert await ledger.balances([POT, HOUSE, wallet(ALICE)]) == {POT: 0, HOUSE: 7, wallet(ALICE): 100}


async def test_a_table_without_stakes_is_voided_too(ledger: Ledger) -> None:
    await ledger.post(posting(opening=OPENING))
    assert await ledger.void(TABLE, AT) == ()
    assert await Stories(ledger._store).open_in("den") == []


async def test_the_ranking_has_the_richest_first_and_equals_by_seat(ledger: Ledger) -> None:
    for seat, held in ((CAROL, 5), (BOB, 9), (ALICE, 5)):
        await ledger.post(grant(seat, held))
    await ledger.post(posting(Entry(MINT, HOUSE, 1000, "start")))
    await ledger.post(Posting("far", "far", AT, entries=(Entry("mint:far", "wallet:far:x:1", 7, "payday"),)))
    assert await ledger.top(HOME, 9) == [(BOB, 9), (CAROL, 5), (ALICE, 5)]  # "discord:3" < "twitch:1"
    places = [await ledger.place(HOME, seat) for seat in (BOB, CAROL, ALICE, Seat("twitch:99"))]
    assert places == [1, 2, 2, 4]  # nobody has less than the unknown: 1 + 3


async def test_equal_wallets_are_ordered_alike_on_every_database(ledger: Ledger) -> None:
    seats = [Seat(f"x:{name}") for name in ("b", "B", "a", "_", "é", "Z", "10", "9")]
    for seat in seats:
        await ledger.post(grant(seat, 1))
    assert [seat for seat, _ in await ledger.top(HOME, 99)] == sorted(seats)  # by code point


async def test_a_story_tells_all_that_a_replay_needs(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    first = replace(opening(ALICE, 40), id="first", turns=tuple(turn(number) for number in range(1, 12)))
    second = replace(joining(ALICE, 2, number=12), id="second")
    for each in (first, second):
        await ledger.post(each)
    stories = Stories(store)
    assert await stories.open_in("den") == [(TABLE, "heist")]
    story = await stories.of(TABLE)
    assert story == Story(
        *(TABLE, "den", HOME, "heist", 3, '{"rake":5}', b"\x00\xffseed", "open", AT, None),
        steps=(Step("first", first.turns, first.entries), Step("second", second.turns, second.entries)),
    )
    assert {each.at for step in story.steps for each in step.turns} == {AT}
    assert await stories.of("unknown") is None
    await ledger.void(TABLE, AT)
    assert await stories.open_in("den") == []
    story = await stories.of(TABLE)
    assert story is not None
    assert (story.state, story.others) == ("void", (Entry(POT, wallet(ALICE), 42, "refund"),))


async def test_times_are_the_same_instant_from_every_zone(store: Store, ledger: Ledger) -> None:
    noon = datetime(2026, 7, 1, 12, 0, 0, 999, tzinfo=timezone(timedelta(hours=9)))
    await ledger.post(Posting("tokyo", HOME, noon, opening=OPENING))
    story = await Stories(store).of(TABLE)
    assert story is not None
    assert story.opened_at == noon.replace(microsecond=0)  # whole milliseconds are kept
    assert story.opened_at.utcoffset() == timedelta(0)


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


@pytest.mark.parametrize("seed", range(3))
async def test_a_random_day_with_every_line_delivered_three_times_ends_sound(
    store: Store, ledger: Ledger, seed: int
) -> None:
    luck = random.Random(seed)
    seats = [ALICE, BOB, CAROL]
    pots: dict[str, int] = {}

    def stake(table: str) -> Posting:
        amount = luck.randint(1, 60)
        entry = Entry(wallet(luck.choice(seats)), accounts.pot(table), amount, "stake")
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
            held = (await ledger.balances([accounts.pot(table)]))[accounts.pot(table)]
            win = (Entry(accounts.pot(table), wallet(luck.choice(seats)), held, "win"),) if held else ()
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
    copied = "INSERT INTO transfer SELECT 'x:9', id, community, NULL, 'a', 'b', {}, 'why', '', 0 FROM posting"
    for change in (
        *(copied.format(amount) for amount in ("0", "-1", "1000000000000001", "NULL")),
        "UPDATE account SET balance = -1 WHERE kind = 'wallet'",
        "UPDATE account SET balance = 'many'",
        "UPDATE account SET kind = 'purse'",
    ):
        with pytest.raises(DBAPIError):
            await doctor(store, change)
    async with store.reading() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM transfer"))).scalar() == 1


async def test_a_reader_that_was_lost_is_replaced(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    ledger = Ledger(store)
    async with store.reading() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        await raw.close()
    with pytest.raises(SQLAlchemyError):
        await ledger.balances(["house:town"])
    assert await ledger.balances(["house:town"]) == {"house:town": 0}
    await store.close()
