"""Measure how long the server takes for each view of the desk, with many members and a long audit.

The database is written by SQL: members with wallets, and the actions of twenty moderators, most of which are
grants and takes with their postings. One moderator and one kind of action are rare, because what is rare
takes a search longest. Only what the views read is written, so that these books do not add up. Then a client
asks for each view again and again, at random places of it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
from rich.console import Console
from rich.progress import track
from rich.table import Table

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

MEMBERS, ACTIONS, REQUESTS = 100_000, 1_000_000, 300
AIM = 200.0  # milliseconds that a view may take, 99 times of 100
ROOM = "local"
OK, TOO_MANY = 200, 429  # statuses of HTTP; a caller asks four times a second in the long run
SLOW = 0.99  # the quantile that is held against the aim

# Action i is by the moderator i % 19, but every hundred thousandth by the twentieth. Of ten thousand one ends
# a season, a hundred call tables off, and a third of the others are settings.
_PEOPLE = """
CREATE TEMP TABLE n AS
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :last) SELECT i FROM n;
INSERT INTO person (id, seat) SELECT i + 1000, 'm' || i FROM n;
INSERT INTO platform_account (platform, key, person) SELECT 'local', 'member' || i, i + 1000 FROM n;
INSERT INTO member (community, seat, name, folded, seen_at)
    SELECT :community, 'm' || i, printf('Name%06d', (i * 7919) % 1000003),
    printf('name%06d', (i * 7919) % 1000003), :first FROM n;
INSERT INTO purse (community, kind, owner, balance)
    SELECT (SELECT id FROM community WHERE name = :community), 'person', 'm' || i, 1000 + (i * 7919) % 50021
    FROM n;
DROP TABLE n
"""
_ACTIONS = """
CREATE TEMP TABLE action AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :last)
    SELECT i, CASE WHEN i % 100000 = 99999 THEN 19 ELSE i % 19 END AS actor, (i * 7919) % :members AS whom,
    :first + i * 1000 AS at, i % 2 AS takes, CASE WHEN i % 10000 = 5000 THEN 'season'
    WHEN i % 100 = 50 THEN 'void' WHEN i % 3 = 0 THEN 'setting' ELSE 'money' END AS kind FROM n;
INSERT INTO posting (id, community, turns, created_at)
    SELECT 'grant:' || i, :community, 0, at FROM action WHERE kind = 'money';
INSERT INTO transfer (posting, number, community, source, target, credits, why, actor, created_at)
    SELECT 'grant:' || i, 1, :community, iif(takes, :wallets + whom, :mint),
    iif(takes, :mint, :wallets + whom), 1, iif(takes, 'take', 'grant'), 'm' || actor, at
    FROM action WHERE kind = 'money';
INSERT INTO change
    (change_set, part, room, community, at, actor, name, kind, subject, key, old, new, why, posting)
    SELECT 'action' || i, 1, :room, :community, at, 'm' || actor, 'Moderator ' || actor, kind,
    iif(kind = 'money', 'm' || whom, 'heist'), CASE kind WHEN 'setting' THEN 'lobby' WHEN 'void' THEN 'heist'
    ELSE '' END, '60', '61', 'because of ' || i, iif(kind = 'money', 'grant:' || i, NULL) FROM action;
UPDATE purse SET balance = balance + (SELECT coalesce(sum(credits), 0) FROM transfer WHERE target = purse.id)
    - (SELECT coalesce(sum(credits), 0) FROM transfer WHERE source = purse.id) WHERE kind = 'person'
"""
_RARE = "m19"  # the seat of the moderator who did least


@dataclass(frozen=True, slots=True)
class ViewTimes:
    """How long a view took, and how long the processor worked for server and client, in milliseconds."""

    view: str
    times: tuple[float, ...]
    worked: tuple[float, ...]


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time that this share of requests did not exceed."""
    return sorted(times)[min(int(len(times) * share), len(times) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.desk", description=__doc__)
    parser.add_argument("--members", type=int, default=MEMBERS)
    parser.add_argument("--actions", type=int, default=ACTIONS, help="in the audit")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="for each view")
    parser.add_argument("--folder", type=Path, help="where the database is for a while: 700 bytes an action")
    arguments = parser.parse_args()
    views = measure(arguments.members, arguments.actions, arguments.requests, arguments.folder)
    Console(width=100).print(as_table(views, arguments.members, arguments.actions))


def measure(members: int, actions: int, requests: int, folder: Path | None = None) -> list[ViewTimes]:
    """Write a database, ask for each view so often, and remove it."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        return asyncio.run(_measure(Path(place) / "rabble.db", members, actions, requests))


def as_table(views: Sequence[ViewTimes], members: int, actions: int) -> Table:
    """Return a table of the times."""
    title = f"Views of the desk, {members:,} members, {actions:,} actions, ms (p99 at most {AIM:.0f})"
    table = Table("view", "p50", "p99", "worst", "processor, p50", "processor, p99", title=title)
    for each in views:
        waited = (quantile(each.times, share) for share in (0.5, SLOW, 1))
        worked = (quantile(each.worked, share) for share in (0.5, SLOW))
        table.add_row(each.view, *(f"{time_:.1f}" for time_ in (*waited, *worked)))
    return table


async def _measure(file: Path, members: int, actions: int, requests: int) -> list[ViewTimes]:
    async with _served(file) as (bot, _):
        community = bot.rooms[ROOM].community
    await asyncio.to_thread(fill, file, community, members, actions)
    async with _served(file) as (_, server), aiohttp.ClientSession(cookie_jar=_jar()) as session:
        address = await _log_in(server, session)
        # Whether something is slow by its place in the list shows only where places are drawn.
        draws = random.Random("desk")
        views = _views(draws, members, actions)
        names = track(views, console=Console(stderr=True), description="views")
        return [await _times(session, address, each, views[each], requests) for each in names]


def _jar() -> aiohttp.CookieJar:
    return aiohttp.CookieJar(unsafe=True)  # which keeps the cookies of an IP address


@asynccontextmanager
async def _served(file: Path) -> AsyncIterator[tuple[Bot, Server]]:
    """Run the page on a database."""
    store = await Store.open(f"sqlite:///{file}")
    bot = Bot(kits(), store, Words("en"), LoopWatch())
    chat = LocalChat(bot, "run")
    await bot.open(chat.room)
    server = Server(chat, Crowd(chat, Rng.of("crowd")), "127.0.0.1", 0)
    await server.start()
    try:
        yield bot, server
    finally:
        await server.stop()
        await store.close()


def fill(file: Path, community: str, members: int, actions: int) -> None:
    """Write members with their wallets, and actions of moderators with what they moved."""
    first = int((time.time() - actions) * 1000)
    values = {"community": community, "room": ROOM, "first": first, "members": members}
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT OR IGNORE INTO community (name) VALUES (:community)", values)
        connection.execute(
            "INSERT OR IGNORE INTO purse (community, kind, owner, balance) "
            "SELECT id, 'mint', '', 0 FROM community WHERE name = :community",
            values,
        )
        _run(connection, _PEOPLE, {**values, "last": members - 1})
        (mint,) = connection.execute("SELECT id FROM purse WHERE kind = 'mint'").fetchone()
        (wallets,) = connection.execute("SELECT id FROM purse WHERE owner = 'm0'").fetchone()
        _run(connection, _ACTIONS, {**values, "last": actions - 1, "mint": mint, "wallets": wallets})
        connection.commit()


def _run(connection: sqlite3.Connection, statements: str, values: Mapping[str, object]) -> None:
    for each in statements.split(";"):
        connection.execute(each, values)


async def _log_in(server: Server, session: aiohttp.ClientSession) -> str:
    """Log in as the operator; return the address of the room."""
    invitation = await server.invite()
    assert invitation is not None
    address, _, link = invitation.partition("/enter/")
    async with session.post(f"{address}/enter", json={"link": link}, headers={"Origin": address}) as answer:
        answer.raise_for_status()
    return f"{address}/api/1/rooms/{ROOM}"


def _views(draws: random.Random, members: int, actions: int) -> Mapping[str, Callable[[], str]]:
    def name() -> str:
        return f"name{draws.randrange(1_000_003):06d}"

    def seat() -> str:
        return f"m{draws.randrange(members)}"

    def number() -> int:
        return draws.randrange(2, actions + 1)

    return {
        "tables": lambda: "/desk/tables",
        "members, first page": lambda: "/desk/members?count=25",
        "members, a later page": lambda: f"/desk/members?count=25&after={name()}&after_seat={seat()}",
        "members, by a name's beginning": lambda: f"/desk/members?count=25&prefix={name()[:7]}",
        "balances that wait": lambda: f"/desk/waiting?count=25&prefix={name()[:5]}",
        "a member": lambda: f"/desk/members/{seat()}",
        "transfers of a member": lambda: f"/members/{seat()}/transfers?count=20",
        "audit, first page": lambda: "/audit?count=25",
        "audit, a later page": lambda: f"/audit?count=25&before={number()}",
        "audit, of a busy moderator": lambda: f"/audit?count=25&actor=m3&before={number()}",
        "audit, of a rare moderator": lambda: f"/audit?count=25&actor={_RARE}&before={number()}",
        "audit, of a common kind": lambda: f"/audit?count=25&kind=setting&before={number()}",
        "audit, of a rare kind": lambda: f"/audit?count=25&kind=season&before={number()}",
        "audit, of a moderator and a rare kind": lambda: "/audit?count=25&actor=m3&kind=season",
        "audit, of a kind that never was": lambda: "/audit?count=25&actor=m3&kind=reward",
        "audit, what concerned a member": lambda: f"/audit?count=25&subject={seat()}",
        "who did something lately": lambda: "/audit/actors",
        "an undo, before it is done": lambda: f"/audit/{number()}/undo",
        "credits made, first page": lambda: "/minted?count=25",
        "credits made, a later page": lambda: f"/minted?count=25&before={number()}",
        "seasons": lambda: "/seasons",
        "who leads": lambda: "/top?count=10",
        "settings": lambda: "/settings",
        "what is new": lambda: "/desk/news",
    }


async def _times(
    session: aiohttp.ClientSession, address: str, view: str, path: Callable[[], str], requests: int
) -> ViewTimes:
    times, worked = list[float](), list[float]()
    while len(times) < requests:
        url = address + path()
        began, working = time.perf_counter(), time.process_time()
        async with session.get(url) as answer:
            body = await answer.text()
        waited, busy = time.perf_counter() - began, time.process_time() - working
        if answer.status == TOO_MANY:
            await asyncio.sleep(float(answer.headers["Retry-After"]))
            continue
        assert answer.status == OK, (url, body)
        times.append(waited * 1000)
        worked.append(busy * 1000)
    return ViewTimes(view, tuple(times), tuple(worked))


if __name__ == "__main__":
    main()
