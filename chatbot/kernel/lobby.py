"""A lobby: who opens a table says how long the game is and for what; others join, or all go home again.

With a stake, a player of the house sits down only when the lobby closes, and only beside one person: two who
help each other beat one who helps nobody. So nobody can join, or leave, knowing that it is there.

What is said there are messages of the game's own: `<word>-opened`, `-joined`, `-you-joined`, `-left`,
`-you-left`, `-abandoned`; to whoever cannot join `-already-in`, `-too-late` and `-other-terms`, and to
whoever cannot leave `-not-joined` and `-leave-too-late`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol, TypeAlias, TypeVar

from pydantic import Field

from chatbot.kernel import lineup, returns, stakes
from chatbot.kernel.game import Refusal, Seat, Step, SystemPurse, Transfer
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say, Talk, Tellers
from chatbot.kernel.settings import Flag, Unit, Whole, Window
from chatbot.kernel.stakes import StakedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.house_seats import Roster

FEWEST, MOST = 2, 10  # players at a table
LEAVE = "leave"  # what somebody types behind the word of a game to take the stake back
START = "start"  # and to begin at once, for who is alone; also a command of its own

Players = Annotated[Whole, Field(ge=FEWEST, le=MOST), Unit("people")]
HousePlayers = Annotated[Whole, Field(ge=0, le=MOST - 1), Unit("people")]
Fills = Annotated[Whole, Field(ge=0, le=MOST), Unit("people")]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Lobby:
    """Whoever has joined, in the order of joining; what is played for is settled by the first.

    It stays settled when all have left: the lobby goes on, and who joins it then joins on its terms.
    """

    players: tuple[Seat, ...] = ()
    length: int = 0  # of the game; 0: nobody has said yet
    credits: int = 0  # that each has staked
    started: Seat | None = None  # who was alone there, and waits for nobody else while they are

    @property
    def deserted(self) -> bool:
        """Whether too few are there, or players of the house alone, whom people have left behind."""
        return len(self.players) < FEWEST or all(map(of_house, self.players))

    @property
    def opened(self) -> bool:
        """Whether somebody has said what is played for."""
        return self.length > 0

    @property
    def alone(self) -> Seat | None:
        """The only player, if there is one who has staked something and is no player of the house."""
        if len(self.players) != 1 or not self.credits or of_house(self.players[0]):
            return None
        return self.players[0]


class LobbyTable(Protocol):
    """What is known in every state of a table: who plays at it, and what each has staked."""

    @property
    def players(self) -> Sequence[Seat]: ...

    @property
    def credits(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Wish:
    """On which terms somebody would join; None: on those that are usual, or that the table has."""

    seat: Seat
    length: int | None = None
    credits: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Take the own stake back, before the lobby closes: an action of the games with a lobby."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Start:
    """Begin at once, for who is alone in a lobby; it closes when nobody needs the time any more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ForHonour:
    """Return the stake of who is alone, who then plays for honour: an action of the house at the end."""

    seat: Seat


# Events


@dataclass(frozen=True, slots=True)
class Opened:
    seat: Seat
    length: int
    credits: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Joined:
    seat: Seat
    credits: int
    players: int


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody has taken the stake back; `players` counts who stays."""

    seat: Seat
    credits: int
    players: int


@dataclass(frozen=True, slots=True)
class Started:
    """Whoever was alone waits for nobody else."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Too few came; every stake has been returned."""

    players: int


@dataclass(frozen=True, slots=True)
class StakeReturned:
    """Nobody else came, and no player of the house plays for that stake: it is for honour."""

    seat: Seat
    credits: int


LobbyEvent: TypeAlias = Opened | Joined | Left | Started | Abandoned | StakeReturned

MOVED = frozenset({Opened, Joined, Left})
"""Kinds of events after which somebody else, or nobody, may be alone in a lobby."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """On which terms tables of a game are opened and joined in a room."""

    lengths: Lengths
    length: int  # where nothing is said
    stake: int  # where nothing is said; 0: for honour
    least: int  # credits that may be staked
    most: int  # 0: no limit
    players: int  # that fill a table
    seconds: int  # in which people may join
    stakes: bool = True  # whether anything may be staked

    def offers(self, lobby: Lobby, seat: Seat, purse: int) -> list[Wish]:
        """List the terms on which a seat can open the table or join it, as far as its purse pays them."""
        if seat in lobby.players:
            return []
        if lobby.opened:
            terms = [(lobby.length, lobby.credits)]
        else:
            terms = [(self.length, stake) for stake in dict.fromkeys((self.stake, 0))]
        return [Wish(seat, length, stake) for length, stake in terms if stake <= purse]

    def join(self, state: LobbyTable, wish: Wish, close: Callable[[Lobby], Step[S]]) -> Step[S | Lobby]:
        """Let somebody in; a full lobby closes at once, for there is nobody to wait for.

        Raises:
            Refusal: they are in, or it is too late, or they wish for other terms than can be had.
        """
        if wish.seat in state.players:
            raise Refusal(Message(f"{self.lengths.word}-already-in", _terms(state)))
        if not isinstance(state, Lobby):
            raise Refusal(Message(f"{self.lengths.word}-too-late"))
        step = self._join(state, wish) if state.opened else self._open(wish)
        if len(step.state.players) < self.players:
            return Step(step.state, step.events, step.transfers)
        closing = close(step.state)
        events, transfers = (*step.events, *closing.events), (*step.transfers, *closing.transfers)
        return Step(closing.state, events, transfers)

    def give_back(self, state: LobbyTable, action: Leave | ForHonour) -> Step[Lobby]:
        """Return the stake of who leaves, or of who is alone and plays for honour; raises as these do."""
        return self.leave(state, action) if isinstance(action, Leave) else self.waive(state, action)

    def waive(self, state: LobbyTable, action: ForHonour) -> Step[Lobby]:
        """Return the stake of who is alone; the lobby is for honour then.

        Raises:
            Refusal: they are not alone there, or have staked nothing.
        """
        if not isinstance(state, Lobby) or state.alone != action.seat:
            raise Refusal(Message(f"{self.lengths.word}-too-late"))
        event = StakeReturned(action.seat, state.credits)
        return Step(replace(state, credits=0), (event,), _back(state, state.players))

    def leave(self, state: LobbyTable, action: Leave) -> Step[Lobby]:
        """Let somebody out with their stake.

        Raises:
            Refusal: they are not in, or it is too late.
        """
        if not isinstance(state, Lobby):
            raise Refusal(Message(f"{self.lengths.word}-leave-too-late"))
        if action.seat not in state.players:
            raise Refusal(Message(f"{self.lengths.word}-not-joined"))
        left = replace(state, players=tuple(each for each in state.players if each != action.seat))
        event = Left(action.seat, state.credits, len(left.players))
        return Step(left, (event,), _back(state, [action.seat]))

    def start(self, state: LobbyTable, action: Start, *, fills: bool) -> Step[Lobby]:
        """Let who is alone begin; `fills`: whether a player of the house sits down with them.

        Raises:
            Refusal: they are not alone in a lobby, or nobody would play with them.
        """
        if not isinstance(state, Lobby):
            raise Refusal(Message("lobby-start-too-late"))
        require_alone(action.seat, state.players)
        if not fills and len(state.players) < FEWEST:
            raise Refusal(Message("lobby-start-nobody"))
        return Step(replace(state, started=action.seat), (Started(action.seat),))

    def _open(self, wish: Wish) -> Step[Lobby]:
        length = self.lengths.check(self.length if wish.length is None else wish.length)
        stake = self.stake if wish.credits is None else wish.credits
        if stake and not self.stakes:
            raise Refusal(Message("stakes-off"))
        if stake:
            stakes.check(stake, self.least, self.most)
        event = Opened(wish.seat, length, stake, self.seconds)
        return Step(Lobby((wish.seat,), length, stake), (event,), stakes.put(wish.seat, stake))

    def _join(self, lobby: Lobby, wish: Wish) -> Step[Lobby]:
        if wish.length not in {None, lobby.length} or wish.credits not in {None, lobby.credits}:
            args: Arguments = {self.lengths.counts: lobby.length, **_terms(lobby)}
            raise Refusal(Message(f"{self.lengths.word}-other-terms", args))
        if of_house(wish.seat) and lobby.credits and lobby.alone is None:
            raise Refusal(Message(f"{self.lengths.word}-too-late"))
        after = replace(lobby, players=(*lobby.players, wish.seat))
        event = Joined(wish.seat, lobby.credits, len(after.players))
        return Step(after, (event,), stakes.put(wish.seat, lobby.credits))


@dataclass(frozen=True, slots=True)
class LobbyGame(StakedGame, ABC):
    """The settings that games with a lobby have in common, beside those of stakes.

    Raises:
        Refusal: as `StakeSettings`; or a strategy of the house can be beaten where stakes are possible.
    """

    name: ClassVar[str]  # of the game, as the table of returns has it
    lengths: ClassVar[Lengths]  # how long a game may be
    known_strategies: ClassVar[Collection[str]]  # of the players of the house

    stakes: Flag = True
    lobby: Window = 60
    most_players: Players = MOST
    house_players: HousePlayers = 0
    house_fills: Fills = 2
    house_strategies: lineup.Names = (lineup.ANY,)

    def __post_init__(self) -> None:
        StakedGame.__post_init__(self)
        if self.stakes and self.fills:
            lineup.require_unbeatable(self.name, self.strategies, self.lengths)

    @property
    @abstractmethod
    def length(self) -> int:
        """How long a game is where nothing is said."""

    @property
    def usual_stake(self) -> int:
        """What is staked where nothing is said."""
        stake = self.default_stake if self.stakes else 0
        return stakes.within(stake, self.min_stake, self.max_stake) if stake else 0

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies of the players of the house, of which each is drawn as often as it is named."""
        return lineup.drawn_from(self.house_strategies, self.known_strategies)

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies of the players of the house, each once."""
        return tuple(dict.fromkeys(self.strategies))

    @property
    def fills(self) -> bool:
        """Whether a player of the house sits down with somebody who is alone."""
        return self.house_players > 0 or self.house_fills >= FEWEST

    @property
    def roster(self) -> Roster:
        """Which players of the house join a table that is for honour."""
        players, fills = self.house_players, self.house_fills
        return lineup.roster(self.strategies, players=players, fills=fills, most=self.most_players)

    def staking(self, length: int) -> tuple[str, ...]:
        """Return the strategies of the house that play a game of this length for credits."""
        return tuple(each for each in self.strategies if returns.may_take_stakes(self.name, each, length))

    @abstractmethod
    def most_won(self, credits_: int) -> int:
        """Return the most that one person can win of one player of the house with such a stake."""

    @property
    def entrance(self) -> Entrance:
        """On which terms tables are opened and joined."""
        return Entrance(
            self.lengths,
            length=self.length,
            stake=self.usual_stake,
            least=self.min_stake,
            most=self.max_stake,
            players=self.most_players,
            seconds=self.lobby,
            stakes=self.stakes,
        )

    def start(self) -> Lobby:
        """Return an empty lobby."""
        return Lobby()

    def start_lobby(self, state: LobbyTable, action: Start) -> Step[Lobby]:
        """Let who is alone begin at once; raises as `Entrance.start` does."""
        return self.entrance.start(state, action, fills=self.fills)

    def ways_out(self, lobby: Lobby, seat: Seat) -> list[Leave | Start]:
        """List what is offered to who is in: to leave, and to begin if they are alone."""
        alone = may_start(seat, lobby.players) and (self.fills or len(lobby.players) >= FEWEST)
        return [Leave(seat), Start(seat)] if alone and lobby.started != seat else [Leave(seat)]


def _terms(table: LobbyTable | Opened | Joined) -> Mapping[str, Message]:
    """Say what is played for."""
    return {"terms": stakes.terms(table.credits, each=True)}


def hastened(game: LobbyGame, seconds: int) -> LobbyGame:
    """Make rules whose lobby takes at most so many seconds."""
    return replace(game, lobby=min(game.lobby, seconds))


def label(word: str, action: Leave | Start) -> Message:
    """Return what stands on the button of whoever waits."""
    return Message("lobby-button-start" if isinstance(action, Start) else f"{word}-button-leave")


def line(word: str, action: Leave | Start) -> str:
    """Write what whoever waits can do as somebody would type it."""
    return f"!{word} {START if isinstance(action, Start) else LEAVE}"


def require_alone(seat: Seat, players: Collection[Seat]) -> None:
    """Check that somebody is in a lobby, and nobody else but players of the house.

    Raises:
        Refusal: they are not.
    """
    if seat not in players:
        raise Refusal(Message("lobby-start-not-in"))
    if not may_start(seat, players):
        raise Refusal(Message("lobby-start-others"))


def may_start(seat: Seat, players: Collection[Seat]) -> bool:
    """Whether a seat is the only person in a lobby."""
    # The first other person decides it: a crowd of hundreds is not looked through whenever a seat is shown.
    return seat in players and not any(each != seat and not of_house(each) for each in players)


def awaited(state: object) -> Sequence[Seat] | None:
    """Return who has to act until a lobby closes: nobody while its starter is alone; None: its clock."""
    if not isinstance(state, Lobby) or state.started is None:
        return None
    return () if may_start(state.started, state.players) else None


def starts(words: Sequence[str]) -> bool:
    """Whether these words behind a game's own say that who is alone begins."""
    return [each.lower() for each in words] == [START]


def leaves(words: Sequence[str]) -> bool:
    """Whether these words behind a game's own say that somebody leaves its lobby."""
    return [each.lower() for each in words] == [LEAVE]


# The end of it


def abandoned(lobby: Lobby, over: S) -> Step[S]:
    """Send home whoever has come, with their stakes."""
    return Step(over, (Abandoned(len(lobby.players)),), _back(lobby, lobby.players))


def _back(lobby: Lobby, seats: Collection[Seat]) -> tuple[Transfer, ...]:
    return tuple(Transfer(SystemPurse.POT, seat, lobby.credits, "back") for seat in seats if lobby.credits)


def may_leave(lobby: Lobby, seat: Seat) -> bool:
    """Whether a seat is offered the way out; players of the house stay."""
    return seat in lobby.players and not of_house(seat)


def buy_in(state: LobbyTable) -> int:
    """Say what it takes to join."""
    return state.credits if isinstance(state, Lobby) else 0


def winnable(
    game: object,  # noqa: ARG001
    state: LobbyTable,
    other: LobbyTable | None = None,  # noqa: ARG001
) -> Mapping[Seat, int]:
    """Return the most that each player can win of the stakes of other people.

    What players of the house stake belongs to the house.
    """
    people = [each for each in state.players if not of_house(each)]
    return dict.fromkeys(people, state.credits * (len(people) - 1))


# What is told


def tellers(lengths: Lengths) -> Tellers:
    """Tell what happens in a lobby in the words of a game."""
    word = lengths.word
    return {
        Opened: partial(_tell_opened, lengths),
        Joined: partial(_tell_joined, word),
        Left: partial(_tell_left, word),
        Started: tell_started,
        StakeReturned: _tell_returned,
        Abandoned: partial(_tell_abandoned, word),
    }


def _tell_opened(lengths: Lengths, event: Opened) -> Iterator[Say]:
    args: Arguments = {
        "who": Name(event.seat),
        lengths.counts: event.length,
        "seconds": event.seconds,
        **_terms(event),
    }
    yield Say(Message(f"{lengths.word}-opened", args))


def _tell_joined(word: str, event: Joined) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.seat), "players": event.players, **_terms(event)}
    yield Say(Message(f"{word}-joined", args), talk=Talk.FULL, shown=True)
    yield Say(Message(f"{word}-you-joined", args), to=event.seat, talk=Talk.FULL)


def _tell_left(word: str, event: Left) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.seat), "players": event.players, "stake": event.credits}
    yield Say(Message(f"{word}-left", args), talk=Talk.NORMAL, shown=True)
    yield Say(Message(f"{word}-you-left", args), to=event.seat, talk=Talk.FULL)


def tell_started(event: Started) -> Iterator[Say]:
    """Tell that who was alone begins."""
    yield Say(Message("lobby-started", {"who": Name(event.seat)}), talk=Talk.FULL, shown=True)
    yield Say(Message("lobby-you-started"), to=event.seat, talk=Talk.FULL)


def _tell_returned(event: StakeReturned) -> Iterator[Say]:
    yield Say(Message("lobby-returned", {"who": Name(event.seat), "stake": Credits(event.credits)}))


def _tell_abandoned(word: str, event: Abandoned) -> Iterator[Say]:  # noqa: ARG001
    yield Say(Message(f"{word}-abandoned"))
