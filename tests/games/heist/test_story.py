"""What is told: one verdict without gaps, secrets kept, results best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.chat.story import narrate
from chatbot.games.heist.rules.moves import (
    EVENTS,
    Abandoned,
    Act,
    Answered,
    BroughtHome,
    Crossed,
    Event,
    Fate,
    GuardsLeft,
    Hired,
    Identified,
    Joined,
    Left,
    Opened,
    Outcome,
    Paid,
    Reached,
    Settled,
    Sprung,
    Stitched,
    Stormed,
    Targeted,
    Wage,
)
from chatbot.kernel.lobby import Started
from chatbot.kernel.say import Credits, Listing, Message, Name, Say, Talk
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, UNPAID, crowd, play

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat

VERDICTS = {
    "heist-nobody-went", "heist-solo-success", "heist-solo-failure", "heist-none-escape",
    "heist-few-escape", "heist-most-escape", "heist-all-escape",
}  # fmt: skip


def told(event: Event) -> list[Say]:
    return list(narrate(event))


def verdict(went: int, won: int, ran: int = 0) -> Message:
    """Tell of so many who went in, of whom so many won, and of so many who backed out."""
    fates = [Fate.ESCAPED] * won + [Fate.CAUGHT] * (went - won) + [Fate.RETURNED] * ran
    outcomes = tuple(
        Outcome(seat, Act.GUNCHECK, fate, 0, 0, 0)
        for seat, fate in zip(crowd(went + ran), fates, strict=True)
    )
    says = told(Settled(0, outcomes, rabble_in=0, rabble_won=0))
    (only,) = [say.message for say in says if say.message.id in VERDICTS]
    return only


@pytest.mark.parametrize("went", range(2, 61))
def test_there_is_exactly_one_verdict_for_every_number_of_escapes(went: int) -> None:
    for won in range(went + 1):
        said = verdict(went, won)
        assert (said.id == "heist-none-escape") == (won == 0)
        assert (said.id == "heist-all-escape") == (won == went)
        # few: below 34 percent; most: from there on, below all
        assert (said.id == "heist-few-escape") == (0 < won < 0.34 * went - 1e-9)
        assert said.args == {"won": won, "went": went, "bank": Message("heist-bank-0")}


@pytest.mark.parametrize(
    ("went", "won", "said"),
    [
        (27, 20, "most"),  # 74.07%
        (3, 1, "few"),  # 33.3%
        (50, 17, "most"),  # 34% exactly
        (50, 16, "few"),  # 32%
        (100, 1, "few"),
        (100, 99, "most"),
        (1000, 339, "few"),  # 33.9%: between 33 and 34 there is no gap
        (1000, 999, "most"),  # 99.9%: nor between 99 and 100
        (1000, 1, "few"),  # 0.1%: nor between 0 and 1
    ],
)
def test_the_verdicts_borders(went: int, won: int, said: str) -> None:
    assert verdict(went, won).id == f"heist-{said}-escape"


def test_one_alone_has_verdicts_of_their_own() -> None:
    assert verdict(1, 1).id == "heist-solo-success"
    assert verdict(1, 0).id == "heist-solo-failure"
    assert verdict(1, 1).args["who"] == Name(crowd(1)[0])


def test_who_backed_out_is_not_counted_in_the_verdict() -> None:
    assert verdict(0, 0, ran=5).id == "heist-nobody-went"
    assert verdict(1, 1, ran=5).id == "heist-solo-success"
    assert verdict(2, 2, ran=5).id == "heist-all-escape"


EXAMPLES = (
    Opened(ANN, 69, 60),
    Joined(ANN, 69, 2),
    Left(ANN, 69, 1),
    Started(ANN),
    Reached(1, 20),
    Abandoned(1, 2),
    Targeted(0, 1, 0, 69, 30),
    Answered(ANN, Act.FINGER),
    Stormed(0, 1, 1),
    Settled(0, (), 0, 0),
    Identified(ANN, BOB, 5),
    Stitched(ANN, 5),
    Crossed((ANN,), 5, (BOB,), 5),
    Sprung((ANN,), 5),
    BroughtHome(()),
    Paid((Wage(ANN, 240, 0),)),
    Hired(ANN, 252),
    GuardsLeft(ANN, 1),
)


def test_every_kind_of_event_has_an_example_here() -> None:
    assert {type(each) for each in EXAMPLES} == set(EVENTS)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_every_event_is_told_with_its_game_and_name(event: Event) -> None:
    says = told(event)
    assert says
    assert {(say.game, say.event) for say in says} == {("heist", type(event).__name__)}


def test_the_public_hears_only_that_an_answer_came_in() -> None:
    public = [[say for say in told(Answered(ANN, act)) if say.to is None] for act in Act]
    assert all(each == public[0] for each in public)
    assert [say.message for say in public[0]] == [Message("heist-answer-in", {"who": Name(ANN)})]


@pytest.mark.parametrize("act", Act)
def test_the_heister_alone_hears_which_answer_and_it_is_never_said_in_public(act: Act) -> None:
    (own,) = [say for say in told(Answered(ANN, act)) if say.to == ANN]
    assert own.secret
    assert own.message.args["answer"] == Message(f"heist-act-{act.value}")


def test_joins_are_quiet_and_outcomes_are_not() -> None:
    assert {say.talk for say in told(Joined(ANN, 69, 2))} == {Talk.FULL}
    assert told(Opened(ANN, 69, 60))[0].talk is Talk.QUIET
    assert {say.talk for say in told(Settled(0, (), 0, 0))} == {Talk.QUIET}


def test_without_a_getaway_nobody_is_asked_for_a_move() -> None:
    assert [say.message.id for say in told(Targeted(0, 1, 0, 69, 0))] == ["heist-targeted"]
    assert [say.message.id for say in told(Targeted(0, 1, 0, 69, 30))] == ["heist-targeted", "heist-getaway"]


def test_storming_in_says_when_some_have_lost_their_nerve() -> None:
    assert told(Stormed(0, 3, 3))[0].message.id == "heist-storming"
    assert told(Stormed(0, 2, 3))[0].message.id == "heist-storming-fewer"


def test_results_are_one_line_with_the_best_first() -> None:
    table = play({ANN: None, BOB: None, CAT: Act.BACK_OUT}, Luck(False, True), game=UNPAID)
    (line,) = [say.message for say in table.says() if say.message.id == "heist-results"]
    listing = line.args["results"]
    assert isinstance(listing, Listing)
    # Bob +80, Cat 0, Ann -100
    assert [each.args["who"] for each in listing.items] == [Name(BOB), Name(CAT), Name(ANN)]


def test_the_rabble_are_told_of_as_a_crowd_where_they_went_in() -> None:
    assert told(Settled(0, (), rabble_in=7, rabble_won=3))[-1].message == Message(
        "heist-rabble", {"won": 3, "went": 7}
    )
    assert all(say.message.id != "heist-rabble" for say in told(Settled(0, (), 0, 0)))


def test_a_fingered_crosser_is_named_with_the_fine() -> None:
    assert told(Identified(BOB, ANN, 225))[0].message == Message(
        "heist-identified", {"who": Name(BOB), "crosser": Name(ANN), "fine": Credits(225)}
    )


def test_of_stitches_nothing_is_shared_out_where_nothing_was_won() -> None:
    assert [told(Stitched(ANN, each))[0].message.id for each in (5, 0)] == [
        "heist-stitched",
        "heist-stitched-empty",
    ]


def test_a_double_cross_that_came_off_and_one_that_came_out_are_told_apart() -> None:
    ids = {
        "ran": [say.message.id for say in told(Crossed((ANN, BOB), 180, (), 0))],
        "half": [say.message.id for say in told(Crossed((ANN,), 180, (BOB,), 60))],
        "undone": [say.message.id for say in told(Crossed((), 180, (ANN, BOB), 120))],
        "sprung": [say.message.id for say in told(Sprung((ANN, BOB), 180))],
    }
    assert ids == {
        "ran": ["heist-crossed"],
        "half": ["heist-crossed", "heist-cross-undone"],
        "undone": ["heist-cross-undone"],
        "sprung": ["heist-cross-sprung"],
    }


def test_it_is_never_said_that_an_identified_crosser_ran_off_with_the_loot() -> None:
    # Bob identifies Ann, whose share of 360 goes to Bob and Cat: Ann gets nothing.
    table = play(
        {ANN: Act.DOUBLE_CROSS, BOB: Act.FINGER, CAT: None},
        Luck(True, True, True, picks=(0,) * 8),
        game=UNPAID,
    )
    assert table.purse(ANN) == 675  # 1000 - 100 - fine of 225
    thieves = [name for say in table.says() if say.message.id == "heist-crossed" for name in _crossers(say)]
    assert ANN not in thieves


def _crossers(say: Say) -> list[Seat]:
    listing = say.message.args["crossers"]
    assert isinstance(listing, Listing)
    names = [each.args["who"] for each in listing.items]
    return [name.seat for name in names if isinstance(name, Name)]
