"""An account that Twitch has deleted or suspended is marked in rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.twitch.lines import account_of

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_server import Twitch

ASKED = "GET users"


async def test_an_account_that_is_deleted_is_marked_by_one_request(stage: Stage, fake: Twitch) -> None:
    await stage.open()
    for each in ("ann", "bob"):
        await stage.say(each, "ada", "!credits")
    await stage.watch.turn(60)
    del fake.world.users["bob"]
    before = fake.world.requests.count(ASKED)
    assert "Bob 240 credits (gone)" in "".join(await stage.say("cat", "ada", "!top"))
    assert fake.world.requests.count(ASKED) == before + 1


async def test_while_twitch_does_not_answer_nobody_is_gone(stage: Stage, fake: Twitch) -> None:
    await stage.open()
    assert stage.adapter is not None
    assert await stage.adapter.departed([], [account_of("404404")]) == [account_of("404404")]
    await fake.stop()
    assert await stage.adapter.departed([], [account_of("404404")]) is None
    await stage.adapter.stop()
    assert await stage.adapter.departed([], [account_of("404404")]) is None
