"""Whatever is sent that the description allows, or nearly: no fault of ours, and books that add up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.web.api import desk_room
from chatbot.web.api.endpoints import PREFIX
from tests.web.desk.fuzzing import PEOPLE, drawn, send

if TYPE_CHECKING:
    from tests.web.desk.site import Site


async def fuzzed(site: Site, count: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_room, "LONGEST_WAIT", 0.0)
    for each in PEOPLE:
        await site.both.chat(each, "!credits")
    _, document = await site.elsewhere().get(f"{PREFIX}/openapi.json")
    requests = await asyncio.to_thread(drawn, document, count, number)  # it takes long
    findings = await send(site, requests, number)
    print(dict(sorted(findings.statuses.items())))  # noqa: T201
    assert findings.faults == []
    assert findings.statuses[200] > count / 20, "so many must do something"
    assert {400, 422} <= findings.statuses.keys()


async def test_requests_of_the_description_find_no_fault(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await fuzzed(site, 400, 1, monkeypatch)


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(101, 111))
async def test_ten_thousand_requests_find_no_fault(
    site: Site, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fuzzed(site, 1000, number, monkeypatch)
