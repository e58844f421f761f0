"""What a start and an audit ask of the books takes no more than in proportion to what is in them."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sqlite3
import sys
from collections import defaultdict
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, text

from benchmarks.aged import age
from chatbot import ledger
from chatbot.kernel.game import Seat
from chatbot.ledger.archive.archive import Archive
from chatbot.ledger.audit import checks
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.books import purses
from chatbot.ledger.books.history import Histories
from chatbot.ledger.books.journal import OPEN, Journal
from chatbot.ledger.store.reads import FixedQuery
from chatbot.ledger.store.store import Store
from chatbot.ledger.takings import Takings
from chatbot.runtime.clock import HandWatch
from tests.bot.stage import Stage

from .conftest import opened, postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncConnection

TABLES = 120
AGING = {"purse", "posting", "transfer", "game_table", "journal", "step", "heard", "change"} | {
    "archive", "archive_member",
}  # fmt: skip
"""The tables to which every game that is played, or every line that is heard, adds rows."""
CHECKS = {check: query for (check, _), query in checks._CHECKS.items()}


def written(check: str, connection: AsyncConnection, scope: checks.AuditScope = checks.ALL) -> str:
    """Write a check's query with its values in it."""
    return str(
        CHECKS[check](scope).compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
    )


async def asked(store: Store, question: str) -> Sequence[Any]:
    async with store.reading() as connection:
        return (await connection.exec_driver_sql(question)).all()


def nested(plan: Sequence[Any]) -> list[str]:
    """List what SQLite goes through once for each row of something else: loops side by side are nested.

    Rows of a plan are a number, that of the step above, and what is done.
    """
    steps = {number: (parent, detail) for number, parent, _, detail in plan}
    scans: defaultdict[int, list[str]] = defaultdict(list)
    found = []
    for parent, detail in steps.values():
        if detail.startswith("SCAN"):
            scans[parent].append(detail)
            found += [detail for each in _above(steps, parent) if each.startswith("CORRELATED")]
    return found + [each for some in scans.values() for each in some[1:]]


def _above(steps: Mapping[int, tuple[int, str]], number: int) -> Iterator[str]:
    while number:
        number, detail = steps[number]
        yield detail


@pytest.mark.parametrize("scope", [checks.ALL, checks.NEW], ids=["all", "new"])
@pytest.mark.parametrize("check", CHECKS)
async def test_on_sqlite_no_check_scans_anything_for_each_row_of_a_scan(
    check: str, scope: checks.AuditScope, tmp_path: Path
) -> None:
    store = await opened(f"sqlite:///{tmp_path / 'rabble.db'}")
    async with store.reading() as connection:
        query = written(check, connection, scope)
    plan = await asked(store, f"EXPLAIN QUERY PLAN {query}")
    await store.close()
    assert plan
    assert nested(plan) == []


def test_a_scan_for_each_row_of_a_scan_is_noticed() -> None:
    """So that the test above can fail: a join by an expression, and a subquery that no index serves."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE one (id TEXT PRIMARY KEY, two TEXT) STRICT")
        joined = "SELECT * FROM one LEFT JOIN one AS other ON one.id = 'pot:' || other.id"
        correlated = (
            "SELECT * FROM one WHERE EXISTS (SELECT * FROM one AS other WHERE other.two = one.id || 'x')"
        )
        for query in (joined, correlated):
            assert nested(connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()) != []
        sound = "SELECT * FROM one LEFT JOIN one AS other ON other.id = substr(one.id, 5)"
        assert nested(connection.execute(f"EXPLAIN QUERY PLAN {sound}").fetchall()) == []


@pytest.mark.parametrize("standing", [False, True])
async def test_opening_a_room_looks_at_no_more_of_the_books_than_it_needs(
    tmp_path: Path, standing: bool
) -> None:
    store = await opened(f"sqlite:///{tmp_path / 'rabble.db'}")
    if standing:
        await (await Stage(store).open()).say("ann", "!heist 5")
    questions: list[tuple[str, Any]] = []

    def executed(_: object, __: object, statement: str, values: Any, *___: object) -> None:
        if statement.startswith("SELECT"):
            questions.append((statement, values))

    for engine in (store._writer, store._reader):
        event.listen(engine.sync_engine, "before_cursor_execute", executed)
    again = await Stage(store, run="b").open()
    await again.bot.control.standing()
    await again.turn(0)
    await store.close()
    assert any("game_table" in statement for statement, _ in questions)
    with closing(sqlite3.connect(tmp_path / "rabble.db")) as connection:
        long = [each for question in questions for each in aging(connection, *question)]
    assert long == []


def queries() -> dict[str, FixedQuery]:
    """Find the queries of the ledger's modules, by module and name."""
    for each in pkgutil.walk_packages(ledger.__path__, f"{ledger.__name__}."):
        if ".migrations." not in each.name:
            importlib.import_module(each.name)
    return {
        f"{name}.{variable}": value
        for name, module in list(sys.modules.items())
        if name.startswith(f"{ledger.__name__}.")
        for variable, value in vars(module).items()
        if isinstance(value, FixedQuery)
    }


async def test_no_query_of_fixed_text_looks_at_more_of_the_books_than_it_needs(tmp_path: Path) -> None:
    await (await opened(f"sqlite:///{tmp_path / 'rabble.db'}")).close()
    found = queries()
    assert len(found) >= 8
    with closing(sqlite3.connect(tmp_path / "rabble.db")) as connection:
        for name, query in found.items():
            values = dict.fromkeys(re.findall(r"(?<!:):(\w+)", query.sqlite), "[]")
            assert list(aging(connection, query.sqlite, values)) == [], name


async def test_the_archive_looks_at_no_more_of_the_books_than_it_needs(tmp_path: Path) -> None:
    store = await opened(f"sqlite:///{tmp_path / 'rabble.db'}")
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 5")
    await stage.turn(200)
    questions: list[tuple[str, Any]] = []

    def executed(_: object, __: object, statement: str, values: Any, *___: object) -> None:
        if statement.startswith(("SELECT", "DELETE", "UPDATE")) and "sqlite_schema" not in statement:
            questions.append((statement, values[0] if isinstance(values, list) else values))

    for engine in (store._writer, store._reader):
        event.listen(engine.sync_engine, "before_cursor_execute", executed)
    later = stage.watch.date() + timedelta(days=1)
    assert (await Archive(store).portion(later)).tables == 1
    assert len(await Histories(store).newest(purses.wallet("town", Seat("test:ann")), 5)) == 2
    assert await Journal(store).of("a-table-1") is not None
    await Takings(store).at("room", "heist", stage.watch.date())
    await store.close()
    assert any(statement.startswith("DELETE FROM posting") for statement, _ in questions)
    with closing(sqlite3.connect(tmp_path / "rabble.db")) as connection:
        long = [each for question in questions for each in aging(connection, *question)]
    assert long == []


def aging(connection: sqlite3.Connection, statement: str, values: Any) -> Iterator[str]:
    """List the steps of a plan that touch more the more was played: scans, and all tables of one state."""
    for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values):
        step = re.match(r"(SCAN|SEARCH) (\w+)(?:.*\((.*)\))?", detail)
        finished = step is not None and step[3] == "state=?" and OPEN not in [*values]
        if step and step[2] in AGING and (step[1] == "SCAN" or finished):
            yield f"{statement}: {detail}"


def steps_of(query: str, database: Path) -> int:
    """Count what SQLite does for a query that finds nothing, in thousands of the steps of its machine."""
    steps = 0

    def stepped() -> int:
        nonlocal steps
        steps += 1
        return 0

    with closing(sqlite3.connect(database)) as connection:
        connection.set_progress_handler(stepped, 1000)
        assert connection.execute(query).fetchall() == []
    return steps


@pytest.mark.slow
async def test_of_twice_as_many_tables_every_check_takes_at_most_two_and_a_fifth_times_the_work(
    tmp_path: Path,
) -> None:
    few, many = tmp_path / "few.db", tmp_path / "many.db"
    for database, tables in ((few, 4 * TABLES), (many, 8 * TABLES)):
        await age(f"sqlite:///{database}", tables)
    store = await Store.look(f"sqlite:///{few}")
    async with store.reading() as connection:
        queries = {check: written(check, connection) for check in CHECKS}
    await store.close()
    work = {check: (steps_of(query, few), steps_of(query, many)) for check, query in queries.items()}
    assert max(most for _, most in work.values()) > 10  # else nothing was measured
    assert {check: both for check, both in work.items() if both[1] > 2.2 * both[0] + 1} == {}


@pytest.mark.slow
async def test_what_an_hour_brought_takes_as_much_work_however_many_tables_were_played_before(
    tmp_path: Path,
) -> None:
    few, many = tmp_path / "few.db", tmp_path / "many.db"
    work: dict[str, list[int]] = defaultdict(list)
    for database, tables in ((few, 4 * TABLES), (many, 16 * TABLES)):
        await age(f"sqlite:///{database}", tables)
        store = await Store.open(f"sqlite:///{database}")
        assert (await Checkpoints(store).check(HandWatch().date())).breaches == []
        await (await Stage(store).open()).say("ann", "!heist 5")
        async with store.reading() as connection:
            queries = {check: written(check, connection, checks.NEW) for check in CHECKS}
        await store.close()
        for check, query in queries.items():
            work[check].append(steps_of(query, database))
    assert {check: both for check, both in work.items() if both[1] > 1.1 * both[0] + 1} == {}


@pytest.mark.postgres
async def test_on_postgresql_no_check_goes_through_a_table_for_each_row_of_another() -> None:
    async with postgresql() as url:
        await age(url, TABLES)
        store = await Store.open(url)

        async def analyze(connection: AsyncConnection) -> None:
            await connection.execute(text("ANALYZE"))

        await store.write(analyze)
        for check in CHECKS:
            async with store.reading() as connection:
                query = written(check, connection)
                # Else a table of a few pages is read from end to end, for that is cheaper than its index.
                await connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
                found = await connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {query}")
                ((plan,),) = found.all()
            (whole,) = json.loads(plan) if isinstance(plan, str) else plan
            assert list(repeated(whole["Plan"])) == [], check
        await store.close()


def repeated(plan: dict[str, Any], *, inner: bool = False) -> Iterator[str]:
    """List the tables that are read from end to end inside of a loop."""
    if inner and plan["Node Type"] == "Seq Scan" and plan["Relation Name"] in AGING:
        yield plan["Relation Name"]
    below = plan.get("Plans", [])
    for number, each in enumerate(below):
        loops = plan["Node Type"] == "Nested Loop" and number == 1
        correlated = each.get("Parent Relationship") == "SubPlan"
        yield from repeated(each, inner=inner or loops or correlated)
