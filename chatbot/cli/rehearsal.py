"""`chatbot rehearse`: plays a script of chat lines with a manual clock, and shows the replies."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Failure, Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.visible import as_seen
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOM = "rehearsal"
CHAIN = 100_000  # links: all draws depend on it, so that another number would play scripts otherwise
MAX_STEP_SECONDS = 10**7  # about four months
_SPEAKER = re.compile(r"(?P<name>[^()>]+)(\((?P<role>[^)]*)\))? *(?P<whisper>> *bot *)?")
_TIME_STEP = re.compile(r"\+\s*([0-9]{1,8})(\.[0-9]{1,3})?", re.ASCII)


class ScriptError(Failure):
    """A line of the script cannot be read."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """A line of chat; `private` lines are whispered to the bot."""

    name: str
    role: Role
    text: str
    private: bool


@dataclass(frozen=True, slots=True)
class TimeStep:
    """A period that passes before the next step."""

    seconds: float


ScriptStep: TypeAlias = ScriptLine | TimeStep


def read_script(lines: Sequence[str]) -> list[ScriptStep]:
    """Parse the lines of a script.

    Raises:
        ScriptError: a line is neither a line of chat, nor a time, nor a comment.
    """
    return [step for number, line in enumerate(lines, 1) for step in _parse_line(number, as_seen(line))]


OnMessage: TypeAlias = "Callable[[float, Delivery, str | None], None]"
"""Called with the seconds since the start, a message of the bot, and its recipient if it is private."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A rehearsal in a room of its own; without `database`, a URL, it uses a temporary one."""

    seed: str
    database: str | None
    language: str
    show: OnMessage

    async def play(self, steps: Sequence[ScriptStep]) -> None:
        """Play all steps in order.

        Raises:
            StoreError: the database cannot be opened, or is in use.
        """
        if self.database is not None:
            # The ids of lines and tables must differ from those of earlier runs on this database.
            await self._play(steps, self.database, secrets.token_hex(4))
            return
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            await self._play(steps, f"sqlite:///{Path(folder, 'rehearsal.db').as_posix()}", ROOM)

    async def _play(self, steps: Sequence[ScriptStep], url: str, run: str) -> None:
        store = await Store.open(url, alone=True)
        try:
            watch = HandWatch()
            bot = Bot(kits(), store, Words(self.language), watch, sources_of(self.seed, run))
            platform = _RehearsalPlatform(bot, watch, self.show)
            await bot.open(Room(ROOM, ROOM, (Channel(ROOM, ROOM, platform),)))
            await watch.turn()
            for number, step in enumerate(steps, 1):
                await platform.play(f"{run}:{number}", step)
        finally:
            await store.close()


def as_text(at: float, delivery: Delivery, to: str | None) -> str:  # noqa: ARG001
    """Return a message as a line of text."""
    return f"bot > {to}: {delivery.text}" if to else f"bot: {delivery.text}"


def as_json(at: float, delivery: Delivery, to: str | None) -> str:
    """Return a message as one JSON object."""
    say = delivery.says[0]
    fields = {"at": at, "to": to, "text": delivery.text, "game": say.game, "event": say.event}
    return json.dumps(fields, ensure_ascii=False)


def _parse_line(number: int, line: str) -> Iterator[ScriptStep]:
    if not line or line.startswith("#"):
        return
    if line.startswith("+"):
        yield _time_step(number, line)
        return
    speaker, colon, text = line.partition(":")
    match = _SPEAKER.fullmatch(speaker)
    if match is None or not colon or not match["name"].strip():
        raise ScriptError(f"line {number}: expected `name: words`, `+seconds` or `# comment`, got {line!r}")
    role = _role(number, match["role"])
    yield ScriptLine(match["name"].strip(), role, text.strip(), match["whisper"] is not None)


def _time_step(number: int, line: str) -> TimeStep:
    match = _TIME_STEP.fullmatch(line)
    if match is None or float(match[1]) > MAX_STEP_SECONDS:
        raise ScriptError(f"line {number}: expected + and up to {MAX_STEP_SECONDS} seconds, got {line!r}")
    return TimeStep(float(line[1:]))


def _role(number: int, text: str | None) -> Role:
    if text is None:
        return Role.VIEWER
    try:
        return Role(text.strip().lower())
    except ValueError:
        roles = ", ".join(role.value for role in Role)
        raise ScriptError(f"line {number}: {text!r} is no role; there are: {roles}") from None


def sources_of(seed: str, run: str) -> Sources:
    """Return seeds and table ids that repeat with `seed`; ids begin with the run, so that they are unique."""
    seeds, tables = count(), count(1)

    def new_seed() -> bytes:
        return hmac.digest(seed.encode(), f"rehearsal {next(seeds)}".encode(), hashlib.sha256)

    # Constant, so that a later run on the same database can unseal its chains.
    key = hashlib.sha256(b"rehearsal").digest()
    return Sources(key, seed=new_seed, table_id=lambda: f"{run}-{next(tables)}", links=CHAIN)


class _RehearsalPlatform:
    """The platform of a rehearsal, which shows all messages, private ones included."""

    def __init__(self, bot: Bot, watch: HandWatch, show: OnMessage) -> None:
        self._bot, self._watch, self._show = bot, watch, show

    async def send(self, delivery: Delivery) -> None:
        """Show a message of the bot."""
        to = None if delivery.to is None else self._bot.members.name(self._bot.members.seat(delivery.to))
        self._show(self._watch.now(), delivery, to)

    async def play(self, line_id: str, step: ScriptStep) -> None:
        """Advance the clock, or say a line and handle all that follows from it."""
        if isinstance(step, TimeStep):
            await self._watch.turn(step.seconds)
            return
        account = Account(ROOM, step.name.casefold())
        await self._bot.converse(Line(line_id, ROOM, account, step.name, step.role, step.text, step.private))
        await self._watch.turn()
