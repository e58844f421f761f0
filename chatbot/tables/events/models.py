"""The models of the format `rabble.events/1`, in which a room publishes its tables to subscribers.

`data/schemas/rabble.events-1.json` is its JSON Schema. Adding or removing a field, or changing its meaning,
requires a new format.
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


# Messages


class Person(_Model):
    """A member who is named."""

    seat: str
    """An opaque id, the same in all events about this member."""
    name: str
    """The display name."""


class Amount(_Model):
    """An amount of credits, whatever a community calls them."""

    credits: int


class Quoted(_Model):
    """Text that a member typed."""

    quote: str


class Rows(_Model):
    """A list of messages, of which at most `most` are shown and the others counted."""

    items: tuple[Said, ...]
    most: int


class Said(_Model):
    """A message: its id, its arguments, and its text in the room's language."""

    id: str
    arguments: dict[str, SentArgument]
    """By the names of the placeholders; arguments that the text cannot contain are left out."""
    words: str


SentArgument: TypeAlias = int | float | str | Person | Amount | Quoted | Rows | Said


# Tables


class Phase(_Model):
    """The phase of a table: what it waits for, and until when."""

    name: str
    """The game's own name of it; a new phase has a new name."""
    words: str
    seconds: float | None
    """How long it lasts from its beginning; null: that is hidden."""
    ends: AwareDatetime | None
    """When it ends at the latest; null: its clock is stopped, or that is hidden."""


class Player(_Model):
    """A player, as everybody may see them."""

    seat: str
    name: str
    detail: str
    mark: str
    """`waiting` or `ready`; at the end `won`, `lost`, `drawn`, `plain`, or `left` for who did not stay."""
    house: bool
    """Whether this is a house player."""


class PublicTable(_Model):
    """A table as everybody may see it."""

    id: str
    """The id that `!verify` takes."""
    game: str
    title: str
    over: bool
    phase: Phase | None
    """Null: the table is over."""
    pot: NonNegativeInt | None
    """Credits in the pot, as everybody may see them; null: the game does not show them."""
    seats: tuple[Player, ...]
    view: dict[str, JsonValue]
    """The game's public view: its state without what only some may see. Each game has fields of its own."""
    lines: tuple[str, ...]
    """The same as lines of text, for subscribers that cannot draw this game."""


# Events


class _Event(_Model):
    format: Literal["rabble.events/1"] = FORMAT
    room: str
    number: NonNegativeInt
    """Counts the events of the room from 1 without a gap; a `picture` has that of the last event in it."""
    at: AwareDatetime


class Picture(_Event):
    """All tables of the room: the first event of a subscriber, and the next one after it has missed some."""

    kind: Literal["picture"] = "picture"
    tables: tuple[PublicTable, ...]
    """Includes finished ones while they are still shown."""
    halted: Said | None
    """Why no game is played now; null: games are played."""
    language: str
    """The code of the room's language, such as `en`."""
    labels: dict[str, str]
    """Texts for drawings of tables in the room's language, by the ids of their messages, which begin with
    `overlay-`; `{name}` in a text is where a program puts a value."""


class Opened(_Event):
    """A table was opened."""

    kind: Literal["opened"] = "opened"
    table: PublicTable


class Changed(_Event):
    """A table has changed."""

    kind: Literal["changed"] = "changed"
    table: PublicTable


class Told(_Event):
    """A table, or a game, has sent a message to everybody."""

    kind: Literal["told"] = "told"
    table: str | None
    """The id of the table; null: it concerns no table."""
    game: str
    about: str
    """The game's own name of what happened, such as `Joined`."""
    fine: bool
    """Whether it is a detail that is only needed to verify the draws."""
    message: Said


class Settled(_Event):
    """A table is over, and its payouts were made."""

    kind: Literal["settled"] = "settled"
    table: str
    game: str


class Voided(_Event):
    """A table was voided, and all stakes were returned."""

    kind: Literal["voided"] = "voided"
    table: str
    game: str


class Cleared(_Event):
    """A finished table is no longer shown."""

    kind: Literal["cleared"] = "cleared"
    table: str
    game: str


class Rested(_Event):
    """The cooldown after a table has ended: the game may be opened again."""

    kind: Literal["rested"] = "rested"
    game: str


class Halted(_Event):
    """No game is played in the room until it is resumed; clocks are stopped."""

    kind: Literal["halted"] = "halted"
    reason: Said


class Resumed(_Event):
    """Games go on; the events before this one have started the clocks of the tables again."""

    kind: Literal["resumed"] = "resumed"


RoomEvent: TypeAlias = (
    Picture | Opened | Changed | Told | Settled | Voided | Cleared | Rested | Halted | Resumed
)

for _each in (Rows, Said):
    _each.model_rebuild()

EVENTS: TypeAdapter[RoomEvent] = TypeAdapter(Annotated[RoomEvent, Field(discriminator="kind")])
"""Validates an event, and makes the JSON Schema."""


def schema() -> str:
    """Return the JSON Schema of an event, as it is stored in the repository."""
    generated = EVENTS.json_schema(mode="serialization")
    complete = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT, **generated}
    return json.dumps(complete, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
