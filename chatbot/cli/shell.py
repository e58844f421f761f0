"""`chatbot shell`: a prompt of Python inside a running bot, for developers.

It reads standard input and opens nothing that another process could connect to. The prompt has the main
thread, so that Ctrl-C ends a line or a statement and not the bot; the bot has an event loop in another
thread, in which every statement runs, as the bot's own code does.
"""

from __future__ import annotations

import ast
import asyncio
import concurrent.futures
import inspect
import signal
import sys
import traceback
from code import InteractiveConsole
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from chatbot.app import serve
from cogs.local.adapter import LocalChat, entering

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from chatbot.app import Beside
    from chatbot.environment import Settings
    from chatbot.kernel.game import Seat
    from chatbot.keys.discretion import Discretion

T = TypeVar("T")

SLICE = 0.1  # seconds for which the main thread waits at a time
BANNER = """\
bot, rooms, ledger and chat are those of the running bot; what has to be awaited may be, as in
    await say("ann", "!heist 69")
exit() stops the bot."""


@dataclass(frozen=True, slots=True)
class RunningBot:
    """A bot that runs in another thread."""

    names: dict[str, Any]  # of its parts, at the prompt
    loop: asyncio.AbstractEventLoop
    stopping: asyncio.Event

    def stop(self) -> None:
        """Ask it to stop."""
        with suppress(RuntimeError):  # its loop is closed: it has stopped by itself
            self.loop.call_soon_threadsafe(self.stopping.set)


@contextmanager
def throwaway(
    settings: Settings, database: str | None = None, *, platforms: bool = False
) -> Iterator[Settings]:
    """Lend settings with which a bot listens on a free port of this machine only.

    Without the URL of a `database` everything is kept in a folder that is removed afterwards. It connects to
    the platforms of the settings, with the tokens that are kept for them, or without `platforms` to none.
    """
    with TemporaryDirectory(prefix="rabble-", ignore_cleanup_errors=True) as folder:
        alone: dict[str, Any] = {"host": "127.0.0.1", "port": 0}
        if not platforms:
            alone |= {"discord_token": None, "twitch_client_id": None, "twitch_client_secret": None}
        if database is None:
            alone |= {
                "database": f"sqlite:///{(Path(folder) / 'rabble.db').as_posix()}",
                "fairness_key": None,
                "fairness_key_file": Path(folder) / "fairness.key",
            }
        yield settings.model_copy(update=alone if database is None else alone | {"database": database})


def run(settings: Settings, discretion: Discretion, tell: Callable[[str], None]) -> None:
    """Run a bot with a prompt inside until the prompt ends.

    Raises:
        Failure: the bot cannot run before the operator has corrected something.
    """
    bot_future: Future[RunningBot] = Future()

    @asynccontextmanager
    async def beside(chat: LocalChat, stopping: asyncio.Event) -> AsyncIterator[None]:
        bot_future.set_result(RunningBot(names(chat), asyncio.get_running_loop(), stopping))
        yield

    previous_handler = signal.signal(signal.SIGTERM, _exit)
    try:
        with ThreadPoolExecutor(1) as thread:
            serving = thread.submit(_serve, settings, discretion, tell, beside)
            futures: list[Future[Any]] = [serving, bot_future]
            try:
                while not concurrent.futures.wait(futures, SLICE, FIRST_COMPLETED).done:
                    pass
                if bot_future.done():
                    _prompt(bot_future.result())
            finally:  # after Ctrl-C it may have to be opened first
                bot_future.add_done_callback(lambda future: future.result().stop())
            _result(serving)
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _result(future: Future[T]) -> T:
    """Wait for a result, a slice of time after the other: on Windows Ctrl-C only comes in between."""
    while not concurrent.futures.wait([future], SLICE).done:
        pass
    return future.result()


def _serve(settings: Settings, discretion: Discretion, tell: Callable[[str], None], beside: Beside) -> None:
    def tell_here(sentence: str) -> None:
        tell(sentence.removesuffix(" Ctrl-C stops it."))  # here it does not

    asyncio.run(serve(settings, discretion, tell_here, beside=beside))


def _exit(*_: object) -> None:
    sys.exit(0)  # an exception, which takes the same way as exit() at the prompt


def _prompt(running_bot: RunningBot) -> None:
    console = Prompt(running_bot.names, running_bot.loop)
    _complete(running_bot.names)
    with suppress(SystemExit):
        console.interact(BANNER, "")


def names(chat: LocalChat) -> dict[str, Any]:
    """Return what the prompt knows by name; `say` speaks on the local page, as somebody with a role."""
    bot = chat.bot
    page = _Answers()
    chat.pages.add(page)

    async def say(name: str, text: str, role: str = "broadcaster") -> None:
        viewer = await chat.viewer(*entering(name, role))
        page.seats.add(viewer.seat)
        await chat.say(viewer, text, private=False)

    return {
        "bot": bot,
        "rooms": bot.rooms,
        "ledger": bot.ledger,
        "chat": chat,
        "say": say,
        "asyncio": asyncio,
    }


class _Answers:
    """A page that prints what the bot says to all, and to those who have spoken at the prompt."""

    def __init__(self) -> None:
        self.seats: set[Seat] = set()

    def holds(self, seat: Seat) -> bool:
        return seat in self.seats

    def tell(self, message: Mapping[str, Any]) -> None:
        if message.get("kind") == "bot":
            print(message["text"])  # noqa: T201  (it is what the prompt is for)

    def stale(self) -> None:
        """Do nothing: it shows no tables."""


class Prompt(InteractiveConsole):
    """Reads statements and runs each in the event loop of the bot; `await` may stand outside of functions."""

    def __init__(self, names: dict[str, Any], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(names)
        self.compile.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self._loop = loop
        self._task: asyncio.Task[object] | None = None  # of the last statement

    def runcode(self, code: CodeType) -> None:
        """Run a statement until it ends, or until Ctrl-C, which cancels it.

        Raises:
            SystemExit: it was `exit()`, or the bot has stopped.
        """
        if not self._loop.is_running():
            self.write("The bot has stopped.\n")
            raise SystemExit
        function = FunctionType(code, self._globals)
        try:  # the statement may be interrupted before this thread waits for it
            error = _result(asyncio.run_coroutine_threadsafe(self._run(function), self._loop))
        except (KeyboardInterrupt, concurrent.futures.CancelledError):
            self._loop.call_soon_threadsafe(self._cancel)
            self.write("\nThe statement was cancelled.\n")
            return
        if isinstance(error, SystemExit):
            raise error
        if error is not None:
            frames = error.__traceback__.tb_next if error.__traceback__ else None  # without that of `_run`
            self.write("".join(traceback.format_exception(type(error), error, frames)))

    async def _run(self, function: FunctionType) -> BaseException | None:
        """Return what a statement raised: SystemExit would end the loop, and the bot, without order."""
        self._task = asyncio.current_task()
        try:
            result = function()
            if inspect.iscoroutine(result):
                await result
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  (as it says)
            return error
        return None

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    @property
    def _globals(self) -> dict[str, Any]:
        assert isinstance(self.locals, dict)  # as given  # noqa: S101
        return self.locals


def _complete(names: dict[str, Any]) -> None:
    """Have the prompt remember lines and complete names, where Python has readline; Windows has its own."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415
        import rlcompleter  # noqa: PLC0415

        readline.set_completer(rlcompleter.Completer(names).complete)
        readline.parse_and_bind("tab: complete")
