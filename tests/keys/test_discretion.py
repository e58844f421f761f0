"""A secret is hidden where it is known, and where it only looks like one; everything else stays."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from chatbot.keys.discretion import Discretion


@pytest.mark.parametrize(
    "text",
    [
        "https://id.twitch.tv/oauth2/token?client_id=abc&client_secret=canary1&grant_type=x",
        "POST /token?grant_type=refresh_token&refresh_token=canary1",
        "/callback?code=canary1&state=4",
        "wss://host/?token=canary1",
        '{"access_token": "canary1", "expires_in": 5}',
        "{'refresh_token': 'canary1', 'scope': []}",
        "device_code=canary1",
        "headers={'Authorization': 'OAuth canary1'}",
        "Authorization: Bearer canary1",
        "Bearer canary1",
        "OAuth canary1abcdefghijklmnop",
        "Bot canary1.abcdef.ghijklmnopqrstuvwxyz",
        "logged in with canary1ABCDEFGHIJKLMNOP.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab!",
        "404 at https://discord.com/api/v10/interactions/123/canary1/callback",
        "POST https://discord.com/api/v10/webhooks/123/canary1?wait=true",
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str) -> None:
    cleaned = Discretion().clean(text)
    assert "canary1" not in cleaned
    assert "***" in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "HTTP status code: 404, error code=50001",
        "Bot commands are synced",
        "OAuth is how Twitch lets you in",
        "ann stakes 69 at discord.gateway.DiscordWebSocket",
        "the token has run out",
        "GET https://api.twitch.tv/helix/users?id=1&login=ann",
        "channel 123456789012345678 of guild 123456789012345678",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert Discretion().clean(text) == text


@pytest.mark.parametrize("secret", ["s3cret+/=&?", 'quo"te\\d', "it's one", "one/two three", "schlüssel"])
def test_a_known_secret_is_hidden_however_it_is_written(secret: str) -> None:
    discretion = Discretion()
    discretion.add(secret)
    for written in (secret, quote(secret, safe=""), repr(secret), ascii(secret)[1:-1]):
        assert secret not in discretion.clean(f"<{written}>")
        assert "***" in discretion.clean(f"<{written}>")


def test_a_secret_within_another_leaves_nothing_of_either() -> None:
    discretion = Discretion()
    discretion.add("secret")
    discretion.add("secret-and-more")
    assert discretion.clean("secret-and-more secret") == "*** ***"


def test_what_is_too_short_to_be_a_secret_garbles_nothing() -> None:
    discretion = Discretion()
    discretion.add("")
    discretion.add("a")
    assert discretion.clean("a banana") == "a banana"


def test_newer_secrets_take_the_place_of_older_ones_but_never_of_those_that_last() -> None:
    discretion = Discretion()
    discretion.add("lasting-secret", lasting=True)
    for number in range(5000):
        discretion.add(f"passing-{number:05}")
    assert discretion.clean("lasting-secret passing-04999") == "*** ***"
    assert discretion.clean("passing-00000") == "passing-00000"


def test_a_secret_that_is_seen_again_is_as_new_as_the_newest() -> None:
    discretion = Discretion()
    for number in range(4096):
        discretion.add(f"secret-{number:04}")
    discretion.add("secret-0000")
    discretion.add("secret-more")
    assert discretion.clean("secret-0000 secret-0001 secret-more") == "*** secret-0001 ***"
