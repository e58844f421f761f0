"""`!audit` shows what moderators did, and `!undo` takes it back, once: settings and money."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.changes import LINK, MONEY, Change, Changes, ChangeSet, Work
from chatbot.ledger.erasure import Erasure
from chatbot.ledger.member_export import Persons
from chatbot.settings.reference import settings_of
from tests.bot.hosting import MO, restarted
from tests.bot.stage import seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

BO = "bo(broadcaster)"
OTHER = "To take back another change, write !undo and its number, which !audit shows."


async def grant(stage: Stage, who: str, amount: int, change_set: str = "change-set:grant") -> None:
    """Let a moderator give credits out of nothing, written down as a change set."""
    await stage.say(who, "hello")
    held, name = await stage.credits(who), f"grant:{change_set}"
    wallet, mint = purses.wallet("town", seat(who)), purses.mint("town")
    at = stage.watch.date()
    posting = Posting(name, "town", at, "test:mo", (Entry(mint, wallet, amount, "grant"),))
    change = Change(MONEY, seat(who), old=str(held), new=str(held + amount), posting=name)
    made = ChangeSet(change_set, "room", "town", at, "test:mo", "mo", (change,), "a prize")
    assert await Changes(stage.store).make(made, Work(posting=posting))


async def numbers(store: Store) -> list[int]:
    return [each.number for each in await Changes(store).newest("room")]


@pytest.mark.slow
async def test_the_newest_change_of_a_setting_is_taken_back_and_then_the_one_before(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!set heist getaway 20")
    assert await stage.say(MO, "!undo") == ["Taken back (#2): heist getaway: 20 → its default."]
    assert stage.room.settings("heist") == {"lobby": "45"}
    assert await stage.say(MO, "!undo") == ["Taken back (#1): heist lobby: 45 → its default."]
    assert stage.room.settings("heist") == {}
    assert await stage.say(MO, "!undo") == ["> mo: There is nothing left here that could be taken back."]


async def test_a_preset_is_taken_back_with_all_that_it_dropped(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!preset heist small")
    await stage.say(MO, "!confirm")
    await stage.say(MO, "!undo")
    assert stage.room.settings("heist") == {"lobby": "45"}


@pytest.mark.slow
async def test_an_undo_survives_a_restart_and_is_refused_the_second_time(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    later = await restarted(stage, "b")
    assert await later.say(MO, "!undo 1") == ["Taken back (#1): heist lobby: 45 → its default."]
    last = await restarted(later, "c")
    assert last.room.settings("heist") == {}
    assert await last.say(MO, "!undo #1") == ["> mo: #1 was taken back already."]


@pytest.mark.slow
async def test_an_undo_is_taken_back_by_its_number(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!undo")
    assert await stage.say(MO, "!undo 2") == ["Taken back (#2): heist lobby: its default → 45."]
    assert stage.room.settings("heist") == {"lobby": "45"}


async def test_a_setting_that_was_changed_again_since_is_left_alone(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!set heist lobby 50")
    assert await stage.say(MO, "!undo 1") == [
        "> mo: #1 cannot be taken back, because this was changed again since: heist lobby: its default → 45."
    ]
    assert stage.room.settings("heist") == {"lobby": "50"}


async def test_a_newest_change_that_stays_is_told_with_the_way_to_the_others(stage: Stage) -> None:
    await stage.say(MO, "!set heist getaway 20")
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(MO, "!set heist lobby 50")
    await stage.say(MO, "!undo")
    await stage.say(MO, "!undo 4")  # so that lobby is 50 again, not 45 as the newest change made it
    changed = "#2 cannot be taken back, because this was changed again since: heist lobby: its default → 45."
    assert await stage.say(MO, "!undo") == [f"> mo: {changed} {OTHER}"]
    assert await stage.say(MO, "!undo 1") == ["Taken back (#1): heist getaway: 20 → its default."]


@pytest.mark.slow
async def test_a_change_of_another_room_is_not_undone_here(stage: Stage) -> None:
    second = stage.new_room("second")
    await stage.bot.open(second)
    await stage.bot.converse(stage.line(MO, "!set heist lobby 45", room="second"))
    await stage.watch.turn()
    assert await stage.say(MO, "!undo") == ["> mo: There is nothing left here that could be taken back."]
    assert await stage.say(MO, "!undo 1") == ["> mo: There is no #1 here; !audit shows the numbers."]
    assert second.settings("heist") == {"lobby": "45"}


@pytest.mark.slow
async def test_a_setting_of_the_community_goes_back_in_all_of_its_rooms(stage: Stage) -> None:
    second = stage.new_room("second")
    await stage.bot.open(second)
    await stage.say(BO, "!set credits start 100")
    assert second.settings("credits") == {"start": "100"}
    await stage.say(BO, "!undo")
    assert second.settings("credits") == {}


async def test_nobody_undoes_a_change_that_they_may_not_make(stage: Stage) -> None:
    await stage.say(BO, "!set permissions give vip")
    assert await stage.say(MO, "!undo") == [f"> mo: That is for broadcasters. {OTHER}"]
    assert stage.room.settings("permissions") == {"give": "vip"}
    await stage.say(BO, "!undo")
    assert stage.room.settings("permissions") == {}


async def test_a_setting_is_undone_by_who_may_set_it(stage: Stage) -> None:
    await stage.say(MO, "!set heist lobby 45")
    await stage.say(BO, "!permit set broadcaster")
    assert await stage.say(MO, "!undo 1") == ["> mo: That is for broadcasters."]
    assert stage.room.settings("heist") == {"lobby": "45"}
    assert await stage.say(BO, "!undo 1") == ["Taken back (#1): heist lobby: 45 → its default."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("!text entry {who} sneaks in.", "text"),
        ("!alias rob heist", "alias"),
        ("!cooldown top 60", "cooldown"),
        ("!regular @mo", "regular"),
        ("!exclude @mo", "exclude"),
        ("!disable heist", "enable"),
        ("!talk quiet", "talk"),
        ("!pause", "unpause"),
    ],
)
async def test_what_a_command_of_its_own_changes_is_undone_by_who_may_use_that_or_set(
    stage: Stage, line: str, word: str
) -> None:
    await stage.say(BO, "!permit set broadcaster")  # 1
    await stage.say(MO, line)
    assert any("Taken back (#2)" in told for told in await stage.say(MO, "!undo 2"))
    await stage.say(MO, line)  # 4, after the undoing
    await stage.say(BO, f"!permit {word} broadcaster")
    assert await stage.say(MO, "!undo 4") == ["> mo: That is for broadcasters."]
    await stage.say(BO, "!permit set default")
    assert any("Taken back (#4)" in told for told in await stage.say(MO, "!undo 4"))


def test_every_group_that_a_command_of_its_own_changes_is_known(stage: Stage) -> None:
    groups = stage.bot.parts.groups.values()
    changing = {
        word: group.name
        for group in groups
        for each in settings_of(group)
        for word in group.commands(each.key)
    }
    assert all(stage.bot.command_index.bot_command(word) for word in changing)
    assert changing == {
        "talk": "room",
        "pause": "room",
        "unpause": "room",
        "enable": "games",
        "disable": "games",
        "text": "texts",
        "alias": "aliases",
        "permit": "permissions",
        "cooldown": "cooldowns",
        "regular": "regulars",
        "exclude": "excluded",
    }


# Money


async def test_money_is_taken_back_with_a_posting_of_its_own_and_given_again(stage: Stage) -> None:
    await grant(stage, "ann", 100)
    assert await stage.credits("ann") == 340
    assert await stage.say(BO, "!undo") == ["Taken back (#1): credits of ann: 340 credits → 240 credits."]
    assert await stage.credits("ann") == 240
    assert await stage.say(BO, "!undo 1") == ["> bo: #1 was taken back already."]
    assert await stage.credits("ann") == 240
    await stage.say(BO, "!undo 2")
    assert await stage.credits("ann") == 340


@pytest.mark.slow
@pytest.mark.parametrize("word", ["grant", "take"])
async def test_money_is_taken_back_only_by_who_may_both_grant_and_take(stage: Stage, word: str) -> None:
    await grant(stage, "ann", 100)
    await stage.say(BO, f"!permit {word} broadcaster")
    assert await stage.say(MO, "!undo 1") == ["> mo: That is for broadcasters."]
    assert await stage.credits("ann") == 340


@pytest.mark.slow
async def test_money_that_is_spent_is_not_taken_back_in_part(stage: Stage, store: Store) -> None:
    await grant(stage, "ann", 100)
    await stage.endow("ann", 60)
    assert await stage.say(BO, "!undo") == [
        f"> bo: #1 cannot be taken back, because ann has only 60 credits left. {OTHER}"
    ]
    assert await stage.credits("ann") == 60
    assert await numbers(store) == [1]
    await stage.endow("ann", 150)  # what was lacking then is no obstacle for ever
    await stage.say(BO, "!undo")
    assert await stage.credits("ann") == 50


async def test_the_same_line_twice_undoes_once(stage: Stage) -> None:
    await grant(stage, "ann", 100)
    await grant(stage, "ann", 30, "change-set:second")
    await stage.say(BO, "!undo", line="once")
    assert await stage.say(BO, "!undo", line="once") == []
    assert await stage.credits("ann") == 340


async def test_a_change_set_of_the_operator_is_for_the_broadcaster_to_undo(
    stage: Stage, store: Store
) -> None:
    where = "room", "town", stage.watch.date()
    change = Change("setting", "heist", "lobby", None, "45")
    choices = {("room", "heist"): {"lobby": "45"}}
    made = ChangeSet("change-set:file:1", *where, "operator", "operator", (change,))
    await Changes(store).make(made, Work(choices=choices))
    later = await restarted(stage, "b")
    assert await later.say(MO, "!undo") == [f"> mo: That is for broadcasters. {OTHER}"]
    assert await later.say(BO, "!undo") == ["Taken back (#1): heist lobby: 45 → its default."]


async def test_what_has_no_way_back_says_so(stage: Stage, store: Store) -> None:
    where = "room", "town", stage.watch.date()
    made = ChangeSet("change-set:odd", *where, "test:mo", "mo", (Change("strange", "x"),))
    await Changes(store).make(made, Work())
    assert await stage.say(MO, "!undo") == [f"> mo: #1 cannot be taken back. {OTHER}"]


async def test_a_reversal_that_others_bring_along_takes_its_kind_back(stage: Stage, store: Store) -> None:
    done = []

    async def reverse(hand: object, change_set: ChangeSet) -> list[object]:
        done.append((hand, change_set.id))
        return []

    stage.bot.parts.undoing.reversals[LINK] = reverse  # type: ignore[assignment]  # says nothing
    where = "room", "town", stage.watch.date()
    changes = Change(LINK, "test:ann", old=None, new="test:bob"), Change(MONEY, "test:ann")
    await Changes(store).make(ChangeSet("change-set:link", *where, "test:mo", "mo", changes), Work())
    await stage.say(BO, "!undo")
    assert [change_set for _, change_set in done] == ["change-set:link"]


# Reading


async def test_that_somebody_was_forgotten_is_told_and_cannot_be_taken_back(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "hello")
    await Erasure(store).forget(await Persons(store).find("ann"), stage.watch.date())
    assert await stage.say(MO, "!audit") == ["> mo: #1 operator, 0 s ago: a member was forgotten"]
    assert await stage.say(BO, "!undo") == ["> bo: There is nothing left here that could be taken back."]
    assert await stage.say(BO, "!undo 1") == ["> bo: #1 cannot be taken back."]


async def test_the_audit_tells_who_when_what_and_why_newest_first(stage: Stage) -> None:
    assert await stage.say(MO, "!audit") == ["> mo: Moderators have changed nothing here yet."]
    await stage.say(MO, "!set heist lobby 45 -- quicker")
    stage.watch.set_calendar(3_725)
    await grant(stage, "ann", 100)
    assert await stage.say(MO, "!audit") == [
        "> mo: #2 mo, 0 s ago: credits of ann: 240 credits → 340 credits (a prize)",
        "> mo: #1 mo, 1 h 2 min ago: heist lobby: its default → 45 (quicker)",
    ]
    await stage.say(MO, "!undo 1")
    assert (await stage.say(MO, "!audit 1")) == [
        "> mo: #3 mo, 0 s ago, taking something back: heist lobby: 45 → its default"
    ]


@pytest.mark.parametrize("count", ["0", "11", "x"])
async def test_an_audit_lists_one_to_ten(stage: Stage, count: str) -> None:
    assert await stage.say(MO, f"!audit {count}") == [f"> mo: “{count}” is no whole number from 1 to 10."]


@pytest.mark.slow
async def test_a_change_set_of_many_changes_fits_a_line(stage: Stage) -> None:
    for key in ("lobby 45", "getaway 20", "suspense 5", "rabble 10", "min_crew 2"):
        await stage.say(MO, f"!set heist {key}")
    await stage.say(MO, "!preset heist small")
    await stage.say(MO, "!confirm")
    (told,) = await stage.say(MO, "!audit 1")
    assert told.endswith(" and 3 more")
    assert len(told) <= 500
    assert Seat("test:mo") not in told


async def test_who_has_not_spoken_since_a_restart_is_named_when_a_grant_is_taken_back(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 50")
    second = await restarted(stage, "b")
    assert await second.say(MO, "!undo") == [
        "Taken back (#1): credits of ann: 290 credits → 240 credits.",
    ]
