"""Who is in on a heist: heisters, and their crew, to which one more is added in constant time."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, overload

from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Heister:
    """One of the crew: what they staked, and their answer of the getaway.

    `bonus` is added to their odds if they get away, in units of 0.00001.
    """

    seat: Seat
    stake: int
    act: Act = Act.GUNCHECK
    bonus: int = 0

    @property
    def committed(self) -> bool:
        """Whether they go in."""
        return self.act is not Act.BACK_OUT


@dataclass(frozen=True, slots=True)
class Mate:
    """What everybody knows of one of the crew."""

    seat: Seat
    stake: int
    answered: bool


class Crew(Sequence[Heister]):
    """Heisters by order of joining, no seat twice; `staked` are the credits of all of them.

    A crew and those that were made of it by `joined` share one list, which only grows: each is the part of it
    that has its own length. Otherwise each of a thousand who join would cost a copy of all before.
    """

    __slots__ = ("_count", "_mates", "_places", "_row", "staked")

    staked: int

    def __init__(self, heisters: Iterable[Heister] = ()) -> None:
        self._row = list(heisters)
        self._places = {each.seat: place for place, each in enumerate(self._row)}
        self._count = len(self._row)
        self._mates: tuple[AbstractSet[Seat], tuple[Mate, ...]] | None = None
        self.staked = sum([each.stake for each in self._row])

    def joined(self, heister: Heister) -> Crew:
        """Return the crew with one more."""
        row, count = self._row, self._count
        if len(row) != count:  # somebody else has joined this crew before
            return Crew((*self, heister))
        # Replays run in threads. `append` is atomic, so that of two that join one crew at once only one finds
        # its own heister in the place.
        row.append(heister)
        if row[count] is not heister:  # another thread was faster
            return Crew((*self, heister))
        self._places[heister.seat] = count
        crew = Crew.__new__(Crew)
        crew._row, crew._places, crew._count, crew._mates = row, self._places, count + 1, None  # noqa: SLF001  (its own class)
        crew.staked = self.staked + heister.stake
        return crew

    def find(self, seat: Seat) -> Heister | None:
        """Return the one with this seat, or None."""
        place = self._places.get(seat)
        return None if place is None or place >= self._count else self._row[place]

    def mates(self, answered: AbstractSet[Seat]) -> tuple[Mate, ...]:
        """Return what everybody knows of them, given who has answered.

        The last one is kept: hundreds of seats are shown the same, each with what it knows of itself.
        """
        kept = self._mates
        if kept is None or kept[0] != answered:
            mates = tuple([Mate(each.seat, each.stake, each.seat in answered) for each in self])
            self._mates = kept = (answered, mates)
        return kept[1]

    def apart(self, other: Crew) -> Sequence[Heister]:
        """Return those who are not the same at their place in another crew."""
        if self._row is other._row:
            return self._row[other._count : self._count]
        pairs = zip_longest(self, other)
        return [each for each, there in pairs if each is not None and each is not there]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Heister]:
        return iter(self._row[: self._count])

    @overload
    def __getitem__(self, place: int) -> Heister: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Heister]: ...

    def __getitem__(self, place: int | slice) -> Heister | Sequence[Heister]:
        if isinstance(place, slice):
            return tuple(self)[place]
        return self._row[range(self._count)[place]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Crew) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Crew({list(self)!r})"

    def __reduce__(self) -> tuple[type[Crew], tuple[tuple[Heister, ...]]]:
        return Crew, (tuple(self),)
