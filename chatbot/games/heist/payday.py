"""The end of every heist: interest on accounts, hiring, salaries, and bribes to guards, in this order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.heist import career as careers_of
from chatbot.games.heist.career import SALARY, Career
from chatbot.games.heist.moves import Act, GuardsLeft, Hired, Paid, Wage
from chatbot.games.heist.rabble import Purses
from chatbot.kernel.game import Seat, Till

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.games.heist.banks import Bank
    from chatbot.games.heist.books import Books
    from chatbot.games.heist.rabble import Rabbler
    from chatbot.kernel.fair import Rng

HIRING = 0.05  # probability that an unemployed player finds a job at the end of a heist


@dataclass(frozen=True, slots=True)
class Payroll:
    careers: Mapping[Seat, Career]
    events: Sequence[object]


def pay(
    careers: Mapping[Seat, Career],
    acts: Mapping[Seat, Act],
    banks: tuple[Bank, ...],
    books: Books,
    rng: Rng,
) -> Payroll:
    """Pay every member who sits at the table, heister or not, in the order of sitting down.

    `acts` says what the heisters did; who backed out or went all in gets no salary this time.
    """
    after, events, wages = dict(careers), list[object](), []
    for seat, before in careers.items():
        career = careers_of.with_interest(before)
        if not career.employed and rng.chance(HIRING):
            career = careers_of.hired(career)
            events.append(Hired(seat, career.salary))
        salary = _salary(career, acts.get(seat))
        books.move(Till.MINT, seat, salary, "payday")
        bribes, unpaid = _bribe(seat, sum(career.guards), books)
        if unpaid:
            career = careers_of.without_guards(career, unpaid, banks, rng)
            events.append(GuardsLeft(seat, unpaid))
        after[seat] = career
        wages += [Wage(seat, salary, bribes)] if salary or bribes else []
    return Payroll(after, [Paid(tuple(wages)), *events] if wages else events)


def pay_rabble(
    purses: Purses,
    rabble: Collection[Rabbler],
    winnings: Mapping[int, int],
    salaried: bool,
) -> Purses:
    """Settle the purses of the rabble in this game: stakes, winnings, and salaries unless none are paid."""
    held = list(purses.credits)
    for each in rabble:
        stake = 0 if each.backed_out else each.stake
        salary = SALARY if salaried and not each.backed_out else 0
        held[each.place] += winnings.get(each.place, 0) + salary - stake
    return Purses(tuple(held))


def _salary(career: Career, act: Act | None) -> int:
    return career.salary if career.employed and act not in {Act.BACK_OUT, Act.ALL_IN} else 0


def _bribe(seat: Seat, guards: int, books: Books) -> tuple[int, int]:
    """Pay 1 credit a guard as far as the purse goes; say how many are paid and how many are not."""
    if guards == 0:
        return 0, 0
    paid = min(guards, books.purse(seat))
    books.move(seat, Till.MINT, paid, "bribes")
    return paid, guards - paid
