"""The key of an overlay opens one room until it is replaced, and nothing in the database tells it."""

from __future__ import annotations

import asyncio
import hmac
import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from chatbot.keys.discretion import Discretion
from chatbot.keys.overlay_keys import OverlayKeys, path_of
from chatbot.ledger.changes import OVERLAY, Change, Changes, ChangeSet
from chatbot.ledger.rooms import KnownRoom, KnownRooms
from tests.checked import store

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]

AT = datetime(2026, 1, 1, tzinfo=UTC)
SECRET = bytes(range(32))


@pytest.fixture
async def keys(store: Store) -> OverlayKeys:
    for room in ("local", "twitch:7"):
        await KnownRooms(store).note(KnownRoom(room, "town"), AT)
    return OverlayKeys(store, SECRET)


def change_set(name: str, room: str = "local") -> ChangeSet:
    return ChangeSet(name, room, "town", AT, "operator", "operator", ())


async def test_each_room_has_a_key_of_256_bits_that_stays_over_restarts(
    keys: OverlayKeys, store: Store
) -> None:
    found = await keys.all()
    assert list(found) == ["local", "twitch:7"]
    assert len(set(found.values())) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in found.values())
    assert await OverlayKeys(store, SECRET).all() == found
    assert await keys.of("twitch:7") == found["twitch:7"]
    assert not set((await OverlayKeys(store, bytes(32)).all()).values()) & set(found.values())


async def test_a_key_opens_its_room_and_anything_else_none(keys: OverlayKeys) -> None:
    found = await keys.all()
    assert {key: await keys.room(key) for key in found.values()} == {v: k for k, v in found.items()}
    key = found["local"]
    wrong = "", "x", key[:-1], key + "0", key.upper(), f"{key}\n", "0" * 64, f"../{key}", "é" * 64
    assert [await keys.room(each) for each in wrong] == [None] * len(wrong)


async def test_all_keys_are_compared_in_constant_time(
    keys: OverlayKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[str, str]] = []

    def compare(known: str, given: str) -> bool:
        compared.append((known, given))
        return known == given

    monkeypatch.setattr(hmac, "compare_digest", compare)
    found = await keys.all()
    assert await keys.room(found["local"]) == "local"
    assert compared == [(each, found["local"]) for each in found.values()]


async def test_a_replaced_key_is_dead_at_once_also_elsewhere_and_others_stay(
    keys: OverlayKeys, store: Store
) -> None:
    running, before = OverlayKeys(store, SECRET), await keys.all()
    await running.all()
    fresh = await keys.replace(change_set("change-set:1"))
    assert fresh not in before.values()
    assert await running.room(before["local"]) is None
    assert await running.room(fresh) == "local"
    assert await running.all() == {**before, "local": fresh}
    given = {before["local"]: "local", before["twitch:7"]: "twitch:7", fresh: "local"}
    assert await running.valid(given) == {before["twitch:7"], fresh}
    assert await keys.replace(change_set("change-set:2")) not in {fresh, *before.values()}


async def test_a_replacement_is_recorded_and_cannot_be_undone(keys: OverlayKeys, store: Store) -> None:
    await keys.replace(change_set("change-set:1"))
    await keys.replace(change_set("change-set:2"))
    newest = await Changes(store).newest("local")
    assert [each.changes for each in newest] == [
        (Change(OVERLAY, "local", "generation", "2", "3"),),
        (Change(OVERLAY, "local", "generation", "1", "2"),),
    ]
    assert newest[0].actor == "operator"
    assert await Changes(store).last("local") is None


async def test_the_database_contains_no_key_and_not_what_makes_one(
    keys: OverlayKeys, store: Store, tmp_path: Path
) -> None:
    fresh = await keys.replace(change_set("change-set:1"))
    written = await asyncio.to_thread(_content, tmp_path)
    assert b"generation" in written
    for secret in (*(await keys.all()).values(), fresh, SECRET.hex()):
        assert secret.encode() not in written
        assert bytes.fromhex(secret) not in written


def _content(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.glob("rabble.db*"))


async def test_a_key_tells_nothing_of_the_key_of_fairness(keys: OverlayKeys) -> None:
    """It is made with a key that is derived from that one, for this purpose alone."""
    assert (await keys.of("local")) != hmac.digest(SECRET, b"1:local", sha256).hex()


async def test_the_log_hides_the_key_in_an_address(keys: OverlayKeys) -> None:
    key = await keys.of("local")
    assert Discretion().clean(f"GET {path_of(key)}/events failed") == "GET /overlay/***/events failed"
