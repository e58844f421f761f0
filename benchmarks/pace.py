"""How long a viewer waits: seconds on a clock that is turned by hand, so that it takes a few of real ones.

People who are quick act two seconds after they can, and start a lobby in which they are alone; silent ones
join and say no more. Lobbies are those that ship, and so are all other settings.

`--vs COMMIT` also plays another commit, in a git worktree that is removed afterwards, and `--vs FOLDER` the
program of a checkout; their figures stand in brackets.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import structlog

from benchmarks.raid import imported
from benchmarks.road import ROOT, Absent, tree_at
from chatbot.cli.rehearsal import sources_of
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.room import Room
from chatbot.speech.words import Words
from chatbot.web.crowd import Crowd
from cogs.twitch.channels import MANNER as TWITCH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.game import Seat
    from chatbot.rooms.channel import Channel, Delivery
    from chatbot.rooms.line import Line
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import HandWatch
    from cogs.discord.adapter import MANNER as DISCORD
    from cogs.local.adapter import LocalChat, Viewer, entering
else:
    Bot = imported("chatbot.bot.bot.Bot", "chatbot.bot.house.House")
    HandWatch = imported("chatbot.runtime.clock.HandWatch", "chatbot.rooms.clock.HandWatch")
    Channel = imported("chatbot.rooms.channel.Channel", "chatbot.rooms.room.Channel")
    Line = imported("chatbot.rooms.line.Line", "chatbot.rooms.room.Line")
    DISCORD = imported("cogs.discord.adapter.MANNER", "cogs.discord.door.MANNER")
    LocalChat = imported("cogs.local.adapter.LocalChat", "cogs.local.door.LocalChat")
    entering = imported("cogs.local.adapter.entering", "cogs.local.door.entering")

BOOT = """
import sys
checkout, root, *games = sys.argv[1:]
sys.path.insert(0, checkout)
import chatbot, cogs  # of the other checkout; what plays is this one's
sys.path[0] = root
from benchmarks import pace
pace.told_as_json(games)
"""
SEED = "pace"
START = datetime(2026, 1, 9, 20, tzinfo=UTC)
WORDS = {"heist": "heist", "pokermarket": "market", "chickenpoker": "chicken"}
TITLES = {"heist": "Bank Heist", "pokermarket": "Poker Market", "chickenpoker": "Chicken Poker"}
SIZES = 1, 5, 10  # people
QUICK, HALF, SILENT = "all quick", "half silent", "all silent"
MOODS = QUICK, HALF, SILENT
MANNERS = {"Twitch": TWITCH, "Discord": DISCORD}
ACTS_AFTER = 2.0  # seconds after which who is quick has acted
ENTERED = 5.0  # seconds after which somebody who opens the page has given a name and pressed a game
CROWD = 10  # simulated viewers
LONGEST = 3600  # seconds until a table is given up
STEP = 0.5  # seconds by which the clock is turned


@dataclass(frozen=True, slots=True)
class Figure:
    """How long something took, in seconds, and how many lines everybody read meanwhile."""

    what: str
    where: str
    seconds: float
    lines: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pace", description=__doc__)
    parser.add_argument("--vs", metavar="COMMIT", help="play this commit, or the checkout in a folder, too")
    parser.add_argument("--games", nargs="+", choices=WORDS, default=list(WORDS), help="played in chats")
    arguments = parser.parse_args()
    ours = asyncio.run(figures(arguments.games))
    theirs = [] if arguments.vs is None else elsewhere(arguments.vs, arguments.games)
    print(markdown(ours, theirs), end="")


def told_as_json(games: Sequence[str]) -> None:
    """Print all figures, a line each, for a process that plays another program."""
    for each in asyncio.run(figures(games)):
        print(json.dumps(asdict(each)))


def elsewhere(which: str, games: Sequence[str]) -> list[Figure]:
    """Measure the program of a checkout, or else of a commit."""
    if Path(which).is_dir():
        return _figures_of(Path(which), games)
    try:
        with tree_at(which) as tree:
            return _figures_of(tree, games)
    except Absent as absent:
        sys.exit(str(absent))


def _figures_of(folder: Path, games: Sequence[str]) -> list[Figure]:
    command = [sys.executable, "-c", BOOT, str(folder.resolve()), str(ROOT), *games]
    output = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Figure(**json.loads(line)) for line in output.splitlines()]


def markdown(ours: Sequence[Figure], theirs: Sequence[Figure]) -> str:
    """Return both tables of the documentation; `theirs` stand in brackets."""
    earlier = {(each.what, each.where): each for each in theirs}
    page = [each for each in ours if each.where == "page"]
    lines = ["| on the page, from opening it | s to the first reveal |", "| --- | ---: |"]
    lines += [f"| {each.what} | {_seconds(each, earlier)} |" for each in page]
    lines += ["", f"| from opening a table to its end | {' | '.join(MANNERS)} | lines on Twitch |"]
    lines += [f"| --- |{' ---: |' * (len(MANNERS) + 1)}"]
    by_what: dict[str, dict[str, Figure]] = {}
    for each in ours:
        if each.where in MANNERS:
            by_what.setdefault(each.what, {})[each.where] = each
    for what, by_manner in by_what.items():
        cells = [_seconds(by_manner[where], earlier) for where in MANNERS]
        lines.append(f"| {what} | {' | '.join(cells)} | {_lines(by_manner['Twitch'], earlier)} |")
    return "\n".join(lines) + "\n"


def _seconds(figure: Figure, earlier: Mapping[tuple[str, str], Figure]) -> str:
    before = earlier.get((figure.what, figure.where))
    return f"{figure.seconds:.0f}" + ("" if before is None else f" ({before.seconds:.0f})")


def _lines(figure: Figure, earlier: Mapping[tuple[str, str], Figure]) -> str:
    before = earlier.get((figure.what, figure.where))
    return f"{figure.lines}" + ("" if before is None else f" ({before.lines})")


async def figures(games: Sequence[str]) -> list[Figure]:
    """Play everything that is measured on the page, and these games in chats."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    rows = [await on_page(crowd, mood) for crowd in (0, CROWD) for mood in ("quick", "waits", "silent")]
    for game in games:
        for people in SIZES:
            for mood in MOODS if people > 1 else (QUICK, SILENT):
                rows += [await in_chat(where, game, people, mood) for where in MANNERS]
    return rows


# A table in a chat


@dataclass
class Chat:
    """A room in which people play, and what everybody has read there."""

    watch: HandWatch = field(default_factory=lambda: HandWatch(START))
    public: int = 0
    count: int = 0

    async def open(self, store: Store, where: str) -> None:
        self.bot = Bot(kits(), store, Words("en"), self.watch, sources_of(SEED, SEED))
        own = Channel("chat:1", where.lower(), self, MANNERS[where])
        self.room = await self.bot.open(Room("chat", "chat", (own,)))

    async def send(self, delivery: Delivery) -> None:
        self.public += delivery.to is None

    async def say(self, name: str, text: str, *, private: bool = False) -> None:
        self.count += 1
        account = Account(self.room.channels[0].platform, name)
        line = Line(f"pace:{self.count}", "chat:1", account, name, Role.VIEWER, text, private)
        await self.bot.converse(line)

    async def seat(self, name: str) -> Seat:
        return await self.bot.seat(self.room, Account(self.room.channels[0].platform, name))


async def in_chat(where: str, game: str, people: int, mood: str) -> Figure:
    """Play one table to its end, without a crowd that looks on."""
    names = [f"viewer{each}" for each in range(people)]
    quick = {QUICK: names, HALF: names[: (people + 1) // 2], SILENT: []}[mood]
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = await Store.open(f"sqlite:///{Path(folder, 'pace.db').as_posix()}", alone=True)
        chat = Chat()
        try:
            await chat.open(store, where)
            for name in names:
                await chat.say(name, f"!{WORDS[game]}")
            began, read = chat.watch.now(), chat.public
            (table,) = chat.room.tables.values()
            seats = {await chat.seat(name): name for name in quick}
            alone = people == 1 and mood == QUICK
            await _play(chat, table, seats, starts=names[0] if alone else "")
            what = f"{TITLES[game]}, {people} {'person' if people == 1 else 'people'}, {mood}"
            await chat.watch.turn(STEP)  # what waits to be merged is said, too
            return Figure(what, where, chat.watch.now() - STEP - began, chat.public - read)
        finally:
            await chat.bot.close()
            await store.close()


async def _play(chat: Chat, table: Table, quick: Mapping[Seat, str], starts: str) -> None:
    """Let those who are quick act, each once in a phase, until the table is over."""
    since, phase, acts = chat.watch.now(), "", set[str]()
    while not table.over and chat.watch.now() < LONGEST:
        await chat.watch.turn(STEP)
        clock = table.clock
        if clock is None:
            continue
        if clock.phase != phase:
            since, phase, acts = chat.watch.now(), clock.phase, set()
        if chat.watch.now() - since < ACTS_AFTER:
            continue
        if phase == "lobby":
            if starts and not acts:
                acts.add(starts)
                await chat.say(starts, "!start")
            continue
        for seat, name in quick.items():  # in this phase only: whose turn comes by it acts later
            move = _move(table, seat)
            if name not in acts and move and table.clock is clock:
                acts.add(name)
                await chat.say(name, move, private=True)


def _move(table: Table, seat: Seat) -> str:
    """Return what somebody says who takes the first of what is offered; empty: they cannot act now."""
    menu = table.menu(seat, 0)
    chat: Any = getattr(table.kit, "chat", table.kit)  # older kits have it themselves
    return chat.line(menu[0]) if menu else ""


# The page


async def on_page(crowd: int, mood: str) -> Figure:
    """Open the page, press the heist, and wait until it is revealed who got away."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = await Store.open(f"sqlite:///{Path(folder, 'pace.db').as_posix()}", alone=True)
        watch = HandWatch(START)
        bot = Bot(kits(), store, Words("en"), watch, sources_of(SEED, SEED))
        local = LocalChat(bot, "pace")
        try:
            await local.open()
            await Crowd(local, Rng.of("pace")).resize(crowd)
            await watch.turn(ENTERED)
            account, name, role = entering("Newcomer", "viewer")
            viewer = await local.viewer(account, name, role)
            await local.enter(viewer)
            await local.say(viewer, "!heist 69", private=False)
            table = local.room.tables["heist"]
            await _rob(local, watch, table, viewer, mood)
            return Figure(_description(crowd, mood), "page", watch.now(), len(local.history))
        finally:
            await bot.close()
            await store.close()


async def _rob(local: LocalChat, watch: HandWatch, table: Table, viewer: Viewer, mood: str) -> None:
    since, phase, done = watch.now(), "", False
    while not table.over and watch.now() < LONGEST:
        await watch.turn(STEP)
        clock = table.clock
        if clock is not None and clock.phase != phase:
            since, phase, done = watch.now(), clock.phase, False
        if done or mood == "silent" or watch.now() - since < ACTS_AFTER:
            continue
        if phase == "lobby" and mood == "quick":
            done = True
            await local.say(viewer, "!start", private=False)
        elif phase == "getaway":
            done = True
            await local.say(viewer, "!guncheck", private=True)


def _description(crowd: int, mood: str) -> str:
    company = f"with {crowd} simulated viewers" if crowd else "alone"
    does = {
        "quick": "says `!start`, and answers at once",
        "waits": "answers at once",
        "silent": "joins, and says no more",
    }
    return f"{company}; {does[mood]}"


if __name__ == "__main__":
    main()
