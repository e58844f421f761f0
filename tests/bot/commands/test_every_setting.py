"""However a setting is changed, in chat, by a slash command or from a file: it comes to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import tomli_w

from chatbot.cli import settings_editor
from chatbot.games import kits
from chatbot.kernel.game import Failure, Refusal
from chatbot.ledger.changes import RAISED, Changes
from chatbot.ledger.rooms import Preferences
from chatbot.rooms.settings import files
from chatbot.settings.reference import settings_of
from chatbot.speech.words import languages
from cogs.discord.slash_commands import spoken_commands, typed
from tests.bot.every_setting import CHANGING, EVERY, GROUPS
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.bot.bot import Bot
    from chatbot.ledger.changes import Change
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room

pytestmark = pytest.mark.slow

BO = "bo(broadcaster)"
WRONG = "{nonsense}" + "?" * 120
ROOMS = "chat", "slash", "file"


@pytest.fixture
async def rooms(store: Store) -> tuple[Stage, dict[str, Room]]:
    stage = Stage(store)
    rooms = {name: stage.new_room(name, community=name) for name in ROOMS}
    for room in rooms.values():
        await stage.bot.open(room)
    await stage.watch.turn()
    return stage, rooms


async def in_chat(stage: Stage, room: str, text: str) -> list[str]:
    """Say something in a room, as its broadcaster."""
    await stage.watch.turn(10)
    heard = len(stage.adapter.deliveries)
    await stage.bot.converse(stage.line(BO, text, room=room))
    await stage.watch.turn()
    return stage.said(heard)


def slash(bot: Bot, **given: str) -> str:
    """Write what `/set` with these options comes to."""
    (command,) = [each for each in spoken_commands(bot) if each.word == "set"]
    return typed(command, given)[0]


async def stored(store: Store, room: Room, group: str) -> dict[str, object]:
    owners = room.id, f"community {room.community}"
    found = [(await Preferences(store).load(owner)).get(group) for owner in owners]
    return next((each for each in found if each is not None), {})


async def rows(store: Store, room: str) -> list[Change]:
    change_sets = await Changes(store).newest(room)
    made = [each for change_set in change_sets for each in change_set.changes]
    # What was recorded as a raise depends on how many settings were changed at once.
    return sorted((each for each in made if each.kind != RAISED), key=lambda each: each.key)


@pytest.mark.parametrize("group", GROUPS)
async def test_every_setting_takes_another_value_in_chat_by_slash_and_from_a_file_alike(
    store: Store, tmp_path: Path, rooms: tuple[Stage, dict[str, Room]], group: str
) -> None:
    stage, there = rooms
    assert [key for key, _ in CHANGING[group]] == [key for key, _ in EVERY[group]]
    for key, value in CHANGING[group]:
        assert await in_chat(stage, "chat", f"!set {group} {key} {value}")
        assert await in_chat(stage, "slash", slash(stage.bot, group=group, key=key, value=value))
    url = f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    await settings_editor.apply(url, "file", "x.toml", tomli_w.dumps({group: dict(CHANGING[group])}))
    in_file = await stored(store, there["file"], group)
    assert len(in_file) == len(CHANGING[group])
    assert await stored(store, there["chat"], group) == in_file
    assert await stored(store, there["slash"], group) == in_file
    made = await rows(store, "file")
    assert len(made) == len(CHANGING[group])
    assert await rows(store, "chat") == made
    assert await rows(store, "slash") == made
    actors = [change_set.actor for room in ROOMS for change_set in await Changes(store).newest(room, 1)]
    assert actors == ["test:bo", "test:bo", "operator"]


@pytest.mark.parametrize("group", GROUPS)
async def test_a_wrong_value_is_refused_by_the_same_sentence_everywhere(
    store: Store, tmp_path: Path, rooms: tuple[Stage, dict[str, Room]], group: str
) -> None:
    stage, there = rooms
    key, sentence = "", ""
    for key, _ in EVERY[group]:
        (in_chat_told,) = await in_chat(stage, "chat", f"!set {group} {key} {WRONG}")
        command = slash(stage.bot, group=group, key=key, value=WRONG)
        assert await in_chat(stage, "slash", command) == [in_chat_told]
        wanted = files.read(tomli_w.dumps({group: {key: WRONG}}))
        with pytest.raises(Refusal) as refused:
            stage.bot.parts.settings_changes.preview(there["file"], wanted)
        sentence = stage.bot.outbox.text(refused.value.message)
        assert in_chat_told == f"> bo: {sentence}"
    url = f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    with pytest.raises(Failure) as failed:
        await settings_editor.apply(url, "file", "x.toml", tomli_w.dumps({group: {key: WRONG}}))
    assert str(failed.value) == f"{group}.{key} = {files.quote(WRONG)}: {sentence}"
    assert [each for room in ROOMS for each in await rows(store, room)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("group", GROUPS)
async def test_every_setting_is_explained_with_its_range_default_and_an_example(
    store: Store, group: str, language: str
) -> None:
    stage = await Stage(store, kits()).open()
    await in_chat(stage, "room", f"!set room language {language}")
    for each in settings_of(stage.bot.parts.groups[group]):
        told = " ".join(await in_chat(stage, "room", f"!settings {group} {each.key}"))
        assert f"!set {group} {each.key} {each.example}" in told
