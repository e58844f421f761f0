"""`chatbot doctor --live`: plays one heist on the real platforms, and says at which step something is wrong.

A bot with a database of its own, which is removed afterwards, connects to the platforms that are set up, by
the adapters and with the tokens of the bot that it stands for. What it is told there and what becomes of its
messages is written down per platform; each step waits for what it is about, or until its time is over.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING

import aiohttp

from chatbot.cli.context import counted
from chatbot.cli.diagnosis import Diagnosis
from chatbot.cli.inspection import printable
from chatbot.cli.live_chats import chats_of
from chatbot.cli.observing import ObservedBot, Observer
from chatbot.cli.shell import throwaway
from chatbot.kernel.game import Failure
from chatbot.keys.ring import KeyRing
from chatbot.ledger.store.engines import address, file_of, shown
from chatbot.ledger.store.file_lock import DatabaseInUse, FileLock
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import LoopWatch
from chatbot.setting_up import PlatformSetUp
from chatbot.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from chatbot.cli.diagnosis import Verdict
    from chatbot.cli.live_chats import Chats
    from chatbot.cli.observing import Observed
    from chatbot.environment import Settings
    from chatbot.keys.discretion import Discretion
    from chatbot.rooms.line import Line
    from cogs.platform import Platform

MOST_SHOWN = 60  # characters of what somebody typed
SEND_TIMEOUT = 0.5  # seconds in which callbacks may finish at the end, as in a bot that stops

NOTHING_CONNECTED = (
    "Neither Twitch nor Discord is connected, so there is nothing to try: `chatbot connect twitch` and "
    "`chatbot connect discord` tell how, as does Set up on the page of `chatbot run`."
)
BEGINNING = (
    "One heist on each platform, by a bot with wallets of its own: nobody wins or loses credits of yours, "
    "and your database and your rooms' settings are not touched. Whoever types commands meanwhile plays "
    "along. Ctrl-C ends it."
)
END = "What was played is thrown away; wallets, settings and database are as they were."


@dataclass(frozen=True, slots=True)
class StepLimits:
    """Seconds that each step may take."""

    connected: float = 30.0
    refused: float = 5.0  # after the platform's adapter has said that something is wrong
    typed: float = 180.0
    answered: float = 60.0
    ended: float = 180.0
    leaving: float = 3.0  # in which what is under way is brought to its end, such as the message of a table


class LiveCheck:
    """One run on all platforms that are set up; `show` prints a line as it comes."""

    def __init__(
        self,
        settings: Settings,
        discretion: Discretion,
        show: Callable[[str], None],
        limits: StepLimits,
        watch: LoopWatch | None = None,
    ) -> None:
        """`watch` is the clock of the bot; None is that of the event loop."""
        self._settings, self._discretion, self._show, self._limits = settings, discretion, show, limits
        self._watch, self._observer = watch or LoopWatch(), Observer()
        self._findings: list[Diagnosis] = []

    async def run(self) -> list[Diagnosis]:
        """Take all steps, and return what was found.

        Raises:
            Failure: nothing is connected, or a bot is running.
        """
        names = _set_up(self._settings, self._discretion)
        if not names:
            raise Failure(NOTHING_CONNECTED)
        with _no_other_bot(self._settings), throwaway(self._settings, platforms=True) as settings:
            self._show(BEGINNING)
            async with self._run_bot(settings, names) as platforms:
                for each in platforms:
                    await self._check(each, chats_of(each, settings))
                if any(each.verdict == "ok" for each in self._findings):
                    await self._observer.until(lambda: False, self._limits.leaving)
        self._show(END)
        return self._findings

    @asynccontextmanager
    async def _run_bot(self, settings: Settings, names: set[str]) -> AsyncIterator[list[Platform]]:
        """Run a bot, and begin to connect it to its platforms."""
        watch, observer = self._watch, self._observer
        store = await Store.open(settings.database, alone=True)
        try:
            bot = ObservedBot(settings, store, watch, observer)
            supervisor = Supervisor([], watch, observer.tell)
            try:
                async with (
                    aiohttp.ClientSession() as session,
                    PlatformSetUp(
                        settings,
                        self._discretion,
                        bot,
                        session,
                        observer.tell,
                        supervisor,
                        observer.reported,
                    ) as set_up,
                ):
                    platforms = [each for each in set_up.platforms() if each.name in names]
                    supervisor.open()
                    try:
                        for each in platforms:
                            await supervisor.put(each)
                        yield platforms
                    finally:
                        await supervisor.close()
            finally:
                await watch.stop(SEND_TIMEOUT)
                await bot.close()
        finally:
            await store.close()

    # The steps

    async def _check(self, platform: Platform, chats: Chats) -> None:
        if not await self._connects(platform, chats):
            return
        observed = self._observer.of(platform.name.lower())
        line = await self._hears(platform, chats, observed)
        if line is not None and await self._is_answered(platform, chats, observed, line):
            await self._plays(platform, chats, observed)

    def _find(self, platform: Platform, step: str, verdict: Verdict, sentence: str) -> None:
        diagnosis = Diagnosis(f"{platform.name}, {step}", verdict, sentence)
        self._findings.append(diagnosis)
        self._show(printable(diagnosis.line))  # names and lines are those of strangers

    def _ask(self, sentence: str) -> None:
        self._show(printable(f"now    {sentence}"))

    async def _connects(self, platform: Platform, chats: Chats) -> bool:
        observer, name, step = self._observer, platform.name, "connected"

        def said(start: str) -> list[str]:
            return [each.removeprefix(start) for each in observer.told if each.startswith(start)]

        limit = self._limits.connected
        await observer.until(lambda: platform.connected or said(f"{name}: "), limit)
        if not platform.connected:  # it may have told of something else, such as of one of many chats
            await observer.until(lambda: platform.connected, self._limits.refused)
        if not platform.connected:
            attempts = [each for each in observer.told if each.startswith(f"{name} is not connected")]
            reasons = said(f"{name}: ") or [
                f"{each} If that goes on, look at the connection of this machine." for each in attempts
            ]
            silent = f"it was not there within {limit:.0f} s; look at the connection of this machine."
            self._find(platform, step, "wrong", reasons[-1] if reasons else silent)
            return False
        places = chats.places()
        for each in chats.unheard():
            self._find(platform, step, "wrong", each)
        if not places:
            self._find(platform, step, "wrong", chats.nowhere())
            return False
        as_whom = said(f"{name} is connected: ")
        self._find(platform, step, "ok", as_whom[-1] if as_whom else f"in {', '.join(places)}.")
        return True

    async def _hears(self, platform: Platform, chats: Chats, observed: Observed) -> tuple[Line, int] | None:
        minutes = self._limits.typed / 60
        time = f"{minutes:.0f} minutes" if minutes > 1 else f"{self._limits.typed:.0f} s"
        if not observed.commands:
            self._ask(f"Type {chats.command} {chats.where(chats.places())}, within {time}.")
        if not await self._observer.until(lambda: observed.commands, self._limits.typed):
            came = f"{counted(observed.lines, 'other line')} came, so the chat is heard"
            others = came if observed.lines else "nothing at all came"
            self._find(platform, "heard", "wrong", f"no command was heard ({others}); {chats.silence()}")
            return None
        line, _ = observed.commands[0]
        text = shorten(line.text, MOST_SHOWN)
        self._find(platform, "heard", "ok", f"{line.name} typed “{text}” in {chats.name(line.channel)}.")
        return observed.commands[0]

    async def _is_answered(
        self, platform: Platform, chats: Chats, observed: Observed, command: tuple[Line, int]
    ) -> bool:
        line, before = command
        step, name = "answered", chats.name(line.channel)
        reason = await self._why_lost(chats, observed, line, before)
        if reason:
            sentence = f"what the bot says does not reach {name}: {reason}; see to that, or type elsewhere."
            self._find(platform, step, "wrong", sentence)
            return False
        self._find(platform, step, "ok", f"{platform.name} has taken what the bot said in {name}.")
        return True

    async def _why_lost(self, chats: Chats, observed: Observed, line: Line, before: int) -> str:
        """Say why the first answer to a line, `before` which there were so many reports, was lost, or ""."""

        def outcome() -> list[str]:
            return [trouble for channel, trouble in observed.reports[before:] if channel == line.channel]

        until, barred = self._observer.until, line.barred is not None
        # Where it is known before that it may not write, no more than a try to tell that can be expected.
        limit = self._limits.refused if barred else self._limits.answered
        if barred and not chats.tries_again:
            await until(lambda: chats.barred(line.channel), limit)  # it is written by a thread
            return chats.barred(line.channel) or "it lacks a permission"
        if not await until(outcome, limit):
            return chats.barred(line.channel) or f"nothing was taken or refused within {limit:.0f} s"
        return (chats.barred(line.channel) or outcome()[0]) if outcome()[0] else ""

    async def _plays(self, platform: Platform, chats: Chats, observed: Observed) -> None:
        step, limit, until = "played", self._limits.ended, self._observer.until
        if not await until(lambda: observed.opened, self._limits.refused):
            self._ask(f"No table was opened; the bot has said why. Type {chats.command} again.")
        if not await until(lambda: observed.opened, self._limits.typed):
            self._find(platform, step, "wrong", (
                "the bot answers, and nobody opened a table; run this again, and type what it asks for."
            ))  # fmt: skip
            return
        self._ask(f"The table is open. Type {chats.start} if you are alone: then it takes about a minute.")
        if not await until(lambda: observed.ends or observed.voided, limit):
            sentence = f"no result was sent within {limit:.0f} s; look at the log above, and run this again."
        elif observed.voided:
            sentence = "it was called off; look at the log above."
        elif observed.ends[0]:
            sentence = (
                f"it was played to its end, and {platform.name} did not take the result: {observed.ends[0]}."
            )
        else:
            self._find(platform, step, "ok", "it was played to its end, and the result is in the chat.")
            return
        self._find(platform, step, "wrong", sentence)


def _set_up(settings: Settings, discretion: Discretion) -> set[str]:
    """Return the names of the platforms that the operator has connected, or has begun to.

    Raises:
        Failure: the settings of one, or the file of its keys, cannot be used.
    """
    application = settings.twitch_application
    # A build may bring an application, of which nobody has made use yet.
    has_begun = settings.twitch_client_id is not None or bool(
        KeyRing(settings.twitch_tokens, discretion).load()
    )
    is_connected: Mapping[str, bool] = {
        "Twitch": application is not None and has_begun,
        "Discord": settings.discord_token is not None,
    }
    return {name for name, is_there in is_connected.items() if is_there}


@contextmanager
def _no_other_bot(settings: Settings) -> Iterator[None]:
    """Hold the lock of the real database, so that no bot runs on it meanwhile; one on a server has none.

    Raises:
        Failure: a bot is running, which would answer the same lines.
    """
    file = file_of(settings.database)
    lock = FileLock(address(settings.database))
    try:
        if file is not None and file.exists():  # otherwise no bot has run, and nothing is to be made here
            with suppress(OSError):  # a folder that cannot be written, in which no bot can run either
                lock.claim()
    except DatabaseInUse:
        raise Failure(
            f"A bot is running on {shown(address(settings.database))}, and two would answer each line: stop "
            "that one, and try again."
        ) from None
    try:
        yield
    finally:
        lock.release()
