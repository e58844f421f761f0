"""Work for Discord that is under way ends with the adapter, and only what failed is logged."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

from cogs.discord.errors import Requests

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping


@pytest.fixture
def told() -> Iterator[list[MutableMapping[str, Any]]]:
    """Collect what the operator is told."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as entries:
        yield entries


async def test_work_that_is_ended_with_the_adapter_is_no_trouble(
    told: list[MutableMapping[str, Any]],
) -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    requests, begun = Requests(), asyncio.Event()

    async def endless() -> None:
        begun.set()
        await asyncio.Event().wait()

    task = requests.start(endless())
    await begun.wait()
    await requests.stop(0)
    assert task.cancelled()
    assert (complaints, told) == ([], [])


async def test_work_that_fails_is_logged_and_whoever_waits_for_it_goes_on(
    told: list[MutableMapping[str, Any]],
) -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    await Requests().run(fail())
    [entry] = told
    assert (entry["log_level"], entry["event"]) == ("error", "something for Discord was not finished")
    assert "LookupError" in entry["trouble"]
