"""`chatbot overlay`: prints the addresses of overlays, and replaces the key of one."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import load_settings, print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.environment import Settings
    from chatbot.keys.overlay_keys import OverlayKeys
    from chatbot.ledger.rooms import KnownRoom

RoomArgument = Annotated[
    str | None, typer.Argument(help="Which room, such as local or twitch:42; all if left out.")
]
NewOption = Annotated[
    bool, typer.Option("--new", help="Replace its key: the former address is dead at once.")
]
DatabaseOption = Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")]

UNKNOWN_PORT = "PORT"  # in an address, where each start takes any free port


@dataclass(frozen=True, slots=True)
class Overlay:
    """The overlay of a room, by its key."""

    room: str
    key: str


def overlay(room: RoomArgument = None, new: NewOption = False, database: DatabaseOption = None) -> None:
    """Print where a stream shows a room, also while the bot runs: the address for a browser source of OBS."""
    settings, _ = load_settings()
    url = settings.database if database is None else database
    if new and room is None:
        raise Failure("Say whose key is to be replaced, as in `chatbot overlay local --new`.")
    overlays = asyncio.run(_overlays(url, _secret(settings), room, new=new))
    print_text("\n".join(_in_words(settings, overlays, named=room is not None)))


def _secret(settings: Settings) -> bytes:
    from chatbot.keys import sealing_key  # noqa: PLC0415
    from chatbot.keys.discretion import Discretion  # noqa: PLC0415

    key = sealing_key.find(settings.given_key, settings.fairness_key_file, Discretion())
    if key is None:
        raise Failure(f"The key of fairness {settings.fairness_key_file} is not there; start the bot once.")
    return key


async def _overlays(url: str, secret: bytes, room: str | None, *, new: bool) -> list[Overlay]:
    from chatbot.keys.overlay_keys import OverlayKeys  # noqa: PLC0415
    from chatbot.ledger.rooms import KnownRooms  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    store = await Store.look(url)
    try:
        keys = OverlayKeys(store, secret)
        if room is None:
            return [Overlay(*each) for each in (await keys.all()).items()]
        known_room = _find_room(await KnownRooms(store).known(), room)
        return [Overlay(room, await (_replace_key(url, keys, known_room) if new else keys.of(room)))]
    finally:
        await store.close()


def _find_room(known_rooms: list[KnownRoom], room: str) -> KnownRoom:
    for each in known_rooms:
        if each.room == room:
            return each
    names = ", ".join(each.room for each in known_rooms) or "none yet"
    raise Failure(f"There is no room {room!r} in this database; there are: {names}.")


async def _replace_key(url: str, keys: OverlayKeys, known_room: KnownRoom) -> str:
    """Replace the key of a room, and return the new one.

    Raises:
        Failure: the database cannot be written.
    """
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    from chatbot.ledger.changes import OPERATOR, ChangeSet  # noqa: PLC0415
    from chatbot.ledger.store.engines import address  # noqa: PLC0415
    from chatbot.ledger.store.store import unusable  # noqa: PLC0415

    name, at = f"change-set:overlay:{secrets.token_hex(8)}", datetime.now(UTC)
    change_set = ChangeSet(name, known_room.room, known_room.community, at, OPERATOR, OPERATOR, ())
    try:
        return await keys.replace(change_set)
    except (SQLAlchemyError, OSError) as error:
        raise unusable(address(url), error) from error


def _in_words(settings: Settings, overlays: list[Overlay], *, named: bool) -> Iterator[str]:
    """Yield the lines to print: of one room that was `named` the address alone."""
    from chatbot.keys.overlay_keys import path_of  # noqa: PLC0415
    from chatbot.web.hosts import own_url  # noqa: PLC0415

    port = settings.port or UNKNOWN_PORT
    for each in overlays:
        address = own_url(settings.host, port) + path_of(each.key)
        yield address if named else f"{each.room}: {address}"
    if not overlays:
        yield "No room was ever opened on this database; start the bot once."
    elif not settings.port:
        yield f"{UNKNOWN_PORT} is what the start prints, as CHATBOT_PORT is 0; set it, and the address stays."
