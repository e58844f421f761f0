"""Kills the program while viewers stake channel points, again and again, and compares Twitch with the books.

The Twitch is the fake on loopback, which lives on while the program is killed; the program's clock is faster
(`hurried.py`). A seed draws who buys and says what, and when the kill comes. What must hold after every kill:
Twitch was told nothing that is not written, and of no table more credits were created or destroyed than its
vouchers say. What must hold at the end: each redemption is settled, once, and as the books say.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from contextlib import closing
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.ledger.rooms import Preferences
from chatbot.ledger.store.store import Store
from chatbot.ledger.vouchers import Reward, Rewards
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES, POINTS_SCOPES
from cogs.twitch.lines import channel_of
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET
from tests.fakes.twitch_server import Twitch
from tests.named_books import show_names
from tests.slow.books import breaches, taken_aside
from tests.slow.hurried import hurried
from tests.slow.program import PATIENCE, ROOT, errors, log_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chatbot.keys.ring import Purpose
    from tests.fakes.twitch_rewards import Redemption
    from tests.fakes.twitch_rewards import Reward as SoldReward

BOT, STREAMER = "rabblebot", "ada"
MEMBERS = [f"ann{number}" for number in range(16)]
GAMES = {"heist": "heist", "chickenpoker": "chicken", "pokermarket": "market"}  # and their words
STAKES = {"heist": (100, 200), "chickenpoker": (100,), "pokermarket": (100,)}
SETTINGS: dict[str, dict[str, object]] = {
    "heist": {"lobby": "10", "cooldown": "0", "min_crew": "3", "getaway": "5", "suspense": "0"},
    "chickenpoker": {"lobby": "10", "most_players": "4", "choice": "5", "cards": "2"},
    "pokermarket": {"lobby": "10", "most_players": "4", "rounds": "1", "turn": "5"},
}
"""Short phases, small tables that are soon full, and heists that too few come to."""

REDEEMED = "channel.channel_points_custom_reward_redemption.add"

HASTY = 0.2  # of the runs are killed at any moment; the others have answered somebody by then
SESSION = (0.1, 2.5)  # seconds of play until a kill
PAUSES = (0.0, 0.06)  # seconds between two things that happen
AWAY = (0, 3)  # redemptions while the program is not there
STEP = 0.02  # seconds between two looks for what is waited for

VOUCHER_CHECKS = {
    "{0} is open, though its table {1} is {2}": """
        SELECT voucher.id, table_id, game_table.state FROM voucher
        JOIN game_table ON game_table.id = table_id
        WHERE voucher.state = 'open' AND game_table.state <> 'open'
    """,
    "at table {0} points have created {1} credits, and its vouchers are of {2}": """
        SELECT voucher.table_id, ifnull(made, 0) AS made, sum(voucher.credits) AS bought
        FROM voucher LEFT JOIN (
            SELECT table_id, sum(credits) AS made FROM move
            WHERE why = 'voucher' AND source LIKE 'mint:%' GROUP BY table_id
        ) AS moved ON moved.table_id = voucher.table_id
        WHERE voucher.table_id IS NOT NULL GROUP BY voucher.table_id HAVING made <> bought
    """,
    "at table {0} {1} credits of points have vanished, and {2} were taken out of it": """
        SELECT voucher.table_id, ifnull(gone, 0) AS gone,
               sum(iif(
                   voucher.state = 'returned' OR game_table.state = 'void' OR ifnull(backed_out, 0),
                   voucher.credits, 0
               )) AS back
        FROM voucher JOIN game_table ON game_table.id = voucher.table_id LEFT JOIN (
            SELECT table_id, sum(credits) AS gone FROM move
            WHERE why = 'voucher' AND target LIKE 'mint:%' GROUP BY table_id
        ) AS moved ON moved.table_id = voucher.table_id LEFT JOIN put
            ON put.table_id = voucher.table_id AND put.wallet LIKE 'wallet:%:' || voucher.seat
        GROUP BY voucher.table_id HAVING gone <> back
    """,
    "{0} is of {1} credits, and its reward of {2}": """
        SELECT voucher.id, voucher.credits, reward.credits FROM voucher
        JOIN reward ON voucher.source LIKE '%/' || reward.id || '/%' WHERE voucher.credits <> reward.credits
    """,
}
"""Each sentence with a query that finds nothing in sound books; `breaches` has what is not of points."""

_BACKED_OUT = """
    SELECT count(*) FROM voucher JOIN game_table ON game_table.id = voucher.table_id
    JOIN put ON put.table_id = voucher.table_id AND put.wallet LIKE 'wallet:%:' || voucher.seat
    WHERE voucher.state = 'kept' AND game_table.state = 'settled' AND put.backed_out
"""
_PUT = """
    CREATE TEMP VIEW put AS
    SELECT table_id, iif(why = 'stake', source, target) AS wallet,
           sum(iif(why = 'stake', 1, -1)) = 0 AS backed_out
    FROM move WHERE why IN ('stake', 'stake returned') GROUP BY table_id, wallet
"""
"""Who put stakes into heists, and whether all of them came out again."""

_STATES = {"FULFILLED": "kept", "CANCELED": "returned"}  # of a redemption, and of its voucher


@dataclass(slots=True)
class Tally:
    """What a series of kills has come to."""

    kills: int = 0
    unsettled: int = 0
    """Kills while Twitch had not been told of something yet."""
    bought: int = 0
    repeated: int = 0
    """Redemptions that were told again."""
    kept: int = 0
    backed_out: int = 0
    """Those of the kept ones that were taken out of the game, and so destroyed."""
    returned: int = 0
    """Stakes that were taken, and given back before the lobby closed."""
    refused: int = 0
    """Redemptions that bought nothing."""
    away: int = 0
    """Those of all that were bought while the program was not there."""
    breaches: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


async def series(
    seed: str,
    kills: int,
    fault: str = "",
    told: Callable[[], None] = lambda: None,
    patience: float = PATIENCE,
) -> Tally:
    """Kill the program so many times on one file, or until something is wrong: then the file is kept.

    `patience` is in seconds: what has not happened by then does not happen.
    """
    folder = Path(tempfile.mkdtemp(prefix="rabble-points-"))
    trial = _Trial(folder, Random(seed), fault, patience)
    await trial.prepare()
    try:
        for _ in range(kills):
            await trial.kill_once()
            told()
            if trial.tally.breaches:
                break
        else:
            await trial.finish()
    finally:
        await trial.leave()
    if trial.tally.breaches:
        trial.tally.breaches.append(f"seed {seed}, kill {trial.tally.kills}; the files are in {folder}")
    else:
        shutil.rmtree(folder)
    return trial.tally


class _Trial:
    """One file and one Twitch, on which programs run one after the other."""

    def __init__(self, folder: Path, rng: Random, fault: str, patience: float) -> None:
        self.tally, self.twitch = Tally(), Twitch(self._now)
        self._folder, self._rng, self._fault, self._patience = folder, rng, fault, patience
        self._database, self._began = folder / "rabble.db", time.time()
        self._starter: Process | None = None
        self._playing = False
        self._running = 0  # the number of the process of the program
        self._sold: list[SoldReward] = []
        self._bought: list[Redemption] = []

    async def prepare(self) -> None:
        """Connect the accounts, and sell the rewards."""
        await self.twitch.start()
        ring = KeyRing(self._folder / "keys.json", Discretion())
        self._connect(ring, BOT, BOT_SCOPES, "bot")
        self._connect(ring, STREAMER, (*BROADCASTER_SCOPES, *POINTS_SCOPES), "broadcaster", "points")
        ada, counter = self.twitch.world.user(STREAMER), self.twitch.helix.counter
        counter.affiliates.add(ada.id)
        counter.whole = self._rng.random() < 0.5
        store = await Store.open(f"sqlite:///{self._database.as_posix()}")
        for game, stakes in STAKES.items():
            for stake in stakes:
                self._sold.append(sold := counter.put(ada, f"{game} {stake}"))
                await Rewards(store).put(Reward(sold.id, channel_of(ada.id), game, stake))
        for game, settings in SETTINGS.items():
            await Preferences(store).save(channel_of(ada.id), game, settings)
        await store.close()

    async def kill_once(self) -> None:
        """Run the program, let viewers play, kill it, and look."""
        playing = None
        await self._spawn()
        try:
            await self._until(self._hears, "the program does not hear of redemptions")
            playing = asyncio.create_task(self._play())
            if self._rng.random() > HASTY:
                said = len(self.twitch.world.said)
                await self._until(lambda: len(self.twitch.world.said) > said, "nobody was answered")
            await asyncio.sleep(self._rng.uniform(*SESSION))
        finally:
            await self._kill()
            self._playing = False
            if playing is not None:
                await playing  # not cancelled: a send under way may swallow that
        self.tally.kills += 1
        self._look()
        for _ in range(self._rng.randint(*AWAY)):
            self._buy()
            self.tally.away += 1

    async def finish(self) -> None:
        """Run the program until nothing is open, and compare Twitch with the books."""
        await self._spawn()
        try:
            await self._until(self._all_settled, "not every redemption is settled")
            await self._until(self._all_confirmed, "not every voucher is confirmed")
        finally:
            await self._kill()
        self._look()
        if not self.tally.breaches:
            self._count()
            await self._audit()

    async def leave(self) -> None:
        """End all that still runs."""
        await self._kill()
        if self._starter is not None:
            assert self._starter.stdin is not None
            self._starter.stdin.close()
            await self._starter.wait()
        await self.twitch.stop()

    # What happens

    async def _play(self) -> None:
        """Let things happen while somebody plays."""
        self._playing = True
        happenings = {
            self._redeem: 10.0,
            self._leave: 4.0,
            self._stake: 2.0,
            self._back_out: 8.0,
            self._tell_again: 2.0,
            self._repeat: 2.0,
            self._cancel: 0.5,
        }
        while self._playing:
            (happening,) = self._rng.choices([*happenings], weights=[*happenings.values()])
            await happening()
            await asyncio.sleep(self._rng.uniform(*PAUSES))

    async def _redeem(self) -> None:
        await self.twitch.tell_redemption(self._buy())

    async def _leave(self) -> None:
        await self._say(f"!{self._rng.choice([*GAMES.values()])} leave")

    async def _back_out(self) -> None:
        await self._say("!backout")

    async def _stake(self) -> None:
        await self._say(self._rng.choice(("!heist 100", "!chicken stake=100", "!market stake=100")))

    async def _cancel(self) -> None:
        word = self._rng.choice([*GAMES.values()])
        await self.twitch.chat(STREAMER, STREAMER, f"!cancel {word}", ["broadcaster"])

    async def _tell_again(self) -> None:
        """Tell of a redemption of late again, by another event."""
        if self._bought:
            self.tally.repeated += 1
            await self.twitch.tell_redemption(self._rng.choice(self._bought[-20:]))

    async def _repeat(self) -> None:
        """Deliver an event of late again, with its id, to whoever hears now."""
        frames, sessions = self.twitch.eventsub.frames, self.twitch.eventsub.sessions
        late = [each for each in frames[-20:] if each[0] in sessions]
        if late:
            self.tally.repeated += 1
            await self.twitch.eventsub.repeat(self._rng.choice(late))

    async def _say(self, text: str) -> None:
        await self.twitch.chat(self._rng.choice(MEMBERS), STREAMER, text)

    def _buy(self) -> Redemption:
        user = self.twitch.world.user(self._rng.choice(MEMBERS))
        at = datetime.fromtimestamp(self._now(), UTC)
        bought = self.twitch.helix.counter.buy(user, self._rng.choice(self._sold), at)
        self._bought.append(bought)
        self.tally.bought += 1
        return bought

    # The program

    async def _spawn(self) -> None:
        """Start the program."""
        if self._starter is None:
            command = "-m", "tests.slow.hurried", str(self._began), *([self._fault] if self._fault else [])
            with log_of(self._database).open("ab") as log:
                self._starter = await asyncio.create_subprocess_exec(
                    sys.executable, *command,
                    cwd=self._folder, env=self._environment(), stdin=PIPE, stdout=PIPE, stderr=log,
                )  # fmt: skip
        assert self._starter.stdin is not None
        self._starter.stdin.write(b"start\n")
        self._running = int(await self._told())

    async def _kill(self) -> None:
        """End the program as a power switch would; nothing is asked of it."""
        if self._running:
            os.kill(self._running, signal.SIGKILL)
            self._running = 0
            await self._told()

    async def _told(self) -> bytes:
        assert self._starter is not None
        assert self._starter.stdout is not None
        return await asyncio.wait_for(self._starter.stdout.readline(), PATIENCE)

    def _environment(self) -> dict[str, str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
        }
        where = self.twitch.endpoints
        ours = {
            "PORT": "0",
            "DATABASE": f"sqlite:///{self._database.as_posix()}",
            "TWITCH_CLIENT_ID": CLIENT_ID,
            "TWITCH_CLIENT_SECRET": CLIENT_SECRET,
            "TWITCH_TOKENS": str(self._folder / "keys.json"),
            "TWITCH_API_URL": where.api,
            "TWITCH_ID_URL": where.id,
            "TWITCH_EVENTSUB_URL": where.eventsub,
        }
        return {
            **inherited,
            **{f"CHATBOT_{key}": value for key, value in ours.items()},
            "PYTHONPATH": str(ROOT),
        }

    def _connect(self, ring: KeyRing, login: str, scopes: Iterable[str], *purposes: Purpose) -> None:
        user = self.twitch.world.user(login)
        token = self.twitch.authority.issue(user.id, scopes)
        ring.put(
            Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, frozenset(purposes))
        )

    def _hears(self) -> bool:
        live = self.twitch.eventsub.sessions
        return any(each.transport["session_id"] in live for each in self.twitch.eventsub.of(REDEEMED))

    async def _until(self, happened: Callable[[], bool], otherwise: str) -> None:
        """Wait for something, and note a breach if it does not happen."""
        try:
            async with asyncio.timeout(self._patience):
                while not happened():  # noqa: ASYNC110  (what happens sets no event)
                    await asyncio.sleep(STEP)
        except TimeoutError:
            self._breach(otherwise)

    def _now(self) -> float:
        return hurried(self._began, time.time())

    # What is left

    def _all_settled(self) -> bool:
        return all(each.status != "UNFULFILLED" for each in self._bought)

    def _all_confirmed(self) -> bool:
        with closing(sqlite3.connect(taken_aside(self._database, self._folder / "aside"))) as books:
            return not books.execute("SELECT count(*) FROM voucher WHERE settled = 0").fetchone()[0]

    def _look(self) -> None:
        """Read the books as the kill has left them, and what Twitch was told."""
        for line in errors(self._database):
            self._breach(f"logged: {line}")
        with closing(sqlite3.connect(taken_aside(self._database, self._folder / "aside"))) as books:
            for each in (*breaches(books), *voucher_breaches(books)):
                self._breach(each)
            states = dict(books.execute("SELECT id, state FROM voucher"))
        for each in self._told_wrongly(states):
            self._breach(each)
        self.tally.unsettled += not self._all_settled()

    def _told_wrongly(self, states: dict[str, str]) -> Iterator[str]:
        """Yield what Twitch was told without the books saying it, or more than once."""
        for each in self._bought:
            written = states.get(f"twitch:{each.id}", "not there")
            if each.status in _STATES and written != _STATES[each.status]:
                yield f"{each.id} is {each.status} at Twitch, and {written} in the books"
            if each.settled > 1 or (each.status in _STATES) != bool(each.settled):
                yield f"{each.id} is {each.status} and was settled {each.settled} times"

    def _count(self) -> None:
        with closing(sqlite3.connect(taken_aside(self._database, self._folder / "aside"))) as books:
            rows = books.execute("SELECT state, table_id IS NOT NULL FROM voucher").fetchall()
            _show(books)
            self.tally.backed_out = books.execute(_BACKED_OUT).fetchone()[0]
        self.tally.kept = sum(state == "kept" for state, _ in rows)
        self.tally.returned = sum(state == "returned" and seated for state, seated in rows)
        self.tally.refused = sum(not seated for _, seated in rows)
        if len(rows) != len(self._bought):
            self._breach(f"{len(self._bought)} were bought, and {len(rows)} are in the books")

    async def _audit(self) -> None:
        """Let the program check its own books, as an operator would."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "chatbot", "audit",
            cwd=self._folder, env=self._environment(), stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        said, wrong = await process.communicate()
        if process.returncode:
            self._breach(f"`chatbot audit`: {said.decode()} {wrong.decode()}")

    def _breach(self, sentence: str) -> None:
        self.tally.breaches.append(sentence)


def voucher_breaches(books: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the credits that points have paid for."""
    _show(books)
    return [
        sentence.format(*row) for sentence, query in VOUCHER_CHECKS.items() for row in books.execute(query)
    ]


def _show(books: sqlite3.Connection) -> None:
    show_names(books)
    books.execute(_PUT)
