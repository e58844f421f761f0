"""Stakes that a voucher pays for: credits are minted for them, and destroyed when such a stake is returned.

A voucher pays for a stake in a game with a lobby that one can leave. It is open while the lobby is, so that
the platform can still give back what it took; when the lobby closes it is kept. What a player takes back of
it later, by backing out, is destroyed, too: else it would be a way to turn what was paid there into credits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chatbot.kernel.commands import Kind
from chatbot.kernel.game import Refusal, Seat, SystemPurse
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, instalments
from chatbot.ledger.vouchers import VOUCHER, HeldVoucher, Voucher, VoucherState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chatbot.kernel.game import Clock, Transfer
    from chatbot.kernel.kit import AnyKit

LOBBY = "lobby"  # the name of the phase in which a stake can be returned


def accepts(kit: AnyKit) -> bool:
    """Whether a voucher can pay for a stake in a game: it must have a lobby that can be left."""
    return kit.money.leave is not None


def staking(kit: AnyKit, credits_: int) -> str:
    """Return the line by which somebody stakes so many credits in a game that accepts vouchers.

    In some games a number alone is something else, such as how many rounds are played.
    """
    command = next(each for each in kit.chat.commands if each.word == kit.word)
    stake = next(each for each in command.options if each.kind is Kind.AMOUNT)
    return f"!{kit.word} {stake.key}{credits_}"


@dataclass(slots=True)
class VoucherStakes:
    """The vouchers of a table during one step: those `staked` before, by seat, and the `new` one of the step.

    `seat` is who stakes it. The credits are minted into their wallet before the rules take the stake.
    """

    community: str
    staked: Mapping[Seat, HeldVoucher]
    new: Voucher | None = None
    seat: Seat = field(default=Seat(""))
    _refunded: dict[Seat, int] = field(default_factory=dict)

    def minted(self) -> tuple[Entry, ...]:
        """Return the entries that create the credits of the new voucher."""
        if self.new is None:
            return ()
        wallet = purses.wallet(self.community, self.seat)
        return tuple(instalments(purses.mint(self.community), wallet, self.new.credits, VOUCHER))

    def note(
        self, before: Clock | None, backs_out: Callable[[Seat], bool], transfers: Iterable[Transfer]
    ) -> None:
        """Note the stakes that an action returns.

        `before` is the clock that ran before it, and `backs_out` says of whom the stake was to come back
        then. In a lobby whatever comes out of the pot is a stake.
        """
        in_lobby = before is not None and before.phase == LOBBY
        for each in transfers:
            if each.source is SystemPurse.POT and isinstance(each.target, str) and each.target in self.staked:
                seat = Seat(each.target)
                if in_lobby or backs_out(seat):
                    self._refunded[seat] = self._refunded.get(seat, 0) + each.credits

    def require_exact(self, wallet_change: int) -> None:
        """Require that the new voucher was staked as a whole, by the change of its wallet, and nothing more.

        Raises:
            Refusal: the table takes another stake.
        """
        if self.new is not None and wallet_change:
            raise Refusal(Message("voucher-other-stake"))

    def burnt(self) -> tuple[Entry, ...]:
        """Return the entries that destroy the credits of vouchers whose stakes come back."""
        return tuple(
            entry
            for seat, credits_ in self._refunded.items()
            for entry in instalments(
                purses.wallet(self.community, seat),
                purses.mint(self.community),
                min(credits_, self.staked[seat].voucher.credits),
                VOUCHER,
            )
        )

    def held_vouchers(self, after: Clock | None) -> tuple[HeldVoucher, ...]:
        """Return the vouchers that the step stakes or decides; `after` is the clock that runs then."""
        state = _state(after)
        vouchers = [
            replace(each, state=VoucherState.RETURNED if seat in self._refunded else state)
            for seat, each in self.staked.items()
            if each.state is VoucherState.OPEN
        ]
        if self.new is not None:
            vouchers.append(HeldVoucher(self.new, self.seat, state, new=True))
        return tuple(vouchers)

    def left(self, after: Clock | None) -> dict[Seat, HeldVoucher]:
        """Return the vouchers whose stakes lie at the table after the step, by seat."""
        state = _state(after)
        left = {
            seat: replace(each, state=state)
            for seat, each in self.staked.items()
            if seat not in self._refunded
        }
        return left if self.new is None else {**left, self.seat: HeldVoucher(self.new, self.seat, state)}


def _state(after: Clock | None) -> VoucherState:
    """Return the state of stakes that lie at a table while a clock runs."""
    return VoucherState.OPEN if after is not None and after.phase == LOBBY else VoucherState.KEPT
