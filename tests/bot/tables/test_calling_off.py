"""Who calls a game off is told, written down and counted, and it is never one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from chatbot.cli.inspection import changes_in_words
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.changes import DUE, VOIDED, Change, Changes, ChangeSet
from chatbot.tables import table
from chatbot.tables.replay import Unreplayable
from tests.bot.hosting import GETAWAY, LOBBY, MO, SUSPENSE, restarted
from tests.bot.platforms import Platforms
from tests.bot.stage import Stage, seat
from tests.ledger.samples import AT
from tests.template import store_at

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store

VOID = "Bank Heist was called off by mo; every stake has been returned."
OWN = (
    "You play at this table of Bank Heist yourself, so somebody else has to call it off; "
    "if nobody does, it ends by its clock."
)
OTHER = "To take back another change, write !undo and its number, which !audit shows."
ZO = "zo(broadcaster)"


async def changes(store: Store) -> list[tuple[Change, ...]]:
    return [each.changes for each in await Changes(store).newest("room")]


async def test_a_table_that_is_called_off_is_a_row_with_who_what_why_and_what_lay_in_it(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 31")
    assert await stage.say(MO, "!cancel heist -- a slip of the tongue") == [VOID]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [240, 240]
    (change_set,) = await Changes(store).newest("room")
    assert (change_set.actor, change_set.name, change_set.why) == (seat("mo"), "mo", "a slip of the tongue")
    assert change_set.changes == (Change(VOIDED, "a-table-1", "heist", "100", None, "void:a-table-1"),)
    refunded = {str(each.target): each.credits for each in await Changes(store).entries(change_set)}
    assert refunded == {"wallet:town:test:ann": 69, "wallet:town:test:bob": 31}
    row = "heist table a-table-1 called off, {} in its pot"
    assert await stage.say(MO, "!audit") == [
        f"> mo: #1 mo, 0 s ago: {row.format('100 credits')} (a slip of the tongue)"
    ]
    assert list(changes_in_words([change_set]))[1:] == [f"  {row.format('with 100 credits')}"]


async def test_one_credit_that_lay_in_it_or_was_due_is_told_as_one() -> None:
    rows = Change(VOIDED, "a-table-1", "heist", "1"), Change(DUE, "test:ann", "heist", new="1")
    told = ChangeSet("change-set:1", "room", "town", AT, "test:mo", "mo", rows)
    assert list(changes_in_words([told]))[1:] == [
        "  heist table a-table-1 called off, with 1 credit in its pot",
        "  test:ann would have got 1 credit there",
    ]


async def test_the_only_game_that_is_played_needs_no_name(stage: Stage) -> None:
    usage = "> mo: Write it like this: !cancel GAME [@name]"
    assert await stage.say(MO, "!cancel") == [usage]
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!highshow")
    assert await stage.say(MO, "!cancel -- which?") == [usage]
    await stage.say(MO, "!cancel highshow")
    assert await stage.say(MO, "!cancel -- a slip of the tongue") == [VOID]
    assert await stage.say(MO, "!cancel") == [usage]


async def test_a_table_is_called_off_by_a_name_of_several_words(stage: Stage) -> None:
    for who in ("Big Bob", "ann"):
        await stage.say(who, "!highshow 10")
    told = await stage.say(MO, "!cancel highshow @Big Bob -- a slip of the tongue")
    assert told == ["High Show of Big Bob was called off by mo."]
    assert [each.players() for each in stage.room.playing("highshow")] == [(seat("ann"),)]
    refused = await stage.say(MO, "!cancel highshow a slip of the tongue")
    assert refused == ["> mo: Write it like this: !cancel GAME [@name]"]


async def test_that_a_table_was_called_off_is_told_though_it_cannot_be_read_who_did_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, OSError("the disk is gone"))

    await stage.say("ann", "!heist 69")
    table = stage.table
    monkeypatch.setattr(stage.bot.parts.journal, "caller_off", fail)
    assert await stage.say(MO, "!cancel heist") == [VOID.replace(" by mo", "")]
    assert await stage.credits("ann") == 240
    monkeypatch.undo()
    assert await stage.turn(LOBBY + GETAWAY + SUSPENSE) == []
    assert await stage.bot.parts.journal.untold("room") == []
    assert table.over


async def test_what_everybody_would_have_got_is_told_once_it_is_decided(tmp_path: Path) -> None:
    """The same heist is played out: to each came what was told of the one that was called off."""
    foretold, came = dict[str, int](), dict[str, int]()
    for cancelled in (True, False):
        store = await store_at(tmp_path / f"{cancelled}.db")
        stage = await Stage(store).open()
        await stage.say("ann", "!heist 69")
        await stage.say("bob", "!heist 31")
        await stage.turn(LOBBY + GETAWAY)
        await stage.say(MO, "hello")  # a newcomer's line is luck too: so it stands in both
        held = {who: await stage.credits(who) for who in ("ann", "bob")}
        if cancelled:
            await stage.say(MO, "!cancel heist")
            (made,) = await changes(store)
            foretold = {each.subject: int(each.new or 0) for each in made if each.kind == DUE}
        else:
            await stage.turn(SUSPENSE)
            came = {seat(who): await stage.credits(who) - before for who, before in held.items()}
        await store.close()
    assert foretold == came
    assert any(came.values())


@pytest.mark.parametrize("phase", [0, LOBBY])
async def test_nothing_is_foretold_while_somebody_may_still_act(
    stage: Stage, store: Store, phase: int
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(phase)
    await stage.say(MO, "!cancel heist")
    assert [each.kind for each in (await changes(store))[0]] == [VOIDED]


async def test_who_called_it_off_is_told_after_a_crash_too(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 69")

    async def crashed(_: object) -> None:
        return

    before.table.on_void = crashed
    assert await before.say(MO, "!cancel heist") == []
    assert (await restarted(before, "b")).said() == [VOID]


async def test_nobody_calls_off_a_table_at_which_they_play(stage: Stage, store: Store) -> None:
    await stage.say(MO, "!heist 5")
    await stage.say(ZO, "!heist 6")
    for who, name in ((MO, "mo"), (ZO, "zo")):
        assert await stage.say(who, "!cancel heist") == [f"> {name}: {OWN}"]
        assert await stage.say(who, "!cancel heist @ann") != [VOID]
    assert await stage.pot() == 11
    assert await changes(store) == []
    assert (await stage.say("kim(moderator)", "!cancel heist")) == [VOID.replace("mo;", "kim;")]


async def test_whoever_has_only_talked_may_call_a_heist_off(stage: Stage) -> None:
    """They sit there to be paid for having been there, and have nothing at stake."""
    await stage.say("ann", "!heist 5")
    await stage.say(MO, "hello")
    assert seat("mo") in stage.table.seated
    assert await stage.say(MO, "!cancel heist") == [VOID]


async def test_of_many_tables_ones_own_alone_is_left(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob", MO):
        await stage.say(who, "!highshow 6 2 50")
    told = await stage.say(MO, "!cancel highshow")
    void = "High Show of {} was called off by mo; every stake has been returned."
    own = "> mo: The table at which you play yourself goes on: somebody else has to call that one off."
    assert sorted(told) == sorted([void.format("ann"), void.format("bob"), own])
    assert [each.spot for each in stage.room.playing("highshow")] == [f"highshow {seat('mo')}"]
    assert len(await changes(store)) == 2
    assert await stage.credits("mo") == 190


async def test_whoever_is_only_challenged_may_call_the_duel_off(stage: Stage) -> None:
    await stage.say(MO, "hello")
    await stage.say("ann", "!sixcard @mo 50")
    (told,) = await stage.say(MO, "!cancel sixcard")
    assert told.startswith("Six Card Poker of ann, mo was called off by mo;")


@pytest.mark.parametrize("parted", [False, True])
async def test_no_other_account_of_the_same_person_calls_it_off_nor_one_that_was_parted(
    store: Store, parted: bool
) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    await both.link("twitch:ann", "discord:ann")
    if parted:
        await both.say("twitch:ann", "!unlink")
    await both.say("discord:ann", "!heist 69")
    (table,) = both.room("discord:1").playing("heist")
    (told,) = await both.say("twitch:ann(moderator)", "!cancel heist")
    assert "so somebody else has to call it off" in told
    assert not table.over
    assert await changes(store) == []


async def test_that_a_table_was_called_off_cannot_be_taken_back(stage: Stage) -> None:
    """The newest change is what is meant, so an older one is taken back by its number alone."""
    await stage.say(MO, "!set heist lobby 45")
    await stage.say("ann", "!heist 69")
    await stage.say(MO, "!cancel heist")
    refused = "#2 called a table off, and that cannot be taken back: its stakes are where they came from."
    assert await stage.say(MO, "!undo") == [f"> mo: {refused} {OTHER}"]
    assert await stage.say(MO, "!undo 2") == [f"> mo: {refused}"]
    assert stage.room.settings("heist") == {"lobby": "45"}
    assert await stage.say(MO, "!undo 1") == ["Taken back (#1): heist lobby: 45 → its default."]


async def test_fair_tells_how_many_were_called_off_and_by_whom(stage: Stage) -> None:
    for moderator in (MO, MO, ZO):
        await stage.say("ann", "!heist 5")
        await stage.say(moderator, "!cancel heist")
    await stage.say("ann", "!heist 5")
    await stage.table.void()  # as where the rules fail
    told = (await stage.say("bob", "!fair"))[-2]
    assert " and 4 were called off (2 by mo, 1 by zo, 1 by the bot itself). " in told


async def test_a_table_that_is_over_meanwhile_leaves_no_row(stage: Stage, store: Store) -> None:
    await stage.say("ann", "!heist 5")
    await stage.bot.ledger.void(stage.table.id, stage.watch.date())
    await stage.say(MO, "!cancel heist")
    assert await changes(store) == []
    assert stage.table.over


async def test_a_table_in_doubt_whose_journal_cannot_be_replayed_is_called_off_too(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say(MO, "hello")  # and is seated: another one's line would have the journal read first

    async def unreplayable(*_: object) -> None:
        raise Unreplayable("turn 2: the rules say something else")

    monkeypatch.setattr(table, "reread", unreplayable)
    stage.table.doubt()
    assert await stage.say(MO, "!cancel heist -- a slip of the tongue") == [VOID]
    assert await stage.credits("ann") == 240
    assert await breaches(stage.store) == []
