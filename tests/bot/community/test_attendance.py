"""What members were seen to do is counted in memory and written now and then, and none of it is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.community.earning.audience import Attendance
from chatbot.kernel.game import Role
from chatbot.ledger.members import Presence
from tests.bot.stage import seat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.members import Sighting
    from tests.bot.stage import Stage

VIEWER, VIP = frozenset({Role.VIEWER}), frozenset({Role.VIEWER, Role.VIP})
ANN, BOB = seat("ann"), seat("bob")


class Uneven(Presence):
    """Fails to write while there is something that happens meanwhile."""

    meanwhile: Callable[[], None] | None = None

    async def add(self, sightings: Sequence[Sighting]) -> None:
        if self.meanwhile is None:
            await super().add(sightings)
            return
        self.meanwhile()
        raise OSError("the disk is full")


@pytest.fixture
def presence(stage: Stage) -> Uneven:
    return Uneven(stage.store)


@pytest.fixture
def attendance(stage: Stage, presence: Uneven) -> Attendance:
    return Attendance(presence, stage.bot.members.linked_accounts, stage.watch)


def speak(attendance: Attendance, stage: Stage, who: str, *badges: Role, private: bool = False) -> None:
    line = stage.line(who, "hello", private=private)
    attendance.spoke(stage.room, replace(line, seat=seat(who), badges=frozenset(badges)))


async def counted(presence: Presence, who: Seat) -> tuple[int, int]:
    """Give the minutes and messages of a member as they are written."""
    visits = (await presence.several("town", [who])).get(who)
    return (0, 0) if visits is None else (visits.minutes, visits.messages)


async def test_whoever_only_enters_has_written_no_message(
    stage: Stage, presence: Uneven, attendance: Attendance
) -> None:
    attendance.spoke(stage.room, replace(stage.line("ann", "", private=True), seat=ANN))
    speak(attendance, stage, "ann")
    await attendance.flush()
    assert await counted(presence, ANN) == (0, 1)


async def test_messages_and_minutes_of_each_member_add_up(
    stage: Stage, presence: Uneven, attendance: Attendance
) -> None:
    for _ in range(3):
        speak(attendance, stage, "ann")
    speak(attendance, stage, "bob")
    for minutes in (10, 7):
        attendance.watched(stage.room, ANN, minutes)
    assert await counted(presence, ANN) == (0, 0)
    await attendance.flush()
    await attendance.flush()
    assert (await counted(presence, ANN), await counted(presence, BOB)) == ((17, 3), (0, 1))


async def test_what_could_not_be_written_is_added_to_what_comes_meanwhile(
    stage: Stage, presence: Uneven, attendance: Attendance
) -> None:
    speak(attendance, stage, "ann", Role.VIP)
    speak(attendance, stage, "bob", Role.VIP)
    attendance.watched(stage.room, ANN, 10)
    for happens, roles in (
        (lambda: attendance.watched(stage.room, ANN, 5), VIP),
        (lambda: speak(attendance, stage, "bob", private=True), VIP),
        (lambda: speak(attendance, stage, "ann"), VIEWER),
    ):
        presence.meanwhile = happens
        await attendance.flush()
        assert await attendance.roles(stage.room, [ANN]) == {ANN: roles}
    presence.meanwhile = None
    await attendance.flush()
    assert (await counted(presence, ANN), await counted(presence, BOB)) == ((15, 2), (0, 2))
    visits = await presence.several("town", [ANN, BOB])
    assert {who: each.roles for who, each in visits.items()} == {ANN: VIEWER, BOB: VIP}


async def test_roles_are_those_of_the_last_line_that_all_can_read_written_or_not(
    stage: Stage, presence: Uneven, attendance: Attendance
) -> None:
    speak(attendance, stage, "ann", Role.VIP)
    assert await attendance.roles(stage.room, [ANN, BOB]) == {ANN: VIP, BOB: frozenset()}
    speak(attendance, stage, "ann", private=True)
    assert await attendance.roles(stage.room, [ANN]) == {ANN: VIP}
    await attendance.flush()
    assert await attendance.roles(stage.room, [ANN]) == {ANN: VIP}
    speak(attendance, stage, "ann")
    assert await attendance.roles(stage.room, [ANN]) == {ANN: VIEWER}
