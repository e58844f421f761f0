"""Settings as files: what goes out comes in again the same, and what is wrong changes nothing."""

from __future__ import annotations

import asyncio
import json
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chatbot.cli import minting, settings_editor
from chatbot.games import kits
from chatbot.kernel.game import Failure, Refusal
from chatbot.ledger.changes import Changes
from chatbot.ledger.store.store import Store
from chatbot.rooms.room import Room
from chatbot.rooms.settings.files import read, write
from chatbot.settings.community import TERMS
from chatbot.settings.fields import Groups, of_game
from chatbot.settings.room import HABITS
from tests.bot.stage import Stage
from tests.ledger.conftest import postgresql
from tests.settings.test_groups import SHELF
from tests.terminal import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chatbot.rooms.settings.changes import Wanted

pytestmark = pytest.mark.slow

__all__ = ["terminal"]

MO = "mo(moderator)"


async def prepared(folder: Path, *lines: str, rooms: Sequence[str] = ("room",)) -> str:
    """Have these lines said by a moderator, and leave; give the URL of the database."""
    url = f"sqlite:///{(folder / 'rabble.db').as_posix()}"
    store = await Store.open(url)
    stage = Stage(store)
    for name in rooms:
        await stage.bot.open(stage.new_room(name))
    for line in lines:
        await stage.bot.converse(stage.line(MO, line))
        await stage.watch.turn(10)
    await store.close()
    return url


async def test_an_export_has_what_was_set_and_all_of_it_if_that_is_wanted(tmp_path: Path) -> None:
    url = await prepared(
        tmp_path, "!preset heist small", "!set heist lobby 45", "!set heist payday no", "!set games heist no"
    )
    assert tomllib.loads(await settings_editor.export(url, None)) == {
        "heist": {"preset": "small", "lobby": 45, "payday": False},
        "games": {"heist": "no"},
    }
    everything = tomllib.loads(await settings_editor.export(url, None, everything=True))
    assert everything["heist"]["lobby"] == 45
    assert everything["heist"]["getaway"] == 30
    assert everything["room"]["talk"] == "normal"


async def test_an_import_is_one_change_set_of_the_operator_and_counts_from_then_on(tmp_path: Path) -> None:
    url = await prepared(tmp_path)
    text = '[heist]\nlobby = 45\nstarters = "VIP"\n\n[aliases]\nrob = "!heist"\n'
    told = await settings_editor.apply(url, None, "evening.toml", text)
    assert told.splitlines() == [
        "heist.lobby: default → 45",
        "heist.starters: default → vip",
        "aliases.rob: default → heist",
        "3 settings changed.",
    ]
    store = await Store.open(url)
    (change_set,) = await Changes(store).newest("room")
    assert (change_set.actor, change_set.why, len(change_set.changes)) == (
        "operator",
        "import of evening.toml",
        3,
    )
    stage = await Stage(store).open()
    assert "stakes 50 credits" in (await stage.say("ann(vip)", "!rob 50"))[0]
    await stage.say("bo(broadcaster)", "!undo")
    assert stage.room.settings("heist") == {}
    assert stage.room.settings("aliases") == {}
    await store.close()


async def test_a_file_of_everything_changes_nothing_in_the_room_that_it_is_of(tmp_path: Path) -> None:
    lines = "!preset heist small", "!set heist lobby 45", "!set games heist no", "!alias rob heist"
    url = await prepared(tmp_path, *lines)
    stored, text = (
        await settings_editor.export(url, None),
        await settings_editor.export(url, None, everything=True),
    )
    assert await settings_editor.diff(url, None, text) == []
    assert (
        await settings_editor.apply(url, None, "x.toml", text, dry_run=True) == "0 settings would be changed."
    )
    assert await settings_editor.apply(url, None, "x.toml", text) == "0 settings changed."
    assert await settings_editor.export(url, None) == stored
    store = await Store.look(url)
    assert [each.why for each in await Changes(store).newest("room")] == [""] * len(lines)
    await store.close()


async def test_of_a_file_of_everything_only_what_differs_is_set(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!preset heist small", "!set heist lobby 45")
    text = await settings_editor.export(url, None, everything=True)
    (other := tmp_path / "other").mkdir()
    there = await prepared(other)
    told = await settings_editor.apply(there, None, "x.toml", text, confirmed=True)
    assert told.splitlines() == [
        "heist.preset: default → small",
        "heist.lobby: default → 45",
        "2 settings changed.",
        (
            "Careful: Bank Heist now pays back 102.6% of what is staked to whoever plays best, "
            "so the credits lose their worth. !undo takes it back."
        ),
    ]


async def test_a_file_says_times_and_shares_as_chat_does(tmp_path: Path) -> None:
    url = await prepared(tmp_path)
    text = '[heist]\nlobby = "1m30s"\nwage_percent = "6%"\n[room]\nlanguage = "Korean"\n'
    await settings_editor.apply(url, None, "x.toml", text)
    assert tomllib.loads(await settings_editor.export(url, None)) == {
        "room": {"language": "ko"},
        "heist": {"lobby": 90, "wage_percent": 6},
    }


async def test_what_a_file_does_not_name_stays_and_default_takes_back(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set heist lobby 45", "!set heist getaway 20")
    await settings_editor.apply(url, None, "x.toml", '[heist]\nlobby = "default"\n')
    assert tomllib.loads(await settings_editor.export(url, None)) == {"heist": {"getaway": 20}}


async def test_a_dry_run_tells_what_would_be_changed_and_changes_nothing(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set heist lobby 45")
    told = await settings_editor.apply(url, None, "x.toml", "[heist]\nlobby = 50\n", dry_run=True)
    assert told == "heist.lobby: 45 → 50\n1 setting would be changed."
    assert tomllib.loads(await settings_editor.export(url, None)) == {"heist": {"lobby": 45}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[heist]\nlobby = 50\ngetaway = 4000\n",
            "heist.getaway = '4000': “4000” is not possible for getaway",
        ),
        ("[heist]\nlobby = 50\nspeed = 9\n", "heist.speed = '9': There is no setting “speed”; there are: "),
        ("[heist]\nlobby = 50\n[nonsense]\nx = 9\n", "There are no settings called “nonsense”; there are: "),
        (f"[heist]\nlobby = '{'9' * 5000}'\n", f"heist.lobby = '{'9' * 50}"),
        (f"[heist]\nlobby = [{'9, ' * 5000}]\n", "heist.lobby = [9, 9, 9"),
        ("[heist]\nlobby = 1.5\n", "heist.lobby = 1.5: a setting is text in quotes, a whole number, true or"),
        ("lobby = 50\n", "lobby = 50 stands outside of any group; put it below one, such as [room]."),
        ("[heist\nlobby = 50\n", "This is not TOML: "),
        (f"[heist]\nlobby = {'9' * 5000}\n", "This has a number of thousands of digits, or is nested too"),
        (f"[heist]\nlobby = 0x{'f' * 5000}\n", "This has a number of thousands of digits, or is nested too"),
        (f"lobby = [0x{'f' * 5000}]\n", "This has a number of thousands of digits, or is nested too deeply"),
        (f"[heist]\nlobby = {'[' * 100_000}\n", "This has a number of thousands of digits, or is nested too"),
        (f"{'a.' * 20_000}b = 1\n", "This has a number of thousands of digits, or is nested too deeply; no"),
        (
            "[heist]\nmin_stake = 500\nmax_stake = 100\n",
            "[heist]: The smallest stake (500 credits) would be above the largest (100 credits).",
        ),
    ],
)
async def test_a_wrong_file_is_refused_whole_in_a_sentence_that_says_where(
    tmp_path: Path, text: str, sentence: str
) -> None:
    url = await prepared(tmp_path)
    with pytest.raises(Failure) as failed:
        await settings_editor.apply(url, None, "x.toml", text)
    assert str(failed.value).startswith(sentence)
    assert "\n" not in str(failed.value)
    assert len(str(failed.value)) < 1000
    assert await settings_editor.export(url, None) == ""


async def test_a_file_by_which_a_game_gives_more_than_it_takes_is_warned_of(tmp_path: Path) -> None:
    url = await prepared(tmp_path)
    text = '[heist]\npreset = "contest"\nodds = "2/2/2/2/2"\n'  # 54% of three stakes: 162%
    told = (await settings_editor.apply(url, None, "x.toml", text, confirmed=True)).splitlines()
    assert told[2] == "2 settings changed."
    assert "162" in told[3]


async def test_a_file_by_which_many_credits_a_day_are_made_is_only_imported_when_it_is_confirmed(
    tmp_path: Path,
) -> None:
    url = await prepared(tmp_path, rooms=("room", "second"))
    text = "[earning]\nclaim = 1000\n"  # ten members, two claims of 880 more
    for room in ("room", "second"):
        with pytest.raises(Failure, match=r"about 18,000 credits a day .* import it with --confirm"):
            await settings_editor.apply(url, room, "x.toml", text)
    assert tomllib.loads(await settings_editor.export(url, "room")) == {}
    assert "changed." in await settings_editor.apply(url, "room", "x.toml", text, confirmed=True)
    listed = list(minting.in_words(await minting.sources(url, "second")))
    assert listed[1:] == [
        "  policy: earning claim: default → 1000",
        "  projected to make 17,600 credits a day beyond what ships",
        "  has made 0 credits",
    ]
    assert listed[0].endswith(" UTC, room, operator: import of x.toml")
    (plain,) = json.loads(minting.as_json(await minting.sources(url, None)))
    assert (plain["kind"], plain["projected"], plain["actor"]) == ("policy", 17_600, "operator")


async def test_the_command_line_lists_what_was_made_by_whose_choice_and_for_whom(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set earning claim 500", "!grant @mo 50 for tea")
    store = await Store.open(url)
    stage = await Stage(store, run="b").open()
    await stage.say("ann", "!claim")
    await store.close()
    raised, granted = await minting.sources(url, "room")
    assert list(minting.in_words([raised]))[3:] == ["  has made 380 credits", "    test:ann: 380"]
    assert next(iter(minting.in_words([granted]))).endswith("room, mo (test:mo): for tea")
    assert list(minting.in_words([granted]))[2:] == ["  has made 50 credits", "    test:mo: 50"]
    assert list(minting.in_words([])) == ["Nobody has chosen anything that makes credits."]
    with pytest.raises(Failure, match="There is no room 'rom'"):
        await minting.sources(url, "rom")


async def test_a_running_bot_keeps_its_settings_to_itself_but_shows_them(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set heist lobby 45")
    store = await Store.open(url, alone=True)
    try:
        with pytest.raises(Failure, match="is in use by another process"):
            await settings_editor.apply(url, None, "x.toml", "[heist]\nlobby = 50\n")
        assert "would be changed" in await settings_editor.apply(
            url, None, "x.toml", "[heist]\nlobby = 50\n", dry_run=True
        )
        assert await settings_editor.diff(url, None, "[heist]\nlobby = 45\n") == []
    finally:
        await store.close()


async def test_of_several_rooms_one_must_be_named(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set heist lobby 45", rooms=("room", "second"))
    with pytest.raises(Failure, match="Say which room, with --room and one of room, second"):
        await settings_editor.export(url, None)
    with pytest.raises(Failure, match="There is no room 'third' in this database; there are: room, second"):
        await settings_editor.export(url, "third")
    assert await settings_editor.export(url, "second") == ""
    assert "lobby = 45" in await settings_editor.export(url, "room")


async def test_a_database_without_rooms_says_so(tmp_path: Path) -> None:
    url = await prepared(tmp_path, rooms=())
    with pytest.raises(Failure, match="No room was ever opened on this database; start the bot once"):
        await settings_editor.export(url, None)


async def test_a_difference_is_shown_from_both_sides(tmp_path: Path) -> None:
    url = await prepared(tmp_path, "!set heist lobby 45", "!set heist getaway 20", "!alias rob heist")
    text = "[heist]\nlobby = 50\ngetaway = 20\nsuspense = 5\n"
    assert await settings_editor.diff(url, None, text) == [
        "heist.lobby: 45 here, 50 in the file",
        "heist.suspense: 6 here, 5 in the file",
        "aliases.rob: heist here, nothing in the file",
    ]


async def test_the_command_line_writes_reads_and_compares_a_file(terminal: Terminal) -> None:
    await prepared(terminal.folder, "!set heist lobby 45")
    terminal.set(database="sqlite:///rabble.db")
    assert (await terminal.type("settings", "export", "a.toml")).code == 0
    assert (terminal.folder / "a.toml").read_text(encoding="utf-8") == "[heist]\nlobby = 45\n"
    assert (await terminal.type("settings", "export")).out == "[heist]\nlobby = 45\n"
    done = await terminal.type("settings", "diff", "a.toml")
    assert (done.code, done.out) == (0, "The room is set as the file says.\n")
    marked = "\N{BYTE ORDER MARK}[heist]\nlobby = 50\n"  # as some editors begin a file
    await asyncio.to_thread((terminal.folder / "b.toml").write_text, marked, "utf-8")
    done = await terminal.type("settings", "diff", "b.toml", "--room", "room")
    assert (done.code, done.out) == (1, "heist.lobby: 45 here, 50 in the file\n")
    done = await terminal.type("settings", "import", "b.toml")
    assert (done.code, done.out) == (0, "heist.lobby: 45 → 50\n1 setting changed.\n")
    done = await terminal.type("settings", "import", "none.toml")
    assert (done.code, done.err) == (2, "The file none.toml cannot be read: No such file or directory.\n")
    done = await terminal.type("audit", "--changes", "--room", "room")
    assert [line.split(" UTC, ")[-1] for line in done.out.splitlines()] == [
        "room, mo (test:mo)",
        "  setting heist lobby: default → 45",
        "room, operator: import of b.toml",
        "  setting heist lobby: 45 → 50",
    ]
    done = await terminal.type("audit", "--changes", "--room", "rom")
    assert (done.code, done.err) == (2, "There is no room 'rom' in this database; there are: room.\n")
    done = await terminal.type("audit", "--room", "room")
    assert (done.code, done.out) == (2, "")
    assert done.err == "--room goes with --changes or --mint: the books of all rooms are checked together.\n"
    done = await terminal.type("audit", "--mint")
    assert (done.code, done.out) == (0, "Nobody has chosen anything that makes credits.\n")
    told = json.loads((await terminal.type("audit", "--changes", "--json")).out)
    assert [each["changes"][0]["new"] for each in told] == ["45", "50"]


async def test_the_command_line_names_what_was_taken_back_by_its_number(terminal: Terminal) -> None:
    await prepared(terminal.folder, "!set heist lobby 45", "!undo 1")
    terminal.set(database="sqlite:///rabble.db")
    told = (await terminal.type("audit", "--changes")).out.splitlines()
    assert [line.split(" UTC, ")[-1] for line in told[2:]] == [
        "room, mo (test:mo), taking back #1",
        "  setting heist lobby: 45 → default",
    ]


@pytest.mark.postgres
async def test_on_a_server_a_room_that_is_run_stays_as_it_is() -> None:
    async with postgresql() as url:
        store = await Store.open(url)
        await Stage(store).open()
        with pytest.raises(Failure, match="The rooms of town are run by another process"):
            await settings_editor.apply(url, None, "x.toml", "[heist]\nlobby = 45\n")
        await store.close()


# Round trips

GROUPS = Groups([HABITS, TERMS, *(of_game(kit) for kit in kits().values())])


def random_choices() -> st.SearchStrategy[dict[str, dict[str, str | None]]]:
    """Draw values that each setting takes by itself."""
    return st.fixed_dictionaries(
        {},
        optional={
            group.name: st.fixed_dictionaries({}, optional=_values(group.name)) for group in GROUPS.values()
        },
    )


def _values(group: str) -> dict[str, st.SearchStrategy[str | None]]:
    known = {
        each.key: [each.value, *_others(group, each.key)]
        for each in GROUPS[group].listed(GROUPS[group].unset)
    }
    return {key: st.sampled_from(values) for key, values in known.items()}


def _others(group: str, key: str) -> list[str]:
    """Find more values that a setting takes."""
    tried = ("0", "1", "7", "25", "100", "5000", "yes", "no", "quiet", "vip", "small", "short", "any", "007")
    return [each for each in tried if _takes(group, {key: each})]


def _takes(group: str, typed: dict[str, str | None]) -> bool:
    try:
        GROUPS[group].changed(GROUPS[group].unset, typed)
    except Refusal:
        return False
    return True


def taken(wanted: Wanted) -> Room:
    """Make a room that is set so, as far as the values fit each other."""
    room = Room("room", "town", ())
    for group, typed in wanted.items():
        if _takes(group, dict(typed)):
            room.chosen[group] = GROUPS[group].changed(GROUPS[group].unset, typed)
    return room


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(wanted=random_choices())
def test_what_is_exported_and_imported_into_an_empty_room_is_exported_the_same(wanted: Wanted) -> None:
    before = taken(wanted)
    after = taken(read(write(GROUPS, before)))
    assert write(GROUPS, after) == write(GROUPS, before)
    assert write(GROUPS, after, everything=True) == write(GROUPS, before, everything=True)


@pytest.mark.parametrize("label", ["007", "7", "-7", "yes", "٣"])
def test_free_text_comes_in_as_it_went_out_also_if_it_looks_like_a_number(label: str) -> None:
    room = Room("room", "town", ())
    room.chosen[SHELF.name] = SHELF.changed(SHELF.unset, {"label": label})
    assert read(write(Groups([SHELF]), room)) == {SHELF.name: {"label": label}}
