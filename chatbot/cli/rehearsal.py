"""Plays a script of chat lines against a clock turned by hand, and prints what is said."""

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

from chatbot.bot.house import House
from chatbot.games import kits
from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.clock import HandWatch
from chatbot.rooms.room import Channel, Delivery, Line, Room
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOM = "rehearsal"
LONGEST_TURN = 10**7  # seconds: about four months
_SPEAKER = re.compile(r"(?P<name>[^()>]+)(\((?P<role>[^)]*)\))? *(?P<whisper>> *bot *)?")
_TURN = re.compile(r"\+\s*([0-9]{1,8})(\.[0-9]{1,3})?", re.ASCII)


class ScriptError(Failure):
    """A line of the script cannot be read."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    name: str
    role: Role
    text: str
    private: bool


@dataclass(frozen=True, slots=True)
class Passing:
    seconds: float


Cue: TypeAlias = ScriptLine | Passing


def read_script(lines: Sequence[str]) -> list[Cue]:
    """Read a whole script before anything is played.

    Raises:
        ScriptError: a line is neither somebody's words, nor time, nor a comment.
    """
    return [cue for number, line in enumerate(lines, 1) for cue in _cues(number, line.strip())]


Show: TypeAlias = "Callable[[float, Delivery, str | None], None]"
"""Called with seconds since the start, what is said, and the name of the only one who hears it."""


@dataclass(frozen=True, slots=True)
class Performance:
    """One rehearsal in a room of its own; `database` is a URL, without which nothing is kept."""

    seed: str
    database: str | None
    language: str
    show: Show

    async def play(self, cues: Sequence[Cue]) -> None:
        if self.database is not None:
            # Lines and tables of one run must not be taken for those of the run before.
            await self._play(cues, self.database, secrets.token_hex(4))
            return
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            await self._play(cues, f"sqlite:///{Path(folder, 'rehearsal.db').as_posix()}", ROOM)

    async def _play(self, cues: Sequence[Cue], url: str, run: str) -> None:
        store = await Store.open(url, alone=True)
        try:
            watch = HandWatch()
            house = House(kits(), store, Words(self.language), watch, _sources(self.seed, run))
            stage = _Stage(house, watch, self.show)
            await house.open(Room(ROOM, ROOM, (Channel(ROOM, ROOM, stage),)))
            await watch.turn()
            for number, cue in enumerate(cues, 1):
                await stage.play(f"{run}:{number}", cue)
        finally:
            await store.close()


def as_text(at: float, delivery: Delivery, to: str | None) -> str:  # noqa: ARG001
    return f"bot > {to}: {delivery.text}" if to else f"bot: {delivery.text}"


def as_json(at: float, delivery: Delivery, to: str | None) -> str:
    say = delivery.says[0]
    fields = {"at": at, "to": to, "text": delivery.text, "game": say.game, "event": say.event}
    return json.dumps(fields, ensure_ascii=False)


def _cues(number: int, line: str) -> Iterator[Cue]:
    if not line or line.startswith("#"):
        return
    if line.startswith("+"):
        yield _passing(number, line)
        return
    speaker, colon, text = line.partition(":")
    match = _SPEAKER.fullmatch(speaker)
    if match is None or not colon or not match["name"].strip():
        raise ScriptError(f"line {number}: expected `name: words`, `+seconds` or `# comment`, got {line!r}")
    role = _role(number, match["role"])
    yield ScriptLine(match["name"].strip(), role, text.strip(), match["whisper"] is not None)


def _passing(number: int, line: str) -> Passing:
    match = _TURN.fullmatch(line)
    if match is None or float(match[1]) > LONGEST_TURN:
        raise ScriptError(f"line {number}: expected + and up to {LONGEST_TURN} seconds, got {line!r}")
    return Passing(float(line[1:]))


def _role(number: int, text: str | None) -> Role:
    if text is None:
        return Role.VIEWER
    try:
        return Role(text.strip().lower())
    except ValueError:
        known = ", ".join(role.value for role in Role)
        raise ScriptError(f"line {number}: {text!r} is no role; there are: {known}") from None


def _sources(seed: str, run: str) -> Sources:
    """Make luck and ids repeat with the seed; ids also tell one run on a kept database from the next."""
    seeds, tables = count(), count(1)

    def fresh() -> bytes:
        return hmac.digest(seed.encode(), f"rehearsal {next(seeds)}".encode(), hashlib.sha256)

    key = hashlib.sha256(b"rehearsal").digest()  # so that a kept database is played on with
    return Sources(key, seed=fresh, table_id=lambda: f"{run}-{next(tables)}")


class _Stage:
    """The door of a rehearsal: it shows everything, private lines too."""

    def __init__(self, house: House, watch: HandWatch, show: Show) -> None:
        self._house, self._watch, self._show = house, watch, show

    async def send(self, delivery: Delivery) -> None:
        to = None if delivery.to is None else self._house.members.name(self._house.members.seat(delivery.to))
        self._show(self._watch.now(), delivery, to)

    async def play(self, line_id: str, cue: Cue) -> None:
        if isinstance(cue, Passing):
            await self._watch.turn(cue.seconds)
            return
        account = Account(ROOM, cue.name.casefold())
        await self._house.converse(Line(line_id, ROOM, account, cue.name, cue.role, cue.text, cue.private))
        await self._watch.turn()
