"""Who plays Six Card Poker through the adapter, and what tests look at there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.discord.seats import seat_of

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table
    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import Interaction, Json, User

START = 240  # credits of a newcomer
ACCEPTANCE, ARRANGEMENT = 60, 60


def table(stage: Stage, user: User) -> Table:
    return stage.room.tables[f"sixcardpoker {seat_of(user.id)}"]


def held(stage: Stage, opener: User, user: User) -> tuple[int, ...]:
    cards: tuple[int, ...] = table(stage, opener).view(seat_of(user.id)).held[seat_of(user.id)]
    return cards


def setting(stage: Stage, opener: User, user: User) -> str:
    """Write a setting that nobody would choose: the lowest cards go High."""
    digits = "".join(map(str, held(stage, opener, user)))
    return f"{digits[:3][::-1]} {digits[3:5][::-1]} {digits[5]}"


def labels(shown: Json) -> list[str]:
    return [each["label"] for row in shown["components"] for each in row["components"]]


async def answered(stage: Stage, made: Interaction) -> None:
    await stage.world.until(lambda: made.response)


async def paid(stage: Stage, opener: User, *people: User) -> None:
    over = table(stage, opener)
    result = over.view(None).revealed
    for user in people:
        assert await stage.credits(user) == START - result.credits + result.payouts[seat_of(user.id)]
    assert (await stage.bot.ledger.balances([over.pot]))[over.pot] == 0
