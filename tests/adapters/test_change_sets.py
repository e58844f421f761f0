"""Every privileged command, at every adapter: it leaves one row of the audit that names who gave it.

The commands and their cases are those of `tests/bot/commands/test_audit_rows.py`, which fails where one is
missing; the adapters are those of `SURFACES`. Nowhere does anybody call off a table at which they sit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.commands import Kind
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.changes import VOIDED, Changes
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from cogs.discord.slash_commands import spoken_commands
from cogs.local.adapter import LocalChat
from tests.adapters.discord.conftest import server
from tests.adapters.discord.conftest import stage as discord
from tests.adapters.discord.seats import seat_of as discord_seat
from tests.adapters.minutes import Minutes
from tests.adapters.twitch.conftest import fake, watch
from tests.adapters.twitch.conftest import stage as twitch
from tests.bot.commands.test_audit_rows import CASES, SAM
from tests.checked import store
from tests.ledger.samples import readable
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.commands import Option
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from tests.adapters.discord.stage import Stage as Discord
    from tests.adapters.twitch.stage import Stage as Twitch
    from tests.fakes.discord_world import User

__all__ = ["discord", "fake", "server", "store", "twitch", "watch"]

ANN, MOD, OWNER = "ann", "mod", "owner"
ROLES = {ANN: Role.VIEWER, MOD: Role.MODERATOR, OWNER: Role.BROADCASTER}
LONG_WORDS = {
    "creditssetall": "!credits set all",
    "creditsset": "!credits set",
    "seasonend": "!season end",
    "granthere": "!grant here",
    "grantregulars": "!grant regulars",
}
"""Commands that are typed in several words, the longer first."""
GAMES = [name for name, kit in kits().items() if kit.money.odds is not None]


class Surface(ABC):
    """An adapter as somebody moderates at it: Ann watches, one moderates, and one owns the room."""

    bot: Bot
    minutes: Minutes

    @property
    @abstractmethod
    def room(self) -> Room: ...

    async def says(self, who: str, text: str) -> None:
        """Let somebody give a command, and wait until it is done and written."""
        heard = len(self.minutes.lines)
        await self.send(who, text)
        await self.until(lambda: len(self.minutes.lines) > heard)
        await self.bot.settle()

    @abstractmethod
    async def open(self) -> None: ...

    @abstractmethod
    async def send(self, who: str, text: str) -> None: ...

    @abstractmethod
    async def until(self, holds: Callable[[], bool]) -> None: ...

    @abstractmethod
    async def turn(self, seconds: float) -> None: ...

    @abstractmethod
    def seat(self, who: str) -> Seat: ...


class OnTwitch(Surface):
    def __init__(self, stage: Twitch, patch: pytest.MonkeyPatch) -> None:
        self._stage, self.bot = stage, stage.bot
        self.minutes = Minutes(stage.bot, patch)

    async def open(self) -> None:
        await self._stage.open()

    @property
    def room(self) -> Room:
        return self._stage.chat("ada").room

    async def send(self, who: str, text: str) -> None:
        badges = {MOD: ["moderator"], OWNER: ["broadcaster"]}.get(who, [])
        await self._stage.fake.chat(_login(who), "ada", text, badges)

    async def until(self, holds: Callable[[], bool]) -> None:
        await self._stage.until(holds)

    async def turn(self, seconds: float) -> None:
        await self._stage.watch.turn(seconds)

    def seat(self, who: str) -> Seat:
        return self._stage.seat(_login(who))


def _login(who: str) -> str:
    return "ada" if who == OWNER else who


class OnDiscord(Surface):
    """Commands are typed into a channel."""

    def __init__(self, stage: Discord, patch: pytest.MonkeyPatch) -> None:
        self._stage, self.bot = stage, stage.bot
        self.minutes = Minutes(stage.bot, patch)
        self.users: dict[str, User] = {
            ANN: stage.world.join(ANN),
            MOD: stage.world.join(MOD, manages=True),
            OWNER: stage.world.owner,
        }

    async def open(self) -> None:
        await OnDiscord.send(self, MOD, "!top")  # a room is opened by its first command
        await self.until(lambda: "discord" in str(self.bot.rooms))

    @property
    def room(self) -> Room:
        return self._stage.room

    async def send(self, who: str, text: str) -> None:
        await self._stage.people.say(self.users[who], self._stage.town, text)

    async def until(self, holds: Callable[[], bool]) -> None:
        await self._stage.until(holds)

    async def turn(self, seconds: float) -> None:
        await self._stage.turn(seconds)

    def seat(self, who: str) -> Seat:
        return discord_seat(self.users[who].id)


class BySlash(OnDiscord):
    """Commands are given by the forms that Discord offers for them."""

    async def send(self, who: str, text: str) -> None:
        word, options = self._form(text)
        await self._stage.people.slash(self.users[who], self._stage.town, word, **options)

    def _form(self, text: str) -> tuple[str, dict[str, Any]]:
        """Fill in the form of a command: its last field takes whatever is left of the line."""
        for word, long in LONG_WORDS.items():
            text = text.replace(long, f"!{word}")
        word, _, rest = text.removeprefix("!").partition(" ")
        fields = {each.word: each.options for each in spoken_commands(self.bot)}[word]
        values = rest.split(" ", len(fields) - 1) if rest else []
        return word, {
            each.name: self._value(each, value) for each, value in zip(fields, values, strict=False)
        }

    def _value(self, field: Option, value: str) -> Any:
        if field.kind is Kind.MEMBER:
            return self.users[value.removeprefix("@")]
        return int(value) if field.kind is Kind.WHOLE else value


class OnThePage(Surface):
    def __init__(self, store: Store, patch: pytest.MonkeyPatch) -> None:
        self._watch = HandWatch()
        self.bot = Bot(kits(), store, Words("en"), self._watch, Sources(seat=readable))
        self._chat = LocalChat(self.bot, "run")
        self.minutes = Minutes(self.bot, patch)
        self._viewers = {who: viewer_of(who, role.value) for who, role in ROLES.items()}

    async def open(self) -> None:
        await self.bot.open(self._chat.room)
        for viewer in self._viewers.values():
            await self._chat.enter(viewer)

    @property
    def room(self) -> Room:
        return self._chat.room

    async def send(self, who: str, text: str) -> None:
        await self._chat.say(self._viewers[who], text, private=False)

    async def until(self, holds: Callable[[], bool]) -> None:
        await self._watch.turn()
        assert holds()

    async def turn(self, seconds: float) -> None:
        await self._watch.turn(seconds)

    def seat(self, who: str) -> Seat:
        return self._viewers[who].seat


SURFACES = "twitch", "discord", "slash", "page"


@pytest.fixture(params=SURFACES)
def surface(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Surface:
    match request.param:
        case "twitch":
            return OnTwitch(request.getfixturevalue("twitch"), monkeypatch)
        case "page":
            return OnThePage(request.getfixturevalue("store"), monkeypatch)
        case name:
            kind = OnDiscord if name == "discord" else BySlash
            return kind(request.getfixturevalue("discord"), monkeypatch)


async def test_whoever_gives_a_privileged_command_is_named_by_one_row(surface: Surface, store: Store) -> None:
    await enter(surface)
    least = {each.word: each.least for each in surface.bot.command_index.bot_commands}
    for word, case in CASES.items():
        who = OWNER if least[word] is Role.BROADCASTER else MOD
        for other, text in case.before:
            await surface.says(OWNER if other == SAM else MOD if "(" in other else ANN, text)
        before = await rows(store, surface.room)
        await surface.says(who, case.act)
        if case.after:
            await surface.says(who, case.after)
        made, *others = await rows(store, surface.room)
        assert others == before, word
        assert (made.actor, case.kind) == (surface.seat(who), made.changes[-1].kind), word
        assert made.name, word
        for text in ("!enable heist", "!unpause"):  # so that the next case finds the room open
            await surface.says(OWNER, text)
        await surface.turn(60)


async def test_nobody_calls_off_a_table_at_which_they_sit(surface: Surface, store: Store) -> None:
    await enter(surface)
    for game in GAMES:
        (word,) = [each.word for each in kits()[game].chat.commands if each.opens]
        for sits, stands in ((MOD, OWNER), (OWNER, MOD)):
            await surface.says(sits, f"!{word}")
            (table,) = surface.room.playing(game)
            before = await rows(store, surface.room)
            await surface.says(sits, f"!cancel {game}")
            assert not table.over, f"{sits} called off their own {game}"
            assert await rows(store, surface.room) == before
            await surface.says(stands, f"!cancel {game}")
            assert table.over, f"{stands} may call off the {game} of {sits}"
            made, *others = await rows(store, surface.room)
            assert others == before
            assert (made.actor, made.changes[0].kind) == (surface.seat(stands), VOIDED)
            await surface.turn(600)  # also the rest of a heist


async def enter(surface: Surface) -> None:
    await surface.open()
    for who in ROLES:
        await surface.says(who, "!credits")


async def rows(store: Store, room: Room) -> list[ChangeSet]:
    return await Changes(store).newest(room.id)
