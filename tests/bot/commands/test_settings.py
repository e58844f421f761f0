"""What moderators read of settings, and how they change them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from chatbot.kernel.game import Role
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.changes import Changes, ChangeSet
from chatbot.ledger.rooms import Preferences
from chatbot.rooms.channel import Manner
from chatbot.rooms.settings.changes import Actor
from tests.bot.hosting import MO, restarted
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store


@pytest.mark.slow
async def test_a_setting_is_changed_and_goes_back_to_its_default(stage: Stage) -> None:
    assert await stage.say(MO, "!set heist LOBBY 45") == ["heist: lobby was 60 and is now 45."]
    assert await stage.say(MO, "!set heist lobby 45") == ["heist: lobby is 45 already, so nothing changes."]
    assert await stage.say(MO, "!set heist lobby default") == ["heist: lobby was 45 and is now 60."]
    assert stage.room.settings("heist") == {}


async def test_a_setting_that_stays_as_it_is_leaves_no_trace(stage: Stage, store: Store) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!set heist getaway default")
    assert len(await Changes(store).newest("room")) == 1


async def test_what_is_stored_and_not_valid_any_more_is_left_out_and_the_rest_stays(
    stage: Stage, store: Store
) -> None:
    for change in ("lobby 45", "getaway 20"):
        await stage.say(MO, f"!set heist {change}")

    async def spoil(connection: AsyncConnection) -> None:
        await connection.execute(text("UPDATE preference SET body = replace(body, '45', '9999')"))

    await store.write(spoil)
    again = await restarted(stage, "b")
    assert again.room.settings("heist") == {"getaway": "20"}


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("heist lobby 1m30s", "90"),
        ("heist lobby 2M", "120"),
        ("heist getaway 1m", "60"),
        ("heist cooldown 1h", "3600"),
        ("heist active 2h", "120"),
        ("heist wage_percent 1%", "1"),
        ("heist chances 54%/48.8%/42.5/38.7/32.3", "54/48.8/42.5/38.7/32.3"),
        ("credits give_age 1d", "24"),
        ("heist prediction on", "yes"),
        ("room hints OFF", "no"),
        ("room only_live true", "yes"),
        ("room only_live 켜기", "yes"),
        ("ROOM Only_Live Yes", "yes"),
    ],
)
async def test_a_value_is_taken_as_people_write_it_and_stored_plainly(
    stage: Stage, typed: str, stored: str
) -> None:
    group, key, _ = typed.lower().split()
    await stage.say(MO, f"!set {typed}")
    assert stage.room.settings(group) == {key: stored}


@pytest.mark.parametrize(
    ("typed", "off", "needed"),
    [
        ("heist prediction yes", "no", "a Twitch affiliate or partner"),
        ("room announcements blue", "off", "only on Twitch"),
    ],
)
async def test_what_no_chat_of_the_room_can_do_is_said_to_have_no_effect(
    stage: Stage, typed: str, off: str, needed: str
) -> None:
    changed, told = await stage.say(MO, f"!set {typed}")
    assert changed.endswith(" is on now." if off == "no" else f"was {off} and is now {typed.split()[2]}.")
    assert needed in told
    group, key, _ = typed.split()
    assert len(await stage.say(MO, f"!set {group} {key} {off}")) == 1


@pytest.mark.parametrize(
    ("typed", "key", "told"),
    [
        ("heist lobby 2h", "lobby", "a time from 5s to 10m; a number alone counts seconds."),
        ("heist active 90s", "active", "a time from 1m to 1d; a number alone counts whole minutes."),
        ("heist wage_percent 101%", "wage_percent", "a whole number from 0 to 100 (percent)."),
    ],
)  # fmt: skip
async def test_a_value_that_is_not_possible_is_answered_with_its_range(
    stage: Stage, typed: str, key: str, told: str
) -> None:
    value = typed.rsplit(maxsplit=1)[-1]
    refused = f"> mo: “{value}” is not possible for {key}: it takes {told}"
    assert await stage.say(MO, f"!set {typed}") == [refused]


async def test_several_settings_are_changed_in_one_line_and_taken_back_as_one(
    stage: Stage, store: Store
) -> None:
    assert await stage.say(MO, "!set heist min_stake 50 LOBBY 90s getaway default -- raid tonight") == [
        "heist: min_stake was 1 and is now 50, lobby was 60 and is now 90."
    ]
    assert stage.room.settings("heist") == {"min_stake": "50", "lobby": "90"}
    (change_set,) = await Changes(store).newest("room")
    assert (len(change_set.changes), change_set.why) == (2, "raid tonight")
    (told,) = await stage.say(MO, "!undo")
    assert told.startswith(
        "Taken back (#1): heist min_stake: 50 → its default, heist lobby: 90 → its default"
    )
    assert stage.room.settings("heist") == {}


@pytest.mark.parametrize(
    "typed",
    ["min_stake=50 LOBBY=90s", "min_stake 50 lobby=90s", "min_stake=50 lobby 90s", "lobby=90s min_stake=50"],
)
async def test_an_equals_sign_may_stand_between_key_and_value(stage: Stage, typed: str) -> None:
    (told,) = await stage.say(MO, f"!set heist {typed}")
    assert "min_stake was 1 and is now 50" in told
    assert stage.room.settings("heist") == {"min_stake": "50", "lobby": "90"}


async def test_an_equals_sign_may_stand_in_the_only_word_behind_the_group(stage: Stage) -> None:
    assert await stage.say(MO, "!set heist lobby=90") == ["heist: lobby was 60 and is now 90."]
    assert await stage.say(MO, "!set heist lobby=default") == ["heist: lobby was 90 and is now 60."]


async def test_an_equals_sign_in_a_text_belongs_to_it(stage: Stage) -> None:
    await stage.say(MO, "!set credits ranks=100 name_en=5, 200 Boss")
    assert stage.room.settings("credits") == {"ranks": "100 name_en=5, 200 Boss"}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("heist loby=90s", "There is no setting “loby” in heist. Did you mean heist lobby?"),
        ("heist lobby=", "There is no value for lobby."),
        ("heist lobby=90s lobby=2m", "lobby is there twice"),
        ("heist min_stake 50 lobby 90 m", "“90 m” is not possible for lobby"),
        ("heist min_stake 50 lobby 1h", "“1h” is not possible for lobby"),
        ("heist min_stake 50 loby 90s", "There is no setting “loby”"),
        ("heist min_stake 50 lobby", "There is no value for lobby."),
        ("heist lobby 50 lobby 60", "lobby is there twice"),
        ("heist min_stake 50 max_stake 20", "would be above the largest"),
        ("games heist no highshow", "There is no value for highshow."),
        ("games heist no !heist yes", "heist is there twice"),
    ],
)
async def test_of_several_settings_one_that_is_not_possible_changes_none(
    stage: Stage, typed: str, told: str
) -> None:
    (refused,) = await stage.say(MO, f"!set {typed}")
    assert told in refused
    assert stage.room.settings("heist") == stage.room.settings("games") == {}


async def test_several_entries_of_a_group_are_changed_in_one_line(stage: Stage) -> None:
    assert await stage.say(MO, "!set games heist no highshow off") == [
        "Games: Bank Heist is off now, High Show is off now."
    ]
    assert await stage.say(MO, "!set games heist no highshow no") == [
        "games: all of these are so already, so nothing changes."
    ]


async def test_a_value_with_spaces_goes_on_to_the_next_setting(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 1m 30s getaway 1 m")
    assert stage.room.settings("heist") == {"lobby": "90", "getaway": "60"}


async def test_free_text_goes_on_to_the_end_of_the_line(stage: Stage) -> None:
    await stage.say(MO, "!set aliases rob heist odds")
    assert stage.room.settings("aliases") == {"rob": "heist odds"}


async def test_a_preset_that_is_chosen_already_says_so(stage: Stage) -> None:
    await stage.say(MO, "!preset heist small")
    assert await stage.say(MO, "!preset heist small") == [
        "heist: the preset small is chosen already, with nothing changed on top of it."
    ]


async def test_a_reason_behind_two_dashes_is_written_down(stage: Stage, store: Store) -> None:
    assert await stage.say(MO, "!set heist lobby 45 -- too slow for us") == [
        "heist: lobby was 60 and is now 45."
    ]
    (change_set,) = await Changes(store).newest("room")
    assert change_set.why == "too slow for us"


async def test_what_holds_already_is_not_written_down(stage: Stage, store: Store) -> None:
    for line in ("!set heist lobby 60", "!set games heist yes", "!enable heist", "!talk normal"):
        (told,) = await stage.say(MO, line)
        assert "already, so nothing changes" in told
    assert await Changes(store).newest("room") == []


async def test_settings_alone_shows_the_rooms_own_and_names_all_groups(stage: Stage) -> None:
    own, others = await stage.say(MO, "!settings")
    assert own.startswith("> mo: room: talk normal, ")
    assert others.startswith("> mo: Others: !settings and one of ")
    for group in stage.bot.parts.groups:
        assert group == "room" or f" {group}" in others


async def test_a_new_room_gives_hints_and_suggestions_and_lets_games_begin_at_any_time(stage: Stage) -> None:
    own, _ = await stage.say(MO, "!settings")
    assert own == (
        "> mo: room: talk normal, language auto, hints yes, suggestions yes, paused no, only_live no, "
        "proofs no, threads no, announcements off, board no, board_sites none."
    )


async def test_an_unknown_group_or_setting_is_answered_with_those_there_are(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set nonsense lobby 45")
    assert told.startswith("> mo: There are no settings called “nonsense”; there are: room, credits")
    (told,) = await stage.say(MO, "!settings heist nonsense")
    assert told.startswith("> mo: There is no setting “nonsense”; there are: preset, starters, default_stake")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("!set give_daily 90", "credits give_daily"),
        ("!set GIVE_DAILY 90", "credits give_daily"),
        ("!settings give_dialy", "credits give_daily"),
        ("!set lobby 90", "heist lobby / chickenpoker lobby / pokermarket lobby"),
        ("!settings talk", "room talk / earning talk"),
    ],
)
async def test_a_setting_without_its_group_is_answered_with_the_groups_that_have_it(
    stage: Stage, typed: str, meant: str
) -> None:
    (told,) = await stage.say(MO, typed)
    text = typed.split()[1]
    assert told == f"> mo: There are no settings called “{text}”. Did you mean {meant}?"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("!set heist loby 90", "heist lobby"),
        ("!settings heist loby", "heist lobby"),
        ("!set heist min_stake 50 loby 90", "heist lobby"),
        ("!set heist give_daily 5", "credits give_daily"),
        ("!set room give_dialy 5", "credits give_daily"),
    ],
)
async def test_a_key_that_its_group_has_not_is_answered_with_what_may_be_meant(
    stage: Stage, typed: str, meant: str
) -> None:
    (told,) = await stage.say(MO, typed)
    assert told.endswith(f". Did you mean {meant}?")
    assert "there are" not in told


async def test_in_korean_too_a_setting_that_may_be_meant_is_named(stage: Stage) -> None:
    await stage.say(MO, "!set room language ko")
    assert await stage.say(MO, "!set give_daily 5") == [
        "> mo: “give_daily”: 그런 설정 묶음은 없어요. 혹시 credits give_daily?"
    ]


async def test_a_mistyped_group_is_named_before_any_setting(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set hiest lobby 90")
    assert told.endswith("Did you mean heist?")


@pytest.mark.slow
async def test_a_list_for_twitch_begins_with_what_was_changed_and_names_what_does_not_fit(
    store: Store,
) -> None:
    stage = await Stage(store, manner=Manner(length=500)).open()
    for key in ("max_stake", "default_stake", "min_stake"):
        await stage.say(MO, f"!set heist {key} 1000000000000000")
    listed, rest = await stage.say(MO, "!settings heist all")
    most = "1000000000000000"
    changed = f"default_stake {most}, min_stake {most}, max_stake {most}"
    assert listed.startswith(f"> mo: heist: preset contest; {changed}, starters viewer, lobby 60, ")
    assert len(listed) <= 500
    assert len(rest) <= 500
    before, _, count = listed.removesuffix(" more.").rpartition(" and ")
    shown = [each.split(" ")[0] for each in before.removeprefix("> mo: heist: preset contest; ").split(", ")]
    named = rest.removeprefix("> mo: heist also has: ").removesuffix(".").split(", ")
    assert len(named) == int(count)
    heist = stage.bot.parts.groups["heist"]
    every = [each.key for each in heist.listed(heist.unset)]
    assert sorted(["preset", *shown, *named]) == sorted(every)


async def test_a_group_whose_keys_are_open_lists_what_was_set(stage: Stage) -> None:
    none = "> mo: aliases: nothing was set yet. For example: !alias loot heist"
    assert await stage.say(MO, "!settings aliases") == [none]
    await stage.say(MO, "!set aliases rob heist odds")
    assert await stage.say(MO, "!settings aliases") == ["> mo: aliases: rob heist odds."]
    later = await restarted(stage, "b")
    assert await later.say(MO, "!settings aliases rob") == [
        (
            "> mo: rob is heist odds: what the word stands for. It takes a command, with whatever belongs "
            "behind it; the default is nothing. Example: !set aliases rob heist"
        )
    ]


@pytest.mark.slow
@pytest.mark.parametrize("group", ["credits", "games", "permissions", "aliases"])
async def test_settings_of_every_group_are_the_houses_even_for_who_is_playing(
    stage: Stage, group: str
) -> None:
    """`!set` is a word of Six Card Poker too, which hears it from whoever plays that."""
    await stage.say(MO, "!sixcard")
    assert "arrangement" not in " ".join(await stage.say(MO, f"!set {group} nonsense"))
    assert stage.bot.command_index.answering(
        stage.room, stage.line(MO, "").seat, "set", [group, "x", "1"]
    ) is stage.bot.command_index.bot_command("set")


@pytest.mark.parametrize("group", ["texts", "permissions", "cooldowns", "regulars", "excluded"])
async def test_a_group_where_nothing_was_set_tells_how_it_is_set(stage: Stage, group: str) -> None:
    (told,) = await stage.say(MO, f"!settings {group}")
    assert told.startswith(f"> mo: {group}: nothing was set yet. For example: !")


async def test_a_setting_without_a_value_is_explained_and_stays(stage: Stage) -> None:
    explained = await stage.say(MO, "!settings heist lobby")
    assert await stage.say(MO, "!set heist lobby") == explained
    assert stage.room.settings("heist") == {}


async def test_a_group_without_a_setting_is_listed(stage: Stage) -> None:
    for group, value in (("heist all", "lobby 60"), ("room", "talk normal"), ("earning", "talk_gap 30")):
        listed = await stage.say(MO, f"!settings {group}")
        assert value in listed[0]
        assert await stage.say(MO, f"!set {group}") == listed
    assert stage.room.settings("heist") == {}


async def test_of_a_game_what_differs_from_its_preset_is_shown_first(stage: Stage) -> None:
    assert await stage.say(MO, "!settings heist") == [
        "> mo: heist: all as the preset contest says. The whole list: !settings heist all"
    ]
    await stage.say(MO, "!set heist preset small lobby 45 payday no rabble 0")
    (shown,) = await stage.say(MO, "!settings heist")
    differing, _, rest = shown.partition(". ")
    assert differing == "> mo: heist: as the preset small says, except lobby 45, payday no"
    assert rest == "The whole list: !settings heist all"
    assert await stage.say(MO, "!set heist") == [shown]
    await stage.say(MO, "!set room language ko")
    assert await stage.say(MO, "!settings heist") == [
        "> mo: heist 설정: small 프리셋에서 바뀐 것: lobby 45, payday no. 전체 목록: !settings heist all"
    ]


async def test_all_is_a_key_where_keys_are_open(stage: Stage) -> None:
    await stage.say(MO, "!alias all heist")
    (told,) = await stage.say(MO, "!settings aliases all")
    assert told.startswith("> mo: all is heist: ")


async def test_a_game_without_a_preset_has_its_presets_described(stage: Stage) -> None:
    presets, how = await stage.say(MO, "!preset chicken")
    assert presets == (
        "> mo: chickenpoker: usual (chosen) – 6 cards, 30 seconds each; quick – 4 cards, 20 seconds each; "
        "long – 10 cards; table – a stake of 50 by default."
    )
    assert how == "> mo: !preset chickenpoker NAME chooses one."
    assert stage.room.settings("chickenpoker") == {}


async def test_preset_alone_describes_the_presets_of_all_games(stage: Stage) -> None:
    await stage.say(MO, "!preset heist small")
    kits = stage.bot.command_index.kits
    for language in ("en", "ko"):
        await stage.say(MO, f"!set room language {language}")
        *games, _ = await stage.say(MO, "!preset")
        assert len(games) == len(kits)
        heist = games[list(kits).index("heist")]
        assert ("small (chosen)" if language == "en" else "small (지금)") in heist
        for kit, told in zip(kits.values(), games, strict=True):
            assert told.startswith(f"> mo: {kit.name}: ")
            assert all(f"{name} " in told for name in kit.rules.presets)
            assert len(told) <= 500


async def test_a_preset_that_overwrites_nothing_is_chosen_at_once(stage: Stage) -> None:
    await stage.say(MO, "!set heist rabble 0")  # as the preset has it, too
    told, warned = await stage.say(MO, "!preset heist small")
    assert told == "heist: the preset small is chosen from the next table on."
    assert warned.startswith("Careful: Bank Heist now pays back 102.6%")
    assert stage.room.settings("heist") == {"preset": "small"}


async def test_a_preset_shows_what_it_overwrites_and_waits_for_a_confirmation(
    stage: Stage, store: Store
) -> None:
    await stage.say(MO, "!set heist lobby 45 payday no")  # the preset has no payday either
    (asked,) = await stage.say(MO, "!preset heist deepbot -- for tonight")
    lost = "lobby 45 → 120. "
    assert asked == (
        f"The preset deepbot of heist overwrites what was changed: {lost}Say !confirm within 60 seconds."
    )
    assert stage.room.settings("heist") == {"lobby": "45", "payday": "no"}
    (told,) = await stage.say(MO, "!confirm")
    chosen = "heist: the preset deepbot is chosen from the next table on, and overwrites "
    assert told == f"{chosen}{lost}!undo takes it back."
    assert stage.room.settings("heist") == {"preset": "deepbot"}
    change_set, _ = await Changes(store).newest("room")
    assert change_set.why == "for tonight"
    await stage.say(MO, "!undo")
    assert stage.room.settings("heist") == {"lobby": "45", "payday": "no"}


async def test_what_is_changed_before_the_confirmation_is_asked_about_again(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!preset heist small")
    await stage.say("bo(broadcaster)", "!set heist getaway 20")
    (asked,) = await stage.say(MO, "!confirm")
    assert "lobby 45 → 60, getaway 20 → 30. Say !confirm" in asked
    await stage.say(MO, "!confirm")
    assert stage.room.settings("heist") == {"preset": "small"}


async def test_a_preset_that_does_not_exist_is_refused_before_any_question(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    (told,) = await stage.say(MO, "!preset heist smal")
    assert told.endswith("Did you mean small?")


async def test_in_korean_what_is_so_already_is_told_without_a_wrong_particle(stage: Stage) -> None:
    await stage.say(MO, "!set room language ko")
    assert await stage.say(MO, "!set heist lobby 60") == ["heist 설정: lobby 값은 이미 그대로예요 (60)."]


async def test_two_rooms_of_a_community_lose_none_of_their_changes(stage: Stage, store: Store) -> None:
    hall = stage.new_room("hall")
    await stage.bot.open(hall)
    settings_changes, role = stage.bot.parts.settings_changes, Role.BROADCASTER
    hands = (
        Actor("one", stage.room, MO, "mo", role=role),
        Actor("two", hall, MO, "mo", role=role),
    )
    wanted: tuple[dict[str, str], ...] = {"start": "100"}, {"give_most": "50"}
    await asyncio.gather(
        *(settings_changes.change(hand, {"credits": each}) for hand, each in zip(hands, wanted, strict=True))
    )
    assert stage.room.settings("credits") == hall.settings("credits") == {"start": "100", "give_most": "50"}
    assert await Preferences(store).load("community town") == {"credits": stage.room.settings("credits")}


@pytest.mark.slow
async def test_a_change_whose_answer_was_lost_counts_as_soon_as_it_is_known(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_changes = stage.bot.parts.settings_changes
    make = settings_changes.changes.make

    async def lost(change_set: ChangeSet, *given: Any) -> bool:
        await make(change_set, *given)
        raise LostAnswer(change_set.id)

    with monkeypatch.context() as patch:
        patch.setattr(settings_changes.changes, "make", lost)
        await stage.say(MO, "!set heist lobby 45")
    await stage.say("ann", "hello")
    assert stage.room.settings("heist") == {"lobby": "45"}


async def test_a_language_ends_at_the_next_setting_and_free_text_does_not(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set room language en talk quiet")
    assert told == "room: language was auto and is now en, talk was normal and is now quiet."
    await stage.say(MO, "!set credits ranks 100 Fresh start, 1000 Give most")
    assert stage.room.settings("credits") == {"ranks": "100 Fresh start, 1000 Give most"}
    (told,) = await stage.say(MO, "!set room language xx talk quiet")
    assert "“xx talk quiet” is not possible" in told


@pytest.mark.parametrize("rest", ["start 5", "start=5", "name_ko 보석 start 5"])
async def test_a_name_of_credits_does_not_take_the_setting_behind_it_along(stage: Stage, rest: str) -> None:
    await stage.say(MO, f"!set credits name_en gem/gems {rest}")
    names = {"name_ko": "보석"} if "name_ko" in rest else {}
    assert stage.room.settings("credits") == {"name_en": "gem/gems", **names, "start": "5"}
