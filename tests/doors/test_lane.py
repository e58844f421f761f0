"""The queue of a chat: bounded by itself and with all others, and no flood of one costs another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.runtime.lane import LONGEST, MOST_IN_ALL, SHARE, Lane, Load

if TYPE_CHECKING:
    import pytest


def lane(channel: str, load: Load) -> Lane[str]:
    return Lane(channel, lambda text: not text.startswith("!"), load)


def flood(lanes: list[Lane[str]], count: int) -> None:
    for number in range(count):
        lanes[number % len(lanes)].put(f"!{number}")


def test_what_waits_of_one_chat_is_bounded() -> None:
    load = Load()
    flood([full := lane("one", load)], LONGEST + 7)
    assert (len(full.waiting), full.dropped, load.waiting) == (LONGEST, 7, LONGEST)


def test_what_waits_of_all_chats_is_bounded() -> None:
    load = Load()
    lanes = [lane(str(number), load) for number in range(20)]
    flood(lanes, 100_000)
    assert load.waiting == sum(len(each.waiting) for each in lanes) == MOST_IN_ALL
    assert sum(each.dropped for each in lanes) == 100_000 - MOST_IN_ALL


def test_a_flood_elsewhere_costs_a_quiet_chat_nothing() -> None:
    load = Load()
    flood([lane(str(number), load) for number in range(3)], 3 * LONGEST)
    flood([quiet := lane("quiet", load)], SHARE)
    assert (len(quiet.waiting), quiet.dropped) == (SHARE, 0)


async def test_what_was_taken_or_given_up_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatbot.runtime.lane.MOST_IN_ALL", SHARE + 2)
    load = Load()
    flood([first := lane("first", load)], SHARE + 2)
    assert await first.take() == "!0"
    first.put("!more")
    assert (first.dropped, load.waiting) == (0, SHARE + 2)
    assert len(first.clear()) == SHARE + 2
    assert (load.waiting, len(first.waiting)) == (0, 0)
    first.put("!again")
    assert await first.take() == "!again"
