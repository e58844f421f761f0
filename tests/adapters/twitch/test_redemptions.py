"""Channel points are staked, and Twitch is told what became of them: once, whatever fails in between."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from chatbot.games import kits
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import Reward
from chatbot.tables.voucher_stakes import accepts
from cogs.twitch.authority import BROADCASTER_SCOPES, POINTS_SCOPES
from cogs.twitch.channels import LONGEST_GAP
from cogs.twitch.key_changes import EVERY as KEYS
from cogs.twitch.lines import channel_of
from cogs.twitch.redemptions import EVERY, RAREST
from tests.adapters.twitch.chatting import START, everything, purse
from tests.adapters.twitch.stage import Stage

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_rewards import Redemption
    from tests.fakes.twitch_rewards import Reward as SoldReward
    from tests.fakes.twitch_server import Twitch

STAKE = 100
LOBBY = 60  # seconds


@pytest.fixture
def selling(stage: Stage) -> Stage:
    """Let ada take channel points, too."""
    stage.connect("ada", (*BROADCASTER_SCOPES, *POINTS_SCOPES), "broadcaster", "points")
    stage.fake.helix.counter.affiliates.add(stage.fake.world.user("ada").id)
    return stage


async def sell(stage: Stage, game: str = "heist", stake: int = STAKE) -> SoldReward:
    ada = stage.fake.world.user("ada")
    sold = stage.fake.helix.counter.put(ada, f"{game} {stake}")
    await stage.bot.parts.rewards.put(Reward(sold.id, channel_of(ada.id), game, stake))
    return sold


async def buy(stage: Stage, user: str, reward: SoldReward) -> Redemption:
    """Let somebody buy a reward, and wait until it is decided what it buys."""
    bought = await stage.fake.redeem(user, reward)
    await decided(stage, bought)
    return bought


async def decided(stage: Stage, bought: Redemption) -> None:
    vouchers = stage.bot.ledger.vouchers
    for _ in range(2000):
        if await vouchers.known([f"twitch:{bought.id}"]):
            return
    raise AssertionError("it was never decided")


async def settled(stage: Stage, bought: Redemption) -> str:
    """Have the bot tell Twitch what is decided, and give what Twitch knows then."""
    assert stage.adapter is not None
    await stage.settler.settle()
    assert bought.settled <= 1
    return bought.status


async def open_vouchers(store: Store) -> int:
    async with store.reading() as connection:
        wanted = select(func.count()).where(schema.voucher.c.settled == 0)
        return int((await connection.execute(wanted)).scalar_one())


async def by_hand(stage: Stage) -> None:
    """Open the adapter, and settle only where `settled` is called."""
    await stage.open()
    assert stage.adapter is not None
    assert stage.settler._checks.started
    stage.settler._checks.stop()


async def test_points_open_a_heist_and_are_taken_when_the_lobby_closes(selling: Stage) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    assert await purse(selling, "ann") == START
    assert await settled(selling, bought) == "UNFULFILLED"
    await selling.say("bob", "ada", "!heist 50")
    assert "planning a bank heist" in everything(selling)
    await selling.watch.turn(LOBBY)
    assert await settled(selling, bought) == "FULFILLED"
    assert await open_vouchers(selling.store) == 0


@pytest.mark.parametrize("seconds", [1, LOBBY + 1])
async def test_whoever_calls_a_heist_off_is_not_told_that_spent_points_came_back(
    selling: Stage, seconds: float
) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    await selling.watch.turn(seconds)
    await selling.say("mo", "ada", "!cancel heist", ["moderator"])
    await selling.watch.turn(LONGEST_GAP)
    assert "every stake has been returned" in everything(selling)
    spent = await settled(selling, bought) == "FULFILLED"
    assert spent == (seconds > LOBBY) == ("but not what was paid with points" in everything(selling))


@pytest.mark.parametrize("game", [kit.name for kit in kits().values() if accepts(kit)])
async def test_points_stake_in_every_game_that_has_a_lobby(selling: Stage, game: str) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling, game))
    assert selling.chat("ada").room.tables[game].players() == (selling.seat("ann"),)
    assert await purse(selling, "ann") == START
    assert await settled(selling, bought) == "UNFULFILLED"


async def test_the_clock_settles_by_itself(selling: Stage) -> None:
    await selling.open()
    reward = await sell(selling)
    bought = await buy(selling, "ann", reward)
    await selling.say("ann", "ada", "!heist leave")
    await selling.watch.turn(2 * EVERY)
    await selling.until(lambda: bought.status == "CANCELED")
    assert await purse(selling, "ann") == START


async def test_points_go_back_if_the_stake_is_refused(selling: Stage) -> None:
    await by_hand(selling)
    reward = await sell(selling)
    await selling.say("ann", "ada", "!heist 50")
    bought = await buy(selling, "ann", reward)
    assert await settled(selling, bought) == "CANCELED"
    assert await purse(selling, "ann") == START - 50
    assert "points" in (await selling.say("bob", "ada", "hello") or [everything(selling)])[-1]


async def test_points_go_back_where_the_bot_cannot_speak(selling: Stage) -> None:
    await by_hand(selling)
    reward = await sell(selling)
    selling.chat("ada").muted = True
    assert await settled(selling, await buy(selling, "ann", reward)) == "CANCELED"
    assert await purse(selling, "ann") in {0, START}


async def test_rewards_of_other_programs_are_left_alone(selling: Stage) -> None:
    await by_hand(selling)
    theirs = selling.fake.helix.counter.put(selling.fake.world.user("ada"), "Hydrate", client_id="other")
    foreign = await selling.fake.redeem("ann", theirs)
    await buy(selling, "bob", await sell(selling))  # what was told before it is done
    assert await settled(selling, foreign) == "UNFULFILLED"
    assert not await selling.bot.ledger.vouchers.known([f"twitch:{foreign.id}"])


async def test_what_is_told_twice_is_staked_once(selling: Stage) -> None:
    await by_hand(selling)
    reward = await sell(selling)
    bought = await buy(selling, "ann", reward)
    await selling.fake.eventsub.repeat(selling.fake.eventsub.frames[-1])
    await selling.fake.tell_redemption(bought)  # by an event with another id
    await buy(selling, "bob", reward)
    assert selling.table("ada").players() == (selling.seat("ann"), selling.seat("bob"))
    assert await purse(selling, "ann") == START
    assert await settled(selling, bought) == "UNFULFILLED"


async def test_a_lost_answer_is_asked_for_again_and_settles_once(selling: Stage) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    await selling.say("ann", "ada", "!heist leave")
    selling.fake.helix.counter.lost = 1
    assert await settled(selling, bought) == "CANCELED"  # Twitch did it, and answered 500
    assert await open_vouchers(selling.store) == 1
    assert await settled(selling, bought) == "CANCELED"
    assert await open_vouchers(selling.store) == 0


async def test_what_the_streamer_has_settled_is_done(selling: Stage) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    bought.status = "FULFILLED"
    await selling.say("ann", "ada", "!heist leave")
    assert await settled(selling, bought) == "FULFILLED"
    assert await open_vouchers(selling.store) == 0
    assert await purse(selling, "ann") == START


async def test_it_is_settled_after_a_crash(
    fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch, selling: Stage
) -> None:
    await by_hand(selling)
    reward = await sell(selling)
    left, stays = await buy(selling, "ann", reward), await buy(selling, "bob", reward)
    await selling.say("ann", "ada", "!heist leave")
    await selling.close()
    assert left.status == "UNFULFILLED"
    again = Stage(fake, store, tmp_path, watch, run="b")
    await by_hand(again)
    try:
        assert await settled(again, left) == "CANCELED"
        assert await settled(again, stays) == "UNFULFILLED"
        await again.say("bob", "ada", "!heist leave")
        assert await settled(again, stays) == "CANCELED"
        assert await purse(again, "bob") == START
    finally:
        await again.close()


async def test_what_was_bought_while_the_bot_was_away_is_given_back(selling: Stage) -> None:
    reward = await sell(selling)
    now = selling.watch.date()
    ann, bob = selling.fake.world.user("ann"), selling.fake.world.user("bob")
    missed = selling.fake.helix.counter.buy(ann, reward, now - timedelta(minutes=5))
    young = selling.fake.helix.counter.buy(bob, reward, now)
    await by_hand(selling)
    assert selling.adapter is not None
    await selling.settler.sweep()
    assert await settled(selling, missed) == "CANCELED"
    assert await settled(selling, young) == "UNFULFILLED"


async def test_without_the_permission_nothing_of_it_is_asked_for(stage: Stage) -> None:
    await stage.open()
    kinds = {each.type for each in stage.fake.eventsub.subscriptions.values()}
    assert not any("channel_points" in each for each in kinds)
    await stage.watch.turn(10 * EVERY)
    assert not any("channel_points" in each for each in stage.fake.world.requests)


async def test_who_is_no_affiliate_any_more_is_told_of_once_and_tried_again(
    selling: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    await selling.say("ann", "ada", "!heist leave")
    affiliates = selling.fake.helix.counter.affiliates
    ada = affiliates.pop()
    for _ in range(600):
        assert await settled(selling, bought) == "UNFULFILLED"
        await selling.watch.turn(EVERY)
    assert len([each for each in told if "channel points" in each["event"]]) == 1
    asked = selling.fake.world.requests.count("PATCH channel_points/custom_rewards/redemptions")
    assert asked == 10, "after 2, 4, 8 … seconds, and every ten minutes at last"
    affiliates.add(ada)
    await selling.watch.turn(RAREST)
    assert await settled(selling, bought) == "CANCELED"


async def test_a_reward_of_another_application_holds_up_no_other(selling: Stage) -> None:
    await by_hand(selling)
    theirs, ours = await sell(selling), await sell(selling, "heist", 50)
    foreign = await buy(selling, "ann", theirs)
    await selling.say("ann", "ada", "!heist leave")
    theirs.client_id = "another application"
    bought = await buy(selling, "bob", ours)
    await selling.say("bob", "ada", "!heist leave")
    assert await settled(selling, foreign) == "UNFULFILLED"
    assert bought.status == "CANCELED"


async def crowd(stage: Stage, number: int) -> list[Redemption]:
    """Let so many members stake points in a heist whose lobby then closes."""
    reward = await sell(stage)
    bought = [await stage.fake.redeem(f"ann{each}", reward) for each in range(number)]
    for each in bought:
        await decided(stage, each)
    await stage.watch.turn(LOBBY)
    return bought


async def test_a_lobby_is_settled_in_requests_of_fifty(selling: Stage) -> None:
    await by_hand(selling)
    bought = await crowd(selling, 53)
    await settled(selling, bought[0])
    assert selling.fake.helix.counter.asked == [50, 3]
    assert {(each.status, each.settled) for each in bought} == {("FULFILLED", 1)}
    assert await open_vouchers(selling.store) == 0


@pytest.mark.parametrize("whole", [True, False])
async def test_what_of_a_lobby_is_settled_already_holds_up_nothing(selling: Stage, whole: bool) -> None:
    await by_hand(selling)
    selling.fake.helix.counter.whole = whole
    first, *others = await crowd(selling, 4)
    first.status = "CANCELED"  # by the streamer
    await settled(selling, first)
    assert selling.fake.helix.counter.asked == ([4, 1, 1, 1, 1] if whole else [4, 1])
    assert {(each.status, each.settled) for each in others} == {("FULFILLED", 1)}
    assert (first.status, first.settled) == ("CANCELED", 0)
    assert await open_vouchers(selling.store) == 0


async def test_while_twitch_is_in_trouble_it_is_asked_once_a_look(selling: Stage) -> None:
    await by_hand(selling)
    bought = await crowd(selling, 53)
    selling.fake.world.disturb("channel_points/custom_rewards/redemptions", 500, times=1)
    assert await settled(selling, bought[0]) == "UNFULFILLED"
    assert selling.fake.helix.counter.asked == []
    await settled(selling, bought[0])
    assert {(each.status, each.settled) for each in bought} == {("FULFILLED", 1)}


async def test_an_answer_that_nobody_can_read_does_not_end_the_looks(selling: Stage) -> None:
    await selling.open()
    bought = await buy(selling, "ann", await sell(selling))
    selling.fake.world.disturb("channel_points/custom_rewards/redemptions", 200)  # without what was asked for
    await selling.say("ann", "ada", "!heist leave")
    await selling.watch.turn(3 * EVERY)
    await selling.until(lambda: bought.status == "CANCELED")


async def test_whoever_connects_with_points_while_the_bot_runs_sells_within_seconds(stage: Stage) -> None:
    ada = stage.fake.world.user("ada")
    stage.fake.helix.counter.affiliates.add(ada.id)
    await stage.open()
    kind = "channel.channel_points_custom_reward_redemption.add"
    assert not stage.fake.eventsub.of(kind)
    stage.connect("ada", (*BROADCASTER_SCOPES, *POINTS_SCOPES), "broadcaster", "points")
    await stage.watch.turn(KEYS)
    await stage.until(lambda: stage.fake.eventsub.of(kind))
    chats = {each.condition["broadcaster_user_id"] for each in stage.fake.eventsub.of("channel.chat.message")}
    assert chats == {ada.id}
    bought = await buy(stage, "ann", await sell(stage))
    await stage.say("ann", "ada", "!heist leave")
    await stage.watch.turn(2 * EVERY)
    await stage.until(lambda: bought.status == "CANCELED")


async def test_a_file_of_keys_that_is_damaged_changes_nothing(stage: Stage) -> None:
    await stage.open()
    stage.ring.path.write_text("no keys")
    await stage.watch.turn(2 * KEYS)
    await stage.say("ann", "ada", "!heist 50")
    assert "planning a bank heist" in everything(stage)


async def test_whose_points_a_moderator_gives_back_at_twitch_leaves_the_lobby(selling: Stage) -> None:
    await by_hand(selling)
    await selling.say("bob", "ada", "!heist 50")
    reward = await sell(selling)
    bought = await buy(selling, "ann", reward)
    table = selling.chat("ada").room.tables["heist"]
    assert len(table.players()) == 2
    await selling.fake.give_back(bought)
    await selling.until(lambda: len(table.players()) == 1)
    assert await purse(selling, "ann") == START
    assert await settled(selling, bought) == "CANCELED"
    assert await open_vouchers(selling.store) == 0
    await buy(selling, "ann", reward)  # and may come again
    assert len(table.players()) == 2


async def test_what_is_given_back_at_twitch_after_the_lobby_is_played_to_the_end(selling: Stage) -> None:
    await by_hand(selling)
    bought = await buy(selling, "ann", await sell(selling))
    await selling.say("bob", "ada", "!heist 50")
    await selling.watch.turn(LOBBY)
    await selling.fake.give_back(bought)
    await selling.say("bob", "ada", "!credits")
    assert selling.seat("ann") in selling.chat("ada").room.tables["heist"].players()
    await settled(selling, bought)
    assert await open_vouchers(selling.store) == 0


async def test_what_the_bot_gives_back_itself_is_not_taken_back_twice(selling: Stage) -> None:
    await by_hand(selling)
    await selling.say("bob", "ada", "!heist 50")
    reward = await sell(selling)
    bought = await buy(selling, "ann", reward)
    await selling.say("ann", "ada", "!heist leave")
    assert await settled(selling, bought) == "CANCELED"
    again = await buy(selling, "ann", reward)
    await selling.fake.tell_redemption(bought, "update")
    await selling.say("bob", "ada", "!credits")
    assert selling.seat("ann") in selling.chat("ada").room.tables["heist"].players()
    assert await settled(selling, again) == "UNFULFILLED"


async def test_what_is_given_back_at_twitch_while_games_are_stopped_stays_at_the_table(
    selling: Stage,
) -> None:
    await by_hand(selling)
    await selling.say("bob", "ada", "!heist 50")
    bought = await buy(selling, "ann", await sell(selling))
    await selling.bot.control.halt()
    await selling.bot.redemptions.withdraw(f"twitch:{bought.id}", selling.chat("ada").channel.id)
    assert selling.seat("ann") in selling.chat("ada").room.tables["heist"].players()
