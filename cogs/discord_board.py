"""A table as a Discord message: the board as an embed, within what an embed may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from chatbot.kernel.say import Message, Name
from cogs.discord_text import fitted, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.say import Fact, Place
    from chatbot.live.house import House
    from chatbot.live.safe import Dress
    from chatbot.live.table import Table

TITLE, NAME, VALUE = 256, 256, 1024  # characters of an embed's parts
MOST_FACTS = 25
PLACES = 2000  # characters of the list of players, which leaves room for all else in 6000
NOTE = 1000
PLAIN = 1900  # characters, where no embed may be shown
COLOUR_OPEN, COLOUR_OVER = 0xF2B134, 0x6B7280


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is shown of a table; sheets that are equal need not be sent again."""

    title: str
    head: str  # the phase, and until when
    facts: tuple[tuple[str, str], ...]
    places: str
    note: str
    over: bool

    def embed(self) -> discord.Embed:
        text = "\n\n".join(each for each in (self.head, self.note, self.places) if each)
        embed = discord.Embed(
            title=self.title, description=text, colour=COLOUR_OVER if self.over else COLOUR_OPEN
        )
        for label, value in self.facts:
            embed.add_field(name=label, value=value, inline=True)
        return embed

    def plain(self) -> str:
        """Write it down where the bot may not embed."""
        facts = " · ".join(f"{label}: {value}" for label, value in self.facts)
        parts = (f"**{self.title}** · {self.head}", facts, self.note, self.places)
        return fitted("\n".join(each for each in parts if each).split("\n"), PLAIN)[0]


def sheet(house: House, table: Table, ends: int | None, dress: Dress) -> Sheet:
    """Show a table as the public sees it; `ends` is when its phase is over, in seconds since 1970."""
    board = table.kit.board(table.view(None))
    phase = Message("discord-over")
    if table.clock is not None:
        phase = Message(f"{table.kit.name}-phase-{table.clock.phase.split()[0]}")
    head = house.outbox.text(phase, dress)
    return Sheet(
        title=shortened(house.outbox.text(board.title, dress), TITLE),
        head=head if ends is None else f"{head} · <t:{ends}:R>",
        facts=_facts(house, board.facts[:MOST_FACTS], dress),
        places=_places(house, board.places, dress),
        note=shortened(house.outbox.text(board.note, dress), NOTE) if board.note else "",
        over=table.over,
    )


def _facts(house: House, facts: Sequence[Fact], dress: Dress) -> tuple[tuple[str, str], ...]:
    """Word the facts; all of them together stay far below what an embed holds."""
    words = [(house.outbox.text(each.label, dress), house.outbox.text(each.value, dress)) for each in facts]
    room = 2000 // max(len(words), 1)
    return tuple(
        (shortened(label, min(NAME, room // 4)), shortened(value, min(VALUE, room))) for label, value in words
    )


def _places(house: House, places: Sequence[Place], dress: Dress) -> str:
    rows = [
        house.outbox.text(Message("discord-row", {"who": Name(each.seat), "detail": each.detail}), dress)
        for each in places
    ]
    shown, hidden = fitted(rows, PLACES)
    if not hidden:
        return shown
    return f"{shown}\n{house.outbox.text(Message('discord-more', {'more': hidden}), dress)}"
