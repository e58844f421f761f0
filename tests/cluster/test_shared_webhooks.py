"""Webhooks of a room are told by the process that runs it, whichever process has made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cluster.processes import eventually
from tests.cluster.sites import sites
from tests.cluster.test_shared_overlays import moved_room
from tests.web.desk.test_webhooks import receiver

if TYPE_CHECKING:
    from tests.web.desk.test_webhooks import Receiver

__all__ = ["receiver"]
pytestmark = pytest.mark.postgres


async def test_a_webhook_is_told_once_wherever_its_room_runs(own_url: str, receiver: Receiver) -> None:
    async with sites(own_url, 2) as (first, second):
        for each in (first, second):
            each.server.webhooks.allows_local = True
        room = await moved_room(first, second)
        browser = await first.operator()
        path = f"/api/1/rooms/{room}/webhooks"
        status, made = await browser.post(path, {"url": receiver.url, "kinds": ["opened", "told"]})
        assert status == 200
        assert (await browser.post(f"{path}/{made['id']}/test"))[0] == 200
        await first.process.say(room, "bob", "!sixcard 20")
        await eventually(
            lambda: {each["type"] for each in receiver.events} >= {"rabble.test", "rabble.opened"}
        )
        opened = [each for each in receiver.events if each["type"] == "rabble.opened"]
        assert [each["data"]["table"]["game"] for each in opened] == ["sixcardpoker"]
        ids = [headers["webhook-id"] for headers, _ in receiver.taken]
        assert len({*ids}) == len(ids)
        _, rows = await browser.get(f"{path}/{made['id']}/deliveries")
        assert {each["kind"] for each in rows} >= {"test", "opened"}
        await second.leave()
        await eventually(lambda: first.process.runs(room))
        receiver.taken.clear()
        (told,) = await first.process.say(room, "eve", "!highshow 20")
        await eventually(lambda: any(each["type"] == "rabble.opened" for each in receiver.events))
        # What was opened before is not told again by who has taken the room over.
        opened = [each for each in receiver.events if each["type"] == "rabble.opened"]
        assert [each["data"]["table"]["game"] for each in opened] == ["highshow"], told


async def test_what_a_process_has_not_delivered_is_delivered_by_the_next(
    own_url: str, receiver: Receiver
) -> None:
    async with sites(own_url, 2) as (first, second):
        for each in (first, second):
            each.server.webhooks.allows_local = True
        room = await moved_room(first, second)
        browser = await first.operator()
        path = f"/api/1/rooms/{room}/webhooks"
        receiver.status = 500
        await browser.post(path, {"url": receiver.url, "kinds": ["opened"]})
        await first.process.say(room, "bob", "!sixcard 20")
        await eventually(lambda: len(receiver.taken) == 1)  # which it will be tried again five seconds later
        await second.die()
        receiver.status = 200
        await eventually(lambda: len(receiver.taken) > 1)
        first_id, *others = [headers["webhook-id"] for headers, _ in receiver.taken]
        assert first_id in others
