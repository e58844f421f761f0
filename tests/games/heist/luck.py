"""Luck that a test tells beforehand: it answers from scripts and writes down what it was asked."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")


class Luck(Rng):
    """Every chance must be scripted. The other draws take the first that is offered, unless scripted."""

    def __init__(
        self,
        *chances: bool,
        picks: Iterable[int] = (),
        belows: Iterable[int] = (),
        samples: Iterable[Sequence[int]] = (),
        orders: Iterable[Sequence[int]] = (),
    ) -> None:
        """Script the draws: `picks`, `samples` and `orders` are places in what is offered then."""
        super().__init__(b"")
        self.asked: list[float] = []  # the probabilities, in order
        self.limits: list[int] = []  # of `below`
        self.pools: list[list[object]] = []  # what each choice was offered
        self.offers: list[list[object]] = []  # what each sample and each shuffling was offered
        self._chances = deque(chances)
        self._picks: _Script[int] = _Script("choice", picks)
        self._belows: _Script[int] = _Script("number below a limit", belows)
        self._samples: _Script[Sequence[int]] = _Script("sample", samples)
        self._orders: _Script[Sequence[int]] = _Script("order", orders)

    def bits(self, count: int) -> int:
        raise AssertionError(f"no script knows a draw of {count} bits")

    def chance(self, probability: float) -> bool:
        assert 0 <= probability <= 1, f"{probability} is no probability"
        self.asked.append(probability)
        assert self._chances, f"chance {len(self.asked)} (of {probability}) is not scripted"
        return self._chances.popleft()

    def uniform(self) -> float:
        """Draw what nobody has looked at yet: the script says how it compares when somebody does."""
        return 0.5

    def below(self, limit: int) -> int:
        self.limits.append(limit)
        drawn = self._belows.next(0)
        assert 0 <= drawn < limit, f"{drawn} is not below {limit}"
        return drawn

    def choice(self, items: Sequence[T]) -> T:
        self.pools.append(list(items))
        return items[self._picks.next(0)]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        self.offers.append(list(items))
        places = self._samples.next(range(count))
        assert len(set(places)) == count, f"{count} different places are wanted, not {places}"
        return [items[place] for place in places]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        self.offers.append(list(items))
        places = self._orders.next(range(len(items)))
        assert sorted(places) == list(range(len(items))), f"{places} is no order of {len(items)}"
        return [items[place] for place in places]

    def check_used_up(self) -> None:
        assert not self._chances, f"{len(self._chances)} scripted chances were never asked for"
        for script in (self._picks, self._belows, self._samples, self._orders):
            script.check_used_up()


class Undrawn(float):
    """A draw that is made when it is compared with a probability, by a stream of draws."""

    _rng: Rng

    @classmethod
    def of(cls, rng: Rng) -> Undrawn:
        drawn = cls(0.5)
        drawn._rng = rng
        return drawn

    def __lt__(self, probability: float) -> bool:
        return self._rng.chance(probability)


class _Script(Generic[T]):
    """Items in order; where none were given, each draw takes the default."""

    def __init__(self, what: str, items: Iterable[T]) -> None:
        self._what = what
        self._left = deque(items)
        self._scripted = bool(self._left)

    def next(self, default: T) -> T:
        if not self._scripted:
            return default
        assert self._left, f"one {self._what} more was drawn than scripted"
        return self._left.popleft()

    def check_used_up(self) -> None:
        assert not self._left, f"{len(self._left)} scripted draws of a {self._what} were never made"
