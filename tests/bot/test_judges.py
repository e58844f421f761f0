"""The judges of hostile texts see what acts, or nothing they pass would mean anything."""

from __future__ import annotations

import pytest

from tests.bot.judges import commanding, discord_acts, twitch_acts, twitch_mentions, waking


@pytest.mark.parametrize(
    "content",
    [
        "@everyone",
        "\\@here",
        "<@123456789012345678>",
        "<@!1>",
        "<@&1>",
        "<#1>",
        "</give all:1>",
        "<:coin:1>",
        "<t:1:R>",
        "<id:browse>",
        "<steam:/x>",
        "see https://evil.example",
        "evil.com",
        "evil\u3002com",
        "me@evil",
        "1.1.1.1",
        "discord.gg/abc",
        "*loud*",
        "||x||",
        "so `x`",
        "# Big",
        "hi\n> said",
        "-# x",
        "- x",
        "1. x",
        "[a](b)",
        ":skull:",
        "\\",
        "\\\\*",
        "\uff20everyone",
    ],
)
def test_the_judge_of_discord_sees_what_acts(content: str) -> None:
    assert discord_acts(content)


@pytest.mark.parametrize(
    "text", ["evil.com", "evil.\u200bcom", "evil\u2024com", "x://y", "a 1.2.3.4", "me@evil"]
)
def test_the_judge_of_twitch_sees_what_acts(text: str) -> None:
    assert twitch_acts(text)


@pytest.mark.parametrize("text", ["@ann", "x@ann", "@\u200bann", "\uff20ann"])
def test_the_judge_of_twitch_sees_who_is_mentioned(text: str) -> None:
    assert twitch_mentions(text)


@pytest.mark.parametrize(
    "message", ["/ban ann", ".ban ann", " !give", "\u200b/ban", "\uff0fban", "?", "\u2026ban"]
)
def test_the_judges_see_what_begins_as_a_command(message: str) -> None:
    assert commanding(message)
    assert waking(message.strip())
