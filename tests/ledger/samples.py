"""A small community and what happens in it."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from sqlalchemy import event, select, text

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Opening, Posting, Turn
from chatbot.ledger.limits import give
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import schema, writes
from chatbot.ledger.store.writes import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.limits import GiftLimits
    from chatbot.ledger.store.store import Store

AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
HOME = "local"
ALICE, BOB, CAROL = Seat("twitch:1"), Seat("twitch:2"), Seat("discord:3")
HOUSE, MINT = purses.house(HOME), purses.mint(HOME)
TABLE = "table-1"
POT = purses.pot(HOME, TABLE)
OPENING = Opening(TABLE, "den", "heist", 3, '{"rake":5}')

_numbers = count(1)


def readable(_: int, known_as: str) -> Seat:
    """Call a person at tables by the account that they were first seen with, such as twitch:1."""
    return Seat(known_as)


async def seen(store: Store, *seats: Seat) -> People:
    """Let the accounts that these seats are called by have been seen."""
    people = People(store, readable)
    await people.load()
    await people.settle([Account.read(seat) for seat in seats])
    return people


async def give_alone(ledger: Ledger, gift: Posting, limits: GiftLimits) -> bool:
    """Decide a gift by itself, and write it."""
    return await ledger.decide(partial(give, gift=gift, limits=limits), gift.purses())


def wallet(seat: Seat) -> Purse:
    return purses.wallet(HOME, seat)


def row(purse: Purse) -> str:
    """Say in SQL which row is that of a purse."""
    return (
        "(SELECT purse.id FROM purse JOIN community ON community.id = purse.community "  # noqa: S608
        f"WHERE name = '{purse.community}' AND kind = '{purse.kind}' AND owner = '{purse.owner}')"
    )


def kept(purse: Purse, balance: int) -> str:
    """Say in SQL that there is such a purse too; its community is there."""
    values = f"'{purse.kind}', '{purse.owner}', {balance}"
    return (
        "INSERT INTO purse (community, kind, owner, balance) "  # noqa: S608
        f"SELECT id, {values} FROM community WHERE name = '{purse.community}'"
    )


def shifted(purse: Purse, change: int) -> str:
    """Say in SQL that a purse holds so much more."""
    return f"UPDATE purse SET balance = balance + {change} WHERE id = {row(purse)}"  # noqa: S608


def smuggled(
    source: Purse, target: Purse, credits_: int = 9, *, posting: str = "x", number: int = 1, **rest: str
) -> str:
    """Say in SQL that there is one more transfer, of a posting that may not be there; `rest` is SQL too."""
    values = {"community": f"'{HOME}'", "why": "'x'", "table_id": "NULL"} | rest
    return (
        "INSERT INTO transfer "  # noqa: S608
        "(posting, number, community, table_id, source, target, credits, why, actor, created_at) "
        f"VALUES ('{posting}', {number}, {values['community']}, {values['table_id']}, "
        f"{row(source)}, {row(target)}, {credits_}, {values['why']}, '', 0)"
    )


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


def back_and_forth(one: Purse, other: Purse, why: str) -> Iterator[Entry]:
    """Move more than 64 bits hold, all of it there first and then all of it back."""
    for source, target in ((one, other), (other, one)):
        for _ in range(PAIRS):
            yield Entry(source, target, MOST, why)


def turn(number: int, table: str = TABLE) -> Turn:
    return Turn(table, number, f'{{"Join":{number}}}', "{}", f"message-{number}")


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row of every table."""
    async with store.reading() as connection:
        return {
            name: sorted(map(tuple, await connection.execute(select(table))), key=repr)
            for name, table in schema.metadata.tables.items()
        }


async def books(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row but purses that nobody has used: what no refusal may change."""
    found = await everything(store)
    used = {number for row in found["transfer"] for number in (row[5], row[6])}
    found["purse"] = [row for row in found["purse"] if row[4] != 0 or row[0] in used]
    del found["community"]
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

    def running(*given: Any) -> Any:
        hook()
        return run(*given)

    event.listen(engine, "before_cursor_execute", executing)
    event.listen(engine, "commit", executing)
    with patch.object(writes, "run", running):  # in the thread of the connection, on SQLite
        yield
    event.remove(engine, "before_cursor_execute", executing)
    event.remove(engine, "commit", executing)
