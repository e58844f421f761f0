"""Keys are won, renewed once and told apart, whatever the id server does; and no trouble tells a secret."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.keys.ring import KeyFileFailure, KeyRing
from cogs.twitch.authority import (
    BOT_SCOPES,
    BROADCASTER_SCOPES,
    ClientRefused,
    CodeRefused,
    KeyRefused,
    SlowDown,
    TwitchAuthority,
    scopes_for,
)
from cogs.twitch.endpoints import TwitchEndpoints
from tests.fakes.twitch_authority import CLIENT_ID, Authority, Trouble

from .conftest import connected, unwritable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.keys.discretion import Discretion

UNUSABLE = [each for each in Trouble if each not in {Trouble.TYPE, Trouble.SILENT}]


async def test_a_confirmed_code_brings_a_token_with_the_scopes_that_were_asked_for(
    authority: TwitchAuthority, twitch: Authority
) -> None:
    device = await authority.begin_device(BOT_SCOPES)
    assert await authority.poll(device) is None
    twitch.approve(twitch.devices[0], "1")
    grant = await authority.poll(device)
    assert grant is not None
    assert grant.scopes == BOT_SCOPES
    validity = await authority.validate(grant.access)
    assert validity is not None
    assert (validity.user_id, validity.login, validity.scopes) == ("1", "rabblebot", BOT_SCOPES)
    assert validity.client_id == CLIENT_ID


@pytest.mark.parametrize(
    ("state", "error", "said"),
    [
        ("invalid device code", CodeRefused, "The code has run out"),
        ("expired_token", CodeRefused, "The code has run out"),
        ("access_denied", CodeRefused, "The code was refused in the browser"),
        ("slow_down", SlowDown, None),
        ("something new", Unreachable, "Twitch answers 400"),
    ],
)
async def test_a_code_that_brings_nothing_says_why(
    authority: TwitchAuthority, twitch: Authority, state: str, error: type[Exception], said: str | None
) -> None:
    device = await authority.begin_device(BOT_SCOPES)
    twitch.devices[0].state = state
    with pytest.raises(error, match=said):
        await authority.poll(device)


async def test_fifty_who_renew_at_once_share_one_renewal(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    keys = await asyncio.gather(*(authority.refresh(old) for _ in range(50)))
    assert len(set(keys)) == 1
    assert twitch.asked["refresh_token"] == 1
    assert twitch.whose(keys[0].access) is not None
    assert twitch.whose(old.access) is None


async def test_who_comes_later_with_the_old_key_gets_the_new_one(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    new = await authority.refresh(old)
    assert await authority.refresh(old) == new
    assert twitch.asked["refresh_token"] == 1
    assert await authority.refresh(new) != new  # the token works once, so the new one came along
    assert twitch.asked["refresh_token"] == 2


async def test_a_renewed_key_is_in_the_file_with_its_purposes(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing, discretion: Discretion
) -> None:
    new = await authority.refresh(connected(twitch, ring))
    assert KeyRing(ring.path, discretion).bot == new
    assert new.expires_at > twitch.now + 14_000


async def test_a_refresh_token_that_stays_is_kept(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    twitch.rotating = False
    old = connected(twitch, ring)
    assert (await authority.refresh(old)).refresh == old.refresh


async def test_a_cancelled_renewal_still_reaches_the_file(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    impatient = asyncio.create_task(authority.refresh(old))
    patient = asyncio.create_task(authority.refresh(old))
    await asyncio.sleep(0)
    impatient.cancel()
    new = await patient
    assert impatient.cancelled()
    assert ring.bot == new


async def test_a_key_that_cannot_be_kept_is_not_given(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    with unwritable(ring), pytest.raises(Failure, match="cannot be written"):
        await authority.refresh(old)
    assert ring.bot == old


async def test_a_key_that_could_not_be_kept_is_kept_at_the_next_try_and_not_asked_for_again(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    with unwritable(ring), pytest.raises(KeyFileFailure):
        await authority.refresh(old)
    new = await authority.refresh(old)
    assert twitch.asked["refresh_token"] == 1
    assert twitch.whose(new.access) is not None
    assert ring.bot == new
    assert await authority.refresh(new) != new  # the next one is asked for
    assert twitch.asked["refresh_token"] == 2


async def test_a_renewal_that_is_refused_asks_to_connect_again(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = connected(twitch, ring)
    twitch.disconnect("1")
    with pytest.raises(KeyRefused) as refused:
        await authority.refresh(old)
    assert str(refused.value) == (
        "Twitch no longer accepts the key of rabblebot; "
        "run `chatbot connect twitch --bot` again; a bot that runs takes it up by itself."
    )
    assert ring.bot == old


async def test_a_broadcaster_is_asked_to_connect_as_one(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> None:
    old = replace(connected(twitch, ring), purposes=frozenset({"broadcaster"}))
    twitch.disconnect("1")
    with pytest.raises(KeyRefused, match="--broadcaster"):
        await authority.refresh(old)


async def test_the_program_gets_one_token_for_all_who_ask(
    authority: TwitchAuthority, twitch: Authority
) -> None:
    first = (await asyncio.gather(*(authority.app_token() for _ in range(20))))[0]
    assert await authority.app_token() is first
    assert twitch.asked["client_credentials"] == 1
    renewed = await asyncio.gather(*(authority.app_token(stale=first.access) for _ in range(20)))
    assert len({each.access for each in renewed} | {first.access}) == 2
    assert await authority.app_token(stale=first.access) is renewed[0]
    assert twitch.asked["client_credentials"] == 2


async def test_a_program_that_is_not_known_is_told_so(
    session: aiohttp.ClientSession, ring: KeyRing, discretion: Discretion, id_base: str
) -> None:
    wrong = TwitchAuthority(
        CLIENT_ID, "canary-wrong-secret", session, ring, discretion, TwitchEndpoints(id=f"{id_base}oauth2")
    )
    with pytest.raises(ClientRefused, match="CHATBOT_TWITCH_CLIENT_SECRET"):
        await wrong.app_token()
    stranger = TwitchAuthority(
        "stranger", "canary-secret", session, ring, discretion, TwitchEndpoints(id=f"{id_base}oauth2")
    )
    with pytest.raises(ClientRefused):
        await stranger.begin_device(BOT_SCOPES)


async def test_a_token_that_is_over_is_nobodys(authority: TwitchAuthority, twitch: Authority) -> None:
    token = twitch.issue("2")
    assert await authority.validate(token.access) is not None
    twitch.expire("2")
    assert await authority.validate(token.access) is None
    assert await authority.validate("canary-made-up") is None


async def test_a_token_that_is_given_back_is_over(authority: TwitchAuthority, twitch: Authority) -> None:
    token = twitch.issue("2")
    await authority.revoke(token.access)
    assert twitch.whose(token.access) is None
    await authority.revoke(token.access)  # twice is no trouble


async def test_an_answer_of_a_wrong_content_type_is_still_an_answer(
    authority: TwitchAuthority, twitch: Authority
) -> None:
    twitch.disturb(Trouble.TYPE)
    assert twitch.whose((await authority.app_token()).access) is not None


def everything(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing
) -> list[Callable[[], Awaitable[object]]]:
    key = connected(twitch, ring)
    return [
        lambda: authority.begin_device(BOT_SCOPES),
        lambda: authority.refresh(key),
        authority.app_token,
        lambda: authority.validate(key.access),
    ]


@pytest.mark.parametrize("trouble", UNUSABLE, ids=lambda each: each.name)
async def test_no_trouble_tells_a_secret_and_all_of_it_may_pass(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing, trouble: Trouble
) -> None:
    for work in everything(authority, twitch, ring):
        twitch.disturb(trouble, times=2)  # aiohttp tries a closed connection once more where it may
        with pytest.raises(Unreachable) as caught:
            await work()
        assert "canary" not in "".join(traceback.format_exception(caught.value))
        assert "canary" not in repr(caught.value)
        twitch.calm()
        await work()
    assert not any("canary" in address for address in twitch.addresses)


async def test_a_server_that_is_not_there_is_unreachable(
    session: aiohttp.ClientSession, ring: KeyRing, discretion: Discretion, twitch: Authority
) -> None:
    nobody = TwitchAuthority(
        CLIENT_ID, "canary-secret", session, ring, discretion, TwitchEndpoints(id="http://127.0.0.1:1")
    )
    for work in everything(nobody, twitch, ring):
        with pytest.raises(Unreachable, match="does not answer") as caught:
            await work()
        assert "canary" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.slow
async def test_a_server_that_is_silent_is_not_waited_for(
    authority: TwitchAuthority, twitch: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.keys.asking.TIMEOUT", aiohttp.ClientTimeout(total=0.05))
    twitch.disturb(Trouble.SILENT)
    with pytest.raises(Unreachable, match="TimeoutError"):
        await authority.app_token()


async def test_what_is_granted_shows_no_secret_and_is_hidden_in_texts(
    authority: TwitchAuthority, twitch: Authority, ring: KeyRing, discretion: Discretion
) -> None:
    device = await authority.begin_device(BOT_SCOPES)
    twitch.approve(twitch.devices[0], "1")
    grant = await authority.poll(device)
    assert grant is not None
    key = await authority.refresh(connected(twitch, ring))
    app = await authority.app_token()
    for each in (device, grant, key, app):
        assert "canary" not in repr(each)
    for secret in (device.device_code, grant.access, grant.refresh, key.access, key.refresh, app.access):
        assert "canary" in secret
        assert discretion.clean(f"a trouble with <{secret}>!") == "a trouble with <***>!"


def test_one_account_with_both_purposes_needs_the_scopes_of_both() -> None:
    assert set(scopes_for({"bot", "broadcaster"})) == {*BOT_SCOPES, *BROADCASTER_SCOPES}
    assert scopes_for({"bot"}) == BOT_SCOPES
