"""A lobby is opened on terms that somebody chose and joined on the same; a full one closes at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

import pytest

from chatbot.kernel.game import Refusal, Seat, Step, SystemPurse, Transfer
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.lineup import roster
from chatbot.kernel.lobby import (
    Abandoned,
    Entrance,
    ForHonour,
    Joined,
    Leave,
    Left,
    Lobby,
    LobbyEvent,
    Opened,
    StakeReturned,
    Started,
    Wish,
    abandoned,
    buy_in,
    tellers,
)
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say, Talk
from chatbot.speech.words import Words, languages

if TYPE_CHECKING:
    from collections.abc import Sequence

ANN, BOB, CAT = (Seat(f"test:{name}") for name in ("ann", "bob", "cat"))
HOUSE, OTHER = Seat("house:nash"), Seat("house:nash-2")
CARDS = Lengths("chicken", "cards", least=2, most=15)
ROUNDS = Lengths("market", "rounds", least=1, most=5)
HERE = Entrance(CARDS, length=6, stake=0, least=10, most=100, players=3, seconds=60)


@dataclass(frozen=True)
class Begun:
    """A game of some kind, that these play."""

    players: tuple[Seat, ...]
    credits: int


def begin(lobby: Lobby) -> Step[Begun]:
    return Step(
        Begun(lobby.players, lobby.credits),
        ("dealt",),
        (Transfer(SystemPurse.POT, SystemPurse.HOUSE, 1, "won"),),
    )


def enter(*wishes: Wish, here: Entrance = HERE) -> Step[Begun | Lobby]:
    """Let these join one after the other; give the last step."""
    step: Step[Begun | Lobby] = Step(Lobby())
    for wish in wishes:
        step = here.join(step.state, wish, begin)
    return step


def refused(*wishes: Wish, here: Entrance = HERE) -> Message:
    """Let these join, of whom the last cannot."""
    before = enter(*wishes[:-1], here=here).state
    with pytest.raises(Refusal) as refusal:
        here.join(before, wishes[-1], begin)
    return refusal.value.message


def not_left(seat: Seat, *wishes: Wish, here: Entrance = HERE) -> Message:
    """Let these join, and then one leave who cannot."""
    with pytest.raises(Refusal) as refusal:
        here.leave(enter(*wishes, here=here).state, Leave(seat))
    return refusal.value.message


def staked(stake: int) -> Message:
    return Message("for-stake-each", {"stake": Credits(stake)})


# Opening and joining


def test_what_the_opener_leaves_out_is_what_is_usual_here() -> None:
    usual = replace(HERE, stake=30)
    assert enter(Wish(ANN), here=usual).state == Lobby((ANN,), 6, 30)
    assert enter(Wish(ANN, length=8), here=usual).state == Lobby((ANN,), 8, 30)
    assert enter(Wish(ANN, credits=0), here=usual).state == Lobby((ANN,), 6, 0)


def test_who_opens_is_told_of_and_stakes() -> None:
    step = enter(Wish(ANN, 8, 50))
    assert step.events == (Opened(ANN, 8, 50, 60),)
    assert step.transfers == (Transfer(ANN, SystemPurse.POT, 50, "stake"),)


@pytest.mark.parametrize("wish", [Wish(BOB), Wish(BOB, 8), Wish(BOB, None, 50), Wish(BOB, 8, 50)])
def test_others_join_on_the_terms_of_the_table(wish: Wish) -> None:
    step = enter(Wish(ANN, 8, 50), wish)
    assert step.state == Lobby((ANN, BOB), 8, 50)
    assert step.events == (Joined(BOB, 50, 2),)
    assert step.transfers == (Transfer(BOB, SystemPurse.POT, 50, "stake"),)


def test_for_honour_no_credits_move() -> None:
    assert enter(Wish(ANN)).transfers == enter(Wish(ANN), Wish(BOB)).transfers == ()


def test_a_full_lobby_closes_at_once_and_both_are_told_in_their_order() -> None:
    step = enter(Wish(ANN, 8, 50), Wish(BOB), Wish(CAT))
    assert step.state == Begun((ANN, BOB, CAT), 50)
    assert step.events == (Joined(CAT, 50, 3), "dealt")
    assert [each.why for each in step.transfers] == ["stake", "won"]


def test_who_leaves_takes_the_stake_back_and_what_is_played_for_stays() -> None:
    both = enter(Wish(ANN, 8, 50), Wish(BOB)).state
    step = HERE.leave(both, Leave(ANN))
    assert step.state == Lobby((BOB,), 8, 50)
    assert step.events == (Left(ANN, 50, 1),)
    assert step.transfers == (Transfer(SystemPurse.POT, ANN, 50, "back"),)
    empty = HERE.leave(step.state, Leave(BOB)).state
    assert empty == Lobby((), 8, 50)
    assert HERE.offers(empty, CAT, 50) == [Wish(CAT, 8, 50)]
    again = HERE.join(empty, Wish(ANN), begin)
    assert (again.state, again.events) == (Lobby((ANN,), 8, 50), (Joined(ANN, 50, 1),))


def test_who_leaves_a_table_for_honour_moves_no_credits() -> None:
    assert HERE.leave(enter(Wish(ANN)).state, Leave(ANN)).transfers == ()


def test_nobody_leaves_who_is_not_in_nor_once_the_game_has_begun() -> None:
    assert not_left(BOB, Wish(ANN)) == Message("chicken-not-joined")
    assert not_left(ANN, Wish(ANN), Wish(BOB), Wish(CAT)) == Message("chicken-leave-too-late")


@pytest.mark.parametrize(
    ("players", "deserted"), [((HOUSE,), True), ((HOUSE, OTHER), True), ((HOUSE, ANN), False)]
)
def test_players_of_the_house_do_not_play_alone(players: tuple[Seat, ...], deserted: bool) -> None:
    assert Lobby(players, 6).deserted is deserted


def test_with_a_stake_a_player_of_the_house_sits_down_beside_exactly_one_person() -> None:
    assert enter(Wish(ANN, 6, 50), Wish(HOUSE)).state.players == (ANN, HOUSE)
    assert refused(Wish(ANN, 6, 50), Wish(BOB), Wish(HOUSE)) == Message("chicken-too-late")
    assert refused(Wish(ANN, 6, 50), Wish(HOUSE), Wish(OTHER)) == Message("chicken-too-late")
    assert (
        len(enter(Wish(ANN, 6, 0), Wish(BOB), Wish(HOUSE), here=replace(HERE, players=9)).state.players) == 3
    )


def test_who_is_alone_gets_the_stake_back_and_the_table_is_for_honour() -> None:
    step = HERE.waive(enter(Wish(ANN, 6, 50)).state, ForHonour(ANN))
    assert step.state == Lobby((ANN,), 6, 0)
    assert step.transfers == (Transfer(SystemPurse.POT, ANN, 50, "back"),)
    assert step.events == (StakeReturned(ANN, 50),)


@pytest.mark.parametrize("wishes", [[Wish(ANN, 6, 0)], [Wish(ANN, 6, 50), Wish(BOB)], [Wish(BOB, 6, 50)]])
def test_nobody_else_plays_for_honour_in_mid_lobby(wishes: list[Wish]) -> None:
    with pytest.raises(Refusal):
        HERE.waive(enter(*wishes).state, ForHonour(ANN))


def test_where_nothing_is_staked_a_stake_is_refused() -> None:
    assert refused(Wish(ANN, 6, 50), here=replace(HERE, stakes=False)) == Message("stakes-off")
    assert enter(Wish(ANN, 6, 0), here=replace(HERE, stakes=False)).state.players == (ANN,)


@pytest.mark.parametrize("wish", [Wish(BOB, 7), Wish(BOB, 7, 50), Wish(BOB, 8, 49), Wish(BOB, credits=0)])
def test_other_terms_than_the_tables_are_refused_naming_them(wish: Wish) -> None:
    terms: Arguments = {"cards": 8, "terms": staked(50)}
    assert refused(Wish(ANN, 8, 50), wish) == Message("chicken-other-terms", terms)


def test_a_second_join_is_refused_naming_the_stake_also_when_the_game_has_begun() -> None:
    refusal = Message("chicken-already-in", {"terms": staked(50)})
    assert refused(Wish(ANN, 8, 50), Wish(ANN)) == refusal
    assert refused(Wish(ANN, 8, 50), Wish(ANN, 99, 1)) == refusal
    assert refused(Wish(ANN, 8, 50), Wish(BOB), Wish(CAT), Wish(BOB)) == refusal
    assert refused(Wish(ANN), Wish(ANN)) == Message("chicken-already-in", {"terms": Message("for-honour")})


def test_who_comes_when_the_game_has_begun_is_too_late() -> None:
    two = replace(HERE, players=2)
    assert refused(Wish(ANN), Wish(BOB), Wish(CAT), here=two) == Message("chicken-too-late")


@pytest.mark.parametrize(
    ("length", "stake", "refusal"),
    [
        (1, 0, Message("chicken-length", {"least": 2, "most": 15})),
        (16, 50, Message("chicken-length", {"least": 2, "most": 15})),
        (6, 9, Message("stake-too-small", {"least": Credits(10)})),
        (6, 101, Message("stake-too-large", {"most": Credits(100)})),
    ],
)
def test_what_is_outside_the_limits_opens_nothing(length: int, stake: int, refusal: Message) -> None:
    assert refused(Wish(ANN, length, stake)) == refusal


# Offers


def test_a_table_may_be_opened_for_what_is_usual_or_for_honour_as_far_as_the_purse_goes() -> None:
    usual = replace(HERE, stake=50)
    assert usual.offers(Lobby(), ANN, 50) == [Wish(ANN, 6, 50), Wish(ANN, 6, 0)]
    assert usual.offers(Lobby(), ANN, 49) == [Wish(ANN, 6, 0)]
    assert HERE.offers(Lobby(), ANN, 50) == [Wish(ANN, 6, 0)], "nothing is usual: it is offered once"


def test_an_open_table_is_offered_on_its_terms_to_who_can_pay_and_is_not_in() -> None:
    lobby = Lobby((ANN,), 8, 60)
    assert HERE.offers(lobby, BOB, 60) == [Wish(BOB, 8, 60)]
    assert HERE.offers(lobby, BOB, 59) == HERE.offers(lobby, ANN, 60) == []


def test_it_takes_the_stake_to_join_a_lobby_and_nothing_later() -> None:
    assert buy_in(Lobby((ANN,), 8, 60)) == 60
    assert buy_in(Lobby()) == 0
    assert buy_in(Begun((ANN, BOB), 60)) == 0


# Too few


@pytest.mark.parametrize(
    ("players", "deserted"), [((), True), ((ANN,), True), ((ANN, BOB), False), ((ANN, BOB, CAT), False)]
)
def test_one_alone_is_too_few(players: tuple[Seat, ...], deserted: bool) -> None:
    assert Lobby(players, 6).deserted == deserted


@pytest.mark.parametrize(("stake", "back"), [(50, (Transfer(SystemPurse.POT, ANN, 50, "back"),)), (0, ())])
def test_too_few_get_their_stakes_back(stake: int, back: tuple[Transfer, ...]) -> None:
    assert abandoned(Lobby((ANN,), 6, stake), "over") == Step("over", (Abandoned(1),), back)


# The house


@pytest.mark.parametrize(
    ("players", "fills", "most", "expected"),
    [(3, 2, 10, (3, 2)), (9, 10, 10, (9, 10)), (9, 10, 4, (3, 4)), (0, 0, 2, (0, 0))],
)
def test_the_house_leaves_a_place_to_who_opens_the_table(
    players: int, fills: int, most: int, expected: tuple[int, int]
) -> None:
    filled = roster(("nash",), players=players, fills=fills, most=most)
    assert (filled.strategies, filled.players, filled.fills) == (("nash",), *expected)


# What is told


def told(lengths: Lengths, event: Any) -> Sequence[Say]:
    return list(tellers(lengths)[type(event)](event))


def test_who_joins_is_told_where_it_is_talkative_to_all_and_to_themselves() -> None:
    args: Arguments = {"who": Name(BOB), "players": 2, "terms": staked(50)}
    assert told(CARDS, Joined(BOB, 50, 2)) == [
        Say(Message("chicken-joined", args), talk=Talk.FULL, shown=True),
        Say(Message("chicken-you-joined", args), to=BOB, talk=Talk.FULL),
    ]


def test_an_opening_names_the_length_as_the_game_counts_it() -> None:
    (chicken,), (market,) = (told(each, Opened(ANN, 3, 0, 60)) for each in (CARDS, ROUNDS))
    assert (chicken.message.id, chicken.message.args["cards"]) == ("chicken-opened", 3)
    assert (market.message.id, market.message.args["rounds"]) == ("market-opened", 3)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("lengths", [CARDS, ROUNDS])
def test_games_with_a_lobby_have_words_for_all_of_it(lengths: Lengths, language: str) -> None:
    here = replace(HERE, lengths=lengths, length=2, players=2)
    events = [Opened(ANN, 2, 50, 60), Joined(BOB, 0, 2), Left(BOB, 0, 1), Left(ANN, 50, 0)]
    events += [Abandoned(1), StakeReturned(ANN, 50), Started(ANN)]
    assert {type(each) for each in events} == set(get_args(LobbyEvent))
    said = [say.message for each in events for say in told(lengths, each)]
    said += [
        refused(Wish(ANN), Wish(ANN), here=here),
        refused(Wish(ANN), Wish(BOB, 1), here=here),
        refused(Wish(ANN), Wish(BOB), Wish(CAT), here=here),
        refused(Wish(ANN, 99), here=here),
        not_left(BOB, Wish(ANN), here=here),
        not_left(ANN, Wish(ANN), Wish(BOB), here=here),
    ]
    assert all(Words(language).text(each, str) for each in said)
