"""Nobody learns cards or settings that are not theirs before both are shown, the house's included."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chatbot.games.sixcardpoker import KIT
from chatbot.games.sixcardpoker.rules.cards import DECK, HELD, arrangements
from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, LeaveIt, Open
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE
from chatbot.speech.words import Words, languages
from tests.games.sixcardpoker.table import ANN, BOB, CAT, OTHER, OWN, WIN, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say

WORDS = [Words(language) for language in languages()]
FEW = settings(max_examples=20, deadline=None)
EVERYBODY = (None, ANN, BOB, CAT)
ANYHOW = st.integers(0, 10**6)


def text(cards: Iterable[int]) -> str:
    return "".join(map(str, sorted(cards)))


DEALS = st.permutations(DECK).map(lambda deck: (text(deck[:HELD]), text(deck[HELD : 2 * HELD])))


def beside(own: str, data: st.DataObject) -> str:
    """Draw what else somebody may hold while these cards are another's."""
    left = list(DECK)
    for card in map(int, own):
        left.remove(card)
    return text(data.draw(st.permutations(left))[:HELD])


def heard(table: Table, by: Seat | None) -> list[Say]:
    """List what somebody has heard, but for hashes, which nobody can invert.

    Where a platform cannot whisper, what is for one alone is said to all unless it is secret.
    """
    says = [say for event in table.events for say in KIT.chat.narrate(event)]
    return [say for say in says if not say.fine and (not say.secret or say.to == by)]


def seen(table: Table, by: Seat | None) -> list[Any]:
    """List what somebody sees, but for hashes."""
    view = replace(table.game.view(table.state, by, 1000), committed=None)
    menu = [] if by is None else table.game.menu(table.state, by, 1000)
    return [view, KIT.display.board(view), menu, table.game.clock(table.state)]


def alike(one: Table, two: Table, to: Iterable[Seat | None]) -> bool:
    return all(seen(one, by) == seen(two, by) and heard(one, by) == heard(two, by) for by in to)


def some(seat: Seat, held: Iterable[int], number: int) -> Arrange:
    """Set these cards in one way or another."""
    ways = arrangements(tuple(sorted(held)))
    return Arrange(seat, str(ways[number % len(ways)]))


@FEW
@given(one=DEALS, two=DEALS, number=ANYHOW)
def test_in_a_duel_the_rival_s_cards_and_settings_change_nothing_that_others_know(
    one: tuple[str, str], two: tuple[str, str], number: int
) -> None:
    first, second = (Table(own=own, other=other).duel(50) for own, other in (one, two))
    assert alike(first, second, [None, CAT])
    for table in (first, second):
        table.act(some(ANN, table.playing.held[ANN], number))
        table.act(LeaveIt(ANN))
    assert alike(first, second, [None, CAT])


@FEW
@given(deal=DEALS, data=st.data(), number=ANYHOW)
def test_in_a_duel_each_sees_and_hears_the_same_whatever_the_other_holds(
    deal: tuple[str, str], data: st.DataObject, number: int
) -> None:
    own, other = deal
    another = beside(own, data)
    tables = [Table(own=own, other=each).duel() for each in (other, another)]
    for table in tables:
        table.act(some(BOB, table.playing.held[BOB], number))
    assert alike(tables[0], tables[1], [ANN, CAT, None])
    turned = [Table(own=each, other=own).duel() for each in (other, another)]
    for table in turned:
        table.act(some(ANN, table.playing.held[ANN], number))
    assert alike(turned[0], turned[1], [BOB, CAT, None])


@FEW
@given(deal=DEALS, data=st.data())
def test_against_the_house_nothing_that_anybody_knows_depends_on_what_the_house_holds(
    deal: tuple[str, str], data: st.DataObject
) -> None:
    own, other = deal
    another = beside(own, data)
    one, two = (Table(own=own, other=each).solo(50) for each in (other, another))
    assert alike(one, two, EVERYBODY)


def test_who_sets_in_public_gives_away_no_more_than_they_typed() -> None:
    one, two = Table().duel(), Table().duel()
    one.set(ANN, WIN, public=True)
    two.set(ANN, "443 32 1", public=True)
    assert alike(one, two, [None, BOB, CAT])


def test_no_nonce_is_told_before_the_end() -> None:
    table = Table().solo(50)
    nonce = table.playing.settings[THE_HOUSE].nonce
    told = repr([(table.view(by), seen(table, by), heard(table, by)) for by in EVERYBODY])
    told += repr([list(KIT.chat.narrate(event)) for event in table.events])
    assert nonce not in told
    table.set(ANN, WIN)
    assert nonce in repr([list(KIT.chat.narrate(event)) for event in table.events])


def test_every_secret_line_has_one_reader() -> None:
    table = Table().duel()
    table.set(ANN, WIN)
    told = [say for event in table.events for say in KIT.chat.narrate(event)]
    assert {say.to for say in told if say.secret} == {ANN, BOB}
    public = repr([words.text(say.message, str) for say in told if not say.secret for words in WORDS])
    assert not any(shown in public for shown in (WIN, " ".join(OWN), " ".join(OTHER)))


def test_a_view_of_a_duel_names_no_cards_but_one_s_own() -> None:
    table = Table().challenge()
    table.act(Accept(BOB))
    table.set(BOB, "221 21 1")
    assert [set(table.view(by).held) for by in EVERYBODY] == [set(), {ANN}, {BOB}, set()]
    assert [table.view(by).own is not None for by in EVERYBODY] == [False, False, True, False]


def test_a_lone_player_s_cards_are_for_all_to_see() -> None:
    table = Table()
    table.act(Open(ANN))
    assert [set(table.view(by).held) for by in EVERYBODY] == [{ANN}] * 4
