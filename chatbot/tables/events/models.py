"""The format `rabble.events/1`: what a room tells of its tables to whoever subscribes.

`data/schemas/rabble.events-1.json` is the JSON Schema of it. A field that is added, taken away or means
something else makes another format.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, NonNegativeInt, TypeAdapter

FORMAT: Literal["rabble.events/1"] = "rabble.events/1"


class _Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,  # every event has its format and its kind
    )


# What is said


class Person(_Model):
    """Somebody who is named."""

    seat: str
    """An opaque id, the same in all that is told of this member."""
    name: str
    """As others see it."""


class Amount(_Model):
    """Credits, whatever a community calls them."""

    credits: int


class Quoted(_Model):
    """Words that somebody typed."""

    quote: str


class Rows(_Model):
    """Messages in a row, of which `most` are shown and the others counted."""

    items: tuple[Said, ...]
    most: int


class Said(_Model):
    """A message: its id, what its words speak of, and its words in the room's language."""

    id: str
    arguments: dict[str, Argument]
    """By the names of the placeholders; what the words cannot speak of is left out."""
    words: str


Argument: TypeAlias = int | float | str | Person | Amount | Quoted | Rows | Said


# What is shown of a table


class Phase(_Model):
    """What a table waits for, and until when."""

    name: str
    """The game's own name of it; another one is another wait."""
    words: str
    seconds: float | None
    """How long it lasts from its beginning; null: nobody may know."""
    ends: AwareDatetime | None
    """When it ends, unless something happens before; null: its clock stands still, or nobody may know."""


class Player(_Model):
    """Somebody who plays, as everybody sees them."""

    seat: str
    name: str
    detail: str
    mark: str
    """`waiting` or `ready`; at the end `won`, `lost`, `drawn`, `plain`, or `left` for who did not stay."""
    house: bool
    """Whether the house's own plays here."""


class PublicTable(_Model):
    """A table as everybody may see it."""

    id: str
    """The number by which `!verify` knows it."""
    game: str
    title: str
    over: bool
    phase: Phase | None
    """What it waits for; null: nothing any more."""
    pot: NonNegativeInt | None
    """Credits that lie in the pot, as everybody sees it; null: the game does not tell."""
    seats: tuple[Player, ...]
    view: dict[str, JsonValue]
    """The game's public view: its state without what only some may know. Each game has fields of its own."""
    lines: tuple[str, ...]
    """The same in words, a line each, for whoever has no drawing of this game."""


# Events


class _Event(_Model):
    format: Literal["rabble.events/1"] = FORMAT
    room: str
    number: NonNegativeInt
    """Of the room, from 1 on and without a gap; a `picture` has that of the last event that it contains."""
    at: AwareDatetime


class Picture(_Event):
    """All that stands in the room: the first event of a subscriber, and of one who has missed some."""

    kind: Literal["picture"] = "picture"
    tables: tuple[PublicTable, ...]
    """Those that are over too, while they are still shown."""
    halted: Said | None
    """Why nothing is played here now; null: games go on."""


class Opened(_Event):
    """A table stands that did not before."""

    kind: Literal["opened"] = "opened"
    table: PublicTable


class Changed(_Event):
    """A table is another than before."""

    kind: Literal["changed"] = "changed"
    table: PublicTable


class Told(_Event):
    """Something was said to everybody that a table, or a game, has to tell."""

    kind: Literal["told"] = "told"
    table: str | None
    """The id of the table; null: it is not of one."""
    game: str
    about: str
    """What happened, in the game's own word, such as `Joined`."""
    fine: bool
    """Whether it is fine print, for whoever wants to check the draws."""
    message: Said


class Settled(_Event):
    """A table is over, and paid out."""

    kind: Literal["settled"] = "settled"
    table: str
    game: str


class Voided(_Event):
    """A table was called off, and every stake is back."""

    kind: Literal["voided"] = "voided"
    table: str
    game: str


class Cleared(_Event):
    """A table that is over is not shown any more."""

    kind: Literal["cleared"] = "cleared"
    table: str
    game: str


class Rested(_Event):
    """The rest after a table is over: the game may be opened again."""

    kind: Literal["rested"] = "rested"
    game: str


class Halted(_Event):
    """Nothing is played in the room until it is resumed; clocks stand still."""

    kind: Literal["halted"] = "halted"
    reason: Said


class Resumed(_Event):
    """Games go on; the tables have their clocks again by the events before this one."""

    kind: Literal["resumed"] = "resumed"


Event: TypeAlias = Picture | Opened | Changed | Told | Settled | Voided | Cleared | Rested | Halted | Resumed

Kind: TypeAlias = Literal[
    "picture",
    "opened",
    "changed",
    "told",
    "settled",
    "voided",
    "cleared",
    "rested",
    "halted",
    "resumed",
]

for _each in (Rows, Said):
    _each.model_rebuild()

EVENTS: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
"""Reads an event, and tells which fields one has."""


def schema() -> str:
    """Write the JSON Schema of an event, as it is checked in."""
    made = EVENTS.json_schema(mode="serialization")
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT, **made}
    return json.dumps(named, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
