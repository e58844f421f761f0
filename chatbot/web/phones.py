"""Set up's card Phones: gives people elsewhere a way to the public pages, and never to the local one.

A tunnel leads from outside to the public listener, which is opened for it if the settings open none. The way
that was chosen is kept, for a streamer who allowed it once expects it to be there after the next start; an
address in the settings counts more, and nothing is started beside it.
"""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING, Any, Protocol

import segno

from chatbot.kernel.game import Failure
from chatbot.web.hosts import network_url
from chatbot.web.listener import PageListener
from chatbot.web.tunnels import PROGRAMS, Tunnel, TunnelProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.keys.entered_settings import EnteredSettings
    from chatbot.runtime.clock import Alarm, Watch

NETWORK = "network"  # the way that needs no program: an address of this machine
USUAL_PORT = 8766  # beside that of the local page; what was printed or bookmarked stays right
CHOICE = "phones"  # the name under which the way is kept
FIRST_PAUSE, LONGEST_PAUSE = (
    5.0,
    300.0,
)  # seconds until a tunnel that ended is opened again, twice as long each time

_EVERYWHERE = "0.0.0.0"  # noqa: S104  (only after somebody has asked for it)
_SETTINGS = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"


class PublicPages(Protocol):
    """The web server, as far as it serves people elsewhere."""

    public: PageListener | None

    async def open_public(self, listener: PageListener) -> None:
        """Serve public pages at a listener from now on.

        Raises:
            Failure: it cannot listen.
        """

    async def close_public(self) -> None:
        """Serve no more public pages."""

    def move_entrance(self) -> None:
        """Let the chat lead people to the address at which pages are found now."""


class Phones:
    """The way in for people elsewhere, and the card that opens and closes it."""

    def __init__(self, server: PublicPages, entered: EnteredSettings, watch: Watch, url: str) -> None:
        """`url` is the address that the operator has set; an empty one leaves it to the card."""
        self._server, self._entered, self._watch = server, entered, watch
        self._url = url
        self._own_listener = server.public is None
        self._tunnel: Tunnel | None = None
        self._choice = self._trouble = ""
        self._pause = FIRST_PAUSE
        self._retry: Alarm | None = None
        self._opening = asyncio.Lock()  # one press after the other

    async def start(self) -> None:
        """Open the way that was chosen before; what goes wrong stands on the card, and stops nothing."""
        if self._url:
            return
        self._choice = (await asyncio.to_thread(self._entered.load)).get(CHOICE, "")
        if self._choice:
            # Not waited for: cloudflared takes seconds, and chats need not wait for phones.
            self._watch.ring(0.0, self._open_again)

    async def stop(self) -> None:
        """End the tunnel."""
        if self._retry is not None:
            self._retry.cancel()
        self._choice = ""
        await self._close_tunnel()  # also one that has told no address yet, for which somebody waits below
        async with self._opening:
            await self._close_tunnel()

    # The card

    def state(self) -> Mapping[str, Any]:
        """Return what the card shows."""
        listener = self._server.public
        address = "" if listener is None or not listener.url else listener.url
        state = {
            "address": f"{address}/seat" if address else "",
            "secure": address.startswith("https://"),
            "fixed": bool(self._url),
            "choice": self._choice,
            "programs": [each.name for each in PROGRAMS.values() if each.installed_at() is not None],
            "trouble": self._trouble,
        }
        return {"phones": state}

    async def act(self, card: str, action: str, fields: Mapping[str, str]) -> bool:
        """Do what a button of the card says; return whether there is such a button."""
        if card != "phones" or action not in {"open", "close"}:
            return False
        if self._url:
            raise Failure(
                "CHATBOT_PUBLIC_URL is set in the environment or in .env, which counts more: change it there."
            )
        choice = fields.get("way", "") if action == "open" else ""
        if action == "open" and choice not in {NETWORK, *PROGRAMS}:
            return False
        if self._retry is not None:
            self._retry.cancel()
        self._trouble, self._pause = "", FIRST_PAUSE
        async with self._opening:
            await self._close()
            if choice:
                await self._open(choice)
        await asyncio.to_thread(self._entered.put, {CHOICE: choice or None})
        self._choice = choice
        return True

    def code(self) -> bytes | None:
        """Return the address as a QR code, an SVG; None: there is no address."""
        address = self.state()["phones"]["address"]
        if not address:
            return None
        image = io.BytesIO()
        # Dark on white with a border of four modules in any look: what cameras expect.
        segno.make(address, error="m", micro=False).save(image, kind="svg", scale=6, border=4, light="#fff")
        return image.getvalue()

    # Ways

    async def _open(self, way: str) -> None:
        try:
            if way == NETWORK:
                listener = await self._listener(_EVERYWHERE)
                listener.url = network_url(listener.host, listener.port)
            else:
                listener = await self._listener("127.0.0.1")
                listener.url = await self._open_tunnel(PROGRAMS[way], listener.port)
        except Failure:
            await self._close()
            raise
        self._server.move_entrance()

    async def _open_tunnel(self, program: TunnelProgram, port: int) -> str:
        self._tunnel = tunnel = Tunnel(program, ended=self._note_end)
        return await tunnel.open(port)

    async def _listener(self, host: str) -> PageListener:
        """Return the public listener; one is opened if the settings open none."""
        if self._server.public is not None:
            return self._server.public
        try:
            return await self._open_listener(host, USUAL_PORT)
        except Failure:  # another program has the port
            return await self._open_listener(host, 0)

    async def _open_listener(self, host: str, port: int) -> PageListener:
        listener = PageListener(host, port, _SETTINGS, public=True)
        await self._server.open_public(listener)
        return listener

    async def _close(self) -> None:
        await self._close_tunnel()
        if self._own_listener:
            await self._server.close_public()
        elif self._server.public is not None:
            self._server.public.url = ""
        self._server.move_entrance()

    async def _close_tunnel(self) -> None:
        tunnel, self._tunnel = self._tunnel, None
        if tunnel is not None:
            await tunnel.close()

    # A tunnel that ends by itself, as when the network is away

    def _note_end(self) -> None:
        if not self._choice:
            return
        self._trouble = f"{PROGRAMS[self._choice].title} has ended; it is started again."
        self._retry = self._watch.ring(self._pause, self._open_again)

    async def _open_again(self) -> None:
        choice = self._choice
        if not choice:
            return
        async with self._opening:
            try:
                await self._close()
                await self._open(choice)
            except Failure as failure:
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
                self._trouble = f"{failure} It is tried again in {self._pause:.0f} seconds."
                self._retry = self._watch.ring(self._pause, self._open_again)
            else:
                self._trouble, self._pause = "", FIRST_PAUSE
