"""What two hands of Chicken Poker are worth, and why drawing evenly is the best play.

Two players hold hands A and B of m cards each, and M(a, b) is the margin of a round: what the player with
the lower id scores beyond the other where a meets b. By the end of the game every card of A has met one of
B, and the margin of the game is the sum over these m pairs.

**Drawing evenly decides everything.** Let one of the two draw each card evenly from what is left of the own
hand. Then any a meets any b with probability 1/m, whatever the other does and however that depends on
what was shown. For the first card of the other's, b, this is plain; the rest follows by induction: another
card a' is still there with probability (m − 1)/m, and then meets any b' other than b with probability
1/(m − 1). So the expected margin is

    V(A, B) = Σ M(a, b) / m, over all a of A and all b of B.

Either player can have it so, hence V is the value of the game (von Neumann 1928), and to draw evenly is
optimal for both at every pair of hands. It gains nothing from an opponent's mistakes either: *whoever*
plays against it gets the value exactly, on average.

**The opening.** Of the cards 1..n against 1..n, M(a, b) and M(b, a) cancel where a and b differ. The tie at
v brings 2v, to the lower id for even v and to the higher one for odd v: together n for even n and −(n + 1)
for odd n. So the value is 1 for even n and −(n + 1)/n for odd n.

**More players.** If all others draw evenly, every combination of their cards meets any card of the own with
the same probability, by the same induction; so all ways to play score the same points on average, with
any number of players. All drawing evenly is hence an equilibrium of expected points. But three or
more have no value that one alone can guarantee: drawing evenly is no shield where several others do not.
Nor does any of this speak of the chance to have the most points after a single game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.rules.showdown import winner

if TYPE_CHECKING:
    from collections.abc import Collection

LOWER, HIGHER = 1, 2  # the ids of two players


def margin(lower: int, higher: int) -> int:
    """Give what the player with the lower id scores in a round beyond the other, from the card of each."""
    shown = {LOWER: lower, HIGHER: higher}
    points = sum(shown.values())
    return points if winner(shown) == LOWER else -points


def value(lower: Collection[int], higher: Collection[int]) -> Fraction:
    """Give the expected margin of the player with the lower id from here on, if both play their best.

    Raises:
        ValueError: the hands are not of one size.
    """
    if len(lower) != len(higher):
        raise ValueError(f"hands are of one size, not of {len(lower)} and {len(higher)} cards")
    if not lower:
        return Fraction(0)
    return Fraction(sum(margin(own, other) for own in lower for other in higher), len(lower))


def opening(cards: int) -> Fraction:
    """Give the value of a game with the cards 1..n, as `value` does; see above."""
    return Fraction(1) if cards % 2 == 0 else Fraction(-(cards + 1), cards)
