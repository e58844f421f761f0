"""Slash commands in Korean: what Discord is told of them, and that the bot hears them by any name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discord import Locale, app_commands

from chatbot.games import kits
from chatbot.kernel.commands import Command
from chatbot.speech.words import Words
from cogs.discord.slash_commands import slash_commands
from cogs.discord.translation import SlashTranslator, command_name, language_for
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_commands import wrong_commands

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer


async def test_every_command_and_option_has_a_korean_name_and_description(stage: Stage) -> None:
    rows = [("slash-name-", each) for each in stage.world.commands]
    rows += [("slash-option-", each) for command in stage.world.commands for each in command["options"]]
    english = Words("en")
    assert len(rows) > 100
    for prefix, row in rows:
        assert f"{prefix}{row['name']}" in english.ids, row["name"]
        assert set(row["name_localizations"]) == {"ko"}, row["name"]
        assert set(row["description_localizations"]) == {"ko"}, row["name"]
        assert row["description_localizations"]["ko"] != row["description"]
        assert not row["description_localizations"]["ko"].endswith("\N{HORIZONTAL ELLIPSIS}")


async def test_discord_takes_all_of_them(stage: Stage) -> None:
    assert not wrong_commands(stage.world.commands)
    listed = {each["name"]: each for each in stage.world.commands}
    assert listed["heist"]["name_localizations"]["ko"] == "은행털이"
    (stake,) = listed["heist"]["options"]
    assert stake["name_localizations"]["ko"] == "판돈"


async def test_a_command_is_heard_however_it_is_localised(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "은행털이", 판돈="69")
    await stage.until(lambda: stage.sits(ann))
    offered = await stage.people.autocomplete(ann, stage.town, "설정보기", "key", 묶음="heist", 항목="lob")
    assert "lobby" in offered


async def test_translations_are_told_once_and_again_when_they_changed(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.close()
    async with Stage(server, store, "b"):
        pass
    assert len(server.asked("PUT")) == 1
    server.world.commands[0]["name_localizations"] = {"ko": "옛날이름"}
    async with Stage(server, store, "c"):
        pass
    assert len(server.asked("PUT")) == 2


async def test_names_that_discord_would_refuse_are_left_out() -> None:
    translator = SlashTranslator()
    where: Any = app_commands.TranslationContext(app_commands.TranslationContextLocation.other, None)

    async def korean(word: str, siblings: list[str]) -> str | None:
        return await translator.translate(command_name(word, siblings), Locale.korean, where)

    assert await korean("heist", ["heist", "chicken"]) == "은행털이"
    assert await korean("heist", ["heist", "은행털이"]) is None, "another command has that name"
    assert await korean("nowhere", ["heist", "nowhere"]) is None, "a game from elsewhere has no words for it"


async def test_a_game_without_translations_keeps_its_name(stage: Stage) -> None:
    stage.bot.kits = {
        "heist": replace(
            kits()["heist"], chat=replace(kits()["heist"].chat, commands=(Command("fuse", lambda *_: None),))
        )
    }
    assert stage.adapter.client is not None
    command = slash_commands(stage.bot, stage.adapter.client.slash_commands)[0]
    payload = await command.get_translated_payload(stage.adapter.client.tree, SlashTranslator())
    assert payload["name_localizations"] == {}


def test_locales_of_discord_are_languages_of_the_program_where_it_has_them() -> None:
    assert language_for("ko") == "ko"
    assert language_for("en-GB") == "en"
    assert language_for("fr") is None
