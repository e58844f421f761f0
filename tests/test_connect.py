"""`chatbot connect` leads from nothing to a kept key, and whatever goes wrong changes and tells nothing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import time
from asyncio.subprocess import PIPE
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from cogs.twitch.authority import (
    ANNOUNCEMENTS_SCOPES,
    BOT_SCOPES,
    BROADCASTER_SCOPES,
    POINTS_SCOPES,
    PREDICTIONS_SCOPES,
)
from tests.fakes.twitch_authority import Authority, Device, Trouble
from tests.keys.portal import TOKEN
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture

if TYPE_CHECKING:
    from collections.abc import Callable

REACHING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & has it ignored
from chatbot.cli.entry import main
sys.argv[1:] = ["connect", "twitch", "--bot"]
main()
"""


def signing_in(twitch: Authority, *accounts: str) -> Callable[[Device], None]:
    """Have these accounts confirm one code after the other, each at the second look."""
    waiting = list(accounts)

    def confirm(device: Device) -> None:
        if device.polls == 2:
            twitch.approve(device, waiting.pop(0))

    return confirm


def keys(terminal: Terminal) -> dict[str, dict[str, Any]]:
    file = terminal.folder / "data" / "twitch-tokens.json"
    return {key["login"]: key for key in json.loads(file.read_bytes())["keys"]} if file.exists() else {}


async def test_the_bot_and_the_streamer_are_connected_one_after_the_other(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "1", "2")
    first = await terminal.type("connect", "twitch", "--bot")
    assert first.code == 0
    assert "https://www.twitch.tv/activate" in first.out
    assert "signed in as the bot, and enter ABCD-" in first.out
    assert "rabblebot is connected as the bot." in first.out
    assert "Next: `chatbot connect twitch --broadcaster`" in first.out
    second = await terminal.type("connect", "twitch", "--broadcaster")
    assert "streamer is connected as the streamer of the channel." in second.out
    assert "type !heist in the chat of streamer." in second.out
    kept = keys(terminal)
    assert set(kept["rabblebot"]["scopes"]) == set(BOT_SCOPES)
    assert set(kept["streamer"]["scopes"]) == set(BROADCASTER_SCOPES)
    assert terminal.twitch.whose(kept["rabblebot"]["access"]) is not None


@pytest.mark.parametrize(
    ("account", "options", "scopes", "step"),
    [
        ("1", ["--bot", "--announcements"], ANNOUNCEMENTS_SCOPES, "!set room announcements primary"),
        ("2", ["--broadcaster", "--points"], POINTS_SCOPES, "chatbot rewards make"),
        ("2", ["--broadcaster", "--predictions"], PREDICTIONS_SCOPES, "!set heist prediction on"),
    ],
)
async def test_what_a_feature_needs_is_asked_for_with_its_option_alone(
    terminal: Terminal, account: str, options: list[str], scopes: tuple[str, ...], step: str
) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "1", "2", account)
    for each in ("--bot", "--broadcaster"):
        await terminal.type("connect", "twitch", each)
    assert not {scope for key in keys(terminal).values() for scope in key["scopes"]} & set(scopes)
    done = await terminal.type("connect", "twitch", *options)
    assert step in done.out
    kept = keys(terminal)[terminal.twitch.accounts[account]]
    assert set(scopes) < set(kept["scopes"])
    assert set(kept["purposes"]) == {each.removeprefix("--") for each in options}


@pytest.mark.slow
async def test_the_next_step_is_that_of_what_is_connected_now(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "1", "2", "2", "2")
    await terminal.type("connect", "twitch", "--bot")
    await terminal.type("connect", "twitch", "--broadcaster", "--points")
    done = await terminal.type("connect", "twitch", "--broadcaster", "--predictions")
    assert "!set heist prediction on" in done.out
    assert "rewards make" not in done.out, "that was told when it was connected"
    assert set(keys(terminal)["streamer"]["purposes"]) == {"broadcaster", "points", "predictions"}


async def test_a_feature_whose_scope_was_not_allowed_is_named(terminal: Terminal) -> None:
    def confirm(device: Device) -> None:
        device.scopes = BROADCASTER_SCOPES
        terminal.twitch.approve(device, "2")

    terminal.twitch.confirm = confirm
    done = await terminal.type("connect", "twitch", "--broadcaster", "--predictions")
    assert "streamer did not allow channel:manage:predictions (for predictions)" in done.err
    assert keys(terminal) == {}


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps that elsewhere")
async def test_the_key_is_its_owners_alone(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "1")
    await terminal.type("connect", "twitch", "--bot")
    file = terminal.folder / "data" / "twitch-tokens.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_who_streams_first_is_told_that_the_bot_is_missing(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "2")
    assert (
        "Next: `chatbot connect twitch --bot`"
        in (await terminal.type("connect", "twitch", "--broadcaster")).out
    )


async def test_one_account_for_both_signs_in_once_when_both_are_asked_for(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "2")
    await terminal.type("connect", "twitch", "--bot", "--broadcaster")
    assert set(keys(terminal)["streamer"]["scopes"]) == {*BOT_SCOPES, *BROADCASTER_SCOPES}
    assert terminal.twitch.asked["device"] == 1


@pytest.mark.slow
async def test_an_account_that_becomes_both_gets_one_key_for_both(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "2", "2", "2")
    await terminal.type("connect", "twitch", "--bot")
    done = await terminal.type("connect", "twitch", "--broadcaster")
    assert "streamer is connected as the bot too, and one key must do for both." in done.out
    assert "If you meant another account" in done.out  # the browser was signed in as the wrong one
    (kept,) = keys(terminal).values()
    assert set(kept["purposes"]) == {"bot", "broadcaster"}
    assert set(kept["scopes"]) == {*BOT_SCOPES, *BROADCASTER_SCOPES}
    assert terminal.twitch.asked["revoke"] == 1  # of the key that did for one only


async def test_another_account_the_second_time_changes_nothing(terminal: Terminal) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "2", "2", "1")
    await terminal.type("connect", "twitch", "--bot")
    before = keys(terminal)
    done = await terminal.type("connect", "twitch", "--broadcaster")
    assert done.code == 2
    assert done.err.endswith(
        "First streamer signed in, and then rabblebot; run it again. Nothing was changed.\n"
    )
    assert keys(terminal) == before
    assert terminal.twitch.asked["revoke"] == 2


async def test_the_name_is_the_one_that_twitch_knows_the_key_by(terminal: Terminal) -> None:
    """Whatever the browser showed, the other account signed in."""
    terminal.twitch.confirm = signing_in(terminal.twitch, "2")
    done = await terminal.type("connect", "twitch", "--bot")
    assert "streamer is connected as the bot." in done.out


async def test_without_an_application_the_steps_are_told(terminal: Terminal) -> None:
    terminal.set(twitch_client_id=" ", twitch_client_secret=" ")  # noqa: S106
    done = await terminal.type("connect", "twitch")
    assert done.code == 2
    assert "https://dev.twitch.tv/console" in done.out
    assert "http://localhost" in done.out
    assert done.err == "CHATBOT_TWITCH_CLIENT_ID is not set; the steps above tell where it comes from.\n"
    assert terminal.twitch.addresses == []


async def test_a_secret_without_the_id_that_it_belongs_to_is_told(terminal: Terminal) -> None:
    terminal.set(twitch_client_id=" ")
    done = await terminal.type("connect", "twitch", "--bot")
    assert done.code == 2
    assert done.err == "CHATBOT_TWITCH_CLIENT_ID is missing; `chatbot connect twitch` tells where it is.\n"


async def test_an_application_without_a_secret_connects_accounts(terminal: Terminal) -> None:
    terminal.twitch.client_secret = None
    terminal.set(twitch_client_secret=" ")  # noqa: S106
    terminal.twitch.confirm = signing_in(terminal.twitch, "1")
    done = await terminal.type("connect", "twitch", "--bot")
    assert (done.code, done.err) == (0, "")
    assert keys(terminal)["rabblebot"]["purposes"] == ["bot"]
    assert terminal.twitch.asked["client_credentials"] == 0


async def test_nobody_is_asked_where_nobody_types(terminal: Terminal) -> None:
    done = await terminal.type("connect", "twitch")
    assert done.code == 2
    assert "`chatbot connect twitch --bot`, or `--broadcaster`" in done.err


@pytest.mark.parametrize(("answer", "role"), [("y", "bot"), ("\n", "bot"), ("n", "broadcaster")])
async def test_who_types_is_asked_whose_account_it_is(terminal: Terminal, answer: str, role: str) -> None:
    keyboard = StringIO(f"{answer}\n")
    terminal.monkeypatch.setattr(keyboard, "isatty", lambda: True)
    terminal.monkeypatch.setattr("sys.stdin", keyboard)
    terminal.twitch.confirm = signing_in(terminal.twitch, "1")
    done = await terminal.type("connect", "twitch")
    assert done.out.startswith("Is this the account that speaks for the bot?")
    assert keys(terminal)["rabblebot"]["purposes"] == [role]


async def test_a_wrong_secret_is_told_before_anybody_goes_to_a_browser(terminal: Terminal) -> None:
    terminal.set(twitch_client_secret="canary-of-another")  # noqa: S106
    done = await terminal.type("connect", "twitch", "--bot")
    assert (done.code, done.out) == (2, "")
    assert "Twitch refuses CHATBOT_TWITCH_CLIENT_ID or CHATBOT_TWITCH_CLIENT_SECRET" in done.err


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("access_denied", "The code was refused in the browser; nothing was changed."),
        ("invalid device code", "The code has run out; run the command again for a new one."),
    ],
)
async def test_a_code_that_is_not_confirmed_changes_nothing(
    terminal: Terminal, state: str, said: str
) -> None:
    terminal.twitch.confirm = lambda device: setattr(device, "state", state)
    done = await terminal.type("connect", "twitch", "--bot")
    assert done.code == 2
    assert said in done.err
    assert keys(terminal) == {}


async def test_nobody_waits_longer_than_the_code_lasts(terminal: Terminal) -> None:
    terminal.twitch.code_seconds = 0.05
    done = await terminal.type("connect", "twitch", "--bot")
    assert "Nobody entered the code in time" in done.err


@pytest.mark.slow
async def test_more_patience_is_shown_each_time_that_twitch_asks_for_it(terminal: Terminal) -> None:
    terminal.monkeypatch.setattr("chatbot.connecting.SLOW_DOWN_SECONDS", 0.05)
    polls: list[float] = []

    def confirm(device: Device) -> None:
        polls.append(time.monotonic())
        device.state = "slow_down"
        if device.polls == 3:
            terminal.twitch.approve(device, "1")

    terminal.twitch.confirm = confirm
    assert (await terminal.type("connect", "twitch", "--bot")).code == 0
    waits = [later - earlier for earlier, later in pairwise(polls)]
    assert waits[0] >= 0.06  # the 0.01 s that Twitch asks for at first, and 0.05 s more
    assert waits[1] >= 0.11  # and another 0.05 s


UNUSABLE = [each for each in Trouble if each not in {Trouble.TYPE, Trouble.SILENT}]


@pytest.mark.parametrize("trouble", UNUSABLE, ids=lambda each: each.name)
async def test_trouble_while_waiting_is_waited_out(terminal: Terminal, trouble: Trouble) -> None:
    def confirm(device: Device) -> None:
        if device.polls == 1:
            terminal.twitch.disturb(trouble, path="token")
        else:
            terminal.twitch.approve(device, "1")

    terminal.twitch.confirm = confirm
    assert (await terminal.type("connect", "twitch", "--bot")).code == 0
    assert list(keys(terminal)) == ["rabblebot"]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["token", "device", "validate"])
@pytest.mark.parametrize("trouble", UNUSABLE, ids=lambda each: each.name)
async def test_trouble_elsewhere_is_one_sentence_and_changes_nothing(
    terminal: Terminal, path: str, trouble: Trouble
) -> None:
    terminal.twitch.confirm = signing_in(terminal.twitch, "1")
    terminal.twitch.disturb(trouble, times=2, path=path)
    done = await terminal.type("connect", "twitch", "--bot")
    assert done.code == 2
    assert "Twitch cannot be asked: " in done.err
    assert "Traceback" not in done.err
    assert keys(terminal) == {}


async def test_a_machine_without_a_network_is_told_in_a_sentence(terminal: Terminal) -> None:
    terminal.reach("http://127.0.0.1:1/", "http://127.0.0.1:1/")
    terminal.set(discord_token=TOKEN)
    for words in (("connect", "twitch", "--bot"), ("connect", "discord")):
        done = await terminal.type(*words)
        assert done.code == 2
        assert "does not answer" in done.err
        assert "Traceback" not in done.err


async def test_a_damaged_file_of_keys_is_told_first(terminal: Terminal) -> None:
    file = terminal.folder / "data" / "twitch-tokens.json"
    file.parent.mkdir()
    file.write_text('{"canary', encoding="utf-8")
    done = await terminal.type("connect", "twitch", "--bot")
    assert done.code == 2
    assert "is damaged" in done.err
    assert terminal.twitch.addresses == []


async def test_a_scope_that_was_not_allowed_is_named(terminal: Terminal) -> None:
    def confirm(device: Device) -> None:
        device.scopes = ("user:bot",)
        terminal.twitch.approve(device, "1")

    terminal.twitch.confirm = confirm
    done = await terminal.type("connect", "twitch", "--bot")
    lacking = "moderator:read:chatters, user:manage:whispers, user:read:chat, user:write:chat"
    assert f"rabblebot did not allow {lacking}" in done.err
    assert terminal.twitch.tokens.keys() == {"canary-access-1"}  # the program's own; the other was given back


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows sends Ctrl-C to all who share the terminal")
async def test_ctrl_c_changes_nothing(terminal: Terminal) -> None:
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", REACHING, stdout=PIPE, stderr=PIPE, env=terminal.environment
    )
    assert running.stdout is not None
    while b"Waiting" not in (line := await running.stdout.readline()):
        assert line, "it has ended"
    running.send_signal(signal.SIGINT)
    _, err = await running.communicate()
    assert (running.returncode, err.splitlines()[-1]) == (130, b"Stopped; nothing was changed.")
    assert b"Traceback" not in err
    assert keys(terminal) == {}
    assert list(terminal.folder.iterdir()) == []
