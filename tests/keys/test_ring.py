"""The file of keys is its owner's alone, whole after any crash, and keeps what many write at once."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from chatbot.kernel.game import Failure
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing

from .conftest import unwritable

BOT = Key("1", "rabblebot", "canary-a1", "canary-r1", ("user:bot",), 1000.0, frozenset({"bot"}))
HOST = Key("2", "streamer", "canary-a2", "canary-r2", ("channel:bot",), 1000.0, frozenset({"broadcaster"}))


def test_there_are_no_keys_where_there_is_no_file(ring: KeyRing) -> None:
    assert ring.load() == ()
    assert ring.bot is None
    assert not ring.path.parent.exists()


def test_what_is_put_is_read_again(ring: KeyRing) -> None:
    ring.put(BOT)
    ring.put(HOST)
    assert ring.load() == (BOT, HOST)
    assert ring.get("2") == HOST
    assert ring.get("3") is None
    assert (ring.bot, ring.broadcasters) == (BOT, (HOST,))


def test_an_account_has_one_key(ring: KeyRing) -> None:
    ring.put(BOT)
    both = replace(BOT, access="canary-a3", purposes=frozenset({"bot", "broadcaster"}))
    ring.put(both)
    assert ring.load() == (both,)


def test_a_new_bot_takes_the_place_of_the_former_one(ring: KeyRing) -> None:
    ring.put(replace(BOT, purposes=frozenset({"bot", "broadcaster"})))
    ring.put(replace(HOST, purposes=frozenset({"bot"})))
    assert ring.bot is not None
    assert ring.bot.user_id == "2"
    assert [key.user_id for key in ring.broadcasters] == ["1"]
    ring.put(replace(BOT, user_id="3"))
    assert ring.get("2") is None  # it was nothing but the bot


def test_what_is_dropped_is_forgotten(ring: KeyRing) -> None:
    ring.put(BOT)
    ring.put(HOST)
    ring.drop("1")
    assert ring.load() == (HOST,)


def test_a_renewal_never_undoes_what_was_connected_meanwhile(ring: KeyRing) -> None:
    ring.put(BOT)
    again = replace(BOT, access="canary-a4", refresh="canary-r4")
    ring.put(again)
    assert ring.renew(BOT, replace(BOT, access="canary-a5")) == again
    assert ring.load() == (again,)


def test_a_renewal_brings_no_dropped_account_back(ring: KeyRing) -> None:
    ring.put(BOT)
    ring.drop("1")
    new = replace(BOT, access="canary-a5")
    assert ring.renew(BOT, new) == new
    assert ring.load() == ()


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps that elsewhere")
def test_nobody_else_may_ever_read_the_file(ring: KeyRing, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    genuine = os.fsync

    def watch(opened: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(opened).st_mode))
        genuine(opened)

    monkeypatch.setattr(os, "fsync", watch)
    before = os.umask(0)  # the most careless there is
    try:
        ring.put(BOT)
    finally:
        os.umask(before)
    assert modes[0] == 0o600  # before it got its name; the folder follows
    assert stat.S_IMODE(ring.path.stat().st_mode) == 0o600
    assert not ring.exposed
    ring.path.chmod(0o644)
    assert ring.exposed
    ring.put(HOST)  # which makes the file anew
    assert not ring.exposed


@pytest.mark.parametrize("step", ["os.open", "os.fsync", "pathlib.Path.replace"])
def test_a_crash_at_any_step_leaves_the_former_keys(
    ring: KeyRing, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    ring.put(BOT)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as crashing:
        crashing.setattr(step, crash)
        with pytest.raises(KeyboardInterrupt):
            ring.put(HOST)
    assert ring.load() == (BOT,)
    ring.put(HOST)
    assert ring.load() == (BOT, HOST)
    assert sorted(each.name for each in ring.path.parent.iterdir()) == ["keys.json", "keys.json-lock"]


def test_a_full_disk_leaves_the_former_keys(ring: KeyRing, monkeypatch: pytest.MonkeyPatch) -> None:
    ring.put(BOT)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as crowded:
        crowded.setattr(os, "fsync", full)
        with pytest.raises(Failure, match=r"cannot be written \(No space left on device\)"):
            ring.put(HOST)
    assert ring.load() == (BOT,)


@pytest.mark.slow
def test_a_reader_who_is_in_the_way_is_waited_for(ring: KeyRing, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where a file that somebody reads cannot be replaced."""
    ring.put(BOT)
    genuine, readers = Path.replace, [1, 1]

    def replace_when_free(new: Path, old: Path) -> Path:
        if readers:
            readers.pop()
            raise PermissionError(13, "Permission denied")
        return genuine(new, old)

    monkeypatch.setattr(Path, "replace", replace_when_free)
    ring.put(HOST)
    assert ring.load() == (BOT, HOST)


@pytest.mark.slow
def test_many_who_write_at_once_lose_no_key(ring: KeyRing) -> None:
    keys = [replace(HOST, user_id=str(number)) for number in range(24)]
    rings = [KeyRing(ring.path, Discretion()) for _ in keys]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda one, key: one.put(key), rings, keys))
    assert {key.user_id for key in ring.load()} == {key.user_id for key in keys}


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 2, "keys": []}', b'{"version": 1, "keys": ["canary-a1"]}'],
)
def test_a_damaged_file_is_refused_without_its_content(ring: KeyRing, content: bytes) -> None:
    ring.path.parent.mkdir()
    ring.path.write_bytes(content)
    for work in (ring.load, lambda: ring.put(BOT), lambda: ring.drop("1")):
        with pytest.raises(Failure) as refused:
            work()
        assert str(refused.value) == (
            f"The file of keys {ring.path} is damaged; remove it, and run `chatbot connect twitch` again."
        )
        assert refused.value.__suppress_context__
    assert ring.path.read_bytes() == content


def test_a_file_that_cannot_be_read_or_written_is_told(ring: KeyRing) -> None:
    ring.path.parent.mkdir()
    with unwritable(ring), pytest.raises(Failure, match="cannot be written"):
        ring.put(BOT)
    ring.path.mkdir()
    with pytest.raises(Failure, match="cannot be read"):
        ring.load()
    with pytest.raises(Failure, match="cannot be written"):
        KeyRing(Path(__file__) / "keys.json", Discretion()).put(BOT)


def test_a_key_shows_no_token_and_its_tokens_are_hidden(ring: KeyRing) -> None:
    ring.put(BOT)
    assert "canary" not in repr(BOT)
    fresh = Discretion()
    KeyRing(ring.path, fresh).load()
    assert fresh.clean("canary-a1 canary-r1") == "*** ***"
