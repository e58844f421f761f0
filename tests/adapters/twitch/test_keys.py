"""Keys run out, are refused and lack rights; what can go on goes on, and the operator is told what to do."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from twitchio.exceptions import HTTPException
from twitchio.http import Route

from chatbot.kernel.game import Failure
from chatbot.keys.ring import KeyRing
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from cogs.twitch.connection import ConnectionState
from tests.adapters.twitch.stage import BOT, SOON
from tests.keys.conftest import unwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping
    from contextlib import AbstractContextManager
    from typing import Any

    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]


@contextmanager
def damaged(ring: KeyRing) -> Iterator[None]:
    """Write nonsense over the file, and put back what it had."""
    written = ring.path.read_bytes()
    ring.path.write_text("damaged")
    yield
    ring.path.write_bytes(written)


async def test_a_key_that_has_run_out_is_renewed_once_for_twenty_who_need_it(stage: Stage) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])  # where only the bot's own key may speak
    await stage.say("ann", "cleo", "!credits")
    await stage.watch.turn(31)
    former, asked = stage.ring.bot, stage.fake.world.requests.count("POST chat/messages")
    stage.fake.authority.expire(stage.seat(BOT).partition(":")[2])
    stage.fake.world.pace = 0  # these lines do not come through the house
    await asyncio.gather(*(stage.speak("cleo", f"line {number}") for number in range(20)))
    assert stage.fake.authority.asked["refresh_token"] == 1
    assert stage.fake.world.requests.count("POST chat/messages") == asked + 40  # all were refused first
    assert sorted(stage.fake.sent("cleo")[1:]) == sorted(f"line {number}" for number in range(20))
    present = stage.ring.bot
    assert former is not None
    assert present is not None
    assert present.access != former.access  # it is on the disk


async def test_who_learns_late_that_a_key_has_run_out_takes_the_new_one(stage: Stage) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])
    await stage.say("ann", "cleo", "!credits")
    learns = asyncio.Event()
    stage.fake.world.pace = 0
    stage.fake.world.disturb("chat/messages", 401, message="Invalid OAuth token", until=learns)
    late = asyncio.create_task(stage.speak("cleo", "late"))
    await stage.until(lambda: not stage.fake.world.faults[0].times)
    stage.fake.authority.expire(stage.seat(BOT).partition(":")[2])
    await stage.speak("cleo", "early")
    learns.set()
    await late
    assert stage.fake.sent("cleo")[1:] == ["early", "late"]
    assert stage.fake.authority.asked["refresh_token"] == 1


async def test_the_programs_own_key_is_renewed_once_for_twenty_who_need_it(stage: Stage) -> None:
    await stage.open()
    asked = stage.fake.authority.asked["client_credentials"]
    stage.fake.authority.expire("")
    stage.fake.world.pace = 0
    await asyncio.gather(*(stage.speak("ada", f"line {number}") for number in range(19)))
    assert stage.fake.authority.asked["client_credentials"] == asked + 1
    assert len(stage.fake.sent("ada")) == 19


async def test_a_key_that_has_run_out_while_nobody_was_there_is_renewed_at_the_start(stage: Stage) -> None:
    stage.fake.authority.expire()
    await stage.open()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert stage.fake.authority.asked["refresh_token"] == 2  # the bot's and ada's


async def test_every_key_is_validated_each_hour(stage: Stage) -> None:
    await stage.open()
    asked = stage.fake.authority.asked["validate"]
    await stage.watch.turn(3601)
    assert stage.fake.authority.asked["validate"] == asked + 2


async def test_a_refused_broadcaster_is_told_and_the_others_go_on(stage: Stage, told: Told) -> None:
    bea = stage.connect_streamer("bea")
    stage.fake.authority.disconnect(bea.user_id)
    await stage.open()
    assert [each["event"] for each in told if "no longer accepts" in str(each["event"])] == [
        (
            "Twitch no longer accepts the key of bea; "
            "run `chatbot connect twitch --broadcaster` again; a bot that runs takes it up by itself."
        )
    ]
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert "240" in (await stage.say("ann", "bea", "!credits"))[0]  # its chat needs only the bot's key


async def test_a_refused_bot_is_told_and_goes_on_with_the_next_key_on_the_disk(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    await stage.watch.turn(60)
    assert stage.adapter is not None
    adapter = stage.adapter
    await stage.until(
        lambda: not adapter.connected and any("the key of rabblebot" in str(e["event"]) for e in told)
    )
    await asyncio.wait_for(stage.speak("ada", "nobody waits for this"), SOON)
    await stage.watch.turn(10)
    assert not adapter.connected
    stage.connect_bot()
    await stage.watch.turn(2)
    await stage.until(lambda: adapter.connected)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_bot_that_is_refused_at_the_start_begins_with_the_next_key(stage: Stage, told: Told) -> None:
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    adapter = stage.make()
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: told)
    assert stage.fake.eventsub.opened == 0
    stage.connect_bot()
    await stage.until(lambda: stage.watch._alarms)
    await stage.watch.turn(2)
    await stage.until(lambda: adapter.connected)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_adapter_that_is_stopped_while_it_leaves_for_a_refused_key_waits_for_no_other(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    adapter, running = stage.adapter, stage.running
    assert adapter is not None
    assert running is not None
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    spoken = asyncio.ensure_future(stage.speak("ada", "the key is refused now"))
    leaving = ConnectionState.LEAVING_FOR_KEY
    while adapter.state is not leaving:  # noqa: ASYNC110  (it lasts for some steps of the loop only)
        await asyncio.sleep(0)
    await adapter.stop()
    await asyncio.wait({running}, timeout=SOON)
    assert running.done()
    await asyncio.wait_for(spoken, SOON)


async def test_a_bot_that_is_refused_while_it_arrives_waits_for_another_key_and_is_not_called_connected(
    stage: Stage, told: Told
) -> None:
    adapter, learns = stage.make(), asyncio.Event()
    stage.fake.world.disturb("eventsub/subscriptions", 401, message="Invalid OAuth token", until=learns)
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: adapter.state is ConnectionState.CONNECTED)
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    learns.set()
    await stage.until(lambda: adapter.state is ConnectionState.AWAITING_KEY)
    assert [each for each in stage.told if "is connected" in each] == []
    assert stage.fake.eventsub.open == 0
    await asyncio.wait_for(stage.speak("ada", "nobody waits for this"), SOON)


async def test_a_run_that_is_cancelled_while_it_looks_for_a_key_looks_no_more(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, goes_on = threading.Event(), threading.Event()

    def look(_: KeyRing) -> None:
        looking.set()
        goes_on.wait(SOON)

    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    adapter = stage.make()
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: stage.watch._alarms)
    monkeypatch.setattr(KeyRing, "bot", property(look))
    turning = asyncio.create_task(stage.watch.turn(2))
    await stage.until(looking.is_set)
    stage.running.cancel()
    await asyncio.wait({stage.running})
    goes_on.set()
    await turning
    assert stage.running.cancelled()
    assert adapter.state is ConnectionState.FAILED
    assert all(alarm.cancelled for alarm in stage.watch._alarms)


async def test_a_adapter_that_waits_for_a_key_can_be_left(stage: Stage, told: Told) -> None:
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    adapter = stage.make()
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: told)
    await adapter.stop()
    await asyncio.wait_for(stage.running, SOON)


async def test_a_broadcasters_new_key_is_taken_up_without_a_restart(stage: Stage) -> None:
    ada = stage.fake.world.users["ada"].id
    stage.fake.authority.disconnect(ada)
    await stage.open()
    assert stage.fake.eventsub.of("channel.cheer") == []
    await stage.watch.turn(10)
    assert stage.fake.eventsub.of("channel.cheer") == []
    stage.connect_streamer()
    await stage.watch.turn(2)
    await stage.until(lambda: stage.fake.eventsub.of("channel.cheer"))
    assert len(stage.fake.eventsub.of("channel.raid")) == 1  # nothing is told twice
    await stage.watch.turn(60)
    assert len(stage.fake.eventsub.of("channel.raid")) == 1


@pytest.mark.parametrize("trouble", [damaged, unwritable])
async def test_a_key_that_runs_out_while_the_file_of_keys_is_in_trouble_is_renewed_once_that_is_over(
    stage: Stage, told: Told, trouble: Callable[[KeyRing], AbstractContextManager[None]]
) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])  # where only the bot's own key may speak
    assert "240" in (await stage.say("ann", "cleo", "!credits"))[0]
    with trouble(stage.ring):
        stage.fake.authority.expire(stage.seat(BOT).partition(":")[2])
        await stage.say("bob", "cleo", "!credits")
        await stage.watch.turn(60)
        assert len(stage.fake.sent("cleo")) == 1
        sentences = [str(each["event"]) for each in told if each["log_level"] == "error"]
        assert len([each for each in sentences if each.startswith("The file of keys")]) == 1
    assert "240" in (await stage.say("cat", "cleo", "!credits"))[0]
    assert stage.fake.authority.asked["refresh_token"] == 1, "a refresh token may work once"


async def test_a_refused_key_is_replaced_though_the_file_was_damaged_meanwhile(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    stage.fake.authority.disconnect(stage.fake.world.users["ada"].id)
    [cheer] = stage.fake.eventsub.of("channel.cheer")
    await stage.fake.eventsub.revoke(cheer, "authorization_revoked")
    await stage.until(lambda: any("no longer accepts" in str(each["event"]) for each in told))
    with damaged(stage.ring):
        await stage.watch.turn(10)
    assert stage.fake.eventsub.of("channel.cheer") == []
    stage.connect_streamer()
    await stage.watch.turn(2)
    await stage.until(lambda: stage.fake.eventsub.of("channel.cheer"))


async def test_a_adapter_that_finds_a_damaged_file_begins_once_it_is_mended(stage: Stage, told: Told) -> None:
    with damaged(stage.ring):
        adapter = stage.make()
        stage.running = asyncio.create_task(adapter.run())
        await stage.until(lambda: told)
        assert "is damaged" in str(told[0]["event"])
        await stage.until(lambda: stage.watch._alarms)
        await stage.watch.turn(10)
        assert stage.fake.eventsub.opened == 0
    await stage.watch.turn(2)
    await stage.until(lambda: adapter.connected)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_key_that_another_application_was_given_is_one_sentence(stage: Stage, told: Told) -> None:
    stage.fake.authority.client_id = "another"
    stage.running = asyncio.create_task(stage.make().run())
    await stage.until(lambda: any("the key of rabblebot" in str(each["event"]).lower() for each in told))
    sentence = next(str(each["event"]) for each in told if "rabblebot" in str(each["event"]))
    assert "granted to another application" in sentence
    assert "`chatbot connect twitch --bot` again" in sentence
    assert stage.fake.eventsub.opened == 0


async def test_a_refused_account_is_told_once_and_not_every_minute(stage: Stage, told: Told) -> None:
    bea = stage.connect_streamer("bea")
    await stage.open()
    stage.fake.authority.disconnect(bea.user_id)
    await stage.watch.turn(600)
    assert [each["log_level"] for each in told] == ["error", "warning"]  # its key, and what that costs


async def test_a_key_that_two_requests_find_refused_one_after_the_other_is_told_once(
    stage: Stage, told: Told
) -> None:
    bea = stage.connect_streamer("bea")
    await stage.open()
    stage.fake.authority.disconnect(bea.user_id)
    learns = asyncio.Event()
    stage.fake.world.disturb("streams", 401, message="Invalid OAuth token", until=learns)
    asked, api = stage.fake.world.requests.count("GET streams"), stage.client._http
    late = asyncio.create_task(api.request(Route("GET", "streams", token_for=bea.user_id)))
    await stage.until(lambda: stage.fake.world.requests.count("GET streams") > asked)
    with pytest.raises(HTTPException) as refused:
        await api.request(Route("GET", "users", params={"id": bea.user_id}, token_for=bea.user_id))
    learns.set()
    with pytest.raises(HTTPException) as later:
        await late
    assert (refused.value.status, later.value.status) == (401, 401)
    assert [each["log_level"] for each in told] == ["error"]


async def test_a_refused_program_is_one_sentence(stage: Stage) -> None:
    stage.fake.authority.client_secret = "another"  # noqa: S105
    stage.fake.world.user("cleo")
    with pytest.raises(Failure, match="CHATBOT_TWITCH_CLIENT_SECRET"):
        await stage.make(["cleo"]).run()


async def test_channels_that_are_all_unknown_are_one_sentence(stage: Stage) -> None:
    with pytest.raises(Failure, match="CHATBOT_TWITCH_CHANNELS"):
        await stage.make(["nobody"]).run()


async def test_a_channel_that_is_unknown_is_told_and_the_others_go_on(stage: Stage, told: Told) -> None:
    await stage.open(["@Ada", "no such one", "nobody"])
    assert [each["channel"] for each in told] == ["no such one", "nobody"]
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_bot_that_may_not_read_ends_the_door(stage: Stage) -> None:
    stage.connect_bot(["user:write:chat"])
    with pytest.raises(Failure, match="may not read chat"):
        await stage.make().run()


async def test_a_right_that_is_missing_costs_only_what_needs_it(stage: Stage, told: Told) -> None:
    stage.connect_streamer("ada", [each for each in BROADCASTER_SCOPES if each != "bits:read"])
    stage.connect_bot([each for each in BOT_SCOPES if each != "user:manage:whispers"])
    stage.fake.authority.tokens.pop("canary-access-1")
    stage.fake.authority.tokens.pop("canary-access-2")
    await stage.open()
    kinds = {each.type for each in stage.fake.eventsub.subscriptions.values()}
    assert kinds == {
        "channel.chat.message", "stream.online", "stream.offline", "channel.raid", "channel.follow",
        "channel.subscribe", "channel.subscription.message",
    }  # fmt: skip
    assert [each.get("scope", "whispers") for each in told] == ["whispers", "bits:read"]


async def test_a_transient_failure_is_left_to_who_runs_the_door(stage: Stage) -> None:
    stage.fake.world.user("cleo")
    stage.fake.world.disturb("users", 500)
    with pytest.raises(Exception, match="Twitch answered 500 to GET users"):
        await stage.make(["cleo"]).run()
