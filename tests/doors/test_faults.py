"""The faults of which a platform tells are over within seconds; `benchmarks.faults` tries all of them."""

from __future__ import annotations

import pytest

from benchmarks.faults import BOUND, DISCORD, TWITCH, Row, markdown, on_discord, on_twitch


@pytest.mark.parametrize("conduit", [False, True])
@pytest.mark.parametrize("name", ["all sockets closed by 4003", "the subscription to the chat revoked"])
async def test_what_twitch_tells_of_is_over_within_seconds(name: str, conduit: bool) -> None:
    [fault] = [each for each in TWITCH if each.name == name]
    row = await on_twitch(fault, conduit=conduit)
    assert row.kept, row


async def test_a_gateway_that_is_closed_is_resumed_within_seconds() -> None:
    row = await on_discord(DISCORD[0])
    assert row.kept, row


@pytest.mark.parametrize(
    "name", ["silence of the gateway", "the right to write taken in mid game, and given back"]
)
async def test_what_becomes_of_the_gateway_and_of_rights_is_over_within_seconds(name: str) -> None:
    [fault] = [each for each in DISCORD if each.name == name]
    row = await on_discord(fault)
    assert row.kept, row


def test_what_is_never_over_is_shown_and_not_kept() -> None:
    never, late = Row("Twitch", "a fault", None, BOUND), Row("Twitch", "another", 5.1, BOUND)
    assert not never.kept
    assert not late.kept
    assert markdown([never]).splitlines()[-1] == "| a fault | Twitch | never | 5.0 |"
