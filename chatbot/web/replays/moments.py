"""The moments of a finished table, and what of them follows from its record alone.

A replay shows the table after each step. Of a crowd not every step is shown, so that what is sent stays
small: those at which a phase ends always are. What words say depends on a language and on names; everything
else here follows from the record by the rules, so whoever has both can compare it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from chatbot.kernel.board import Board
from chatbot.kernel.codec import plain
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.kit import AnyKit, HiddenChoice
from chatbot.ledger.books.journal import TableRecord
from chatbot.tables.draw_log import DrawnTurn, logged
from chatbot.tables.events.table_picture import TablePicture
from chatbot.web.showing import shown_cards

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.kernel.board import Hand
    from chatbot.tables.replay import Replay

MOST_PLACES = 6_000  # players in all moments together: a raid of 500 has 12 of them
MOST_MOMENTS = 400
MOST_VIEWERS = 24  # players whose own view is shown; in a crowd they see little more than everybody


@dataclass(frozen=True, slots=True)
class TableMoment:
    """A table after a step; `events` are those since the moment before."""

    turn: int
    at: datetime
    picture: TablePicture
    events: tuple[object, ...]
    # By seat; None: that of everybody. They are made once, in the thread that plays: of a crowd each takes
    # milliseconds.
    _boards: dict[Seat | None, Board] = field(default_factory=dict, repr=False)

    def board(self, seat: Seat | None) -> Board:
        """Return the board that everybody sees then (None), or the hands and the note that a seat sees."""
        if seat not in self._boards:
            board = self.picture.kit.display.board(self.picture.game.view(self.picture.state, seat))
            self._boards[seat] = (
                board if seat is None else Board(board.title, hands=board.hands, note=board.note)
            )
        return self._boards[seat]


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A record that was played again."""

    kit: AnyKit
    record: TableRecord
    moments: Sequence[TableMoment]
    draws: Sequence[DrawnTurn]
    choices: Sequence[HiddenChoice]
    viewers: Sequence[Seat]

    def facts(self) -> dict[str, object]:
        """Return everything that follows from the record, as JSON."""
        return {
            "draws": [drawn_json(each) for each in self.draws],
            "choices": [choice_json(each) for each in self.choices],
            "viewers": list(self.viewers),
            "frames": [frame_facts(each, self.viewers) for each in self.moments],
        }


@dataclass(slots=True)
class _Watching:
    """Takes down each step of a replay."""

    record: TableRecord
    moments: list[TableMoment] = field(default_factory=list)

    def look(self, replay: Replay) -> None:
        step = self.record.steps[len(self.moments)]
        identity = self.record.id, replay.kit, replay.game, replay.state
        picture = TablePicture(*identity, replay.clock, None, None, replay.clock is None)
        self.moments.append(
            TableMoment(
                replay.turn, step.turns[-1].at or self.record.opened_at, picture, replay.events[-1][1]
            )
        )


def play(kit: AnyKit | None, record: TableRecord) -> PlayedTable:
    """Play a finished table again, which takes up to seconds if many played there.

    Raises:
        Unreplayable: see `replay`.
    """
    watching = _Watching(record)
    replayed, draws = logged(kit, record, watching.look)
    moments = _chosen(watching.moments)
    viewers = _viewers(moments)
    for moment in moments:
        for seat in (None, *viewers):
            moment.board(seat)
    choices = list(replayed.kit.rules.hidden_choices(replayed.state))
    return PlayedTable(replayed.kit, record, moments, draws, choices, viewers)


def drawn_json(drawn: DrawnTurn) -> dict[str, object]:
    return {"turn": drawn.turn, "key": drawn.key.hex(), "draws": list(drawn.draws)}


def choice_json(choice: HiddenChoice) -> dict[str, object]:
    """Describe what the house had fixed, with what was told of it before."""
    return {
        "round": choice.round,
        "seat": choice.seat,
        "nonce": choice.nonce,
        "choice": choice.choice,
        "digest": choice.digest,
    }


def frame_facts(moment: TableMoment, viewers: Sequence[Seat]) -> dict[str, object]:
    """Describe a moment without words."""
    picture = moment.picture
    public = moment.board(None)
    return {
        "turn": moment.turn,
        "at": moment.at.isoformat(),
        "over": picture.over,
        "phase": None if picture.clock is None else picture.clock.phase,
        "pot": public.pot,
        "view": plain(picture.game.view(picture.state, None)),
        "seats": [[each.seat, each.mark, of_house(each.seat)] for each in public.places],
        "hands": {seat: hands for seat, hands in own_hands(moment, viewers)},  # noqa: C416
    }


def own_hands(moment: TableMoment, viewers: Sequence[Seat]) -> Iterator[tuple[str, list[list[object]]]]:
    """Yield the cards that everybody sees, for "", and those of each viewer who sees others."""
    public = [hand_facts(each) for each in moment.board(None).hands]
    yield "", public
    for seat in viewers:
        own = [hand_facts(each) for each in moment.board(seat).hands]
        if own != public:
            yield seat, own


def hand_facts(hand: Hand) -> list[object]:
    """Describe the cards of a hand: whose it is, faces that are shown, how many in all, how many hidden."""
    cards = shown_cards(hand)
    return [hand.owner, [each.face for each in cards], len(hand.cards) + hand.hidden, hand.hidden, hand.mark]


def frame_facts_of(frame: Mapping[str, Any]) -> dict[str, object]:
    """Return what of a frame, as a document has it, follows from the record.

    Raises:
        KeyError, TypeError: it is no frame.
    """
    table = frame["table"]
    return {
        "turn": frame["turn"],
        "at": frame["at"],
        "over": table["over"],
        "phase": None if table["phase"] is None else table["phase"]["name"],
        "pot": table["pot"],
        "view": table["view"],
        "seats": [[each["seat"], each["mark"], each["house"]] for each in table["seats"]],
        "hands": {
            seat: [
                [
                    each["seat"],
                    [card["face"] for card in each["cards"]],
                    each["count"],
                    each["hidden"],
                    each["mark"],
                ]
                for each in rows
            ]
            for seat, rows in frame["hands"].items()
        },
    }


def _chosen(moments: Sequence[TableMoment]) -> list[TableMoment]:
    """Choose the moments that are shown: all, or those that end a phase and some between them."""
    largest = max((len(each.board(None).places) for each in moments[-1:]), default=0)
    most = max(2, min(MOST_MOMENTS, MOST_PLACES // max(largest, 1)))
    if len(moments) <= most:
        return list(moments)
    needed = {
        number
        for number, (one, other) in enumerate(itertools.pairwise(moments))
        if _phase(one) != _phase(other)
    }
    needed |= {0, len(moments) - 1}
    spacing = -(-len(moments) // most)
    kept = sorted(needed | set(range(0, len(moments), spacing)))
    return [
        _joined(moments[before + 1 : number + 1]) for before, number in zip([-1, *kept], kept, strict=False)
    ]


def _joined(moments: Sequence[TableMoment]) -> TableMoment:
    """Return the last of some moments, with the events of all."""
    last, events = moments[-1], tuple(event for each in moments for event in each.events)
    return TableMoment(last.turn, last.at, last.picture, events)


def _phase(moment: TableMoment) -> str | None:
    return None if moment.picture.clock is None else moment.picture.clock.phase


def _viewers(moments: Sequence[TableMoment]) -> list[Seat]:
    """Return the people who played there, in the order in which they are first seen."""
    seats = (place.seat for each in moments for place in each.board(None).places)
    return [each for each in dict.fromkeys(seats) if not of_house(each)][:MOST_VIEWERS]
