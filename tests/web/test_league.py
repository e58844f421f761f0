"""The bot follows the file of a ladder, and serves to overlays what it says; a broken one shows nothing."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

from arena.ladder.live import LIVE, VERSION
from chatbot.web import league_file
from chatbot.web.league import visible
from chatbot.web.league_file import FILE, STALE, LeagueContent, LeagueFile
from tests.web.conftest import opened
from tests.web.leagues import content, write

if TYPE_CHECKING:
    from pathlib import Path

    from aiohttp import ClientSession


@pytest.fixture(autouse=True)
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_file, "INTERVAL", 0.0)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))


async def league_of(client: ClientSession, address: str, **headers: str) -> tuple[int, str, Any]:
    """Return status, tag and content of what an overlay is told."""
    async with client.get(address, headers=headers) as answer:
        text = await answer.text()
        return answer.status, answer.headers.get("ETag", ""), json.loads(text) if text else None


def test_the_bot_reads_the_file_that_a_ladder_writes() -> None:
    assert FILE == LIVE
    LeagueContent.model_validate_json(json.dumps(content("a", "b") | {"version": VERSION}))


async def test_an_overlay_is_told_who_plays_and_again_only_what_has_changed(
    tmp_path: Path, client: ClientSession
) -> None:
    write(tmp_path / "ladder", content("steady", "rising"))
    async with opened(tmp_path, ladder=tmp_path / "ladder") as site:
        key = await site.chat.bot.parts.overlay_keys.of("local")
        address = f"{site.address}/overlay/{key}/league"
        status, tag, league = await league_of(client, address)
        assert status == 200
        assert [each["name"] for each in league["playing"]] == ["steady", "rising"]
        assert [(each["rank"], each["rating"]) for each in league["playing"]] == [(1, 1650), (2, 1600)]
        assert [(each["name"], each["house"]) for each in league["following"]] == [
            ("rising", False), ("random", True),
        ]  # fmt: skip
        assert league["results"][0]["scores"] == ["60.5", "49.5"]
        assert (league["title"], league["round"]) == ("Chicken Poker", "Round 2, 4 duels")
        assert (await league_of(client, address, **{"If-None-Match": tag}))[0] == 304
        write(tmp_path / "ladder", content("steady", "rising", playing=None, next=[], over=True))
        status, _, league = await league_of(client, address, **{"If-None-Match": tag})
        assert (status, league["over"], league["playing"]) == (200, True, None)
        assert (await league_of_missing(client, f"{site.address}/overlay/{'0' * len(key)}/league")) == 404


async def league_of_missing(client: ClientSession, address: str) -> int:
    async with client.get(address) as answer:
        return answer.status


async def test_texts_are_in_the_language_of_the_program(tmp_path: Path, client: ClientSession) -> None:
    write(tmp_path / "ladder", content("steady", "rising"))
    async with opened(tmp_path, "ko", tmp_path / "ladder") as site:
        key = await site.chat.bot.parts.overlay_keys.of("local")
        _, _, league = await league_of(client, f"{site.address}/overlay/{key}/league")
        assert (league["language"], league["title"]) == ("ko", "치킨 포커")
        assert league["labels"]["live"] == "지금 대결 중"


async def test_without_a_ladder_there_is_nothing_to_show(tmp_path: Path, client: ClientSession) -> None:
    async with opened(tmp_path) as site:
        key = await site.chat.bot.parts.overlay_keys.of("local")
        assert (await league_of(client, f"{site.address}/overlay/{key}/league"))[2] is None


async def test_a_missing_file_is_said_at_the_start_and_shown_once_it_is_there(
    tmp_path: Path, client: ClientSession
) -> None:
    folder = tmp_path / "ladder"
    with capture_logs() as logs:
        async with opened(tmp_path, ladder=folder) as site:
            assert [each["event"] for each in logs] == ["no league is shown"]
            assert logs[0]["file"] == str(folder / FILE)
            assert "`chatbot ladder` writes it" in logs[0]["reason"]
            key = await site.chat.bot.parts.overlay_keys.of("local")
            address = f"{site.address}/overlay/{key}/league"
            assert (await league_of(client, address))[2] is None
            write(folder, content("steady", "rising"))
            assert (await league_of(client, address))[2]["duels"] == 4
    assert len(logs) == 1


BROKEN = {
    "": "JSON",
    "[]": "JSON",
    '{"version": 1': "JSON",
    "[" * 100_000: "JSON",
    json.dumps(content("a", "b", version=2)): "version",
    json.dumps(content("a", "b", game=3)): "game",
    json.dumps(content("a", "b", title="x" * 121)): "title",
    json.dumps(content("a", "b", duels=-1)): "duels",
    json.dumps(content("a", "b", playing=[])): "playing",
    json.dumps(content("a", "b", over=True)): "no running duel",
    json.dumps(content("a", "b", ratings=[{"name": "a"}])): "ratings.0",
    json.dumps(content("a", "b", results=[{"winner": 2}])): "results.0",
}


@pytest.mark.parametrize("text", BROKEN, ids=BROKEN.values())
async def test_a_broken_file_is_one_sentence_and_shows_nothing_until_it_is_mended(
    tmp_path: Path, text: str
) -> None:
    file = LeagueFile(tmp_path)
    write(tmp_path, content("steady", "rising"))
    assert await file.content() is not None
    write(tmp_path, text)
    with capture_logs() as logs:
        assert await file.content() is None
        assert await file.content() is None
    assert len(logs) == 1
    assert BROKEN[text] in logs[0]["reason"]
    assert len(logs[0]["reason"]) < 300
    write(tmp_path, content("steady", "rising", duels=5))
    mended = await file.content()
    assert mended is not None
    assert mended.duels == 5


async def test_a_file_that_is_too_large_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_file, "_MAX_BYTES", 1 << 20)
    write(tmp_path, " " * (1 << 20) + json.dumps(content("a", "b")))
    with capture_logs() as logs:
        assert await LeagueFile(tmp_path).content() is None
    assert logs[0]["reason"] == "it has more than 1 MiB"


async def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with capture_logs() as logs:
        file = LeagueFile(tmp_path)
        assert await file.content() is None
        assert await file.content() is None
    assert len(logs) == 1


async def test_a_ladder_that_was_killed_is_not_played_for_ever(tmp_path: Path) -> None:
    write(tmp_path, content("steady", "rising"))
    file = LeagueFile(tmp_path)
    before = await file.content()
    assert before is not None
    assert before.playing is not None
    then = time.time() - STALE - 1
    os.utime(tmp_path / FILE, (then, then))
    stopped = await file.content()
    assert stopped is not None
    assert (stopped.over, stopped.playing, stopped.following) == (True, None, [])
    assert stopped.ratings == before.ratings
    assert await file.content() is stopped


def test_a_name_is_one_line_that_turns_nothing_around() -> None:
    assert visible("a\u202eb\nc") == "a\ufffdb\ufffdc"
    assert visible("<b> 한국어 מקרי") == "<b> 한국어 מקרי"
