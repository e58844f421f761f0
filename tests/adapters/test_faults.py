"""The faults of which a platform tells are over within seconds; `benchmarks.faults` tries all of them."""

from __future__ import annotations

import pytest

from benchmarks import fault_discord, fault_local, fault_sequences, fault_twitch
from benchmarks.fault_discord import on_discord
from benchmarks.fault_local import on_local
from benchmarks.fault_rows import BOUND, Row, Step
from benchmarks.fault_twitch import on_twitch
from benchmarks.faults import markdown
from tests.documentation import page


@pytest.mark.parametrize("conduit", [False, True])
@pytest.mark.parametrize("name", ["all sockets closed by 4003", "the subscription to the chat revoked"])
async def test_what_twitch_tells_of_is_over_within_seconds(name: str, conduit: bool) -> None:
    [fault] = [each for each in fault_twitch.FAULTS if each.name == name]
    row = await on_twitch(fault, conduit=conduit)
    assert row.kept, row


async def test_a_gateway_that_is_closed_is_resumed_within_seconds() -> None:
    row = await on_discord(fault_discord.FAULTS[0])
    assert row.kept, row


@pytest.mark.parametrize(
    "name", ["silence of the gateway", "the right to write taken in mid game, and given back"]
)
async def test_what_becomes_of_the_gateway_and_of_rights_is_over_within_seconds(name: str) -> None:
    [fault] = [each for each in fault_discord.FAULTS if each.name == name]
    row = await on_discord(fault)
    assert row.kept, row


@pytest.mark.parametrize("number", [0, 1])
async def test_the_local_page_goes_on_within_seconds(number: int) -> None:
    row = await on_local(fault_local.FAULTS[number])
    assert row.kept, row


@pytest.mark.parametrize("name", ["all shards disabled without a word", "the conduit deleted without a word"])
async def test_a_conduit_that_is_gone_without_a_word_is_found_by_the_next_look(name: str) -> None:
    [fault] = [each for each in fault_twitch.FAULTS if each.name == name]
    row = await on_twitch(fault, conduit=True)
    assert row.kept, row


def test_the_table_of_the_documentation_has_every_fault_at_every_adapter_within_its_bound() -> None:
    lines = [line for line in page("reference/faults").splitlines() if line.startswith("| ")][2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    twitch = [
        (each.name, adapter, each.bound)
        for adapter in (fault_twitch.SOCKETS, fault_twitch.CONDUIT)
        for each in fault_twitch.FAULTS
        if each.only in {"", adapter}
    ]
    discord = [(each.name, "Discord", each.bound) for each in fault_discord.FAULTS]
    local = [(each.name, "local page", BOUND) for each in fault_local.FAULTS]
    sequences = [
        (fault_sequences.name_of(number), adapter, BOUND)
        for adapter in fault_sequences.ADAPTERS
        for number in range(1, fault_sequences.COUNT + 1)
    ]
    wanted = [*twitch, *discord, *local, *sequences]
    assert [(name, adapter, float(most)) for name, adapter, _, most in rows] == wanted, (
        "run `python -m benchmarks.faults --markdown` and put in what it prints"
    )
    assert all(float(seconds) <= float(most) for _, _, seconds, most in rows)


@pytest.mark.parametrize("adapter", fault_sequences.ADAPTERS)
async def test_faults_in_a_row_are_each_over_within_seconds(adapter: str) -> None:
    steps = await fault_sequences.strike(adapter, 1)
    assert len(steps) == fault_sequences.LENGTH
    assert fault_sequences.row(adapter, 1, steps).kept, steps


def test_the_slowest_of_a_sequence_is_shown_without_the_seconds_in_which_nobody_can_know() -> None:
    steps = [Step("silence", 0.0, 3.5, unknown=3.0), Step("a close", 1.0, 0.75), Step("another", 2.0, 0.1)]
    assert fault_sequences.row("Discord", 1, steps).seconds == 0.75
    assert fault_sequences.row("Discord", 1, [*steps, Step("the last", 1.0, None)]).seconds is None


def test_what_is_never_over_is_shown_and_not_kept() -> None:
    never, late = Row("Twitch", "a fault", None, BOUND), Row("Twitch", "another", 5.1, BOUND)
    assert not never.kept
    assert not late.kept
    assert markdown([never]).splitlines()[-1] == "| a fault | Twitch | never | 5.0 |"
