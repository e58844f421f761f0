"""Finds the table that a command is for, and plays the command there."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import without_currency
from chatbot.kernel.commands import Kind, MoveRequest, TopicRequest
from chatbot.kernel.game import AnyGame, Refusal, Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.lobby import Start
from chatbot.kernel.say import Listing, Message
from chatbot.ledger.books import purses
from chatbot.rooms.availability import offered, require_open
from chatbot.rooms.batch import carry_out
from chatbot.rooms.channel import Privacy
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import stake_left
from chatbot.rooms.settings.lists import all_roles, standing
from chatbot.rooms.table_protocol import Cause
from chatbot.tables.phase_timer import RETRY_DELAY
from chatbot.tables.voucher_stakes import accepts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.bot.lifecycle import Lifecycle
    from chatbot.community.balances import Balances
    from chatbot.community.members import CommunityMembers, LinkedAccounts
    from chatbot.community.open_seats import OpenSeats
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Say
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.line import Line
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.tables.background import Background
    from chatbot.tables.fairness import Fairness
    from chatbot.tables.house_players import HousePlayers

MORE = "more"
COMPANY = 180.0  # seconds for which somebody who has spoken may want to join a lobby
LOBBY = "lobby"  # the setting of its length


def topic_of(kit: AnyKit, command: Command, words: Sequence[str]) -> str:
    """Return the topic of a game that a command asks about; empty if it is no question."""
    asks = command.word == kit.word and (len(words) == 1 or asks_for_more(words))
    topic = words[0].lower() if asks else ""
    return topic if topic in kit.chat.topics else ""


def _require_no_topic(kit: AnyKit, command: Command, words: Sequence[str]) -> None:
    """Require that a move does not begin with a topic, which would be read as something else about the move.

    Raises:
        Refusal: it does: something stands behind the question.
    """
    if command.word == kit.word and words and words[0].lower() in kit.chat.topics:
        raise Refusal(Message("topic-alone", {"word": f"!{kit.word} {words[0].lower()}"}))


def asks_for_more(words: Sequence[str]) -> bool:
    """Whether all is asked for that is to be said of a topic, as in `rules more`."""
    return len(words) == 2 and words[1].lower() == MORE


def table_for(room: Room, kit: AnyKit, command: Command, line: Line, words: Sequence[str]) -> Table | None:
    """Return the table that a line is for: the one that its button belongs to, or the speaker's.

    A member who is only invited may open a table of their own; otherwise an invitation could prevent that.

    Raises:
        Refusal: the button's table is over.
    """
    if line.table is None:
        table = room.place(kit, line.seat)
        is_invited = table is not None and not table.over and line.seat in kit.seating.invited(table.state)
        return room.tables.get(kit.spot(line.seat)) if is_invited and _opens(command, words) else table
    table = room.table(line.table)
    if table is None or table.over or table.kit is not kit:
        raise Refusal(Message("table-over"))
    return table


def _opens(command: Command, words: Sequence[str]) -> bool:
    """Whether a command opens a table, answers no invitation, and names no member."""
    answers = {each for option in command.options if option.answers for each in option.choices}
    return command.opens and not any(word.startswith("@") or word.lower() in answers for word in words)


class Routing:
    """Plays the commands of games, and answers questions about games."""

    def __init__(
        self,
        lifecycle: Lifecycle,
        fairness: Fairness,
        balances: Balances,
        ledger: Ledger,
        members: CommunityMembers,
        players: HousePlayers,
        background: Background,
        open_seats: OpenSeats,
        watch: Watch,
    ) -> None:
        self._open_seats = open_seats
        self._lifecycle, self._fairness, self._balances, self._ledger = lifecycle, fairness, balances, ledger
        self._members, self._players, self._background, self._watch = members, players, background, watch

    async def play(self, request: Request, kit: AnyKit, command: Command) -> None:
        """Play a command at its table, which is opened if necessary.

        Raises:
            Refusal: it is not possible now.
            BrokenGame: the rules failed.
        """
        room, line, batch, words = request.room, request.line, request.batch, request.words
        _require_no_topic(kit, command, words)
        await self._lifecycle.find_lost(room)
        purse = await batch.unit.balance(purses.wallet(room.community, line.seat))
        table = table_for(room, kit, command, line, words)
        if table is not None and table.over:
            await table.finished()  # so that a season that ends with it counts the next stake
        present = table is not None and not table.over
        _require_audience(line, table if present else None)
        if line.most is not None:
            purse = min(purse, line.most)
            if command.wagers:
                raise Refusal(stake_left(line.most))
        if line.voucher is not None:
            _require_place(kit, table if present else None, line)
            purse += line.voucher.credits
        if table is None or table.over:
            role = standing(room, line)
            first = await self._opens_first(batch, room, kit, line)
            table = await self._lifecycle.prepare(
                room, kit, line.seat, role, opens=command.opens, first=first
            )
        move = await self._move(request, command, table, purse)
        action = await self._read(command, table.game, move)
        if isinstance(action, Start) and action in table.menu(line.seat, 0):  # else the rules say why not
            self._require_nobody_else(room, line)
        seats = [line.seat] if present else self._lifecycle.initial_seats(room, table, line.seat)
        cause = Cause(line.id, line.seat, f"line:{line.id}", request.exchange, line.voucher, most=line.most)
        with self._members.linked_accounts.seating(table, seats):
            await table.play(batch, [*await table.sit(seats, batch.unit), action], cause)
        if isinstance(action, Start):  # players of the house that were to come later come now
            batch.then(partial(self._hurry_later, room, table))
        if not present and room.first_lobby:
            await batch.unit.hint(*_opening(room, kit, line.seat))
        if not present:
            await self._fairness.provide_next(batch, room, table.secret)

    def _require_nobody_else(self, room: Room, line: Line) -> None:
        """Require that nobody else is there who may want to join a lobby.

        Raises:
            Refusal: somebody has spoken a short while ago.
        """
        others = {*room.active(self._watch.now() - COMPANY)} - {line.seat, *line.linked_accounts}
        if any(not of_house(each) for each in others):
            raise Refusal(Message("lobby-start-company"))

    async def explain(self, request: Request, kit: AnyKit, topic: str) -> Sequence[Say]:
        """Return the answer to a question about a topic of a game: its first sentence, or all of it.

        Raises:
            Refusal: the game is switched off, and has no open table.
        """
        room, line = request.room, request.line
        if not offered(room, kit) and not room.playing(kit.name):
            require_open(room, kit)
        game, purse = room.rules(kit), await self._balances.purse(room, line.seat)
        bodies = await self._ledger.records(room.id, kit.name, [line.seat])
        record = kit.codec.load(bodies[line.seat]) if line.seat in bodies else None
        topic_request = TopicRequest(line.seat, purse, record, *self._present(room, kit, game))
        first, *others = kit.chat.topics[topic](game, topic_request)
        if others and not asks_for_more(request.words):
            rest = Message("topic-more", {"word": f"!{kit.word} {topic} {MORE}"})
            return [request.answer(Message("word", {"word": Listing((first, rest), separator=" ")}))]
        return [request.answer(each) for each in (others or [first])]

    async def leave(self, table: Table, seat: Seat, posting: str) -> None:
        """Take a player's stake back from a lobby, by a posting of this id; nothing if it is closed."""
        leave = table.kit.money.leave
        ways = [] if leave is None else [each for each in table.menu(seat, 0) if isinstance(each, leave)]
        if ways:
            cause = Cause(seat=seat, posting=posting)
            with suppress(Refusal):  # its games are stopped
                await carry_out(self._ledger, partial(table.play, actions=ways[:1], cause=cause))

    async def hurry(self, room: Room, table: Table) -> None:
        """End the present phase of a table now, after all that house players do in it."""
        clock = table.clock
        await self._players.hurry(room, table)
        if table.clock == clock:  # otherwise the house players have ended the phase
            await table.hurry()

    async def _opens_first(self, batch: Batch, room: Room, kit: AnyKit, line: Line) -> bool:
        """Whether a person opens a table of a game for the first time, and its lobby is as long as it ships.

        Not somebody of a simulated crowd: what they open is there to be joined.
        """
        here = any(each.platform == line.account.platform for each in room.channels)
        if not room.first_lobby or not here or LOBBY in room.settings(kit.name):
            return False
        return not await batch.unit.is_hinted(*_opening(room, kit, line.seat))

    def _hurry_later(self, room: Room, table: Table) -> None:
        # Not here: the batch holds the lock of the table until all of this is done.
        self._watch.ring(0.0, partial(self._players.hurry, room, table))

    def look_again(self, room: Room) -> None:
        """Look for a table that may be open in the database alone, before the next one is opened."""
        room.lost = True
        self._look_later(room)

    def _present(self, room: Room, kit: AnyKit, game: AnyGame) -> tuple[object, int]:
        """Return the public view of the room's only table, if it is open, and how many members are active."""
        table = room.tables.get(kit.name)
        view = None if table is None or table.over else table.view(None)
        minutes = kit.seating.audience(game)
        return view, len(room.active(self._watch.now() - 60 * minutes)) if minutes else 0

    async def _move(self, request: Request, command: Command, table: Table, purse: int) -> MoveRequest:
        """Collect the data that a command is parsed with.

        Raises:
            Refusal: a member is named who is not known.
        """
        room, line, words, members = table.room, request.line, request.words, dict[str, Seat]()
        if _names(table.kit) and any(each.startswith("@") for each in words):
            seated = [each.seat for each in table.kit.display.board(table.view(None)).places]
            words, members = await self._members.mentioned(request, seated)
        if any(each.kind is Kind.AMOUNT for each in command.options):
            words = without_currency(words, currency_names(room))
        confides = all(each.manner.private is Privacy.ALL for each in room.channels)
        engaged = {
            seat
            for seat in (line.seat, *members.values())
            if room.playing_at(table.kit, seat) not in {None, table}
        }
        roles = all_roles(room, line.accounts, line.roles)
        return MoveRequest(
            line.seat,
            purse,
            words,
            public=not line.private,
            confides=confides,
            has_seats=bool(self._open_seats.address),
            members=members,
            engaged=engaged,
            roles=roles,
        )

    async def _read(self, command: Command, game: AnyGame, request: MoveRequest) -> object:
        if command.slow:
            return await self._background.answer(request.seat, lambda: command.read(game, request))
        return command.read(game, request)

    def _look_later(self, room: Room) -> None:
        self._watch.ring(RETRY_DELAY, lambda: self._find_lost(room))

    async def _find_lost(self, room: Room) -> None:
        """Look for a table that is open in the database alone, and retry until the database answers."""
        async with room.order:
            if room.stopped:
                return  # all open tables are read when its games go on
            try:
                await self._lifecycle.find_lost(room)
                self._players.look(room)
            except (SQLAlchemyError, OSError):
                self._look_later(room)


async def seat_speaker(batch: Batch, room: Room, line: Line, linked_accounts: LinkedAccounts) -> None:
    """Seat a speaker at the open tables of games that all active members take part in.

    Of all accounts that are, or were, linked to the same person only one is seated.
    """
    for table in list(seating(room, line, linked_accounts)):
        cause = Cause(line.id, line.seat, f"seat:{table.id}:{line.seat}")
        # A refusal, for example at a table that is over, is not reported, as nobody requested this.
        with suppress(Refusal), linked_accounts.seating(table, [line.seat]):
            await table.play(batch, await table.sit([line.seat], batch.unit), cause)


def seating(room: Room, line: Line, linked_accounts: LinkedAccounts) -> Iterator[Table]:
    """Yield the tables at which a speaker is to be seated; nobody is by what they say on a page."""
    if line.manner is not None:
        return
    for table in room.tables.values():
        if not table.over and table.kit.seating.audience(table.game):
            linked_seats = linked_accounts.people.ties.everyone(line.seat)
            if table.seated.isdisjoint(linked_seats):
                yield table


def _require_audience(line: Line, table: Table | None) -> None:
    """Check that the bot can say where a line came from what becomes of a stake.

    Raises:
        Refusal: it cannot, and the speaker does not play at the table yet.
    """
    if line.barred is not None and (table is None or line.seat not in table.players()):
        raise Refusal(line.barred)


def _require_place(kit: AnyKit, table: Table | None, line: Line) -> None:
    """Check that a voucher can pay for a stake of the speaker.

    Raises:
        Refusal: the game takes no vouchers, or they have staked already.
    """
    if not accepts(kit):
        raise Refusal(Message("voucher-no-lobby", {"game": Message(f"game-{kit.name}")}))
    if table is not None and line.seat in table.players():
        raise Refusal(Message("voucher-already-in"))


def _opening(room: Room, kit: AnyKit, seat: Seat) -> tuple[str, Seat, str]:
    """Return what is recorded, as a hint is, of who opens a table of a game for the first time."""
    return room.community, seat, f"{kit.name} {LOBBY}"


def _names(kit: AnyKit) -> bool:
    """Whether commands of a game can name members."""
    return any(each.kind is Kind.MEMBER for command in kit.chat.commands for each in command.options)
