"""There are never more credits in a community than can be counted: what would make more is refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import MOST_MINTED, Entry, Exhausted, Posting, Short
from tests.bot.stage import Stage

from .samples import ALICE, BOB, HOUSE, MINT, OPENING, POT, books, gift, grant, posting, wallet

if TYPE_CHECKING:
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


def all_but(credits_: int) -> list[Entry]:
    """Bring Alice all that there may be in a community but so many credits."""
    whole, rest = divmod(MOST_MINTED - credits_, MOST)
    return [Entry(MINT, wallet(ALICE), each, "grant") for each in [MOST] * whole + [rest] * (rest > 0)]


async def test_of_9223_grants_of_the_most_at_once_9000_are_written_and_the_others_refused(
    store: Store, ledger: Ledger
) -> None:
    """The mint ends at 9 * 10**18, which 9,000 grants of 10**15 are; at 2**63 the database itself would."""
    answers = await asyncio.gather(
        *(ledger.post(grant(ALICE, MOST)) for _ in range(9223)), return_exceptions=True
    )
    assert [type(each) for each in answers].count(Exhausted) == 223
    assert answers.count(True) == 9000
    assert await ledger.balances([MINT, wallet(ALICE)]) == {MINT: -(9 * 10**18), wallet(ALICE): 9 * 10**18}
    assert await ledger.post(gift(ALICE, BOB, 69))  # the others go on


async def test_the_last_credit_can_be_granted_and_no_more(store: Store, ledger: Ledger) -> None:
    await ledger.post(posting(*all_but(5)))
    with pytest.raises(Exhausted):
        await ledger.post(grant(BOB, 6))
    assert await ledger.post(grant(BOB, 5))
    before = await books(store)
    with pytest.raises(Exhausted):
        await ledger.post(grant(BOB, 1))
    assert await books(store) == before


@pytest.mark.parametrize("paid", [[1], [MOST] * 9001], ids=["one", "more than ever"])
async def test_a_house_that_cannot_be_backed_pays_nothing(ledger: Ledger, paid: list[int]) -> None:
    await ledger.post(posting(*all_but(0)))
    with pytest.raises(Exhausted):
        await ledger.post(posting(*(Entry(HOUSE, wallet(BOB), each, "winnings") for each in paid)))
    assert await ledger.balances([HOUSE, wallet(BOB)]) == {HOUSE: 0, wallet(BOB): 0}


async def test_whoever_has_it_all_can_stake_it_and_get_it_back(ledger: Ledger) -> None:
    await ledger.post(posting(*all_but(0)))
    stakes = [Entry(wallet(ALICE), POT, MOST, "stake")] * (MOST_MINTED // MOST)
    await ledger.post(posting(*stakes, opening=OPENING))
    with pytest.raises(Short):
        await ledger.post(gift(ALICE, BOB, 1))
    await ledger.void(OPENING.table, posting().at)
    assert await ledger.balance(wallet(ALICE)) == MOST_MINTED


async def test_a_chat_is_told_in_a_sentence_and_goes_on(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.endow("ann", 0)
    entries = tuple(
        [Entry(purses.mint("town"), purses.wallet("town", Seat("test:ann")), MOST, "grant")] * 9000
    )
    await stage.bot.ledger.post(Posting("all", "town", stage.watch.date(), entries=entries))
    refused = "There are more credits here already than can be counted, so nothing was done."
    assert await stage.say("mo(moderator)", "!grant @ann 5") == [f"> mo: {refused}"]
    assert await stage.say("bob", "!credits") == ["bob has 0 credits."]  # nothing is left to welcome him with
    assert "!heist and an amount" in (await stage.say("ann", "!heist 69"))[0]
    assert "every stake" in " ".join(await stage.turn(3600))  # nor to pay the winnings: it is called off
    assert await stage.credits("ann") == 9 * 10**18
