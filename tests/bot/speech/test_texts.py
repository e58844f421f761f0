"""A streamer's own texts: each can be edited, and what is typed into them is checked, or stays as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.room import Manner, Privacy
from chatbot.speech.languages import TEXT_KEYS
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
CREW = ("ann", "bob", "cid")


def marked(stage: Stage, key: str) -> str:
    """Make a text that is seen to be one's own, with everything that can be filled in."""
    names = stage.house.outbox.words.placeholders(TEXT_KEYS[key])
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
    for setting in ("rabble 0", "payday no", "levels 0/2/40/60/80", "chances 50/50/50/50/50"):
        await stage.say(MO, f"!set heist {setting}")
    for setting in ("default_stake 5", "min_stake 2", "max_stake 50", "min_crew 2"):
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
        "small-crew: The heist is off: only {crew} came, and it takes {wanted}."
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
