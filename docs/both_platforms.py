"""Writes docs/stream/evening.md: an evening on Twitch and Discord at once, as both platforms get to see it.

`python -m docs.both_platforms` writes it, and `--check` only says whether it is out of date. The program runs
with its real adapters, by the real libraries, against the Twitch and the Discord of the tests; the clock is
turned by hand, and every draw has a fixed seed. `--picture FILE` writes the last picture Discord was sent.

A line of `scripts/both_platforms.txt` is one of these:

- `## Title` begins a scene; comments below it are its introduction.
- `Bob on Twitch: words`, `Bob on Discord: words`: somebody writes, a broadcaster as `Ada (broadcaster)`.
- `Bob on Discord: /heist stake=69`: a slash command with its options.
- `Bob on Discord presses Join`: a button of the last message that has one with this in its label.
- `Bob on Twitch redeems 100`: the reward that stakes so many credits, for channel points.
- `CODEGIVENX` in what is written stands for the code that the bot gave last.
- `+20` lets seconds pass, `board` shows the message of the table in Discord, `picture` what its picture says.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import structlog

from chatbot.ledger.store.store import Store
from chatbot.ledger.vouchers import Reward
from chatbot.runtime.clock import HandWatch
from cogs.twitch import eventsub
from cogs.twitch.authority import (
    ANNOUNCEMENTS_SCOPES,
    BOT_SCOPES,
    BROADCASTER_SCOPES,
    POINTS_SCOPES,
    PREDICTIONS_SCOPES,
)
from cogs.twitch.channels import LONGEST_GAP
from cogs.twitch.lines import channel_of
from docs.evening import wrapped
from docs.generate import own_games
from tests.adapters.both import Both
from tests.adapters.twitch.stage import BOT as ACCOUNT
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.fakes.discord_world import Interaction, Json, User

PAGE = Path(__file__).parent / "stream" / "evening.md"
SCRIPT = Path(__file__).parent / "scripts" / "both_platforms.txt"
STREAMER, BOT = "ada", "Rabble"
CODE = "CODEGIVENX"  # stands for a code that the bot gives; as long as one, so that lines break alike
COST = 500  # channel points of the reward
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)  # of the ids of Discord, which are part of every draw
BREATH = 3.0  # seconds from one line to the next
QUIET = 12  # looks at both platforms in a row at which nothing new has come, until the next line is said
LOOK, LOOKS = 0.01, 2000  # seconds between two looks, and how many there are before it is given up
INTRODUCTION = """# An evening on Twitch and Discord

A Twitch chat and a Discord channel are [one room](one-community.md). What follows is what both platforms were
sent by the program, in their order: its real adapters played this script against a Twitch and a Discord on
loopback. An arrow points to whom alone a message is shown.
"""
_SPOKEN = re.compile(r"(\w+)(?: \((\w+)\))? on (Twitch|Discord)(?:: (.+)| presses (.+)| redeems (\d+))")
_ESCAPED = re.compile(r"\\(\W)")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m docs.both_platforms", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is old")
    parser.add_argument("--picture", type=Path, help="write the last picture of a table there")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    text, picture = page()
    old = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text
    if old:
        print(f"docs/stream/evening.md {'is out of date' if asked.check else 'is written'}")
    if asked.check:
        sys.exit(old)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    if asked.picture is not None:
        asked.picture.write_bytes(picture)


def page() -> tuple[str, bytes]:
    """Play the evening, and return the page and the last picture of a table."""
    return asyncio.run(_played(SCRIPT.read_text(encoding="utf-8")))


async def _played(script: str) -> tuple[str, bytes]:
    async with _both() as both:
        evening = _Evening(both)
        lines = [INTRODUCTION, "<!-- Written by `python -m docs.both_platforms`. -->"]
        for scene in script.split("\n## ")[1:]:
            lines += await evening.scene(scene)
        return "\n".join(lines) + "\n", evening.picture()


@asynccontextmanager
async def _both() -> AsyncIterator[Both]:
    """Start both platforms, and the program with an adapter to each."""
    server, twitch, grace = DiscordServer(HandWatch(BEGIN).date), Twitch(), eventsub.GRACE
    eventsub.GRACE = 0.05  # seconds; there is nobody who could come back
    await server.start()
    await twitch.start()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = await Store.open(f"sqlite:///{Path(folder, 'evening.db').as_posix()}", alone=True)
        both = Both(server, store, Path(folder), twitch, "a", own_games())
        _allow_all(both, twitch)
        try:
            await both.open()
            yield both
        finally:
            await both.close()
            await twitch.stop()
            await server.stop()
            await store.close()
            eventsub.GRACE = grace


def _allow_all(both: Both, twitch: Twitch) -> None:
    """Let the streamer, an affiliate, and the bot turn on all that Twitch has for them."""
    ada = twitch.world.user(STREAMER)
    scopes = (*BROADCASTER_SCOPES, *POINTS_SCOPES, *PREDICTIONS_SCOPES)
    both.twitch.connect(STREAMER, scopes, "broadcaster", "points", "predictions")
    both.twitch.connect(ACCOUNT, (*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES), "bot", "announcements")
    twitch.world.moderate(STREAMER, ACCOUNT)
    twitch.helix.counter.affiliates.add(ada.id)
    twitch.helix.bookmaker.affiliates.add(ada.id)


class _Evening:
    """What people do on both platforms, and what both show of it."""

    def __init__(self, both: Both) -> None:
        self._both, self._world, self._twitch = both, both.discord.world, both.fake
        self._users: dict[str, User] = {"Owner": self._world.owner}
        self._seen: dict[int, str] = {}  # the messages of Discord that were written down, as they were
        self._sent = self._whispered = self._announced = 0  # how many messages of Twitch were
        self._bets: dict[str, str] = {}  # the states of predictions that were written down
        self._code = ""  # that the bot gave last

    async def scene(self, scene: str) -> Iterator[str]:
        """Play a scene, and return the lines of its part of the page."""
        title, *rest = scene.strip().splitlines()
        told = [line.lstrip("# ") for line in rest if line.startswith("#")]
        rows: list[str] = []
        for line in (each.strip() for each in rest if each.strip() and not each.startswith("#")):
            rows += await self._step(line)
        if code := self._code:
            rows = [each.replace(code, CODE) for each in rows]  # it is another one each time
        return iter(["", f"## {title}", "", *(told and [*told, ""]), "```text", *rows, "```"])

    def picture(self) -> bytes:
        """Return the last picture that Discord was sent."""
        return list(self._world.files.values())[-1]

    async def _step(self, line: str) -> list[str]:
        if line == "board":
            return list(self._board())
        if line == "picture":
            return list(
                wrapped(
                    f"{self._stamp} [Discord] picture: {self._last_board()['attachments'][0]['description']}"
                )
            )
        if line.startswith("+"):
            await self._both.discord.turn(float(line[1:]))
            return [*await self._news()]
        found = _SPOKEN.fullmatch(line)
        if found is None:
            raise ValueError(f"the script has a line that is none: {line}")
        name, role, platform, words, button, reward = found.groups()
        await self._both.discord.turn(BREATH)
        late = await self._news()
        said = words or (f"[presses {button}]" if button else f"[redeems the reward for {reward} credits]")
        said = said.replace(CODE, self._code or CODE)
        shown = list(wrapped(f"{self._stamp} [{platform}] {name}: {said}"))
        if platform == "Discord":
            await self._on_discord(self._user(name), said, button)
            return [*late, *shown, *await self._news()]
        if reward:
            await self._redeem(name, int(reward))
            return [*late, *shown, *await self._news()]
        await self._on_twitch(name, role, said)
        at_once = await self._news()
        await self._both.discord.turn(LONGEST_GAP)  # for what waits to be said together
        return [*late, *shown, *at_once, *await self._news()]

    async def _on_twitch(self, name: str, role: str | None, said: str) -> None:
        message = await self._twitch.chat(name.lower(), STREAMER, said, [role] if role else [], name=name)
        await self._both.twitch.heard(message)

    async def _redeem(self, name: str, stake: int) -> None:
        ada, counter = self._twitch.world.user(STREAMER), self._twitch.helix.counter
        sold = next(iter(counter.rewards.values()), None) or counter.put(ada, f"heist {stake}", COST)
        await self._both.bot.parts.rewards.put(Reward(sold.id, channel_of(ada.id), "heist", stake))
        self._twitch.world.user(name.lower(), name)
        bought = await self._twitch.redeem(name.lower(), sold)
        vouchers = self._both.bot.ledger.vouchers
        for _ in range(LOOKS):
            if await vouchers.known([f"twitch:{bought.id}"]):
                return
            await asyncio.sleep(LOOK)
        raise RuntimeError("it was never decided what the points buy")

    async def _on_discord(self, user: User, said: str, button: str | None) -> None:
        people, town = self._both.discord.people, self._both.discord.town
        if button:
            await self._answered(await people.press(user, self._with_button(button), button))
        elif said.startswith("/"):
            word, *options = said[1:].split(" ")
            given = dict(each.split("=", 1) for each in options)
            await self._answered(await people.slash(user, town, word, **given))
        else:
            before = len(self._world.requests)
            await people.say(user, town, said)
            await self._world.until(lambda: len(self._world.requests) > before)

    async def _answered(self, made: Interaction) -> None:
        await self._world.until(lambda: made.response)

    def _with_button(self, label: str) -> Json:
        return next(
            each
            for each in reversed(self._world.shown(self._both.discord.town))
            if any(label in button["label"] for row in each["components"] for button in row["components"])
        )

    def _user(self, name: str) -> User:
        if name not in self._users:
            self._users[name] = self._world.join(name)
        return self._users[name]

    @property
    def _stamp(self) -> str:
        return f"{self._both.discord.watch.date():%H:%M:%S}"

    # What both platforms show

    async def _news(self) -> list[str]:
        """Wait until both are quiet, and return what has come since."""
        still, before = 0, self._size()
        while still < QUIET:
            await asyncio.sleep(LOOK)
            now = self._size()
            still, before = (still + 1 if now == before else 0), now
        return [*self._twitch_news(), *self._discord_news()]

    def _size(self) -> tuple[int, ...]:
        world = self._twitch.world
        states = [each.status for each in self._twitch.helix.bookmaker.made]
        told = (len(world.said), len(world.whispers), len(world.announced), *map(len, states))
        return (*told, len(self._world.messages), len(self._world.requests))

    def _twitch_news(self) -> Iterator[str]:
        said = self._twitch.sent(STREAMER)
        for text in said[self._sent :]:
            yield from self._row("Twitch", "", text)
        self._sent = len(said)
        for each in self._twitch.world.whispers[self._whispered :]:
            yield from self._row("Twitch", each.to, each.text)
        self._whispered = len(self._twitch.world.whispers)
        for announced in self._twitch.world.announced[self._announced :]:
            yield from self._row("Twitch", "", f"[announces in {announced.colour}] {announced.text}")
        self._announced = len(self._twitch.world.announced)
        yield from self._bet_news()

    def _bet_news(self) -> Iterator[str]:
        for each in self._twitch.helix.bookmaker.made:
            if self._bets.get(each.id) != each.status:
                self._bets[each.id] = each.status
                outcomes = " / ".join(each.outcomes.values())
                state = {"ACTIVE": f"{outcomes}", "RESOLVED": f"it is resolved: {each.winning}"}
                told = state.get(each.status, each.status.lower())
                yield from wrapped(f"{self._stamp} [Twitch] prediction: {each.title} {told}")

    def _discord_news(self) -> Iterator[str]:
        for number, each in self._world.messages.items():
            reader = self._world.readers.get(number)
            if (
                each["author"]["username"] != BOT
                or not each["content"]
                or self._seen.get(number) == each["content"]
            ):
                continue
            self._seen[number] = each["content"]
            for code in re.findall(r"!bridge ([A-Z2-9]{10})", each["content"]):
                self._code = code
            yield from self._row("Discord", self._reader(each, reader), each["content"])

    def _reader(self, message: Json, reader: int | None) -> str:
        if reader is not None:
            return self._world.users[reader].name
        people = self._world.channels[int(message["channel_id"])].get("recipients") or []
        return people[0]["username"] if people else ""

    def _row(self, platform: str, only: str, text: str) -> Iterator[str]:
        shown = _ESCAPED.sub(r"\1", text).replace("\u200b", "")
        arrow = f" → {only}" if only else ""
        for number, line in enumerate(shown.split("\n")):
            head = f"{self._stamp} [{platform}] {BOT}{arrow}: " if not number else " " * 8
            yield from wrapped(f"{head}{line}")

    def _last_board(self) -> Json:
        return self._both.discord.boards[-1]

    def _board(self) -> Iterator[str]:
        """Show the message of the table as it stands, and its buttons."""
        board = self._last_board()
        (embed,) = board["embeds"]
        text = re.sub(r"<t:\d+:R>", "soon", embed["description"])
        facts = " · ".join(f"{each['name']}: {each['value']}" for each in embed.get("fields") or [])
        labels = [each["label"] for row in board["components"] for each in row["components"]]
        rows = [
            embed["title"],
            *(line for line in text.split("\n") if line),
            facts,
            *(f"[ {each} ]" for each in labels),
        ]
        yield f"{self._stamp} [Discord] the message of the table:"
        for row in rows:
            yield from wrapped(" " * 8 + "| " + _ESCAPED.sub(r"\1", row).replace("\u200b", ""))


if __name__ == "__main__":
    main()
