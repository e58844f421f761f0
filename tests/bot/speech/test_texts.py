"""A streamer's own texts: each can be edited, and what is typed into them is checked, or stays as it is."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.channel import Manner, Privacy
from chatbot.rooms.languages import TEXT_KEYS
from chatbot.rooms.settings import files
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
CREW = ("ann", "bob", "cid")


def marked(stage: Stage, key: str) -> str:
    """Make a text that is seen to be one's own, with everything that can be filled in."""
    names = stage.bot.outbox.words.placeholders(TEXT_KEYS[key])
    return f"<{key}> " + " ".join(f"{{{name}}}" for name in names)


async def reworded(stage: Stage) -> None:
    for key in TEXT_KEYS:
        (told, *rest) = await stage.say(MO, f'!text {key} "{marked(stage, key)}"')
        assert told.startswith(f"{key} is changed, and reads like this: <{key}>")
        assert not rest
        await stage.turn(2)


async def heist(stage: Stage, *crew: str) -> list[str]:
    told = [line for who in crew for line in await stage.say(who, "!heist 5")]
    told += await stage.turn(60)
    told += await stage.say("eve", "!heist 5")
    told += await stage.turn(36)
    told += await stage.say("eve", "!heist 5")
    return told + await stage.turn(300)


def _seen(told: list[str]) -> set[str]:
    return {key for line in told for key in re.findall("<([a-z-]+)>", line)}


@pytest.mark.slow
async def test_every_text_that_streamers_edit_is_theirs_in_a_heist(store: Store) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.SECRETS)).open()
    for setting in ("default_stake 5", "min_stake 2", "max_stake 50", "min_crew 2"):
        await stage.say(MO, f"!set heist {setting}")
    for setting in ("rabble 0", "payday no", "levels 0/2/40/60/80", "chances 50/50/50/50/50"):
        await stage.say(MO, f"!set heist {setting}")
    await stage.say(MO, "!set room talk full")
    for who in CREW:
        await stage.endow(who, 1000)
    await reworded(stage)
    told = [*await stage.say("ann", "!heist 1"), *await stage.turn(60), *await stage.say("ann", "!heist 51")]
    told += [*await stage.turn(60), *await heist(stage, "ann")]
    await stage.say(MO, "!set heist min_crew 1")
    for crew in [CREW[:size] for size in (1, 2, 3)] * 12:  # chances are even: each end has come by then
        told += await heist(stage, *crew)
        if _seen(told) == set(TEXT_KEYS):
            break
    assert _seen(told) == set(TEXT_KEYS)
    assert not [line for line in told if re.search(r"\{[a-z]", line)]


@pytest.mark.slow
async def test_a_placeholder_that_is_none_is_refused_by_name_with_those_that_there_are(stage: Stage) -> None:
    (told,) = await stage.say(MO, '!text large-stake "At most {maxWager}!"')
    assert told == "> mo: Nothing is filled in for “maxWager” in large-stake; there are: {most}."
    await stage.say(MO, "!set heist max_stake 100")
    assert await stage.say("ann", "!heist 200") == ["> ann: The largest stake here is 100 credits."]


@pytest.mark.slow
async def test_a_text_is_shown_as_it_would_be_typed_and_what_it_leaves_out_is_told(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!text small-crew")
    assert told == (
        "small-crew: The heist is off: only {crew} people came, and it takes {wanted}."
        " Every stake has been returned. — to be filled in: {crew}, {wanted}"
    )
    told, left_out = await stage.say(MO, '!text opening "{ $who } has a plan"')
    assert told == "opening is changed, and reads like this: mo has a plan"
    assert left_out == "It leaves out {stake}, {seconds}."
    assert await stage.say("ann", "!heist 5") == ["ann has a plan"]


async def test_quotation_marks_may_be_left_out_and_blanks_are_single(stage: Stage) -> None:
    await stage.say(MO, "!text opening {who}   stakes {stake} for {seconds} s")
    assert (await stage.say("ann", "!heist 5"))[0] == "ann stakes 5 credits for 60 s"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["{who} } { -- [one] *", "{who} @everyone *bold*", "{who} .timeout", '{who} { "', "{who} = a -> b"],
)
async def test_whatever_else_is_typed_stands_there_as_it_is(stage: Stage, text: str) -> None:
    await stage.say(MO, f"!text opening {text}")
    assert await stage.say("ann", "!heist 5") == [text.replace("{who}", "ann")]


async def test_what_is_unseen_is_left_out_and_too_much_or_nothing_is_refused(stage: Stage) -> None:
    await stage.say(MO, "!text opening {who}\ue000\u202e plans")
    assert await stage.say("ann", "!heist 5") == ["ann plans"]
    astronaut = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}"
    preview = (await stage.say(MO, f"!text entry {{who}} {astronaut}"))[0]
    assert preview.endswith(astronaut), "it is one picture"
    for text in ('""', "x" * 451):
        (told,) = await stage.say(MO, f"!text entry {text}")
        assert told.startswith("> mo: A text has 1 to 450 characters")


async def test_a_text_goes_back_by_default_and_by_undo_and_outlives_a_restart(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!text opening {who} plans")
    stage = await Stage(store, run="b").open()
    assert "opening: {who} plans" in (await stage.say(MO, "!text opening"))[0]
    await stage.say(MO, "!text opening default")
    assert "is planning a bank heist" in (await stage.say(MO, "!text opening"))[0]
    await stage.say(MO, "!undo")
    assert await stage.say("ann", "!heist 5") == ["ann plans"]


async def test_other_messages_have_their_ids_but_forms_proofs_and_marks_stay_ours(stage: Stage) -> None:
    (told, *_) = await stage.say(MO, "!text heist-hired {who} hat einen Job: {salary}")
    assert told == "heist-hired is changed, and reads like this: mo hat einen Job: (salary)"
    assert "entry is changed" in (await stage.say(MO, "!text heist-joined {who} {stake} {crew}"))[0]
    for key in ("house-player", "table-bound", "verify-sound", "page-over", "credits", "nonsense"):
        assert "There is no text called" in (await stage.say(MO, f"!text {key} x"))[0], key


async def test_only_keepers_edit_texts(stage: Stage) -> None:
    assert "moderators or above" in (await stage.say("ann", "!text opening mine"))[0]
    assert "is planning a bank heist" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_mistyped_key_is_told_what_it_is_close_to(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!text entyr x")
    assert told.endswith("Did you mean entry?")


async def test_where_no_text_was_changed_the_list_says_so(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!text")
    assert "None is changed here." in told
    await stage.say(MO, "!text entry hi {who}")
    (told,) = await stage.say(MO, "!text")
    assert "Your own here: entry." in told


async def test_several_texts_of_one_s_own_are_told_and_none_twice_in_a_row(stage: Stage) -> None:
    texts = ["{who} knocks", "{who} rings", "{who} whistles"]
    for number, text in enumerate(texts, 1):
        told, *_ = await stage.say(MO, f'!text opening add "{text}"')
        assert told.endswith(f"reads like this: {text.replace('{who}', 'mo')}")
        assert told.startswith("opening has a text" if number == 1 else f"opening has {number} texts")
    (told,) = await stage.say(MO, "!text opening")
    assert told.startswith("opening: 1. {who} knocks 2. {who} rings 3. {who} whistles — ")
    openings = []
    for _ in range(8):
        openings += await stage.say("ann", "!heist 5")
        await stage.say(MO, "!cancel heist")
    assert len(openings) == 8
    assert {text.replace("{who}", "ann") for text in texts} == set(openings)
    assert all(one != other for one, other in pairwise(openings))


async def test_one_of_several_is_removed_by_its_number_and_each_change_is_undone(stage: Stage) -> None:
    await stage.say(MO, '!text opening "{who} one" || "{who} two"')
    await stage.say(MO, "!text add opening {who} three")
    assert stage.room.settings("texts") == {"opening": "{who} one || {who} two || {who} three"}
    (told,) = await stage.say(MO, "!text opening remove 2")
    assert told == "Text 2 of opening is removed (2 left): {who} two"
    assert stage.room.settings("texts") == {"opening": "{who} one || {who} three"}
    await stage.say(MO, "!undo")
    assert stage.room.settings("texts") == {"opening": "{who} one || {who} two || {who} three"}
    await stage.say(MO, "!undo 2")
    assert stage.room.settings("texts") == {"opening": "{who} one || {who} two"}
    for _ in range(2):
        (told,) = await stage.say(MO, "!text remove opening 1")
    assert told.startswith("opening is as usual again: mo is planning")
    assert stage.room.settings("texts") == {}


async def test_what_cannot_be_removed_or_added_is_refused_and_changes_nothing(stage: Stage) -> None:
    for number in ("0", "2", "x", "-1", "1.0"):
        (told,) = await stage.say(MO, f"!text opening remove {number}")
        assert told.startswith("> mo: opening has no text of your own")
    (told,) = await stage.say(MO, "!text opening add {whom}")
    assert "Nothing is filled in for “whom”" in told
    (told,) = await stage.say(MO, "!text nonsense add {who}")
    assert "There is no text called" in told
    assert stage.room.settings("texts") == {}
    for each in range(10):
        await stage.say(MO, f"!text opening add {{who}} {each}")
        await stage.turn(2)
    before = stage.room.settings("texts")["opening"]
    (told,) = await stage.say(MO, "!text opening add {who} eleven")
    assert told == "> mo: opening can have 10 texts of your own; remove one first."
    await stage.say(MO, "!text opening add {who} 3")
    assert stage.room.settings("texts")["opening"] == before, "the same text is not there twice"


async def test_several_texts_outlive_a_restart_and_come_back_from_a_file(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set texts opening {who} one || {who} two")
    assert await stage.say("ann", "!heist 5") == ["ann one"]
    written = files.write(stage.bot.parts.groups, stage.room)
    assert files.read(written)["texts"] == {"opening": "{who} one || {who} two"}
    await stage.say(MO, "!cancel heist")
    stage = await Stage(store, run="b").open()
    assert await stage.say("ann", "!heist 5") == ["ann two"]


@pytest.mark.parametrize(
    "words",
    [
        "entry add", "entry remove", "add entry", "remove entry", "entry ADD", "entry add default",
        'add entry "Default"',
    ],
)  # fmt: skip
async def test_a_change_of_the_list_that_lacks_its_text_or_number_is_no_text(
    stage: Stage, words: str
) -> None:
    (told,) = await stage.say(MO, f"!text {words}")
    assert told.startswith("> mo: Write it like this: !text [KEY]")
    assert stage.room.settings("texts") == {}


async def test_a_text_without_placeholders_is_shown_without_a_word_of_them(stage: Stage) -> None:
    await stage.say(MO, "!text heist-bank-0 Casino")
    assert await stage.say(MO, "!text heist-bank-0") == ["heist-bank-0: Casino"]


async def test_a_text_in_quotation_marks_may_begin_like_a_change_of_the_list(stage: Stage) -> None:
    await stage.say(MO, '!text opening "add your stakes, says {who}"')
    assert await stage.say("ann", "!heist 5") == ["add your stakes, says ann"]
    await stage.say(MO, "!text entry {who} ||hides|| here")
    assert stage.room.settings("texts")["entry"] == "{who} ||hides|| here"


async def test_a_refusal_has_several_texts_too(stage: Stage) -> None:
    await stage.say(MO, "!set heist max_stake 100")
    await stage.say(MO, "!text large-stake {most}! || Only {most}!")
    told = [line for _ in range(3) for line in await stage.say("ann", "!heist 200")]
    assert told == ["> ann: 100 credits!", "> ann: Only 100 credits!", "> ann: 100 credits!"]


async def test_a_text_that_is_there_already_is_not_previewed_as_another(stage: Stage) -> None:
    for each in ("A", "B"):
        await stage.say(MO, f"!text entry add {{who}} {each}")
        await stage.turn(2)
    assert await stage.say(MO, "!text entry add {who} A") == [
        "entry has this text already, so nothing changes."
    ]
    assert stage.room.settings("texts") == {"entry": "{who} A || {who} B"}


async def test_the_word_default_in_quotation_marks_is_no_text_either(stage: Stage) -> None:
    await stage.say(MO, "!text entry {who} A")
    (told,) = await stage.say(MO, '!text entry "Default"')
    assert told.startswith("entry is as usual again: mo joins")
    assert stage.room.settings("texts") == {}


async def test_moderators_cannot_reword_who_has_called_a_table_off(stage: Stage) -> None:
    (told,) = await stage.say(MO, '!text table-void-by "{game} is over."')
    assert "There is no text called" in told
    await stage.say("ann", "!heist 20")
    assert "was called off by mo" in (await stage.say(MO, "!cancel heist"))[0]


async def test_moderators_cannot_reword_what_tells_the_room_of_their_changes(stage: Stage) -> None:
    for key in ("setting-changed", "settings-changed", "preset-chosen", "preset-overwrites", "undo-done"):
        (told,) = await stage.say(MO, f"!text {key} Good evening")
        assert "There is no text called" in told
    assert stage.room.settings("texts") == {}
