"""Who has left a Discord server is marked in its rankings, by one question to the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.discord.lines import account_of, channel_of

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


async def known(stage: Stage, *names: str) -> None:
    for each in names:
        await stage.people.say(stage.world.join(each), stage.town, "!credits")
        await stage.shown(f"{each} has 240")
    await stage.turn(10)


async def test_who_was_thrown_out_is_marked_and_asked_for_by_one_message(stage: Stage) -> None:
    await known(stage, "ann", "bob")
    bob = next(each for each in stage.world.users.values() if each.name == "bob")
    await stage.people.throw_out(bob)
    await stage.people.say(stage.world.owner, stage.town, "!top")
    await stage.shown("bob 240 credits (gone)")
    (asked,) = stage.server.gateway.asked_for
    assert bob.id in asked["user_ids"]
    assert not any("/members" in path for _, path, _ in stage.world.requests)


async def test_a_gateway_that_does_not_list_members_leaves_rankings_unmarked(stage: Stage) -> None:
    await known(stage, "ann", "bob")
    stage.server.gateway.lists_members = False
    await stage.people.say(stage.world.owner, stage.town, "!top")
    await stage.shown("bob 240 credits")
    assert len(stage.server.gateway.asked_for) == 1


async def test_while_there_is_no_connection_nothing_is_known_of_who_has_left(stage: Stage) -> None:
    await known(stage, "ann")
    channel = channel_of(stage.town)
    assert await stage.adapter.departed([channel], [account_of(1)]) == [account_of(1)]
    assert (
        await stage.adapter.departed(["discord:99"], [account_of(1)]) is None
    )  # a channel that it does not see
    await stage.server.gateway.cut_off()
    await stage.until(lambda: stage.adapter.client is not None and stage.adapter.client.guilds[0].unavailable)
    assert await stage.adapter.departed([channel], [account_of(1)]) is None
    await stage.adapter.stop()
    assert await stage.adapter.departed([channel], [account_of(1)]) is None
