"""An application without a secret: the bot hears, speaks and renews its keys with those of accounts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogs.twitch.authority import SecretNeeded
from tests.fakes.twitch_authority import CLIENT_SECRET

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage


@pytest.fixture
def public(stage: Stage) -> Stage:
    stage.secret = stage.fake.authority.client_secret = None
    return stage


async def test_a_chat_plays_and_the_program_never_asks_for_a_token_of_its_own(public: Stage) -> None:
    await public.open()
    (opened, *_) = await public.say("bea", "ada", "!heist 69")
    assert opened.startswith("Bea is planning")
    assert public.fake.authority.asked["client_credentials"] == 0
    assert not any(each.by_app for each in public.fake.world.said)


async def test_a_key_that_has_run_out_is_renewed_without_a_secret(public: Stage) -> None:
    await public.open()
    public.fake.authority.expire()
    assert await public.say("bea", "ada", "!credits")
    assert public.fake.authority.asked["refresh_token"] >= 1
    assert public.fake.authority.asked["client_credentials"] == 0


async def test_an_application_that_has_a_secret_is_told_that_it_is_needed(public: Stage) -> None:
    """Twitch connects accounts without it, and renews nothing hours later."""
    public.fake.authority.client_secret = CLIENT_SECRET
    public.fake.authority.expire()
    with pytest.raises(SecretNeeded, match="or make an application of the client type Public"):
        await public.open()
