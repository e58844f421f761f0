"""The rules, worked by hand: the deal, the house's commitment, settings, time-outs and what is refused."""

from __future__ import annotations

import hashlib
from collections import Counter

from chatbot.games.sixcardpoker.rules.cards import HELD
from chatbot.games.sixcardpoker.rules.moves import (
    Accept,
    Arrange,
    Arranged,
    Dealt,
    Lapsed,
    LeaveIt,
    Opened,
    Revealed,
)
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker, buy_in, guests, invited, private, was_played
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE, Over
from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel.game import Clock, Seat, Sit, Timeout
from chatbot.kernel.say import Message
from tests.games.sixcardpoker.table import ANN, BOB, LOSS, OWN, WIN, Laid, Table, hands

MIXED = "113344"  # which best play sets in two ways: 715 lots, 181 of them for the one
LOTS, FIRST, SECOND = 715, "411 33 4", "441 33 1"


def opened(seed: str) -> Table:
    """Open a game whose deal nobody has laid."""
    return Table(own="", other="", seed=seed).solo()


# The deal


def test_a_deal_is_twelve_of_the_sixteen_cards() -> None:
    for number in range(100):
        held = opened(f"deal {number}").playing.held
        assert [len(cards) for cards in held.values()] == [HELD, HELD]
        counts = Counter(card for cards in held.values() for card in cards)
        assert set(counts) <= {1, 2, 3, 4}
        assert max(counts.values()) <= 4


def test_every_face_is_as_likely_for_both() -> None:
    totals: dict[Seat, Counter[int]] = {ANN: Counter(), THE_HOUSE: Counter()}
    for number in range(1000):
        for seat, cards in opened(f"face {number}").playing.held.items():
            totals[seat].update(cards)
    # Of six cards out of 16, the number of one face has the mean 1.5 and the variance 6/4 · 3/4 · 10/15.
    for counts in totals.values():
        assert all(abs(counts[face] - 1500) < 4 * (0.75 * 1000) ** 0.5 for face in (1, 2, 3, 4))


def test_cards_are_held_in_ascending_order() -> None:
    table = Table(own="432431", other="212121").duel()
    assert table.playing.held == {ANN: (1, 2, 3, 3, 4, 4), BOB: (1, 1, 1, 2, 2, 2)}


# The house


def test_the_house_has_set_and_committed_before_anybody_can_choose() -> None:
    table = Table(other=MIXED).solo()
    fixed = table.playing.settings[THE_HOUSE]
    (event,) = table.of(Opened)
    table.set(ANN, WIN)
    (revealed,) = table.of(Revealed)
    assert revealed.second == fixed
    secret = bytes.fromhex(fixed.nonce)
    assert len(secret) == 16
    text = str(fixed.arrangement)
    assert hashlib.sha256(secret + text.encode("ascii")).hexdigest() == event.committed.digest
    assert text in {FIRST, SECOND}


def test_what_the_house_sets_depends_on_its_own_cards_and_luck_alone() -> None:
    for number in range(30):
        tables = [Table(own=own, other=MIXED, seed=f"house {number}").solo(stake) for own, stake in _PLAYERS]
        assert len({table.playing.settings[THE_HOUSE] for table in tables}) == 1


_PLAYERS = (("123344", 0), ("111222", 50), ("222344", 1))


def test_what_the_house_sets_stays_whatever_the_player_does() -> None:
    seen = set()
    for action in (Arrange(ANN, WIN), Arrange(ANN, LOSS), LeaveIt(ANN), None):
        table = Table(other=MIXED).solo()
        if action is None:
            table.time_out()
        else:
            table.act(action)
        seen.add(table.of(Revealed)[0].second)
    assert len(seen) == 1


def test_the_house_draws_each_setting_as_often_as_best_play_does() -> None:
    drawn = Counter(str(_drawing(lot).playing.settings[THE_HOUSE].arrangement) for lot in range(LOTS))
    weights = policies.nash()[tuple(map(int, MIXED))]
    assert drawn == {str(each): weight for each, weight in weights.items()}
    assert drawn == {FIRST: 181, SECOND: 534}


def _drawing(lot: int) -> Table:
    """Open a game in which this lot decides how the house sets."""
    table = Table()
    table.luck = _Lot(lot)
    return table.solo()


class _Lot(Laid):
    def __init__(self, lot: int) -> None:
        super().__init__("lots", OWN + MIXED)
        self.lot = lot

    def below(self, limit: int) -> int:
        assert limit == LOTS
        return self.lot


def test_nonces_differ_from_game_to_game() -> None:
    nonces = {opened(f"nonce {number}").playing.settings[THE_HOUSE].nonce for number in range(50)}
    assert len(nonces) == 50


# Setting the cards


def test_against_the_house_a_setting_ends_the_game_at_once() -> None:
    table = Table().solo()
    (revealed,) = table.set(ANN, WIN)
    assert (revealed.first.arrangement, revealed.second.arrangement) == (hands(WIN), hands("111 22 2"))
    assert revealed.outcome.hands == (1, 1, 0)
    assert was_played(table.state)
    assert table.game.clock(table.state) is None


def test_in_a_duel_a_setting_can_be_replaced_until_both_are_in() -> None:
    table = Table().duel()
    assert [(each.seat, each.held) for each in table.of(Dealt)] == list(table.playing.held.items())
    (first,) = table.set(ANN, LOSS)
    (again,) = table.set(ANN, WIN)
    assert (first, again) == (
        Arranged(ANN, hands(LOSS), auto=False, public=False, exposed=False, again=False),
        Arranged(ANN, hands(WIN), auto=False, public=False, exposed=False, again=True),
    )
    (revealed,) = table.set(BOB, "221 21 1")
    assert revealed.first.arrangement == hands(WIN)
    assert revealed.outcome.hands == (1, 1, 1)  # 9 to 5, a pair to none, 2 to 1


def test_who_sets_where_the_other_can_read_it_is_warned_once() -> None:
    table = Table().duel()
    exposed = [table.set(ANN, each, public=True)[0].exposed for each in (WIN, LOSS)]
    assert exposed == [True, False]
    assert table.set(BOB, "221 21 1", public=True)[0] == table.of(Revealed)[0]  # the last gives nothing away


def test_auto_sets_as_best_play_does() -> None:
    for number in range(20):
        table = Table(own=MIXED, other="112244", seed=f"auto {number}").duel()
        table.act(LeaveIt(ANN))
        (revealed,) = table.act(LeaveIt(BOB))
        for each in (revealed.first, revealed.second):
            assert each.arrangement in policies.nash()[each.held]
            assert (each.auto, each.late) == (True, False)


# Time


def test_when_the_time_is_up_best_play_sets_what_is_not_set() -> None:
    table = Table().duel()
    table.set(BOB, "221 21 1")
    (revealed,) = table.time_out()
    assert revealed.first.arrangement in policies.nash()[revealed.first.held]
    assert (revealed.first.auto, revealed.first.late) == (True, True)
    assert (revealed.second.arrangement, revealed.second.late) == (hands("221 21 1"), False)
    (both,) = Table().duel().time_out()
    assert both.first.late
    assert both.second.late
    (alone,) = Table().solo().time_out()
    assert (alone.first.late, alone.second.late) == (True, False)


def test_each_phase_has_the_time_that_the_room_has_set() -> None:
    table = Table(SixCardPoker(arrangement=20, acceptance=40))
    assert table.game.clock(table.state) == Clock("opening", 20)
    assert table.game.clock(table.challenge().state) == Clock("challenge", 40)
    table.act(Accept(BOB))
    clock = table.game.clock(table.state)
    assert clock == Clock("arrangement", 20)
    table.set(ANN, WIN)
    assert table.game.clock(table.state) == clock  # it goes on


def test_a_clock_of_another_phase_decides_nothing() -> None:
    table = Table().challenge()
    old = table.game.clock(table.state)
    assert old is not None
    table.act(Accept(BOB))
    assert table.refused(Timeout(old)) == Message("too-late")


def test_a_table_at_which_nothing_is_chosen_ends_as_no_game() -> None:
    table = Table()
    table.act(Sit(ANN))
    table.act(Sit(BOB))
    table.time_out()
    assert table.state == Over(ANN)
    assert not was_played(table.state)


def test_a_challenge_that_nobody_answers_lapses() -> None:
    table = Table().challenge()
    assert table.time_out() == (Lapsed(ANN, BOB),)
    assert not was_played(table.state)


# Who is at the table


def test_the_rival_is_invited_first_and_a_guest_then() -> None:
    table = Table().challenge()
    assert (invited(table.state), guests(table.state), private(table.state)) == ((BOB,), (), False)
    table.act(Accept(BOB))
    assert (invited(table.state), guests(table.state), private(table.state)) == ((), (BOB,), True)
    table.time_out()
    assert (invited(table.state), guests(table.state), private(table.state)) == ((), (), False)


def test_it_takes_the_stake_to_take_a_challenge_up_and_nothing_after() -> None:
    table = Table().challenge(50)
    assert buy_in(table.state) == 50
    table.act(Accept(BOB))
    assert buy_in(table.state) == 0


def test_against_the_house_nobody_is_invited_and_nothing_is_hidden() -> None:
    table = Table().solo()
    assert (invited(table.state), guests(table.state), private(table.state)) == ((), (), False)
