"""What `chatbot doctor` finds about the pages for people elsewhere: their listener and the way to it."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp

from chatbot.cli.diagnosis import Diagnosis
from chatbot.kernel.game import Failure
from chatbot.web.hosts import own_url
from chatbot.web.listener import PageListener
from chatbot.web.reached import PATH, PROGRAM, serve_reached
from chatbot.web.server import is_open

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chatbot.environment import Settings

SUBJECT, WAY = "public pages", "public address"
NAMES = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
TIMEOUT = aiohttp.ClientTimeout(total=8.0)  # seconds: less than a check may take
MISDIRECTED = 421  # the status by which a listener refuses a Host that is none of its names
LARGEST_ANSWER = 4096  # bytes that are read of whoever answers


async def examine(settings: Settings, session: aiohttp.ClientSession) -> list[Diagnosis]:
    """Look whether people elsewhere can reach the public pages, each finding in one sentence."""
    if not settings.public_port:
        if settings.public_url:
            sentence = "CHATBOT_PUBLIC_URL is set, but nothing is served there; set CHATBOT_PUBLIC_PORT, too."
            return [Diagnosis(SUBJECT, "wrong", sentence)]
        return [Diagnosis(SUBJECT, "ok", "none (optional); CHATBOT_PUBLIC_PORT serves them.")]
    async with _answering(settings) as finding:
        return [finding, *await _exposure(settings), *await _way(settings, session)]


@asynccontextmanager
async def _answering(settings: Settings) -> AsyncIterator[Diagnosis]:
    """Have somebody answer at the public port: the bot if it runs, else this program for a moment."""
    host, port = settings.public_host, settings.public_port
    listener = PageListener(host, port, NAMES, public=True, url=settings.public_url)
    try:
        await serve_reached(listener)
    except Failure as failure:
        yield Diagnosis(SUBJECT, "look", f"either the bot is running, or: {failure}")
        return
    try:
        yield Diagnosis(SUBJECT, "ok", f"{host}:{port} is free.")
    finally:
        await listener.stop()


async def _exposure(settings: Settings) -> list[Diagnosis]:
    """Tell of pages that other machines reach without encryption."""
    if not await is_open(settings.public_host):
        return []
    if settings.public_url.startswith("https://"):
        sentence = (
            f"CHATBOT_PUBLIC_HOST is {settings.public_host}: other machines go around the proxy and its "
            "encryption; 127.0.0.1 is enough for a proxy on this machine."
        )
    else:
        sentence = (
            f"CHATBOT_PUBLIC_HOST is {settings.public_host}, and nothing is encrypted on the way: use it "
            "only on a network where everybody may read along."
        )
    return [Diagnosis(SUBJECT, "look", sentence)]


async def _way(settings: Settings, session: aiohttp.ClientSession) -> list[Diagnosis]:
    """Ask at the public address, as a browser elsewhere would, and judge what comes back."""
    url = settings.public_url
    if not url:
        sentence = (
            "CHATBOT_PUBLIC_URL is not set: /desk on Discord cannot tell people where to go; set it to what "
            "they open."
        )
        return [Diagnosis(WAY, "look", sentence)]
    target = own_url(settings.public_host, settings.public_port)
    try:
        status, content, where = await _ask(url, session)
    except (aiohttp.ClientError, TimeoutError, OSError) as trouble:
        reason = str(trouble) or "it takes too long"
        sentence = f"{url} cannot be reached ({reason}); start the proxy or tunnel, and lead it to {target}."
        return [Diagnosis(WAY, "wrong", sentence)]
    if where:
        sentence = f"{url} sends on to {where}; set CHATBOT_PUBLIC_URL to what people end up at."
        return [Diagnosis(WAY, "wrong", sentence)]
    if status == MISDIRECTED:
        sentence = f"the proxy at {url} replaces the header Host; let it pass on the one that it is asked by."
        return [Diagnosis(WAY, "wrong", sentence)]
    if content.get("program") != PROGRAM:
        sentence = f"somebody else answers at {url} (status {status}); let it lead to {target}."
        return [Diagnosis(WAY, "wrong", sentence)]
    return [_judged(url, target, content)]


def _judged(url: str, target: str, content: dict[str, Any]) -> Diagnosis:
    """Judge by which way the own program was reached."""
    if not content["public"]:
        sentence = f"{url} leads to the local page, which is for this machine alone; let it lead to {target}."
        return Diagnosis(WAY, "wrong", sentence)
    if url.startswith("https://") and not content["tells_visitor"]:
        sentence = (
            f"{url} reaches the bot, but the proxy does not say who asks: all visitors count as one when "
            "codes are guessed; let it send X-Forwarded-For."
        )
        return Diagnosis(WAY, "look", sentence)
    headers = ", ".join(content["forwarded"]) or "none, as without a proxy"
    return Diagnosis(WAY, "ok", f"{url} reaches the bot by its own name; headers of a proxy: {headers}.")


async def _ask(url: str, session: aiohttp.ClientSession) -> tuple[int, dict[str, Any], str]:
    """Return the status, the JSON that was answered, and where the answer sends on to.

    Raises:
        ClientError, TimeoutError, OSError: nobody answers.
    """
    async with session.get(f"{url}{PATH}", allow_redirects=False, timeout=TIMEOUT) as answer:
        if answer.status in range(300, 400):
            return answer.status, {}, answer.headers.get("Location", "another address")
        try:
            content = _parsed(await answer.content.read(LARGEST_ANSWER))
        except ValueError:
            content = {}
        return answer.status, content, ""


def _parsed(body: bytes) -> dict[str, Any]:
    content = json.loads(body)
    return content if isinstance(content, dict) else {}
