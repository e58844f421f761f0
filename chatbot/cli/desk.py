"""`chatbot desk`: prints an address at which the operator of a running bot logs in."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import typer

from chatbot.cli.context import load_settings, print_text, tell
from chatbot.kernel.game import Failure

DatabaseOption = Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")]


def desk(database: DatabaseOption = None) -> None:
    """Print an address at which you set the bot up: it works once, within ten minutes, on this machine."""
    settings, _ = load_settings()
    if not settings.port:
        raise Failure("CHATBOT_PORT is 0, so that only the start of the bot knows where it listens; set it.")
    print_text(asyncio.run(_address(settings.host, settings.port, database or settings.database)))
    tell("Open it in a browser on the machine on which the bot runs; it must run.")


async def _address(host: str, port: int, database: str) -> str:
    from chatbot.ledger.store.store import Store  # noqa: PLC0415
    from chatbot.ledger.web_sessions import OPERATOR, Login, WebSessions  # noqa: PLC0415
    from chatbot.rooms.line import OPERATOR_ACCOUNT  # noqa: PLC0415
    from chatbot.web.hosts import is_own_host, own_url  # noqa: PLC0415
    from chatbot.web.login import path_of  # noqa: PLC0415

    if not is_own_host(host):
        raise Failure(
            f"The machine on which the bot runs does not reach it as itself by CHATBOT_HOST={host}; "
            "set that to 127.0.0.1, or use `chatbot connect`."
        )
    store = await Store.open(database, create=False)
    try:
        link = await WebSessions(store).invite(Login(OPERATOR, OPERATOR_ACCOUNT, OPERATOR), datetime.now(UTC))
    finally:
        await store.close()
    return own_url(host, port) + path_of(link)
