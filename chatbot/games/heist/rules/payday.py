"""The end of every heist: interest on accounts, hiring, salaries, and bribes to guards, in this order.

The contest pays everybody who sits at the table. Where wages go by the stake, payday is for those who
went in with the others; bribes come out of the wage then, and whoever draws none owes none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.heist.rules import career as careers_of
from chatbot.games.heist.rules.arithmetic import HIRING, SALARY
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, GuardsLeft, Hired, Paid, Wage
from chatbot.games.heist.rules.rabble import Purses
from chatbot.kernel.game import Seat, SystemPurse

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.games.heist.rules.banks import Bank, Bounds
    from chatbot.games.heist.rules.crew import Heister
    from chatbot.games.heist.rules.rabble import Rabbler
    from chatbot.games.heist.rules.step_ledger import StepLedger
    from chatbot.kernel.fair import Rng

SIDE_PAYMENTS = frozenset({"payday", "bribes"})
"""The reasons of what the results of a heist leave out."""

_APART = {Act.BACK_OUT, Act.ALL_IN}  # who gets no salary this time


@dataclass(frozen=True, slots=True)
class PaydayResult:
    """What a payday has made of careers, and what is told of it."""

    careers: Mapping[Seat, Career]
    events: Sequence[object]


def pay(
    careers: Mapping[Seat, Career],
    crew: Sequence[Heister],
    banks: tuple[Bank, ...],
    books: StepLedger,
    bounds: Bounds,
    rng: Rng,
) -> PaydayResult:
    """Pay who is to be paid, in the order of sitting down.

    Who backed out, went all in or plays for honour gets no salary this time.
    """
    heisters = {each.seat: each for each in crew}
    after, events, wages = dict(careers), list[object](), []
    for seat, before in careers.items():
        career, heister = careers_of.with_interest(before, bounds), heisters.get(seat)
        stays = heister is not None and heister.act not in _APART
        if bounds.staked_wages and not stays:
            after[seat] = career
            continue
        if not career.employed and rng.chance(HIRING):
            career = careers_of.hired(career, bounds)
            percent = 100 * career.salary // SALARY if bounds.staked_wages else None
            events.append(Hired(seat, career.salary, percent))
        stake = heister.stake if heister else 0
        earns = career.employed and (not heister or (stays and stake > 0))
        salary = bounds.salary(career.salary, stake) if earns else 0
        books.move(SystemPurse.MINT, seat, salary, "payday")
        most = salary if bounds.staked_wages else None
        bribes, unpaid = _bribe(seat, sum(career.guards), books, most)
        if unpaid:
            career = careers_of.without_guards(career, unpaid, banks, bounds, rng)
            events.append(GuardsLeft(seat, unpaid))
        after[seat] = career
        wages += [Wage(seat, salary, bribes)] if salary or bribes else []
    return PaydayResult(after, [Paid(tuple(wages)), *events] if wages else events)


def pay_rabble(
    purses: Purses,
    rabble: Collection[Rabbler],
    winnings: Mapping[int, int],
    salaried: bool,
) -> Purses:
    """Settle the purses of the rabble in this game: stakes, winnings, and salaries unless none are paid."""
    balances = list(purses.credits)
    for each in rabble:
        stake = 0 if each.backed_out else each.stake
        salary = SALARY if salaried and not each.backed_out else 0
        balances[each.place] += winnings.get(each.place, 0) + salary - stake
    return Purses(tuple(balances))


def _bribe(seat: Seat, guards: int, books: StepLedger, most: int | None) -> tuple[int, int]:
    """Pay 1 credit a guard, out of the purse or at most so much; say how many are paid, and how many not."""
    if guards == 0:
        return 0, 0
    bribes = min(guards, books.purse(seat) if most is None else most)
    books.move(seat, SystemPurse.MINT, bribes, "bribes")
    return bribes, guards - bribes
