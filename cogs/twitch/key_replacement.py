"""Looks for keys on the disk in place of those that are missing, or that Twitch has refused."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure
from chatbot.keys.ring import KeyFileFailure
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.keys.ring import Key, KeyRing
    from chatbot.runtime.clock import Watch

RELOOK = 2.0  # seconds before another look for a key in place of a refused one


class RefusedKeys:
    """The tokens that Twitch has refused during a connection, and the look for others in their place.

    A token is compared, not the time at which the file was written: the file is written too when the key of
    somebody else is renewed, and a key that was refused would be tried again at each such time.
    """

    def __init__(self, ring: KeyRing, watch: Watch) -> None:
        self._ring, self._watch = ring, watch
        self._looks = Periodic(watch, RELOOK, self._look)
        self._tokens: dict[str, str] = {}  # account -> the token that was refused; "" where none was read
        self._take_up: Callable[[Key], None] = lambda _: None
        self._looking = False

    def start(self, take_up: Callable[[Key], None]) -> None:
        """Begin with a new connection, which takes up the keys that are found."""
        self._tokens.clear()
        self._take_up, self._looking = take_up, True

    def stop(self) -> None:
        """Look no more; what was refused is still known to `await_bot`."""
        self._looking = False
        self._looks.stop()

    def add(self, account: str) -> None:
        """Remember that the token of an account was refused, which is the one on the disk."""
        try:
            key = self._ring.get(account)
        except KeyFileFailure:
            key = None
        self._tokens[account] = "" if key is None else key.access

    def forget(self, key: Key) -> None:
        """Take note that a key is in use, unless it is the one that was refused."""
        if self._tokens.get(key.user_id) != key.access:
            self._tokens.pop(key.user_id, None)

    def look_soon(self) -> None:
        """Look in `RELOOK` seconds, and from then on until every refused key has been replaced."""
        if self._looking:
            self._looks.start()

    async def _look(self) -> None:
        with suppress(Failure):  # of the file, of which `KeyChanges` tells; it is looked at again
            keys = {key.user_id: key for key in await asyncio.to_thread(self._ring.load)}
            for account, token in list(self._tokens.items()) if self._looking else []:
                key = keys.get(account)
                if key is not None and key.access != token:
                    self._take_up(key)
        if not self._tokens:
            self._looks.stop()

    async def await_bot(self, bot: Key | None) -> None:
        """Wait until another key of the bot is on the disk than this one and the one that was refused."""
        refused_tokens = set() if bot is None else {bot.access, self._tokens.pop(bot.user_id, "")}

        def there() -> bool:
            key = self._ring.bot
            return key is not None and key.access not in refused_tokens

        await self._wait_for(there)

    async def await_accounts(self, *, broadcasters: bool) -> None:
        """Wait until a bot is connected, and where `broadcasters` are needed too, one of them."""
        await self._wait_for(
            lambda: self._ring.bot is not None and (not broadcasters or bool(self._ring.broadcasters))
        )

    async def _wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until something is in the file of keys."""
        arrival = asyncio.Event()

        def there() -> bool:
            try:
                return condition()
            except Failure:  # the file is damaged, or cannot be read for the moment
                return False

        async def look() -> None:
            if await asyncio.to_thread(there):
                arrival.set()

        looks = Periodic(self._watch, RELOOK, look)
        looks.start()
        try:
            await arrival.wait()
        finally:
            looks.stop()
