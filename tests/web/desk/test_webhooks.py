"""Webhooks: signed as the standard says, delivered in the end, never to where only this machine reaches."""

from __future__ import annotations

import json
import socket
from base64 import b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver

from chatbot.ledger.chains import Sealer
from chatbot.ledger.webhooks import Webhooks
from chatbot.web import webhook_sender
from chatbot.web.public_addresses import PrivateAddressError, PublicResolver, fault_of, is_public
from chatbot.web.webhook_sender import GIVEN_UP, PAUSES, WebhookSender, secret_key, signature
from tests.web.desk.site import KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from aiohttp.abc import ResolveResult

    from tests.web.desk.site import Program, Site


@dataclass
class Receiver:
    """A server that takes deliveries on this machine, and answers as it is told."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    taken: list[tuple[dict[str, str], str]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def events(self) -> list[Any]:
        return [json.loads(body) for _, body in self.taken]

    async def take(self, request: web.Request) -> web.Response:
        self.taken.append(
            ({name.lower(): each for name, each in request.headers.items()}, await request.text())
        )
        return web.Response(status=self.status, headers=self.headers)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver, application = Receiver(), web.Application()
    application.router.add_post("/{any:.*}", receiver.take)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.port = runner.addresses[0][1]
    yield receiver
    await runner.cleanup()


@pytest.fixture
async def program(site: Site) -> Program:
    site.server.webhooks.allows_local = True
    return await site.program(await site.operator(), site.twitch_room, "own", "play")


async def made(program: Program, url: str, *kinds: str) -> Any:
    status, answer = await program.post("/webhooks", {"url": url, **({"kinds": [*kinds]} if kinds else {})})
    assert status == 200, answer
    return answer


async def delivered(site: Site, receiver: Receiver, count: int) -> None:
    """Wait until so many requests have come."""
    await site.both.discord.until(lambda: len(receiver.taken) >= count)


# Signatures


def test_a_signature_is_that_of_the_published_test_vector() -> None:
    """Of the libraries of Standard Webhooks 1.0.0."""
    key = secret_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_what_comes_is_signed_and_a_replay_or_a_change_is_noticed(
    site: Site, program: Program, receiver: Receiver
) -> None:
    hook = await made(program, receiver.url)
    await site.both.chat("bob", "!heist 50")
    await delivered(site, receiver, 1)
    headers, body = receiver.taken[0]
    key = secret_key(hook["secret"])
    assert len(b64decode(hook["secret"].removeprefix("whsec_"))) == 32
    given = headers["webhook-id"], int(headers["webhook-timestamp"]), body
    assert headers["webhook-signature"] == signature(key, *given)
    # The time is signed, so an old one is told by it; the id is, so a second is; and what it says.
    assert abs(given[1] - site.bot.watch.date().timestamp()) < 300
    for other in (("msg_other", *given[1:]), (given[0], given[1] + 600, body), (*given[:2], body + " ")):
        assert signature(key, *other) != headers["webhook-signature"]
    event = receiver.events[0]
    assert (event["type"], event["data"]["kind"]) == ("rabble.opened", "opened")
    assert event["data"]["format"] == "rabble.events/1"


async def test_only_the_kinds_that_were_asked_for_come(
    site: Site, program: Program, receiver: Receiver
) -> None:
    await made(program, receiver.url, "settled", "voided")
    await site.both.chat("bob", "!heist 50")
    assert await site.both.chat("ada", "!cancel heist", "broadcaster")
    await delivered(site, receiver, 1)
    assert {each["type"] for each in receiver.events} == {"rabble.voided"}


# Failures


async def test_what_was_not_taken_is_sent_again_with_the_same_id_later_and_later(
    site: Site, program: Program, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "PAUSES", (5, 20, 50, 100))  # the others as well would take days
    hook = await made(program, receiver.url)
    receiver.status = 500
    assert (await program.post(f"/webhooks/{hook['id']}/test"))[0] == 200
    await delivered(site, receiver, 1)
    for count, pause in enumerate((5, 20, 50), 2):
        await site.both.discord.turn(pause * 0.9)
        assert len(receiver.taken) == count - 1
        await site.both.discord.turn(pause * 0.3)
        await delivered(site, receiver, count)
    receiver.status = 204
    await site.both.discord.turn(100 * 1.2)
    await delivered(site, receiver, 5)
    assert len({headers["webhook-id"] for headers, _ in receiver.taken}) == 1
    (row,) = (await program.get(f"/webhooks/{hook['id']}/deliveries"))[1]
    assert (row["attempts"], row["status"], row["fault"], row["next_at"]) == (5, 204, None, None)
    assert (await program.get("/webhooks"))[1][0]["failing_since"] is None


async def test_what_waits_survives_a_restart(site: Site, program: Program, receiver: Receiver) -> None:
    hook = await made(program, receiver.url)
    receiver.status = 503
    await program.post(f"/webhooks/{hook['id']}/test")
    await delivered(site, receiver, 1)
    await site.server.webhooks.close()
    receiver.status = 200
    again = WebhookSender(site.bot, Webhooks(site.bot.parts.store, Sealer(KEY)), allows_local=True)
    await again.start()
    await site.both.discord.turn(PAUSES[0] * 1.2)
    await delivered(site, receiver, 2)
    assert receiver.taken[0][0]["webhook-id"] == receiver.taken[1][0]["webhook-id"]
    await again.close()


def test_a_delivery_is_tried_for_three_days() -> None:
    """As Standard Webhooks proposes: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h."""
    minutes = [each / 60 for each in PAUSES]
    assert minutes == [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
    assert sum(PAUSES) / 86_400 == pytest.approx(3.15, abs=0.01)
    assert GIVEN_UP.days == 5


async def test_a_webhook_that_fails_for_days_is_turned_off_and_its_room_is_told(
    site: Site, program: Program, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "GIVEN_UP", timedelta(seconds=30))  # a clock of five days takes long
    hook = await made(program, receiver.url)
    receiver.status = 500
    await program.post(f"/webhooks/{hook['id']}/test")
    await delivered(site, receiver, 1)
    await site.both.discord.turn(31)
    said = len(site.both.fake.sent("ada"))
    await program.post(f"/webhooks/{hook['id']}/test")
    await site.both.discord.turn(5)
    assert f"({hook['id']}) was turned off" in " ".join(site.both.fake.sent("ada")[said:])
    (row,) = (await program.get("/webhooks"))[1]
    assert row["disabled_at"] is not None
    count, receiver.status = len(receiver.taken), 200
    await program.post(f"/webhooks/{hook['id']}/test")
    await site.both.discord.turn(5)
    assert len(receiver.taken) == count
    assert (await program.post(f"/webhooks/{hook['id']}/enable"))[1]["disabled_at"] is None
    await program.post(f"/webhooks/{hook['id']}/test")
    await delivered(site, receiver, count + 1)


async def test_a_receiver_that_is_gone_is_asked_no_more(
    site: Site, program: Program, receiver: Receiver
) -> None:
    hook = await made(program, receiver.url)
    receiver.status = 410
    await program.post(f"/webhooks/{hook['id']}/test")
    await delivered(site, receiver, 1)
    await site.both.discord.turn(5)
    assert (await program.get("/webhooks"))[1][0]["disabled_at"] is not None


async def test_no_redirect_is_followed(site: Site, program: Program, receiver: Receiver) -> None:
    hook = await made(program, receiver.url)
    receiver.status, receiver.headers = 307, {"Location": f"{receiver.url}/elsewhere"}
    await program.post(f"/webhooks/{hook['id']}/test")
    await delivered(site, receiver, 1)
    await site.both.discord.turn(1)
    (row,) = (await program.get(f"/webhooks/{hook['id']}/deliveries"))[1]
    assert (row["status"], row["fault"], len(receiver.taken)) == (307, "it answered 307", 1)


# Where nothing may be sent

NAT64 = "64:ff9b::5db8:d70e"  # as networks without IPv4 reach 93.184.215.14
PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "fe80::1%eth0", "fec0::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_not_everybody_reaches_is_known(address: str) -> None:
    assert not is_public(address)
    host = f"[{address}]" if ":" in address else address
    assert fault_of(f"https://{host}/", local=False) in {"private", "url"}


def test_public_addresses_are_known() -> None:
    assert all(map(is_public, ["93.184.215.14", "2606:2800:21f:cb07::1", "::ffff:93.184.215.14", NAT64]))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com", "https://", "https://user@example.com", "https://127.0.0.1@example.com/",
        "https://%31%32%37.0.0.1/", "https://example.com\\@127.0.0.1", "https://ex ample.com", "javascript:1",
        "https://\uff11\uff12\uff17.0.0.1", "https://example.com:0/", "https://example.com:99999/",
        "https://example.com/\r\nHost: x", "https://example.com/#part", "https://" + "a" * 500,
    ],
)  # fmt: skip
def test_what_is_no_plain_address_is_refused(url: str) -> None:
    assert fault_of(url, local=True) == "url"


@dataclass
class Resolver(AbstractResolver):
    """Resolves every name to these addresses."""

    addresses: list[str]

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            {
                "hostname": host,
                "host": each,
                "port": port,
                "family": socket.AF_INET,
                "proto": 0,
                "flags": socket.AI_NUMERICHOST,
            }
            for each in self.addresses
        ]

    async def close(self) -> None:
        """There is nothing to close."""


async def test_a_name_that_leads_to_this_machine_is_not_connected_to(
    site: Site, program: Program, receiver: Receiver
) -> None:
    """It may have led elsewhere when the webhook was made: what is connected to is what was just checked."""
    public = PublicResolver(Resolver(["127.0.0.1", "93.184.215.14"]))
    assert [each["host"] for each in await public.resolve("rebinds.example")] == ["93.184.215.14"]
    with pytest.raises(PrivateAddressError):
        await PublicResolver(Resolver(["127.0.0.1"])).resolve("rebinds.example")
    sender = site.server.webhooks
    sender.allows_local, sender._resolver = False, Resolver(["127.0.0.1"])
    hook = await made(program, f"https://rebinds.example:{receiver.port}/hook")
    await program.post(f"/webhooks/{hook['id']}/test")
    await site.both.discord.turn(1)
    (row,) = (await program.get(f"/webhooks/{hook['id']}/deliveries"))[1]
    assert (row["fault"], receiver.taken) == ("its name leads to no public address", [])


async def test_where_the_operator_does_not_allow_it_nothing_goes_to_this_machine(
    site: Site, program: Program, receiver: Receiver
) -> None:
    hook = await made(program, receiver.url)
    site.server.webhooks.allows_local = False  # as at the next start
    await program.post(f"/webhooks/{hook['id']}/test")
    await site.both.discord.turn(1)
    (row,) = (await program.get(f"/webhooks/{hook['id']}/deliveries"))[1]
    assert (row["fault"], receiver.taken) == ("its address is not permitted", [])
    for url, why in (
        (receiver.url, "webhook-https"),
        ("https://127.0.0.1/", "webhook-private"),
        ("nonsense", "webhook-url"),
    ):
        status, answer = await program.post("/webhooks", {"url": url})
        assert (status, answer["id"]) == (422, why)


# Who may


async def test_webhooks_are_of_who_owns_the_room_and_of_that_room_alone(
    site: Site, program: Program, receiver: Receiver
) -> None:
    hook = await made(program, receiver.url)
    other = await site.program(await site.operator(), "local", "own")
    reader = await site.program(await site.operator(), site.twitch_room, "read", "moderate")
    assert (await other.get("/webhooks"))[1] == []
    assert (await other.delete(f"/webhooks/{hook['id']}"))[0] == 422
    assert (await reader.get("/webhooks"))[0] == 403
    assert (await program.post("/webhooks", {"url": receiver.url, "kinds": ["changed"]}))[0] == 422
    assert (await program.delete(f"/webhooks/{hook['id']}"))[1] == {"removed": True}
    assert (await program.get(f"/webhooks/{hook['id']}/deliveries"))[0] == 422
    listed = await program.get("/webhooks")
    assert hook["secret"] not in json.dumps(listed)


async def test_a_room_has_a_bounded_number_of_webhooks(
    site: Site, program: Program, receiver: Receiver
) -> None:
    for _ in range(10):
        await made(program, receiver.url)
    status, answer = await program.post("/webhooks", {"url": receiver.url})
    assert (status, answer["id"]) == (422, "webhook-most")
    assert isinstance(program.session, aiohttp.ClientSession)
