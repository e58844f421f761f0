"""What somebody does for a channel is paid exactly once, wherever the program dies meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.ledger.deduplication import HeardLines
from chatbot.rooms.line import Happening
from tests.bot.earners import START, happens, restarted
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

PAID = [
    (Happening.FOLLOW, 0, 20),
    (Happening.SUBSCRIBE, 3, 500),
    (Happening.CHEER, 250, 250),
    (Happening.RAID, 25, 75),
]


class Transactions:
    """Counts what the database takes."""

    taken = 0


@contextmanager
def dying(store: Store, after: int) -> Iterator[Transactions]:
    """Let the program die after so many transactions: it writes nothing more."""
    told, kept = Transactions(), {name: getattr(store, name) for name in ("commit", "write")}

    def counted(name: str) -> Any:
        async def work(*items: Any) -> Any:
            if told.taken >= after:
                raise OSError("the program is gone")
            told.taken += 1
            return await kept[name](*items)

        return work

    with pytest.MonkeyPatch.context() as patch:
        for name in kept:
            patch.setattr(store, name, counted(name))
        yield told


@pytest.mark.parametrize(("kind", "amount", "earned"), PAID)
async def test_what_comes_again_after_a_crash_at_any_point_is_paid_exactly_once(
    store: Store, kind: Happening, amount: int, earned: int
) -> None:
    for after in count():
        who, occasion = f"ann{after}", f"occasion {after}"
        stage = await Stage(store, run=f"a{after}").open()
        with dying(store, after) as transactions:
            await happens(stage, kind, who, amount, occasion=occasion)
        again = await restarted(stage, run=f"b{after}")
        for _ in range(2):
            await happens(again, kind, who, amount, occasion=occasion)
        assert await again.credits(who) == earned, f"after {after} transactions"
        if transactions.taken < after:  # all of it was written: there is no later point
            return


@pytest.mark.parametrize(("kind", "amount", "earned"), PAID)
async def test_an_occasion_is_noted_in_the_transaction_that_pays_it(
    stage: Stage, store: Store, kind: Happening, amount: int, earned: int
) -> None:
    await stage.say("ann", "hello")
    await happens(stage, Happening.ONLINE, None)  # the first of an hour also sweeps up
    before = store.written
    await happens(stage, kind, "ann", amount, occasion="once")
    assert store.written == before + 1
    assert await stage.credits("ann") == START + earned
    assert await HeardLines(store).known("once")


async def test_what_earns_nothing_is_noted_all_the_same(stage: Stage, store: Store) -> None:
    await happens(stage, Happening.ONLINE, None, occasion="begun")
    assert await HeardLines(store).known("begun")
