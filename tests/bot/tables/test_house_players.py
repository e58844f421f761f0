"""Players of the house join what people have opened, marked and quiet, and answer there like anybody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.rooms.channel import Manner, Privacy
from chatbot.web import showing
from tests.bot.hosting import (
    COOLDOWN,
    GETAWAY,
    LOBBY,
    MO,
    SUSPENSE,
    WHOLE,
    actions,
    crew,
    hosted,
    joined,
    purse,
    restarted,
)  # fmt: skip
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

# Coming


async def test_they_join_during_the_lobby_one_after_the_other_marked_and_without_a_word(store: Store) -> None:
    stage = await hosted(store, 3)
    await stage.say("ann", "!heist 69")
    sizes = []
    for _ in range(LOBBY - 1):
        assert await stage.turn(1) == []
        sizes.append(len(crew(stage)))
    assert sizes[LOBBY // 4 - 2] == 1  # they take their time
    assert {1, 2, 3, 4} == set(sizes)
    assert sorted(crew(stage)) == ["Guardsman (house)", "Passive (house)", "Snitch (house)", "ann"]


async def test_their_mark_is_in_the_language_of_the_room_and_they_are_named_with_it_or_without(
    store: Store,
) -> None:
    stage = await hosted(store, 1, "guardsman", "max_stake 500")
    await stage.say(MO, "!set room language ko")
    await stage.say(MO, "!set room talk full")
    await stage.say("ann", "!heist 69")
    told = " ".join(await stage.turn(LOBBY))
    assert "Guardsman (하우스)님" in told
    assert "(house)" not in told
    page = showing.tables(stage.bot, stage.room)[0]
    assert [each["name"] for each in page["places"]] == ["ann", "Guardsman (하우스)"]
    seats = [each["seat"] for each in page["places"]]
    for typed in ("@guardsman", "@Guardsman (하우스)", "@Guardsman (house)"):
        request = stage.request("ann", "", typed.split())
        assert await stage.bot.members.mentioned(request, seats) == ((typed,), {typed: seats[1]})


async def test_they_come_in_time_for_the_shortest_lobby(store: Store) -> None:
    stage = await hosted(store, 10, "any", "lobby 5", "getaway 5")
    await stage.say("ann", "!heist 69")
    assert "a crew of 11" in " ".join(await stage.turn(5))
    await stage.turn(5)
    assert len(stage.table.view(None).crew) == 11


async def test_they_never_open_a_heist_and_by_default_there_are_none(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE + COOLDOWN)
    assert not joined(stage)
    await stage.say(MO, "!set heist house_players 5")
    await stage.turn(86_400)
    assert stage.table.id == "a-table-1"


async def test_a_room_that_wants_to_hear_everything_hears_them_come_and_move(store: Store) -> None:
    stage = await hosted(store, 1, "guardsman")
    await stage.say(MO, "!set room talk full")
    await stage.say("ann", "!heist 69")
    told = await stage.turn(LOBBY - 1)
    assert told == ["Guardsman (house) joins with 69 credits; the crew is 2 now."]
    assert "Guardsman (house) has made a move." in await stage.turn(GETAWAY)


@pytest.mark.parametrize("private", list(Privacy))
async def test_nothing_is_sent_to_one_of_them(store: Store, private: Privacy) -> None:
    stage = await hosted(store, 4, "any", manner=Manner(private=private))
    await stage.say(MO, "!set room talk full")
    await stage.say("bob", "!heist 69")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    says = [say for each in stage.adapter.deliveries for say in each.says]
    assert seat("ann") in {say.to for say in says}
    assert not [say for say in says if say.to is not None and of_house(say.to)]
    assert not [each for each in stage.adapter.deliveries if re.search(r"@[^:]*\(house\)", each.text)]


async def test_more_than_there_are_strategies_are_numbered(store: Store) -> None:
    stage = await hosted(store, 3, "passive")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert crew(stage) == ["ann", "Passive (house)", "Passive 2 (house)", "Passive 3 (house)"]


async def test_another_comes_for_one_whose_strategy_stays_out(store: Store) -> None:
    stage = await hosted(store, 3, "lurker/passive")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert crew(stage) == ["ann", "Passive (house)", "Passive 2 (house)", "Passive 3 (house)"]
    assert Seat("house:lurker") in stage.table.seated


async def test_where_all_stay_out_the_heist_goes_on_without_them(store: Store) -> None:
    stage = await hosted(store, 3, "lurker")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    assert stage.table.over
    assert crew(stage) == ["ann"]


@pytest.mark.parametrize(("limit", "stake"), [("min_stake 1000", 1000), ("max_stake 20", 20)])
async def test_they_keep_the_limits_of_the_room(store: Store, limit: str, stake: int) -> None:
    stage = await hosted(store, 2, "saver/kelly", limit, "levels 0/1/2/3/4")
    await stage.endow("ann", 5000)
    await stage.say("ann", f"!heist {stake}")
    await stage.turn(LOBBY)
    assert {each.stake for each in stage.table.view(None).crew} == {stake}


async def test_who_has_missed_the_lobby_neither_sits_down_nor_is_lent_anything(store: Store) -> None:
    stage = await hosted(store, 3, "passive")
    await stage.say("ann", "!heist 69")
    await stage.table.hurry()  # as if the database had kept them waiting
    await stage.turn(GETAWAY + SUSPENSE)
    assert stage.table.over
    assert not [each for each in await actions(store) if "house:passive" in each]
    assert await purse(stage, Seat("house:passive")) == 0


async def test_they_are_not_the_people_whom_a_heist_waits_for(store: Store) -> None:
    stage = await hosted(store, 5, "any", "min_crew 2")
    await stage.say("ann", "!heist 69")
    told = await stage.turn(LOBBY)
    off = "The heist is off: only one person came, and it takes 2. Every stake has been returned."
    assert told[-1] == off
    assert [await purse(stage, each) for each in joined(stage)] == [240] * 5
    assert await stage.credits("ann") == 240


# Answering


async def test_their_moves_are_secret_and_count(store: Store) -> None:
    stage = await hosted(store, 2, "guardsman/turncoat")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    before = [each.text for each in stage.adapter.deliveries]
    await stage.turn(GETAWAY - 1)
    assert [each.text for each in stage.adapter.deliveries] == before
    assert stage.table.view(seat("ann")).own.act is None
    assert {each.answered for each in stage.table.view(None).crew} == {True, False}
    acts = {each.seat: each.act for each in stage.table.state.company.crew}
    assert acts == {
        seat("ann"): Act.GUNCHECK, "house:guardsman": Act.GUARD, "house:turncoat": Act.DOUBLE_CROSS,
    }  # fmt: skip
    told = " ".join(await stage.turn(SUSPENSE + 1))
    assert "Turncoat (house)" in told
    assert "Guardsman (house)" in told


async def test_each_takes_a_time_of_its_own_to_answer(store: Store) -> None:
    stage = await hosted(store, 4, "guardsman")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    answered = []
    for _ in range(GETAWAY - 1):
        await stage.turn(1)
        answered.append(sum('"Answer"' in each for each in await actions(store)))
    assert answered[-1] == 4
    assert {1, 2, 3} & set(answered), "all four thought for equally long"


async def test_they_keep_careers_and_are_paid_without_a_word(store: Store) -> None:
    stage = await hosted(store, 1, "guardsman")
    await stage.say(MO, "!set room talk full")
    for guards in (1, 2):
        await stage.say("ann", "!heist 69")
        told = await stage.turn(WHOLE)
        career = stage.table.state.company.careers["house:guardsman"]
        assert career.guards == (guards, 0, 0, 0, 0)
        assert [line for line in told if line.startswith("Payday")] == ["Payday: mo +240, ann +240."]
        await stage.turn(COOLDOWN)
    said = [line for line in stage.said() if "guard" in line.lower() and "Results" not in line]
    assert not [line for line in said if "left" in line]


async def test_what_they_decide_comes_from_the_secret_of_the_table(tmp_path: Any) -> None:
    from tests.template import store_at  # noqa: PLC0415

    async def journal(seed: bytes, where: str) -> list[str]:
        store = await store_at(tmp_path / where)
        stage = await hosted(store, 4, "villager", seed=seed)
        await stage.say("ann", "!heist 69")
        await stage.turn(WHOLE)
        written = await actions(store, stage.table.id)
        await store.close()
        return [each for each in written if "house:villager" in each and "Sit" not in each]

    one, again, other = [await journal(b"one", "1"), await journal(b"one", "2"), await journal(b"two", "3")]
    assert len(one) == 8  # each joins and answers
    assert one == again
    assert one != other


# Settings


@pytest.mark.parametrize(
    ("setting", "refused"),
    [
        ("house_players 11", "a whole number from 0 to 10"),
        ("house_players -1", "a whole number from 0 to 10"),
        ("house_strategies nobody", "any, or names with / between them, out of villager, "),
        ("house_strategies kelly/", "any, or names with / between them, out of villager, "),
        ("house_strategies any/kelly", "any, or names with / between them, out of villager, "),
    ],
)
async def test_settings_that_make_no_sense_are_refused(stage: Stage, setting: str, refused: str) -> None:
    assert refused in (await stage.say(MO, f"!set heist {setting}"))[0]


async def test_settings_are_explained_kept_and_read_with_commas_too(store: Store) -> None:
    stage = await hosted(store, 2, "kelly,snitch")
    assert (
        "house_strategies is kelly/snitch: how the players of the house play"
        in ((await stage.say(MO, "!settings heist house_strategies"))[0])
    )
    later = await restarted(stage, "b")
    assert "house_players 2, house_strategies kelly/snitch" in (await later.say(MO, "!settings heist"))[0]
