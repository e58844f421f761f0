"""What a person received of others: what people lost to them, and nothing that the house did."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import LINKED, Entry
from chatbot.ledger.receipts import Receipts

from .samples import ALICE, AT, HOME, HOUSE, MINT, OPENING, gift, grant, posting, wallet

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

BOB, CAT, NASH = Seat("bob"), Seat("cat"), Seat("house:nash")
DAY = timedelta(days=1)


async def received(store: Store, *own: Purse, reasons: Collection[str] = ()) -> int:
    """Tell what the person who has these wallets received on the day."""
    (found,) = await Receipts(store).between(AT - DAY, AT + DAY, [own or [wallet(ALICE)]], reasons)
    return found


async def shared(store: Store, stakes: dict[Seat, int], **won: int) -> None:
    """Play for a pot: everybody stakes, and gets what they have won."""
    ledger, pot = Ledger(store), purses.pot(HOME, "t1")
    for each, stake in stakes.items():
        source = HOUSE if each == NASH else MINT
        await ledger.post(posting(Entry(source, wallet(each), stake, "allowance")))
    paid = [Entry(wallet(each), pot, stake, "stake") for each, stake in stakes.items()]
    got = [Entry(pot, wallet(Seat(each)), held, "won") for each, held in won.items()]
    await ledger.post(posting(*paid, *got, opening=replace(OPENING, table="t1"), settles=True))


async def test_of_a_pot_counts_what_people_lost_and_not_what_players_of_the_house_did(store: Store) -> None:
    await shared(store, {ALICE: 100, BOB: 100, NASH: 300}, **{ALICE: 500})
    assert await received(store) == 100  # of 400 that Alice won 300 are the house's


async def test_what_only_players_of_the_house_lost_was_received_of_nobody(store: Store) -> None:
    await shared(store, {ALICE: 100, NASH: 300}, **{ALICE: 400})
    assert await received(store) == 0


async def test_of_a_pot_with_two_winners_each_received_losses_in_proportion(store: Store) -> None:
    await shared(store, {ALICE: 100, BOB: 100, CAT: 300}, **{ALICE: 300, BOB: 200})
    assert await received(store) == 200  # won 200 of the 300 that Cat lost
    assert await received(store, wallet(BOB)) == 100
    assert await received(store, wallet(CAT)) == 0


async def test_what_one_s_own_other_wallet_lost_was_received_of_nobody(store: Store) -> None:
    await shared(store, {ALICE: 100, BOB: 100, CAT: 100}, **{ALICE: 300})
    assert await received(store, wallet(ALICE), wallet(BOB)) == 100  # 200 less 100: all that Cat lost


@pytest.mark.parametrize(("reasons", "counted"), [((), 0), (("winnings",), 25)])
async def test_what_the_house_pays_counts_only_for_a_reason_by_which_others_had_won_it(
    store: Store, reasons: Collection[str], counted: int
) -> None:
    opening = replace(OPENING, table="t1")
    paid = [Entry(HOUSE, wallet(ALICE), 25, "winnings"), Entry(HOUSE, wallet(ALICE), 7, "payday")]
    await Ledger(store).post(posting(*paid, opening=opening, settles=True))
    assert await received(store, reasons=reasons) == counted


async def test_gifts_count_within_the_time_alone_and_what_is_granted_never(store: Store) -> None:
    ledger = Ledger(store)
    await ledger.post(grant(ALICE, 500))
    await ledger.post(grant(BOB, 100))
    await ledger.post(gift(BOB, ALICE, 40))
    assert await received(store) == 40
    (before,) = await Receipts(store).between(AT - DAY, AT, [[wallet(ALICE)]], ())
    (after,) = await Receipts(store).between(AT + DAY, AT + 2 * DAY, [[wallet(ALICE)]], ())
    assert (before, after) == (0, 0)


async def test_what_the_house_pays_beside_a_pot_is_no_part_of_what_was_won_in_it(store: Store) -> None:
    ledger, pot = Ledger(store), purses.pot(HOME, "t1")
    for each in (ALICE, BOB):
        await ledger.post(grant(each, 100))
    stakes = [Entry(wallet(each), pot, 100, "stake") for each in (ALICE, BOB)]
    won = [Entry(pot, wallet(ALICE), 150, "won"), Entry(pot, wallet(BOB), 50, "won")]
    paid = Entry(HOUSE, wallet(ALICE), 500, "payday")
    await ledger.post(posting(*stakes, *won, paid, opening=replace(OPENING, table="t1"), settles=True))
    assert await received(store) == 50  # what Bob lost


async def test_what_moves_between_wallets_of_one_person_was_received_of_nobody_but_by_a_link(
    store: Store,
) -> None:
    ledger = Ledger(store)
    await ledger.post(grant(BOB, 100))
    await ledger.post(posting(Entry(wallet(BOB), wallet(ALICE), 30, LINKED)))
    await ledger.post(posting(Entry(wallet(BOB), wallet(ALICE), 20, "import")))
    assert await received(store) == 0
    await ledger.post(posting(Entry(wallet(BOB), wallet(ALICE), 9, LINKED), name="link:1"))
    assert await received(store) == 9


async def test_what_was_linked_at_a_table_is_moved_and_not_received(store: Store) -> None:
    ledger = Ledger(store)
    await ledger.post(grant(BOB, 100))
    moved = Entry(wallet(BOB), wallet(ALICE), 30, LINKED)
    await ledger.post(posting(moved, opening=replace(OPENING, table="t1"), settles=True))
    assert await received(store) == 0
