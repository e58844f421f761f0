"""Who plays High Show through the adapter, and what tests look at there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.adapters.discord.seats import seat_of

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import Json, User

START = 240  # credits of a newcomer
DECISION, ESTIMATES = 60, 45


def table(stage: Stage, user: User) -> Table:
    return stage.room.tables[f"highshow {seat_of(user.id)}"]


def progress(stage: Stage, user: User) -> Any:
    return table(stage, user).view(None).progress


def lines(stage: Stage) -> list[str]:
    """Give what was said in the channel, but for the small print."""
    said = [each["content"] for each in stage.world.shown(stage.town) if each["content"]]
    return [line for text in said for line in text.splitlines() if not line.startswith("-# ")]


def labels(board: Json) -> list[str]:
    return [each["label"] for row in board["components"] for each in row["components"]]


async def begun(stage: Stage, user: User, **terms: Any) -> Json:
    """Let somebody begin a game; gives its board."""
    known = len(stage.boards)
    await stage.people.slash(user, stage.town, "highshow", **({"cards": 6, "keep": 2} | terms))
    await stage.world.until(lambda: len(stage.boards) > known)
    return stage.boards[-1]


async def pressed(stage: Stage, user: User, board: Json, label: str) -> Any:
    made = await stage.people.press(user, board, label)
    await stage.world.until(lambda: made.response)
    return made


async def paid(stage: Stage, user: User, stake: int) -> None:
    """Check that a game that is over has paid what it says, and left nothing in its pot."""
    over = table(stage, user)
    assert await stage.credits(user) == START - stake + over.view(None).result.payout
    assert (await stage.bot.ledger.balances([over.pot]))[over.pot] == 0
