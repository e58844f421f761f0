"""`!help` helps: what there is first, how a game begins and what it costs here, and one message each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.settings.fields import Fields
from chatbot.speech.words import languages
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
TWITCH = 500  # characters of a message
SHORT = 300


async def ask(stage: Stage, who: str, text: str) -> list[str]:
    await stage.turn(6)
    return await stage.say(who, text)


async def test_a_viewer_hears_of_the_games_and_of_the_most_useful_first(stage: Stage) -> None:
    games, useful = await ask(stage, "ann", "!help")
    assert (
        games == "Games: !heist, !chicken, !highshow, !market, !sixcard. More about one: !help and its name."
    )
    assert useful.startswith("Also: !credits, ")
    assert useful.endswith("Everything else: !help more.")
    assert "!set" not in useful
    assert "!settings, !set, !text" in (await ask(stage, MO, "!help"))[2]


async def test_help_more_lists_what_the_speaker_may_use(stage: Stage) -> None:
    (viewer,) = await ask(stage, "ann", "!help more")
    (moderator,) = await ask(stage, MO, "!help more")
    assert "!verify" in viewer
    assert "!text" not in viewer
    assert "!text" in moderator


async def test_help_on_a_command_says_whom_it_is_for_to_those_who_may_not_use_it(stage: Stage) -> None:
    told = await ask(stage, "ann", "!help cancel")
    assert told[-1] == "That is for moderators or above."
    assert "That is for" not in " ".join(await ask(stage, MO, "!help cancel"))
    assert "That is for" not in " ".join(await ask(stage, "ann", "!help give"))
    await stage.say("bo(broadcaster)", "!permit give vip")
    assert (await ask(stage, "ann", "!help give"))[-1] == "That is for VIPs or above."


async def test_what_is_switched_off_is_left_out(stage: Stage) -> None:
    await stage.say(MO, "!disable market")
    assert "!market" not in (await ask(stage, "ann", "!help"))[0]


async def test_help_on_a_game_is_one_message_that_says_what_it_is_how_to_join_and_where_the_rest_is(
    stage: Stage,
) -> None:
    for kit in stage.bot.kits.values():
        (told,) = await ask(stage, "ann", f"!help {kit.word}")
        assert len(told) <= SHORT
        assert f"!help {kit.word} more" in told
    (told,) = await ask(stage, "ann", "!help heist")
    assert told.startswith("Bank Heist: rob a bank together.")
    assert told.endswith(
        "Play along with !heist 69; !heist rules explains it, and !help heist more tells the rest."
    )


async def test_the_rest_is_what_can_be_typed_and_what_counts_here(stage: Stage) -> None:
    await stage.say(MO, "!set heist max_stake 5000")
    usage, example, answers, limits = await ask(stage, "ann", "!help heist more")
    assert usage.startswith("!heist [69 ")
    assert example == "(For example: !heist 69)"
    assert "!guncheck" in answers
    assert limits == (
        "Here: the usual stake is 69, stakes from 1, stakes up to 5,000, 60 seconds to join,"
        " 300 seconds of rest after each."
    )


async def test_a_cooldown_of_a_second_is_told_as_one(stage: Stage) -> None:
    await stage.say(MO, "!set heist cooldown 1")
    assert (await ask(stage, "ann", "!help heist more"))[-1].endswith(", one second of rest after each.")


async def test_help_on_a_command_has_an_example_and_on_a_setting_its_range(stage: Stage) -> None:
    assert "(For example: !set heist lobby 60)" in await ask(stage, "ann", "!help set")
    (lobby,) = await ask(stage, "ann", "!help heist lobby")
    assert "from 5s to 10m" in lobby
    assert "!set heist lobby" in lobby
    (room,) = await ask(stage, "ann", "!help room")
    assert "language" in room
    (texts,) = await ask(stage, "ann", "!help texts")
    assert texts.startswith("texts: ")


async def test_a_command_is_listed_once_and_its_other_names_say_whose_they_are(stage: Stage) -> None:
    (more,) = await ask(stage, "ann", "!help more")
    listed = more.removeprefix("Also: ").rstrip(".").split(", ")
    assert listed.count("!claim") == 1
    assert "!daily" not in listed
    stands_for, usage = await ask(stage, "ann", "!help daily")
    assert stands_for == "!daily stands for !claim."
    assert usage.startswith("!claim — ")
    stands_for, about, *_ = await ask(stage, "ann", "!help bankheist")
    assert stands_for == "!bankheist stands for !heist."
    assert about.startswith("Bank Heist: ")
    assert not any("stands for" in line for line in await ask(stage, "ann", "!help claim"))


async def test_a_word_of_the_room_s_own_is_explained_by_what_it_stands_for(stage: Stage) -> None:
    await stage.say(MO, "!alias rob heist 69")
    await stage.say(MO, "!alias coins credits")
    stands_for, about, *_ = await ask(stage, "ann", "!help rob")
    assert stands_for == "!rob stands for !heist 69."
    assert about.startswith("Bank Heist: ")
    stands_for, usage, *_ = await ask(stage, "ann", "!help !coins")
    assert stands_for == "!coins stands for !credits."
    assert usage.startswith("!credits ")


async def test_what_there_is_no_help_on_is_told_what_it_is_close_to(stage: Stage) -> None:
    (told,) = await ask(stage, "ann", "!help hiest")
    assert told.endswith("Did you mean heist?")
    (told,) = await ask(stage, "ann", "!help hiest lobby")
    assert told.endswith("Did you mean heist?")
    (told,) = await ask(stage, "ann", "!help a b c")
    assert told.startswith("> ann: Write it like this: !help [GAME")


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
async def test_every_answer_fits_into_a_message_of_twitch(store: Store, language: str) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, f"!set room language {language}")
    await stage.say(MO, "!set heist levels 0/999990/999992/999994/999996")
    topics = ["", "more", *stage.bot.parts.groups]
    topics += [each.word for each in stage.bot.command_index.bot_commands]
    topics += [each.word for kit in stage.bot.kits.values() for each in kit.chat.commands]
    topics += [f"{kit.word} more" for kit in stage.bot.kits.values()]
    for name, group in stage.bot.parts.groups.items():
        if isinstance(group, Fields):
            topics += [f"{name} {each.key}" for each in group.listed(group.unset)]
    for topic in topics:
        for told in await ask(stage, "bo(broadcaster)", f"!help {topic}"):
            assert 0 < len(told.encode("utf-16-le")) // 2 <= TWITCH, topic


@pytest.mark.parametrize("words", ["season end", "audit mint", "credits set", "back out", "!Season End"])
async def test_a_command_that_may_be_typed_as_two_words_is_explained_as_one(stage: Stage, words: str) -> None:
    one = words.lower().replace(" ", "")
    assert await ask(stage, "ann", f"!help {words}") == await ask(stage, "ann", f"!help {one}")
    assert not any("There is no" in each for each in stage.said())
