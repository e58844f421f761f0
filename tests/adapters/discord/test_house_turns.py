"""While a player of the house has the turn, no button offers its moves to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.house_seats import of_house
from cogs.discord.tables import PACE
from tests.adapters.discord.seats import seat_of

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import Json


def labels(board: Json) -> list[str]:
    return [each["label"] for row in board["components"] for each in row["components"]]


def acting(stage: Stage) -> Seat | None:
    table = stage.room.tables.get("pokermarket")
    view = table.view(None) if table is not None else None
    return view.acting if view is not None and view.proposed is None else None


async def test_passing_is_a_button_in_the_turns_of_people_only(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "market", rounds=2, stake="0")
    await stage.board("Lobby")
    seen: dict[bool, set[str]] = {}
    while len(seen) < 2:
        await stage.turn(1)
        if acting(stage) is None:
            continue
        house = of_house(acting(stage) or seat_of(0))
        words = "It is the turn of Greedy" if house else "It is the turn of ann"
        await stage.turn(PACE)
        if acting(stage) is not None and house == of_house(acting(stage) or seat_of(0)):
            seen[house] = set(labels(await stage.board(words)))
    assert seen == {False: {"Pass", "My moves"}, True: {"My moves"}}
