"""Writes transcripts of an evening into docs/play, as scripts of chat lines make the bot tell them.

`python -m docs.evening` writes them, and `--check` only says which of them are out of date. Everything runs
through `Bot` and the senders of the bot with a manual clock and a fixed seed; this module only adds which
messages of a Discord server are read by one member alone, as `cogs/discord/answers.py` decides it there.

A script has the lines of `chatbot rehearse`, and besides them:

- `## Title` begins a scene; comments below it are its introduction.
- `ann, bob: words` are several people who write at the same time.
- `ann: /heist 50` is a slash command of Discord.
- `?: words` are those of whoever is to answer at a table.
- A line that ends in `…` is the example that the bot gave last, as in `ann: !set …`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.cli.rehearsal import ScriptLine, TimeStep, read_script, sources_of
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.rooms.channel import Channel, Delivery, Manner, Privacy
from chatbot.rooms.line import SIGN, Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from cogs.discord.adapter import MANNER as DISCORD
from cogs.twitch.channels import MANNER as TWITCH
from docs.generate import own_games

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import Role

FOLDER = Path(__file__).parent / "play"
SEED = "evening"
START = datetime(2026, 1, 9, 20, tzinfo=UTC)
PACE = 3.0  # seconds from one line to the next
WIDTH = 100  # columns of a transcript; a Korean letter takes two
SLASH = "/"
ASKED = "?"
EXAMPLE = "…"
BOT = "Rabble"
_ESCAPED = re.compile(r"\\(\W)")


@dataclass(frozen=True, slots=True)
class Evening:
    """One room: its script and its page are named after it, `introduction` stands above the first scene."""

    name: str
    language: str
    platform: str
    manner: Manner
    introduction: str


EVENINGS = (
    Evening(
        "evening",
        "en",
        "twitch",
        TWITCH,
        "# An evening in a Twitch chat\n\n"
        "Twelve people play all five games, with the settings that a new chat has. The bot is not a\n"
        "moderator of this chat, so it merges what it says. A line with an arrow is a whisper, which only\n"
        "two people read. There is also [an evening on a Discord server, in Korean](evening.ko.md).",
    ),
    Evening(
        "evening.ko",
        "ko",
        "discord",
        DISCORD,
        "# 디스코드 서버의 저녁\n\n"
        "열두 사람이 다섯 가지 게임을 모두 해요. 설정은 처음 그대로예요. 화살표가 있는 줄은 그 사람에게만\n"
        "보여요. 디스코드에는 테이블마다 그림과 버튼이 있는 메시지도 있지만, 여기에는 적지 않았어요.\n"
        "영어로 된 [트위치 채팅의 저녁](evening.md)도 있어요.",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m docs.evening", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is old")
    asked = parser.parse_args()
    old = {name: text for name, text in pages().items() if not _is_written(name, text)}
    for name, text in old.items():
        print(f"docs/play/{name} {'is out of date' if asked.check else 'is written'}")
        if not asked.check:
            (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    if asked.check:
        sys.exit(bool(old))


def pages() -> Mapping[str, str]:
    """Play every evening, and return the pages by the names of their files."""
    return {f"{each.name}.md": asyncio.run(_page(each)) for each in EVENINGS}


def _is_written(name: str, text: str) -> bool:
    file = FOLDER / name
    return file.exists() and file.read_text(encoding="utf-8") == text


async def _page(evening: Evening) -> str:
    script = (Path(__file__).parent / "scripts" / f"{evening.name}.txt").read_text(encoding="utf-8")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = await Store.open(f"sqlite:///{Path(folder, 'evening.db').as_posix()}", alone=True)
        try:
            transcript = await _Performance(evening, store).play(script)
        finally:
            await store.close()
    return "\n".join(transcript) + "\n"


@dataclass(frozen=True, slots=True)
class _Heard:
    """A line that somebody could read, with when it was written; `only` may read it, or else everybody."""

    at: datetime
    who: str
    text: str
    only: str = ""

    def lines(self) -> Iterator[str]:
        """Yield it in lines of at most `WIDTH` columns."""
        arrow = f" → {self.only}" if self.only else ""
        yield from wrapped(f"{self.at:%H:%M:%S} {self.who}{arrow}: {self.text}")


@dataclass
class _Performance:
    """The bot and one room, as the people of a script meet them."""

    evening: Evening
    store: Store
    watch: HandWatch = field(default_factory=lambda: HandWatch(START))
    heard: list[_Heard] = field(default_factory=list)

    async def play(self, script: str) -> Sequence[str]:
        """Play all scenes, and return the lines of the page."""
        language, platform = self.evening.language, self.evening.platform
        self.bot = Bot(own_games(), self.store, Words(language), self.watch, sources_of(SEED, SEED))
        self._channel = f"{platform}:1"
        self._roles: dict[Account, Role] = {}
        self._alone = set[Account]()  # those who wrote to the bot alone when they last wrote to it
        self._later: list[Delivery] = []  # replies that were thought about, and come after all others
        self._count = 0
        own = Channel(self._channel, platform, self, self.evening.manner)
        await self.bot.open(Room(self._channel, platform, (own,)))
        await self.watch.turn()
        page = [self.evening.introduction, "", "<!-- Written by `python -m docs.evening`. -->"]
        for scene in script.split("\n## ")[1:]:
            page += await self._scene(scene)
        return page

    async def _scene(self, scene: str) -> Iterator[str]:
        title, *rest = scene.strip().splitlines()
        told = [line.lstrip("# ") for line in rest if line.startswith("#")]
        since = len(self.heard)
        for step in read_script(rest):
            if isinstance(step, TimeStep):
                await self.watch.turn(step.seconds)
                continue
            await self.watch.turn(PACE)
            names = [self._asked()] if step.name == ASKED else step.name.split(", ")
            for name in names:
                await self._speak(name, step)
            await self.watch.turn()
            for delivery in self._later:
                self._reply(delivery)
            self._later.clear()
        lines = (line for each in self.heard[since:] for line in each.lines())
        return iter(["", f"## {title}", "", *(told and [*told, ""]), "```text", *lines, "```"])

    async def _speak(self, name: str, step: ScriptLine) -> None:
        account = Account(self.evening.platform, name.casefold())
        role = self._roles.setdefault(account, step.role)
        text = self._example(name, step.text) if step.text.endswith(EXAMPLE) else step.text
        slash = text.startswith(SLASH)
        alone = step.private or slash
        bot = BOT if step.private else ""
        self.heard.append(_Heard(self.watch.date(), name, text, bot))
        (self._alone.add if alone else self._alone.discard)(account)
        self._count += 1
        said = SIGN + text.removeprefix(SLASH) if slash else text
        line = Line(
            f"{SEED}:{self._count}", self._channel, account, name, role, said, private=alone, login=name
        )
        if self._answers_apart and said.startswith(SIGN):
            for delivery in (await self.bot.hear(line, self._later.append)).deliveries:
                self._reply(delivery)
            await self.bot.settle()  # what follows from the line, such as its hint, is set before time passes
        else:
            await self.bot.converse(line)

    def _asked(self) -> str:
        """Return the name of the first person who has something to answer at a table."""
        room = self.bot.rooms.at(self._channel)
        tables = [table for table in room.tables.values() if not table.over]
        return next(
            self.bot.members.name(seat)
            for table in tables
            for seat in table.seated
            if not of_house(seat) and table.menu(seat, 0)
        )

    def _example(self, name: str, text: str) -> str:
        """Return the example that the bot gave last for a command, to everybody or to its reader."""
        word = text.removesuffix(EXAMPLE).strip()
        pattern = re.compile(rf"{re.escape(word)}(?: [0-9A-Z]+)+")
        told = (each for each in reversed(self.heard) if each.who == BOT and each.only in {"", name})
        return next(found[0] for found in map(pattern.search, (each.text for each in told)) if found)

    # What the bot says

    async def send(self, delivery: Delivery) -> None:
        """Write down what was sent."""
        if delivery.to is None:
            self._write(delivery.text)
        elif self._answers_apart:
            self._reply(delivery)
        else:
            self._write(delivery.text, self._name(delivery.to))

    @property
    def _answers_apart(self) -> bool:
        """Whether the platform answers a line by a reply to it."""
        return self.evening.manner.private is Privacy.ALL

    def _reply(self, delivery: Delivery) -> None:
        """Answer a member of a Discord server: in public whoever wrote in public, unless it is a secret."""
        if delivery.to is None:
            self.bot.pass_on(delivery)
            return
        name = self._name(delivery.to)
        talk = self.bot.rooms.at(self._channel).habits.talk
        if delivery.to in self._alone or any(say.secret for say in delivery.says):
            self._write(delivery.text, name)
        elif any(talk.includes(say.talk) for say in delivery.says):
            self._write(f"@{name}: {delivery.text}")

    def _write(self, text: str, only: str = "") -> None:
        shown = _ESCAPED.sub(r"\1", text)  # as platforms show what is escaped for their markup
        self.heard.append(_Heard(self.watch.date(), BOT, shown, only))

    def _name(self, account: Account) -> str:
        return self.bot.members.name(self.bot.members.seat(account))


def wrapped(text: str) -> Iterator[str]:
    """Break a line between words; what follows its first line is indented."""
    line, *words = text.split(" ")
    for word in words:
        if _columns(line) + 1 + _columns(word) > WIDTH:
            yield line
            line = " " * 8
        line += f" {word}"
    yield line


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


if __name__ == "__main__":
    main()
