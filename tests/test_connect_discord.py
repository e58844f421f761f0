"""`chatbot connect discord` checks the token, invites the bot, and tells what is still to be switched on."""

from __future__ import annotations

import pytest

from tests.keys.portal import TOKEN
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture


async def test_discord_is_checked_and_the_bot_invited_with_no_more_than_it_needs(terminal: Terminal) -> None:
    terminal.set(discord_token=TOKEN)
    done = await terminal.type("connect", "discord")
    assert done.code == 0
    assert "the bot is Rabble." in done.out
    assert "It may read messages" in done.out
    # 2^10 + 2^11 + 2^14 + 2^15 + 2^16 + 2^38
    link = "https://discord.com/oauth2/authorize?client_id=4242&scope=bot+applications.commands&permissions="
    assert f"{link}{1024 + 2048 + 16384 + 32768 + 65536 + 274877906944}\n" in done.out


async def test_a_bot_that_may_not_read_is_told_what_to_switch_on(terminal: Terminal) -> None:
    terminal.set(discord_token=TOKEN)
    terminal.discord.flags = 0
    done = await terminal.type("connect", "discord")
    assert "It may not read messages" in done.out
    assert "Message Content Intent" in done.out


async def test_without_a_discord_token_the_steps_are_told(terminal: Terminal) -> None:
    done = await terminal.type("connect", "discord")
    assert done.code == 2
    assert "https://discord.com/developers/applications" in done.out
    assert "Reset Token" in done.out
    assert done.err.startswith("CHATBOT_DISCORD_TOKEN is not set")


async def test_a_token_that_discord_refuses_is_told(terminal: Terminal) -> None:
    terminal.set(discord_token="canary-of-another")  # noqa: S106
    done = await terminal.type("connect", "discord")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Discord refuses CHATBOT_DISCORD_TOKEN")


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
async def test_discords_trouble_is_one_sentence(terminal: Terminal, status: int) -> None:
    terminal.set(discord_token=TOKEN)
    terminal.discord.status = status
    done = await terminal.type("connect", "discord")
    assert done.code == 2
    assert f"{status}" in done.err
    assert "Traceback" not in done.err
