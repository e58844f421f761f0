"""`!rewards` in a Twitch chat makes, lists, changes and removes what viewers can buy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.changes import RAISED, REWARD, Changes
from chatbot.ledger.vouchers import Voucher
from cogs.twitch.authority import BROADCASTER_SCOPES, POINTS_SCOPES
from cogs.twitch.key_changes import EVERY as KEYS
from cogs.twitch.lines import channel_of
from tests.adapters.twitch.chatting import everything

if TYPE_CHECKING:
    from chatbot.ledger.changes import ChangeSet
    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_rewards import Reward

MOD = ["moderator"]


@pytest.fixture
async def selling(stage: Stage) -> Stage:
    stage.connect("ada", (*BROADCASTER_SCOPES, *POINTS_SCOPES), "broadcaster", "points")
    stage.fake.helix.counter.affiliates.add(stage.fake.world.user("ada").id)
    return await stage.open()


async def says(stage: Stage, text: str, badges: list[str] = MOD) -> str:
    """Let a moderator say something, and return all that the bot has said until then and to it."""
    await stage.say("mo", "ada", text, badges)
    return everything(stage)


def sold(stage: Stage) -> list[Reward]:
    return list(stage.fake.helix.counter.rewards.values())


async def stakes(stage: Stage) -> list[tuple[str, int]]:
    channel = channel_of(stage.fake.world.user("ada").id)
    return [(each.game, each.credits) for each in await stage.bot.parts.rewards.of(channel)]


async def change_sets(stage: Stage) -> list[ChangeSet]:
    return await Changes(stage.store).newest(stage.chat("ada").room.id)


async def test_a_reward_is_made_listed_changed_and_removed_and_each_is_on_record(selling: Stage) -> None:
    assert "Nothing is sold for channel points here yet" in await says(selling, "!rewards")
    assert "500 points: Bank Heist with 100 credits, once in 30 seconds" in await says(
        selling, "!rewards make heist 500 100 30 Rob a bank -- for fun"
    )
    (reward,) = sold(selling)
    assert (reward.title, reward.cost, reward.cooldown) == ("Rob a bank", 500, 30)
    assert "Sold for channel points: Rob a bank, 500 points" in await says(selling, "!rewards list")
    changed = '!rewards change "rob a Bank" cost 700 stake 200 cooldown 0 title The big one'
    assert "The big one, 700 points: Bank Heist with 200 credits" in await says(selling, changed)
    assert (reward.title, reward.cost, reward.cooldown) == ("The big one", 700, 0)
    assert await stakes(selling) == [("heist", 200)]
    assert "The big one is not sold any more" in await says(selling, "!rewards remove The big one")
    assert (sold(selling), await stakes(selling)) == ([], [])
    removed, change, made = await change_sets(selling)
    assert {each.name for each in (removed, change, made)} == {"Mo"}
    assert made.why == "for fun"
    told = [
        (each.kind, each.subject, each.old, each.new)
        for change_set in (made, change, removed)
        for each in change_set.changes
    ]
    assert told == [
        (REWARD, "Rob a bank", "", "500/100/30"),
        (RAISED, "mint", "0", "2000"),  # ten members, each of whom has 1,000 points for two of them
        (REWARD, "The big one", "500/100/30", "700/200/0"),
        (RAISED, "mint", "2000", "2857"),
        (REWARD, "The big one", "700/200/0", ""),
    ]


async def test_a_reward_that_makes_many_credits_for_few_points_takes_another_moderator(
    selling: Stage,
) -> None:
    asked = await says(selling, "!rewards make heist 10 500")  # 1,000 of them a day
    assert "This would make about 500,000 credits a day more than usual" in asked
    assert "say !confirm within 60 seconds" in asked
    assert (sold(selling), await stakes(selling)) == ([], [])


async def test_the_usual_title_is_the_command_and_the_reward_is_heard_at_once(selling: Stage) -> None:
    await says(selling, "!rewards make chicken 500 100")
    (reward,) = sold(selling)
    assert reward.title == "!chicken 100"
    await selling.fake.redeem("ann", reward)
    await selling.until(lambda: "chickenpoker" in selling.chat("ada").room.tables)
    await says(selling, "!rewards change !chicken 100 stake 50")
    assert await stakes(selling) == [("chickenpoker", 50)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("!rewards sell", "Type !rewards make GAME POINTS STAKE"),
        ("!rewards make heist 500", "Type !rewards make GAME POINTS STAKE"),
        ("!rewards make highshow 500 100", "only in games with a lobby: heist, chicken, market"),
        ("!rewards make heist 0 100", "0"),
        ("!rewards make heist 500 half", "half"),
        (f"!rewards make heist 500 100 {'x' * 46}", "1 to 45 characters"),
        ("!rewards make heist 500 100 Taken", "has a reward with that title already"),
        ("!rewards change Nothing cost 5", "no reward with that title"),
        ("!rewards change Taken", "Type !rewards make GAME POINTS STAKE"),
        ("!rewards change Taken price 5", "Type !rewards make GAME POINTS STAKE"),
        ("!rewards change Taken cost", "Type !rewards make GAME POINTS STAKE"),
        ("!rewards change Taken cost 5", "not known what that reward stakes"),
        ("!rewards remove Nothing", "no reward with that title"),
    ],
)
async def test_bad_input_gets_one_sentence_and_changes_nothing(selling: Stage, text: str, told: str) -> None:
    taken = selling.fake.helix.counter.put(selling.fake.world.user("ada"), "Taken")
    assert told in await says(selling, text)
    assert (sold(selling), taken.cost, await stakes(selling)) == ([taken], 100, [])
    assert await change_sets(selling) == []


async def test_viewers_may_not(selling: Stage) -> None:
    await says(selling, "!rewards make heist 500 100", [])
    assert sold(selling) == []


async def test_it_is_not_undone(selling: Stage) -> None:
    await says(selling, "!rewards make heist 500 100")
    assert "cannot be taken back" in await says(selling, "!undo")
    assert len(sold(selling)) == 1


async def test_who_is_no_affiliate_is_told_so(selling: Stage) -> None:
    selling.fake.helix.counter.affiliates.clear()
    assert "only affiliates and partners" in await says(selling, "!rewards make heist 500 100")
    assert await stakes(selling) == []


async def test_while_somebody_waits_it_is_not_removed(selling: Stage) -> None:
    await says(selling, "!rewards make heist 500 100")
    (reward,) = sold(selling)
    voucher = Voucher("twitch:1", "twitch", f"{reward.broadcaster.id}/{reward.id}/1", 100)
    await selling.bot.ledger.vouchers.refuse(
        voucher, selling.chat("ada").room.community, selling.watch.date()
    )
    assert "not settled yet" in await says(selling, "!rewards remove !heist 100")
    assert sold(selling) == [reward]


async def test_what_twitch_alone_knows_was_bought_keeps_a_reward_from_being_removed(selling: Stage) -> None:
    await says(selling, "!rewards make heist 500 100")
    (reward,) = sold(selling)
    counter = selling.fake.helix.counter
    bought = counter.buy(selling.fake.world.user("ann"), reward)  # while the bot was away
    assert "not settled yet" in await says(selling, "!rewards remove !heist 100")
    assert (sold(selling), bought.status) == ([reward], "UNFULFILLED")
    bought.status = "CANCELED"
    await says(selling, "!rewards remove !heist 100")
    assert sold(selling) == []


async def test_with_a_reward_whose_stake_is_not_known_its_points_go_back(selling: Stage) -> None:
    counter = selling.fake.helix.counter
    reward = counter.put(selling.fake.world.user("ada"), "Old")
    bought = [counter.buy(selling.fake.world.user("ann"), reward) for _ in range(51)]
    assert "not settled yet" in await says(selling, "!rewards remove Old")
    await says(selling, "!rewards remove Old")
    assert sold(selling) == []
    assert {(each.status, each.settled) for each in bought} == {("CANCELED", 1)}


async def test_without_the_right_it_says_what_turns_it_on_and_then_works_without_a_restart(
    stage: Stage,
) -> None:
    stage.connect_streamer()
    stage.fake.helix.counter.affiliates.add(stage.fake.world.user("ada").id)
    await stage.open()
    assert "chatbot connect twitch --broadcaster --points" in await says(stage, "!rewards")
    stage.connect("ada", (*BROADCASTER_SCOPES, *POINTS_SCOPES), "broadcaster", "points")
    await stage.watch.turn(KEYS)
    await says(stage, "!rewards make heist 500 100")
    assert len(sold(stage)) == 1


@pytest.mark.parametrize(
    ("status", "reason", "told"),
    [
        (400, "CREATE_CUSTOM_REWARD_DUPLICATE_REWARD", "This channel has a reward with that title already"),
        (400, "CREATE_CUSTOM_REWARD_TOO_MANY_REWARDS", "This channel has as many rewards as Twitch allows"),
        (400, "The cost is odd", "Twitch did not do it, and nothing was changed"),
    ],
)
async def test_why_twitch_makes_no_reward_is_told_in_a_sentence(
    selling: Stage, status: int, reason: str, told: str
) -> None:
    selling.fake.world.disturb("channel_points/custom_rewards", status, message=reason, method="POST")
    assert told in await says(selling, "!rewards make heist 500 100")
    assert (sold(selling), await stakes(selling)) == ([], [])
