"""`chatbot` as somebody types it, in this process and against the fakes: what they read, and how it ends."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.cli import entry
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET, Authority
from tests.keys.conftest import listening
from tests.keys.portal import Portal
from tests.typed import Typed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass(frozen=True)
class Terminal:
    """A terminal in an empty folder; the platforms that it reaches are fakes."""

    folder: Path
    twitch: Authority
    discord: Portal
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.monkeypatch.setenv(f"CHATBOT_{name.upper()}", value)

    @property
    def environment(self) -> dict[str, str]:
        """What a process of its own needs."""
        return {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONUNBUFFERED": "1"}

    def reach(self, id_base: str, api_base: str) -> None:
        """Have the commands ask these addresses instead of the platforms'."""
        self.set(twitch_id_url=f"{id_base}oauth2", discord_api_url=api_base)

    async def type(self, *words: str) -> Typed:
        """Run a command; it has a loop of its own, so it gets a thread of its own."""
        self.monkeypatch.setattr(sys, "argv", ["chatbot", *words])
        self.capfd.readouterr()
        try:
            await asyncio.to_thread(entry.main)
            code: object = 0
        except SystemExit as end:
            code = end.code
        out, err = self.capfd.readouterr()
        self.find_no_canary(out + err)
        said = [line for line in err.splitlines(keepends=True) if not line.startswith("DEBUG:asyncio:")]
        return Typed(code if isinstance(code, int) else 0, out, "".join(said))

    def find_no_canary(self, told: str) -> None:
        """Make sure that no secret was told, nor lies anywhere but in the file of keys."""
        assert "canary" not in told
        for file in self.folder.rglob("*"):
            if file.is_file() and file.name != "twitch-tokens.json":
                assert b"canary" not in file.read_bytes(), file
        assert not any("canary" in address for address in self.twitch.addresses)


@pytest.fixture
async def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> AsyncIterator[Terminal]:
    monkeypatch.chdir(tmp_path)
    made = Terminal(tmp_path, Authority(), Portal(), monkeypatch, capfd)
    made.set(log_level="debug", twitch_client_id=CLIENT_ID, twitch_client_secret=CLIENT_SECRET)
    async with listening(made.twitch.routes) as id_base, listening(made.discord.routes) as api_base:
        made.reach(id_base, api_base)
        yield made
