"""What may be staked at a table: the settings that games share, and how they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.kernel.amounts import MOST, read_amount
from chatbot.kernel.game import Refusal, Role, Seat, SystemPurse, Transfer
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Stake = Annotated[Whole, Field(ge=1, le=MOST), Unit("credits")]
Cap = Annotated[Whole, Field(ge=0, le=MOST), Unit("credits")]
"""A limit, of which 0 is none; as a usual stake, 0 is for honour."""

MOST_IN_CHAT = 5000
"""The largest stake unless a room says otherwise, DeepBot's: nobody's fortune decides an evening."""


@dataclass(frozen=True, slots=True)
class StakeSettings:
    """The settings that all games with a stake have in common.

    Raises:
        Refusal: the smallest stake would be above the largest.
    """

    starters: Role = Role.VIEWER
    default_stake: Cap = 0
    min_stake: Stake = 1
    max_stake: Cap = MOST_IN_CHAT

    def __post_init__(self) -> None:
        least, most = self.min_stake, self.max_stake
        if most and most < least:
            raise Refusal(Message("stakes-crossed", {"least": Credits(least), "most": Credits(most)}))

    @property
    def usual_stake(self) -> int:
        """What is staked where nothing is said, as far as the limits allow it; 0: it is for honour."""
        return within(self.default_stake, self.min_stake, self.max_stake) if self.default_stake else 0


@dataclass(frozen=True, slots=True)
class StakedGame(StakeSettings):
    """A game with a stake whose steps depend on no wallet, and after which a room need not wait."""

    def needs(self, state: object, action: object) -> Collection[Seat]:  # noqa: ARG002
        """Return the seats whose purses a step must know: none."""
        return ()

    def rest(self, state: object) -> int:  # noqa: ARG002
        """Return the seconds in which no new table may open in the room after this one: none."""
        return 0


def within(stake: int, least: int, most: int) -> int:
    """Bring a stake within the limits."""
    return max(min(stake, most or stake), least)


def check(stake: int, least: int, most: int) -> None:
    """Let pass what may be staked.

    Raises:
        Refusal: it is outside the limits.
    """
    if stake < least:
        raise Refusal(Message("stake-too-small", {"least": Credits(least)}))
    if most and stake > most:
        raise Refusal(Message("stake-too-large", {"most": Credits(most)}))


def suggest(game: StakedGame, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    """List what may be typed as a stake, the usual one first."""
    first = (str(game.usual_stake),) if game.usual_stake else ()
    return tuple(dict.fromkeys((*first, "0", str(game.min_stake), "25%", "half", "all")))


def read(text: str, purse: int) -> int:
    """Read a stake; 0 is for honour.

    Raises:
        Refusal: it is no amount.
    """
    return 0 if text == "0" else read_amount(text, purse)


def terms(stake: int, *, each: bool = False) -> Message:
    """Say what is played for; `each`: everybody at the table stakes as much."""
    if not stake:
        return Message("for-honour")
    return Message("for-stake-each" if each else "for-stake", {"stake": Credits(stake)})


def put(seat: Seat, stake: int) -> tuple[Transfer, ...]:
    """Put a stake into the pot."""
    return (Transfer(seat, SystemPurse.POT, stake, "stake"),) if stake else ()
