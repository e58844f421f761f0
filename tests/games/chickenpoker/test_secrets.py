"""No say and no view of anybody else ever has a card that was chosen and not shown, the house's included."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Play, RoundBegan, RoundShown
from chatbot.games.chickenpoker.rules.rules import digest
from chatbot.games.chickenpoker.rules.states import Over, Playing
from chatbot.games.chickenpoker.strategies import PLANS, draw_card
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.speech.words import Words, languages
from tests.games.chickenpoker.table import ANN, BOB, CAT, DAN, LINEAR, NASH, RANDOM, Table

WORDS = [Words(language) for language in languages()]
HOUSE = (NASH, RANDOM, LINEAR)


def heard(event: Any, by: Seat | None) -> list[Any]:
    """List what somebody hears of an event, in every language; None is the public, wherever it listens.

    Where a platform cannot whisper, what is for one alone is said to all unless it is secret.
    """
    says = [each for each in KIT.chat.narrate(event) if not each.secret or each.to == by]
    return [(each, [words.text(each.message, str) for words in WORDS]) for each in says]


def seen(table: Table, by: Seat | None) -> list[Any]:
    """List what somebody sees, but for the hashes, which nobody can invert without the nonces."""
    view = replace(table.game.view(table.state, by, 1000), committed=())
    menu = [] if by is None else table.game.menu(table.state, by, 1000)
    return [view, KIT.display.board(view), menu, table.game.clock(table.state)]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_two_tables_that_differ_in_hidden_choices_look_and_sound_alike_to_all_others(
    data: st.DataObject,
) -> None:
    """One table is played; its twin has other cards in hiding, chosen by people and fixed by the house."""
    people = data.draw(st.sampled_from([(ANN, BOB), (ANN, BOB, CAT), (ANN, BOB, CAT, DAN)]))
    house = data.draw(st.sampled_from([(), (NASH,), HOUSE]))
    cards = data.draw(st.integers(2, 6))
    table = Table(seed=f"secrets {cards}").seated(*people, *house, cards=cards)
    while isinstance(table.state, Playing):
        choosers = data.draw(st.permutations(people))[: data.draw(st.integers(0, len(people) - 1))]
        for seat in choosers:
            hand = table.playing.hands[seat]
            one, two = (data.draw(st.sampled_from(hand)) for _ in range(2))
            public = data.draw(st.booleans())
            _assert_alike(table, Play(seat, one, public), Play(seat, two, public))
            table.act(Play(seat, one, public))
        table.time_out()


def _assert_alike(table: Table, one: Play, two: Play) -> None:
    """Compare two ways to choose, of which the second comes with another card fixed by each of the house."""
    tables = []
    for play in (one, two):
        twin = Table(table.game)
        twin.state = table.state if play is one else _other_cards(table.playing)
        twin.act(play)
        tables.append(twin)
    first, second = tables
    for other in (None, ANN, BOB, CAT, DAN, *HOUSE):
        if other != one.seat:
            assert seen(first, other) == seen(second, other)
            assert [heard(each, other) for each in first.events] == [
                heard(each, other) for each in second.events
            ]


def _other_cards(state: Playing) -> Playing:
    """Let the house have fixed other cards."""
    fixed = {}
    for seat, each in state.fixed.items():
        card = next((card for card in state.hands[seat] if card != each.card), each.card)
        fixed[seat] = replace(each, card=card)
    return replace(state, fixed=fixed)


def test_no_nonce_and_no_fixed_card_is_told_before_the_round_is_shown() -> None:
    for number in range(30):
        table = Table(seed=f"nonces {number}").seated(ANN, BOB, *HOUSE, cards=6)
        nonces = [each.nonce for each in table.playing.fixed.values()]
        table.act(Play(ANN, 6))
        told = repr([(seen(table, by), table.view(by)) for by in (None, ANN, BOB, *HOUSE)])
        told += repr([heard(each, None) for each in table.events])
        assert not any(nonce in told for nonce in nonces)
        assert "Fixed(" not in told


def test_commitments_open_to_the_cards_that_are_shown() -> None:
    table = Table().seated(ANN, BOB, *HOUSE, cards=5)
    while not isinstance(table.state, Over):
        table.time_out()
    began, shown = table.of(RoundBegan), table.of(RoundShown)
    assert [len(each.committed) for each in began] == [3] * 4  # the fifth is nobody's choice
    for before, after in zip(began, shown[:-1], strict=True):
        published = {each.seat: each.digest for each in before.committed}
        cards = {each.seat: each.card for each in after.shown}
        for each in after.disclosed:
            secret = bytes.fromhex(each.nonce)
            assert len(secret) == 16
            assert hashlib.sha256(secret + str(each.card).encode()).hexdigest() == published[each.seat]
            assert cards[each.seat] == each.card
        assert len(after.disclosed) == 3


def test_a_hash_is_that_of_the_nonces_bytes_and_the_card_in_digits() -> None:
    # printf '\x00…\x01''7' | sha256sum, by hand
    nonce = "0" * 31 + "1"
    assert digest(nonce, 7) == hashlib.sha256(b"\0" * 15 + b"\x01" + b"7").hexdigest()


def test_nonces_are_never_used_twice() -> None:
    table = Table().seated(ANN, BOB, *HOUSE, cards=6)
    while not isinstance(table.state, Over):
        table.time_out()
    nonces = [each.nonce for shown in table.of(RoundShown) for each in shown.disclosed]
    assert len(set(nonces)) == len(nonces) == 3 * 5


def test_what_the_house_fixes_does_not_change_with_what_people_choose() -> None:
    table = Table().seated(ANN, NASH, cards=6)
    fixed = table.playing.fixed
    table.act(Play(ANN, 3))
    shown = table.of(RoundShown)[0]
    assert next(each.card for each in shown.shown if each.seat == NASH) == fixed[NASH].card


@pytest.mark.parametrize("players", [1, 2, 9])
@pytest.mark.parametrize("name", PLANS)
def test_every_plan_plays_each_of_its_cards_once(name: str, players: int) -> None:
    house = [Seat(f"house:{name}"), *(Seat(f"house:{name}-{number}") for number in range(2, players + 1))]
    for cards in (2, 7, 15):
        table = Table(seed=f"{name} {players} {cards}").seated(ANN, *house, cards=cards)
        while isinstance(table.state, Playing):
            table.time_out()
        for seat in house:
            rows = [each for shown in table.of(RoundShown) for each in shown.shown]
            assert sorted(each.card for each in rows if each.seat == seat) == list(range(1, cards + 1))


def test_linear_goes_on_by_one_step() -> None:
    for number in range(20):
        table = Table(seed=f"steps {number}").seated(ANN, LINEAR, cards=7)
        while isinstance(table.state, Playing):
            table.time_out()
        played = [shown.shown[1].card for shown in table.of(RoundShown)]
        steps = {(after - before) % 7 for before, after in pairwise(played)}
        assert len(steps) == 1


def test_a_plan_is_asked_by_the_name_of_its_seat() -> None:
    view = Table().seated(ANN, NASH, cards=3).view(NASH)
    for seat in map(Seat, ("house:nash", "house:nash-2", "house:random-12")):
        assert draw_card(replace(view, hands={**view.hands, seat: (2,)}), seat, Rng.of("x")) == 2
