"""Nothing before the end gives K away: two decks that show the same cards look and sound the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatbot.games.highshow import KIT
from chatbot.games.highshow.rules.moves import AskHint, CashOut, Guess, SeeAnother
from chatbot.games.highshow.rules.rules import AWAY
from chatbot.games.highshow.rules.states import Guessing, Playing
from tests.games.highshow.table import ANN, BOB, Table, says

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng

PENALTIES = (
    "none", "linear", "linear=5", "turn", "turn=1/3", "value", "value=2", "turnvalue", "turnvalue=1/6",
)  # fmt: skip
LARGEST = 6  # cards


@dataclass(frozen=True)
class Pair:
    """Two tables of the same terms whose decks begin with the same `common` cards, from different K."""

    one: Table
    two: Table
    common: int

    @property
    def tables(self) -> tuple[Table, Table]:
        return self.one, self.two

    @property
    def told(self) -> int:
        """How many cards either table has turned up."""
        state = self.one.state
        assert isinstance(state, (Playing, Guessing))
        return len(state.seen) + isinstance(state, Playing)


@st.composite
def pairs(draw: st.DrawFn, penalty: str, stake: int) -> Pair:
    cards = draw(st.integers(2, LARGEST))
    keep = draw(st.integers(1, cards - 1))
    lowest = draw(st.integers(1, 3 * cards - 1))
    other = draw(st.integers(lowest + 1, min(3 * cards, lowest + cards - 1)))
    decks = [range(start, start + cards) for start in (lowest, other)]
    common = draw(st.permutations(sorted(set(decks[0]) & set(decks[1]))))
    rests = [draw(st.permutations(sorted(set(deck) - set(common)))) for deck in decks]
    one, two = (Table([*common, *rest]).open(keep, penalty, stake) for rest in rests)
    return Pair(one, two, len(common))


@pytest.mark.parametrize("stake", [0, 50])
@pytest.mark.parametrize("penalty", PENALTIES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_nothing_that_is_seen_or_said_before_the_end_depends_on_k_but_the_cards(
    penalty: str, stake: int, data: st.DataObject
) -> None:
    pair = data.draw(pairs(penalty, stake))
    _assert_alike(pair)
    while isinstance(pair.one.state, Playing):
        if not stake and data.draw(st.booleans()):
            _take(pair, AskHint(ANN))
        action: Any = data.draw(st.sampled_from([CashOut(ANN), SeeAnother(ANN), None]))
        state = pair.one.state
        kept = state.progress.needed - (not isinstance(action, SeeAnother))
        turned = len(state.seen) + 1 + (kept > 0)
        if action is None and state.late + 1 == AWAY:
            turned = len(state.seen) + state.progress.needed
        if turned > pair.common or len(pair.one.deck) - len(state.seen) - 1 == kept:
            return  # the next step turns up cards that only one of the decks has
        _take(pair, action)


def _take(pair: Pair, action: Any) -> None:
    """Take the same action at both tables, or let the time run out at both."""
    for table in pair.tables:
        table.time_out() if action is None else table.act(action)
    _assert_alike(pair)


def _assert_alike(pair: Pair) -> None:
    assert pair.told <= pair.common
    assert pair.one.state != pair.two.state, "they do differ in what nobody may see"
    one, two = (_public(table) for table in pair.tables)
    assert one == two


def _public(table: Table) -> list[object]:
    """List all that anybody can see, hear, or find out by asking for what is refused."""
    game, state = table.game, table.state
    seats = (None, ANN, BOB)
    return [
        [game.view(state, seat, 1000) for seat in seats],
        [KIT.display.board(game.view(state, seat, 1000)) for seat in seats],
        [game.menu(state, seat, 1000) for seat in (ANN, BOB)],
        game.clock(state),
        table.events,
        table.transfers,
        [say for event in table.events[-3:] for say in says(event)],
        _refusals(table),
    ]


def _refusals(table: Table) -> list[object]:
    """A guess that is refused may not tell more than that it is too early, or above 3N."""
    return [table.refused(Guess(ANN, 3 * len(table.deck) + 1)), table.refused(CashOut(BOB))]


def test_what_a_strategy_of_the_house_does_depends_on_nothing_hidden() -> None:
    from chatbot.kernel.fair import Rng as Luck  # noqa: PLC0415

    for penalty in PENALTIES:
        one, two = (Table(deck).open(2, penalty) for deck in ((6, 5, 7, 4, 8), (6, 5, 7, 8, 9)))
        for strategy in KIT.programs.strategies.values():
            rngs: list[Rng] = [Luck.of("the same"), Luck.of("the same")]
            said = [
                strategy(table.view(ANN), table.game.menu(table.state, ANN, 0), rng)
                for table, rng in zip((one, two), rngs, strict=True)
            ]
            assert said[0] == said[1]


def test_a_default_of_turn_tells_neither_its_number_nor_the_running_penalty() -> None:
    # K is 5 and N is 6: the rate is 2 × (6 + 5) / (6 + 4) = 2.2, and turns 1 and 2 cost 6.6.
    table = Table((7, 10, 5, 6, 9, 8)).open(2, "turn")
    table.play("rr")
    shown = [
        KIT.display.board(table.view(ANN)),
        *(say.message for event in table.events for say in says(event)),
    ]
    assert not any(number in repr(shown) for number in ("2.2", "6.6", "11/5", "33/5"))
