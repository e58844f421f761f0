"""Credits: what is staked, who gets what, and that a pot is always emptied."""

from __future__ import annotations

import pytest

from chatbot.games.sixcardpoker.rules.moves import Accept, Decline, Open, Revealed
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.kernel.game import Refusal, Seat, SystemPurse
from chatbot.kernel.say import Credits, Message
from tests.games.sixcardpoker.table import ANN, BOB, DRAW, LOSS, WIN, Table

HOUSE = SystemPurse.HOUSE
BOBS = "111 22 2"


def moved(table: Table) -> dict[object, int]:
    return {purse: change for purse, change in table.purses.items() if change}


@pytest.mark.parametrize(
    ("hands", "ann", "payout"),
    [(WIN, 50, 100), (DRAW, 0, 50), (LOSS, -50, 0)],
)
def test_against_the_house_a_win_doubles_the_stake_and_a_draw_returns_it(
    hands: str, ann: int, payout: int
) -> None:
    table = Table().solo(50)
    assert moved(table) == {ANN: -50, SystemPurse.POT: 50}
    table.set(ANN, hands)
    assert moved(table) == ({ANN: ann, HOUSE: -ann} if ann else {})
    assert table.of(Revealed)[0].payouts == {ANN: payout}


@pytest.mark.parametrize(
    ("hands", "ann", "payouts"),
    [(WIN, 50, (100, 0)), (DRAW, 0, (50, 50)), (LOSS, -50, (0, 100))],
)
def test_in_a_duel_the_winner_gets_both_stakes_and_the_house_is_not_asked(
    hands: str, ann: int, payouts: tuple[int, int]
) -> None:
    table = Table().challenge(50)
    assert moved(table) == {ANN: -50, SystemPurse.POT: 50}
    table.act(Accept(BOB))
    assert moved(table) == {ANN: -50, BOB: -50, SystemPurse.POT: 100}
    table.set(ANN, hands)
    table.set(BOB, BOBS)
    assert moved(table) == ({ANN: ann, BOB: -ann} if ann else {})
    assert table.of(Revealed)[0].payouts == dict(zip((ANN, BOB), payouts, strict=True))


@pytest.mark.parametrize("hands", [WIN, DRAW, LOSS])
def test_for_honour_nothing_moves(hands: str) -> None:
    for table in (Table().solo(), Table().duel()):
        table.set(ANN, hands)
        if table.game.clock(table.state) is not None:
            table.set(BOB, BOBS)
        assert not moved(table)
        assert set(table.of(Revealed)[0].payouts.values()) == {0}


@pytest.mark.parametrize("end", ["declined", "taken back", "lapsed"])
def test_a_challenge_that_comes_to_nothing_gives_the_stake_back(end: str) -> None:
    table = Table().challenge(50)
    if end == "lapsed":
        table.time_out()
    else:
        table.act(Decline(BOB if end == "declined" else ANN))
    assert not moved(table)


@pytest.mark.parametrize("rival", [None, BOB])
def test_a_stake_outside_the_room_s_limits_is_refused(rival: Seat | None) -> None:
    table = Table(SixCardPoker(min_stake=10, max_stake=100))
    assert table.refused(Open(ANN, 9, rival)) == Message("stake-too-small", {"least": Credits(10)})
    assert table.refused(Open(ANN, 101, rival)) == Message("stake-too-large", {"most": Credits(100)})
    for stake in (0, 10, 100):
        assert Table(table.game).act(Open(ANN, stake, rival))


def test_limits_that_leave_no_room_are_refused() -> None:
    with pytest.raises(Refusal):
        SixCardPoker(min_stake=10, max_stake=5)


@pytest.mark.parametrize(
    ("settings", "usual"),
    [
        (SixCardPoker(), 0),
        (SixCardPoker(default_stake=50), 50),
        (SixCardPoker(default_stake=50, max_stake=20), 20),
        (SixCardPoker(default_stake=5, min_stake=10), 10),
        (SixCardPoker(min_stake=10), 0),
    ],
)
def test_the_usual_stake_keeps_to_the_limits(settings: SixCardPoker, usual: int) -> None:
    assert settings.usual_stake == usual


def test_menus_offer_what_a_purse_can_pay() -> None:
    game = SixCardPoker(default_stake=50)
    assert game.menu(game.start(), ANN, 50) == [Open(ANN, 50), Open(ANN, 0)]
    assert game.menu(game.start(), ANN, 49) == [Open(ANN, 0)]
    state = Table().challenge(50).state
    assert game.menu(state, BOB, 50) == [Accept(BOB), Decline(BOB)]
    assert game.menu(state, BOB, 49) == [Decline(BOB)]
    assert game.menu(state, ANN, 0) == [Decline(ANN)]
