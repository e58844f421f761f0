"""A moderator who leaves the value out gets a form with what it is now, and a viewer gets none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.rooms.line import LONGEST_LINE
from cogs.discord.forms import LONGEST_ID, LONGEST_VALUE

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import Interaction, Json


def field(shown: Interaction) -> Json:
    assert shown.form is not None
    ((each,),) = [row["components"] for row in shown.form["components"]]
    found: Json = each
    return found


async def test_a_setting_without_a_value_brings_a_form_with_the_present_one(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    shown = await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby")
    await stage.until(lambda: shown.form)
    assert field(shown)["value"] == "60"
    await stage.people.fill(kim, shown, value="30")
    await stage.shown("lobby was 60 and is now 30")


async def test_a_text_is_rewritten_in_a_long_field(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    shown = await stage.people.slash(kim, stage.town, "text", key="entry")
    await stage.until(lambda: shown.form)
    assert "{who}" in field(shown)["value"]
    assert field(shown)["style"] == 2  # a paragraph
    await stage.people.fill(kim, shown, value="{who} sneaks in\nwith {stake}")
    await stage.until(lambda: stage.room.settings("texts"))
    assert stage.room.settings("texts") == {"entry": "{who} sneaks in with {stake}"}


async def test_a_form_outlives_the_role_of_who_was_shown_it(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    shown = await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby")
    await stage.until(lambda: shown.form)
    kim.manages = False
    await stage.people.fill(kim, shown, value="30")
    await stage.told(kim, "That is for moderators or above")
    assert stage.room.settings("heist") == {}


async def test_a_viewer_is_refused_and_shown_no_form(stage: Stage) -> None:
    ann = stage.world.join("ann")
    shown = await stage.people.slash(ann, stage.town, "set", group="heist", key="lobby")
    await stage.told(ann, "That is for moderators or above")
    assert shown.form is None


async def test_what_is_no_setting_brings_no_form_but_what_is_wrong(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    shown = await stage.people.slash(kim, stage.town, "set", group="heist", key="loby")
    await stage.told(kim, "There is no setting “loby”")
    shown = await stage.people.slash(kim, stage.town, "text", key="gibberish")
    await stage.told(kim, "gibberish")
    assert shown.form is None


async def test_a_wrong_value_of_a_form_is_refused_in_the_same_words_as_a_typed_one(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)
    shown = await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby")
    await stage.until(lambda: shown.form)
    await stage.people.fill(kim, shown, value="soon")
    told = await stage.told(kim, "soon")
    await stage.people.slash(kim, stage.town, "set", group="heist", key="lobby", value="soon")
    again = await stage.told(kim, "soon")
    assert told["content"] == again["content"]


def test_a_line_that_a_form_makes_is_one_that_the_house_takes() -> None:
    assert LONGEST_ID - len("blank:") + 1 + LONGEST_VALUE > LONGEST_LINE  # so both ends are checked in `obey`
    assert LONGEST_VALUE < LONGEST_LINE


async def test_whatever_a_keeper_types_has_an_option_for_each_argument(stage: Stage) -> None:
    for bot_command in stage.bot.command_index.bot_commands:
        assert bool(bot_command.arguments) == bool(bot_command.options), bot_command.word
        texts = [each for each in bot_command.options if each.kind.value == "text"]
        assert texts in ([], [*bot_command.options[-1:]]), bot_command.word  # the rest of a line is its end
        for each in bot_command.options:
            assert f"option-{bot_command.word}-{each.name}" in stage.bot.outbox.words.ids, bot_command.word


async def test_groups_keys_values_presets_roles_and_commands_are_offered(stage: Stage) -> None:
    kim = stage.world.join("kim", manages=True)

    async def offered(word: str, option: str, /, **given: str) -> list[str]:
        return await stage.people.autocomplete(kim, stage.town, word, option, **given)

    assert "room" in await offered("set", "group", group="ro", key="")
    assert await offered("set", "key", group="heist", key="lob") == ["lobby"]
    assert "60" in await offered("set", "value", group="heist", key="lobby", value="")
    assert "deepbot" in await offered("preset", "name", game="heist", name="")
    assert await offered("permit", "command", command="giv", role="vip") == ["give"]
    assert "entry" in await offered("text", "key", key="ent")
