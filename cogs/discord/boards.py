"""A table as a Discord message: the board as an embed, within what an embed may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

import discord

from chatbot.kernel.say import Listing, Message, Name
from chatbot.pictures.raid import ResultScene, raid_of, signed
from chatbot.pictures.scene import Scene, scene_of
from chatbot.speech.safe import safe_text
from cogs.discord.lines import fitted, fitting, shortened, units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.board import Board, Card, Fact, Hand, Place
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.speech.safe import Dress

Speech: TypeAlias = Callable[..., str]
"""Words a message as it is said in a room, and dresses it if it is told how."""

TITLE, NAME, VALUE = 256, 256, 1024  # characters of an embed's parts
MOST_FACTS = 25
LISTS = 2000  # characters of the players and the cards, which leaves room for all else in 6000
HANDS = 1200  # of these at most for cards
NOTE = 1000
PLAIN = 1900  # characters, where no embed may be shown
MOST_SEEN = 20  # people whose results are told to those who cannot see the picture
MARKS = {"won": "\N{WHITE HEAVY CHECK MARK}", "lost": "\N{CROSS MARK}", "drawn": "\N{HEAVY EQUALS SIGN}"}
COLOUR_OPEN, COLOUR_OVER = 0xF2B134, 0x6B7280


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is shown of a table; sheets that are equal need not be sent again."""

    title: str
    head: str  # the phase, and until when
    hands: str
    facts: tuple[tuple[str, str], ...]
    places: str
    note: str
    over: bool
    scene: Scene | ResultScene | None = None  # what is drawn of it; None: nothing
    alt_text: str = ""  # says what the picture shows

    def embed(self) -> discord.Embed:
        """Write it down as an embed, within what one may hold."""
        text = "\n\n".join(each for each in (self.head, self.hands, self.note, self.places) if each)
        embed = discord.Embed(
            title=self.title, description=text, colour=COLOUR_OVER if self.over else COLOUR_OPEN
        )
        for label, value in self.facts:
            embed.add_field(name=label, value=value, inline=True)
        return embed

    def plain(self) -> str:
        """Write it down where the bot may not embed."""
        facts = " · ".join(f"{label}: {value}" for label, value in self.facts)
        parts = (f"**{self.title}** · {self.head}", self.hands, facts, self.note, self.places)
        return fitted("\n".join(each for each in parts if each).split("\n"), PLAIN)[0]


def sheet(bot: Bot, table: Table, ends: int | None, dress: Dress) -> Sheet:
    """Show a table as the public sees it; `ends` is when its phase is over, in seconds since 1970."""
    board, text = table.kit.display.board(table.view(None)), partial(bot.outbox.text, room=table.room)
    phase = Message("discord-called-off" if table.voided else "discord-over")
    if table.clock is not None:
        phase = Message(f"{table.kit.name}-phase-{table.clock.phase.split()[0]}")
    head = text(phase, dress)
    hands = _hands(text, board.hands, dress)
    return Sheet(
        title=shortened(text(board.title, dress), TITLE),
        head=head if ends is None else f"{head} · <t:{ends}:R>",
        hands=hands,
        facts=_facts(text, board.facts[:MOST_FACTS], dress),
        places=_places(text, board.places, dress, LISTS - units(hands)),
        note=shortened(text(board.note, dress), NOTE) if board.note and not table.voided else "",
        over=table.over,
        scene=_scene(bot, table.room, board, text),
        alt_text=text(_alt_text(board)),
    )


def _scene(bot: Bot, room: Room, board: Board, text: Speech) -> Scene | ResultScene | None:
    """Return what is drawn: the result of a raid, or the cards that lie on the table."""

    def name(seat: Seat) -> str:
        return safe_text(bot.outbox.name(seat, room))

    return scene_of(board, text, name) if board.raid is None else raid_of(board.raid, text, name)


def _alt_text(board: Board) -> Message:
    """Say what the picture shows, for those who cannot see it."""
    if board.raid is None:
        return Message("discord-picture", {"title": board.title})
    captions = {**dict(board.raid.captions), "ran": board.raid.crossed}
    rows = tuple(
        Message(
            "discord-picture-row",
            {"who": Name(each.seat), "fate": captions[each.fate], "gain": signed(each.gain)},
        )
        for each in sorted(board.raid.endings, key=lambda each: -each.gain)[:MOST_SEEN]
    )
    args: Arguments = {
        "title": board.title,
        "target": board.raid.target,
        "verdict": board.raid.verdict,
        "rows": Listing(rows, most=MOST_SEEN),
    }
    return Message("discord-picture-raid", args)


def _facts(text: Speech, facts: Sequence[Fact], dress: Dress) -> tuple[tuple[str, str], ...]:
    """Word the facts; all of them together stay far below what an embed holds."""
    words = [(text(each.label, dress), text(each.value, dress)) for each in facts]
    room = 2000 // max(len(words), 1)
    return tuple(
        (shortened(label, min(NAME, room // 4)), shortened(value, min(VALUE, room))) for label, value in words
    )


def _hands(text: Speech, hands: Sequence[Hand], dress: Dress) -> str:
    """Lay the cards out, a hand in a row; what is shown just now stands large on a line of its own."""
    room = HANDS // max(len(hands), 1)
    lying = [each for each in hands if each.cards or each.hidden]
    rows: list[str] = []
    for owner, theirs in groupby(lying, key=lambda each: each.owner):
        texts = [_hand(text, each, dress, room) for each in theirs]
        rows += texts if owner is None else _with_owner(text(_name(owner), dress), texts)
    return fitted(rows, HANDS)[0]


def _with_owner(name: str, hands: Sequence[str]) -> list[str]:
    """Write whose hands these are before them, or above where they are several."""
    return [f"{name}: {hands[0]}"] if len(hands) == 1 else [f"{name}:", *hands]


def _name(seat: Seat) -> Message:
    return Message("name", {"who": Name(seat)})


def _hand(text: Speech, hand: Hand, dress: Dress, room: int) -> str:
    label = shortened(text(hand.label, dress), room // 4)
    if [each.mark for each in hand.cards] == ["shown"]:
        return f"**{label}**\n# {hand.cards[0].face}"
    parts = [_row(text, hand.cards, room // 2)] if hand.cards else []
    if hand.hidden:
        parts.append(text(Message("discord-hidden", {"hidden": hand.hidden})))
    if hand.detail is not None:
        parts[-1] += f" ({shortened(text(hand.detail, dress), room // 4)})"
    sign = f" {MARKS[hand.mark]}" if hand.mark in MARKS else ""
    return f"**{label}** {' + '.join(parts)}{sign}"


def _row(text: Speech, cards: Sequence[Card], room: int) -> str:
    """Write the newest cards, as many as there is room for, and count those before them."""
    faces = [f"**{each.face}**" if each.mark == "shown" else each.face for each in cards]
    newest, earlier = fitted(faces[::-1], room // 2)  # each comes with a dot and two blanks more
    row = " · ".join(newest.split("\n")[::-1])
    if not earlier:
        return row
    return text(Message("discord-earlier", {"earlier": earlier, "cards": row}))


def _places(text: Speech, places: Sequence[Place], dress: Dress, room: int) -> str:
    """Write a row for each, as many as fit; only those are worded, for a raid is thousands."""
    rows = (
        text(Message("discord-row", {"who": Name(each.seat), "detail": each.detail}), dress)
        for each in places
    )
    listing, count = fitting(rows, room)
    more = len(places) - count
    if not more:
        return listing
    return f"{listing}\n{text(Message('discord-more', {'more': more}), dress)}"
