"""No seat is sent what only another may know, at any step of any game; a planted leak is caught."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.people import Account
from chatbot.web import board_showing, seat_showing
from chatbot.web.seat_showing import SeatHolding
from cogs.local.adapter import Viewer
from tests.bot.tables.published import MARK, NONCE, ShownTable, marked, watched
from tests.bot.tables.test_published_secrets import HIDING, OWN, table_of
from tests.games.play import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.kit import AnyKit
    from tests.bot.stage import Stage
    from tests.games.play import RandomTable

FEW, ALL = 4, 200  # tables of each game
LOOKERS = 3  # seats whose page is looked at after a step, besides that of somebody who does not play


@dataclass
class SeenTable(ShownTable):
    """As much of a table as a seat is shown."""

    voided = False

    def view(self, seat: Seat | None, purse: int = 0) -> Any:
        return self.game.view(self.state, seat, purse)

    def menu(self, seat: Seat, purse: int) -> Sequence[Any]:
        menu: Sequence[Any] = self.game.menu(self.state, seat, purse)
        return menu

    def players(self) -> list[Seat]:
        return [each.seat for each in self.kit.display.board(self.view(None)).places]


class Careless:
    """A game that shows everybody what one of its players may see."""

    def __init__(self, game: Any, seat: Seat) -> None:
        self._game, self._seat = game, seat

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, state: Any, _: Seat | None, purse: int = 0) -> Any:
        seen = self._game.view(state, self._seat, purse)
        deck = getattr(getattr(state, "show", None), "deck", None)
        return seen if deck is None else replace(seen, rest=deck)


def sent(bot: Bot, stage: Stage, table: SeenTable, seat: Seat) -> str:
    """Return all that the page of a seat is sent of a table, and what a board shows of it."""
    viewer = Viewer(Account("test", str(seat)), seat, str(seat), Role.VIEWER)
    stage.room.tables["spot"] = table  # type: ignore[assignment]
    try:
        boards = seat_showing.boards([table])  # type: ignore[list-item]
        places = seat_showing.places(boards)
        own = seat_showing.own(bot, stage.room, SeatHolding(viewer, 500, None, {}), places)
        public = seat_showing.public(bot, table, boards[table.id])  # type: ignore[arg-type]
        board = board_showing.open_row(bot.outbox, table)  # type: ignore[arg-type]
        return json.dumps([public, own, board], ensure_ascii=False)
    except LookupError as error:  # a mark was to be put into words
        return str(error)
    finally:
        del stage.room.tables["spot"]


def leaks(stage: Stage, kit: AnyKit, table: RandomTable, careless: Seat | None = None) -> list[str]:
    """Play a table, and list what seats are sent of what only others may know."""
    found: list[str] = []
    game = table.game if careless is None else Careless(table.game, careless)

    def look(table: RandomTable, _: tuple[Any, ...]) -> None:
        clock = table.game.clock(table.state)
        if clock is None:
            return  # what was secret is shown at the end
        seated = list(table.seated)
        lookers = table.rng.sample(seated, min(LOOKERS, len(seated)))
        for seat in (*lookers, Seat("nobody")):
            hidden = marked(table.state, own=seat)
            shown = SeenTable(kit, game, hidden, clock, stage.room, stage.watch)
            frame = sent(stage.bot, stage, shown, seat)
            if MARK in frame or NONCE in frame:
                found.append(f"{seat}: {frame}")

    watched(table, look)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
async def test_no_seat_is_sent_what_another_may_know(stage: Stage, name: str) -> None:
    for number in range(FEW):
        assert leaks(stage, kits()[name], table_of(kits()[name], str(number))) == [], number


@pytest.mark.nightly
@pytest.mark.parametrize("name", OWN)
async def test_no_seat_is_sent_a_secret_of_a_thousand_tables(stage: Stage, name: str) -> None:
    for number in range(FEW, ALL):
        assert leaks(stage, kits()[name], table_of(kits()[name], str(number))) == [], number


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDING)
async def test_a_leak_that_is_planted_is_caught(stage: Stage, name: str) -> None:
    kit, found = kits()[name], list[str]()
    for number in range(ALL):
        table = table_of(kit, str(number))
        found += leaks(stage, kit, table, careless=PEOPLE[number % len(PEOPLE)])
        if found:
            return
    pytest.fail("nobody has noticed")
