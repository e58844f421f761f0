"""A small community and what happens in it."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, select, text

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, schema
from chatbot.wallets.posting import Entry, Opening, Posting, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Select, Table

    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.store import Store

AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
HOME = "local"
ALICE, BOB, CAROL = Seat("twitch:1"), Seat("twitch:2"), Seat("discord:3")
HOUSE, MINT = accounts.house(HOME), accounts.mint(HOME)
TABLE = "table-1"
POT = accounts.pot(TABLE)
OPENING = Opening(TABLE, "den", "heist", 3, '{"rake":5}')

_numbers = count(1)


def wallet(seat: Seat) -> str:
    return accounts.wallet(HOME, seat)


def posting(*entries: Entry, name: str = "", **rest: Any) -> Posting:
    """Make a posting of its own id unless it is given a name."""
    return Posting(name or f"posting-{next(_numbers)}", HOME, AT, entries=entries, **rest)


def grant(seat: Seat, amount: int) -> Posting:
    return posting(Entry(MINT, wallet(seat), amount, "payday"))


def gift(source: Seat, target: Seat, amount: int) -> Posting:
    return posting(Entry(wallet(source), wallet(target), amount, "gift"))


def opening(seat: Seat, stake: int) -> Posting:
    """The seat opens the table with its stake: turn 1."""
    return posting(Entry(wallet(seat), POT, stake, "stake"), opening=OPENING, turns=(turn(1),))


async def staked(ledger: Ledger) -> None:
    """Let ALICE, who has 100 credits, open the table with 40 of them."""
    await ledger.post(grant(ALICE, 100))
    await ledger.post(opening(ALICE, 40))


def joining(seat: Seat, stake: int, number: int = 2) -> Posting:
    return posting(Entry(wallet(seat), POT, stake, "stake"), table=TABLE, turns=(turn(number),))


def settling(*entries: Entry) -> Posting:
    return posting(*entries, table=TABLE, settles=True)


PAIRS = 9_300  # of 10**15 each way: 9.3 * 10**18, and 64 bits end at 9.22 * 10**18


def back_and_forth(one: str, other: str, why: str) -> Iterator[Entry]:
    """Move more than 64 bits hold, all of it there first and then all of it back."""
    for source, target in ((one, other), (other, one)):
        for _ in range(PAIRS):
            yield Entry(source, target, MOST, why)


def turn(number: int, table: str = TABLE) -> Turn:
    return Turn(table, number, f'{{"Join":{number}}}', "{}", f"message-{number}")


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row of every table, but for the numbers of notes: a server leaves some of them out."""
    async with store.reading() as connection:
        return {
            name: sorted(map(tuple, await connection.execute(_whole(table))), key=repr)
            for name, table in schema.account.metadata.tables.items()
        }


def _whole(table: Table) -> Select[tuple[Any, ...]]:
    return select(schema.unchecked.c.transfer) if table is schema.unchecked else select(table)


async def books(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row but kept refusals and purses that nobody has used: what no refusal may change."""
    found = await everything(store)
    held = {row for row in found["account"] if row[3] != 0}
    used = {name for row in found["transfer"] for name in (row[4], row[5])}
    found["account"] = [row for row in found["account"] if row in held or row[0] in used]
    del found["refusal"]
    return found


async def doctor(store: Store, *statements: str) -> None:
    """Do to the books what the ledger never would."""

    async def work(connection: Any) -> None:
        for each in statements:
            await connection.execute(text(each))

    await store.write(work)


@contextmanager
def before_each_statement(store: Store, hook: Callable[[], None]) -> Iterator[None]:
    """Call the hook before every statement of the writer, its BEGIN and COMMIT among them."""
    engine = store._writer.sync_engine

    def executing(*_: object) -> None:
        hook()

    event.listen(engine, "before_cursor_execute", executing)
    event.listen(engine, "commit", executing)
    yield
    event.remove(engine, "before_cursor_execute", executing)
    event.remove(engine, "commit", executing)
