"""With a stake the house seats one player beside who is alone at the end, and bounds what it loses a day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.tables.phase_timer import RETRY_DELAY
from tests.bot.hosting import MO, actions, restarted
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

LOBBY, CHOICE, START = 60, 30, 240
DAY = 24 * 3600


def table(stage: Stage, game: str = "chickenpoker") -> Table:
    return stage.room.tables[game]


def rivals(stage: Stage, game: str = "chickenpoker") -> list[Seat]:
    return [each for each in table(stage, game).players() if of_house(each)]


async def rich(store: Store, *settings: str, credits_: int = 5000) -> Stage:
    stage = await Stage(store).open()
    for each in settings:
        await stage.say(MO, f"!set {each}")
    for who in ("ann", "bob"):
        await stage.endow(who, credits_)
    return stage


async def win(stage: Stage, who: str, stake: int) -> int:
    """Play Chicken Poker of two cards alone until it brings something, and return what it brought.

    Each wins it as often as the other, or both share the pot.
    """
    for _ in range(50):
        before = await stage.credits(who)
        await stage.say(who, f"!chicken 2 {stake}")
        await stage.turn(LOBBY)
        await stage.turn(CHOICE)
        assert table(stage).over
        if (won := await stage.credits(who) - before) > 0:
            return won
        if won < 0:  # lost: what was lost to the house may be won back, which is not what is asked for
            await stage.turn(DAY)
    raise AssertionError("fifty games without a win")


# When they sit down


async def test_nobody_can_join_or_leave_knowing_that_a_player_of_the_house_sits_there(store: Store) -> None:
    stage = await rich(store, "chicken house_players 3", "chicken house_fills 5")
    await stage.say("ann", "!chicken 3 50")
    for _ in range(LOBBY - 1):
        await stage.turn(1)
        assert table(stage).players() == (seat("ann"),)
    await stage.turn(1)
    assert rivals(stage) == ["house:nash"]  # one, and no lobby any more
    assert table(stage).clock is not None
    (said,) = await stage.say("bob", "!chicken")
    assert said == "> bob: This game has begun without you; join the next one."


@pytest.mark.parametrize("game", ["chicken", "market"])
async def test_beside_two_people_with_a_stake_there_is_never_one(store: Store, game: str) -> None:
    stage = await rich(store, f"{game} house_players 3", f"{game} house_fills 5")
    await stage.say("ann", f"!{game} 3 50")
    await stage.turn(LOBBY - 1)
    await stage.say("bob", f"!{game}")
    await stage.turn(1)
    assert sorted(next(iter(stage.room.tables.values())).players()) == [seat("ann"), seat("bob")]


async def test_for_honour_they_come_as_they_are_set(store: Store) -> None:
    stage = await rich(store, "chicken house_players 3")
    await stage.say("ann", "!chicken 3")
    await stage.turn(LOBBY - 1)
    assert len(rivals(stage)) == 3


async def test_where_the_house_fills_nothing_nobody_plays_alone(store: Store) -> None:
    stage = await rich(store, "chicken house_fills 0")
    await stage.say("ann", "!chicken 3 50")
    assert any("too few came" in each for each in await stage.turn(LOBBY))
    assert await stage.credits("ann") == 5000


async def test_a_table_for_two_begins_with_the_one_that_fills_it(store: Store) -> None:
    stage = await rich(store, "chicken most_players 2")
    await stage.say("ann", "!chicken 3 50")
    await stage.turn(LOBBY)
    assert (rivals(stage), table(stage).clock is not None) == (["house:nash"], True)
    assert [each.split('"')[1] for each in await actions(store)][-2:] == ["Sit", "Join"]


async def test_it_is_seated_in_the_step_that_closes_the_lobby_which_can_be_checked(
    store: Store,
) -> None:
    stage = await rich(store)
    await stage.say("ann", "!chicken 3 50")
    await stage.turn(LOBBY + 2 * CHOICE)
    assert [each.split('"')[1] for each in await actions(store)][2:5] == ["Sit", "Join", "Timeout"]
    checked, *_ = await stage.say("ann", f"!verify {table(stage).id}")
    assert "checks out: 7 turns, played again, come out the same, with 5 transfers" in checked


async def test_after_a_restart_a_lobby_is_filled_when_it_closes(store: Store) -> None:
    before = await rich(store)
    await before.say("ann", "!chicken 3 50")
    after = await restarted(before, "b")
    await after.turn(LOBBY)
    assert rivals(after) == ["house:nash"]


async def test_while_the_database_fails_nobody_is_seated_and_the_lobby_closes_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await rich(store)
    post, failures = UnitOfWork.post, iter([True] * 2)

    async def failing(unit: UnitOfWork, posting: Posting) -> bool:
        if posting.id.startswith("clock:") and next(failures, False):
            raise OSError("the disk is full")
        return await post(unit, posting)

    await stage.say("ann", "!chicken 3 50")
    monkeypatch.setattr(UnitOfWork, "post", failing)
    await stage.turn(LOBBY + RETRY_DELAY)
    assert table(stage).players() == (seat("ann"),)
    await stage.turn(RETRY_DELAY)
    assert rivals(stage) == ["house:nash"]
    assert await stage.credits("ann") == 4950


# What the house lends and loses


async def test_the_house_lends_its_player_the_stake_and_gets_back_what_it_wins(store: Store) -> None:
    stage = await rich(store)
    wallet = stage.bot.people.ties.wallets(stage.room.community, Seat("house:nash"))
    for _ in range(3):
        await stage.say("ann", "!chicken 2 100")
        await stage.turn(LOBBY)
        held = await stage.bot.ledger.balances(wallet)
        assert set(held.values()) == {0}  # all of it is staked
        await stage.turn(CHOICE)
    circulation = await stage.credits("ann") + sum((await stage.bot.ledger.balances(wallet)).values())
    assert circulation in range(4700, 5301, 100)


async def test_who_could_win_more_than_is_left_hears_so_at_once_and_plays_for_honour(store: Store) -> None:
    stage = await rich(store)
    said = await stage.say("ann", "!chicken 2 600")
    assert (
        "> ann: If nobody else joins, this is for honour, and your 600 credits come back: players of"
        " the house lose at most 500 credits a day to anybody."  # and no day changes that
    ) in said
    assert await stage.credits("ann") == 4400
    told = await stage.turn(LOBBY)
    assert any(each.startswith("Nobody else came: the 600 credits of ann come back") for each in told)
    assert await stage.credits("ann") == 5000
    await stage.turn(CHOICE)
    assert table(stage).over
    assert await stage.credits("ann") == 5000


async def test_whoever_is_left_alone_there_hears_so_too(store: Store) -> None:
    stage = await rich(store)
    await stage.say("ann", "!chicken 2 600")
    assert not any("for honour" in each for each in await stage.say("bob", "!chicken"))
    said = await stage.say("ann", "!chicken leave")
    assert any(each.startswith("> bob: If nobody else joins, this is for honour") for each in said)
    await stage.say("bob", "!chicken leave")
    said = await stage.say("ann", "!chicken")
    assert any(each.startswith("> ann: If nobody else joins, this is for honour") for each in said)


async def test_if_somebody_joins_after_all_the_stakes_stay(store: Store) -> None:
    stage = await rich(store)
    await stage.say("ann", "!chicken 2 600")
    await stage.say("bob", "!chicken")
    await stage.turn(LOBBY)
    assert (await stage.credits("ann"), await stage.credits("bob"), rivals(stage)) == (4400, 4400, [])


async def test_what_was_won_of_the_house_today_counts_and_tomorrow_it_does_not(store: Store) -> None:
    stage = await rich(store)
    won = await win(stage, "ann", 300)
    assert won == 300
    said = await stage.say("ann", "!chicken 2 201")
    assert any("may lose 200 credits more to you today" in each for each in said)
    await stage.say("ann", "!chicken leave")
    await stage.turn(LOBBY)
    said = await stage.say("ann", "!chicken 2 200")
    assert not any("more to you today" in each for each in said)
    await stage.say("ann", "!chicken leave")
    await stage.turn(DAY)
    said = await stage.say("ann", "!chicken 2 500")
    assert not any("more to you today" in each for each in said)


async def test_both_games_count_together(store: Store) -> None:
    stage = await rich(store)
    await win(stage, "ann", 500)
    said = await stage.say("ann", "!market 1 3")  # of which a third can be won
    assert any("may lose 0 credits more to you today" in each for each in said)


async def test_what_is_still_open_elsewhere_counts_as_won(store: Store) -> None:
    stage = await rich(store)
    await stage.say("ann", "!chicken 5 400")
    await stage.turn(LOBBY)
    said = await stage.say("ann", "!market 1 303")  # of which 101 can be won
    assert any("may lose 100 credits more to you today" in each for each in said)
    await stage.say("bob", "!market")  # and bob is no matter of it
    assert not any("for honour" in each for each in await stage.turn(0))


async def test_two_lobbies_that_close_at_once_do_not_both_lose_what_is_left(store: Store) -> None:
    stage = await rich(store)
    await stage.say("ann", "!chicken 5 400")
    await stage.say("ann", "!market 5 1200")  # of which 400 can be won
    await stage.turn(LOBBY)
    staked = [table(stage, each).state.credits > 0 for each in ("chickenpoker", "pokermarket")]
    assert sorted(staked) == [False, True]


async def test_a_lobby_whose_end_was_written_without_an_answer_counts_as_won(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await rich(store)
    commit, lost = UnitOfWork.commit, list[str]()

    async def losing(unit: UnitOfWork) -> None:
        ids = [each.posting.id for each in unit._books.accepted if each.posting.table == chicken.id]
        await commit(unit)
        if not lost and any(each.startswith("clock:") for each in ids):
            lost.extend(ids)
            raise LostAnswer(ids[0])

    await stage.say("ann", "!chicken 5 400")
    await stage.turn(1)
    await stage.say("ann", "!market 5 1200")  # of which 400 can be won
    chicken, market = table(stage), table(stage, "pokermarket")
    monkeypatch.setattr(UnitOfWork, "commit", losing)
    await stage.turn(LOBBY - 1)
    assert chicken.doubtful
    await stage.turn(1)
    assert market.state.credits == 0
    await stage.turn(RETRY_DELAY)
    assert (chicken.state.credits, rivals(stage)) == (400, ["house:nash"])


async def test_with_a_daily_bound_of_nothing_they_play_for_honour_only(store: Store) -> None:
    stage = await rich(store, "credits house_daily 0")
    assert any("play for honour only here" in each for each in await stage.say("ann", "!chicken 2 50"))
    await stage.turn(LOBBY)
    assert (table(stage).state.credits, rivals(stage)) == (0, ["house:nash"])
    (_, rows, *_) = await stage.say("ann", "!odds chicken")
    assert "plays against one player of the house, within what that may lose a day" in rows


# Which strategies


async def test_a_strategy_that_can_be_beaten_plays_where_nothing_is_staked(store: Store) -> None:
    stage = await rich(store)
    (said,) = await stage.say(MO, "!set chicken house_strategies linear")
    assert "the best play returns 200% of a stake" in said
    await stage.say(MO, "!set chicken stakes off")
    await stage.say(MO, "!set chicken house_strategies linear")
    assert any("Nothing is staked here" in each for each in await stage.say("ann", "!chicken 2 50"))
    (said,) = await stage.say(MO, "!set chicken stakes on")
    assert "the best play returns 200% of a stake" in said
    await stage.say("ann", "!chicken 3")
    await stage.turn(LOBBY)
    assert rivals(stage) == ["house:linear"]


@dataclass(frozen=True, slots=True)
class Installed(ChickenPoker):
    """A game that the table of returns has no figures of."""

    name: ClassVar[str] = "of another distribution"


async def test_strategies_without_a_figure_play_for_honour(store: Store) -> None:
    stage = await Stage(
        store, {"chickenpoker": replace(KIT, rules=replace(KIT.rules, game=Installed))}
    ).open()
    (*_, rows) = await stage.say("ann", "!odds chicken")
    assert "nash not known, so for honour" in rows
    said = await stage.say("ann", "!chicken 2 50")
    assert any("no player of the house plays such a game for credits" in each for each in said)
    await stage.turn(LOBBY)
    assert (await stage.credits("ann"), rivals(stage)) == (START, ["house:nash"])


@pytest.mark.parametrize("preset", ["usual", "quick", "long", "table"])
@pytest.mark.parametrize("game", ["chicken", "market"])
async def test_every_preset_has_strategies_that_nobody_beats(store: Store, game: str, preset: str) -> None:
    stage = await rich(store)
    await stage.say(MO, f"!preset {game} {preset}")
    (_, rows, *_) = await stage.say("ann", f"!odds {game}")
    assert "100% (proved)" in rows
