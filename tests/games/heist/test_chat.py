"""Words to actions and back, the topics that people ask about, and the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.chat.board import _mark, result
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Answer, Fate, Join, Outcome
from chatbot.games.heist.rules.rules import Heist
from chatbot.kernel.amounts import MOST
from chatbot.kernel.commands import MoveRequest, TopicRequest
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Argument, Credits, Listing, Message, Quote
from chatbot.kernel.settings import make
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, PEOPLE, Table, gather, play

if TYPE_CHECKING:
    from chatbot.kernel.board import Board


def typed(line: str, purse: int = 1000, game: Heist = PEOPLE) -> Any:
    """Read a line as Ann would type it."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in KIT.chat.commands if word in (each.word, *each.aliases))
    return command.read(game, MoveRequest(ANN, purse, tuple(words)))


def refused(line: str, purse: int = 1000) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line, purse)
    return refusal.value.message


# Words


@pytest.mark.parametrize("action", [*(Answer(ANN, act) for act in Act), Join(ANN, 1), Join(ANN, 80_085)])
def test_every_action_reads_back_from_its_line(action: Join | Answer) -> None:
    assert typed(KIT.chat.line(action)) == action


def test_the_largest_amount_that_is_accepted_anywhere_reads_back_from_its_line() -> None:
    assert typed(KIT.chat.line(Join(ANN, MOST))) == Join(ANN, MOST)


@pytest.mark.parametrize("action", [*(Answer(ANN, act) for act in Act), Join(ANN, 69)])
def test_every_action_survives_the_journal(action: Join | Answer) -> None:
    assert KIT.codec.load(KIT.codec.dump(action)) == action


@pytest.mark.parametrize(
    ("line", "stake"),
    [
        ("!heist 69", 69),
        ("!bankheist 69", 69),
        ("!heist", 69),  # the default stake
        ("!heist 1k", 1000),
        ("!heist 2M", 2_000_000),
        ("!heist all", 999),
        ("!heist ALL", 999),
        ("!heist half", 499),  # 999 / 2 = 499.5
        ("!heist 25%", 249),  # 999 / 4 = 249.75
        ("!heist 100%", 999),
    ],
)
def test_stakes_in_all_the_ways_people_type_them(line: str, stake: int) -> None:
    assert typed(line, purse=999) == Join(ANN, stake)


def test_a_bare_word_stakes_what_the_setting_says() -> None:
    assert typed("!heist", game=Heist(default_stake=420)) == Join(ANN, 420)


def test_a_share_of_little_is_at_least_one_credit() -> None:
    assert typed("!heist 1%", purse=99) == Join(ANN, 1)  # 0.99
    assert typed("!heist all", purse=0) == Join(ANN, 1)  # the ledger will refuse it


@pytest.mark.parametrize("text", ["1e3", "ten", "101%", "0%", "\N{FULLWIDTH DIGIT SIX}", "0x10", "1kk"])
def test_what_is_no_amount_is_refused_with_what_was_typed(text: str) -> None:
    assert refused(f"!heist {text}") == Message("not-an-amount", {"text": Quote(text)})


@pytest.mark.parametrize(
    ("text", "reason"), [("0.5", "amount-unclear"), ("-1", "amount-signed"), ("69 420", "amount-spaced")]
)
def test_what_may_be_meant_is_said_where_an_amount_is_written_in_another_way(text: str, reason: str) -> None:
    assert refused(f"!heist {text}").id == reason


def test_an_amount_of_nothing_is_refused() -> None:
    assert refused("!heist 0").id == "amount-out-of-range"


def test_more_than_one_amount_is_refused_with_how_to_write_it() -> None:
    message = refused("!heist 69 42")
    assert message.id == "usage"
    assert str(message.args["command"]).startswith("!heist [69 |")


def test_the_games_own_word_opens_a_table_and_answers_are_best_said_in_private() -> None:
    assert KIT.word == "heist"
    assert [each.word for each in KIT.chat.commands if each.opens] == ["heist"]
    assert {each.word for each in KIT.chat.commands if each.secret} == {act.value for act in Act}


def test_buttons_are_labelled() -> None:
    assert KIT.display.label(Join(ANN, 69)) == Message("heist-button-join", {"stake": Credits(69)})
    assert KIT.display.label(Answer(ANN, Act.ALL_IN)) == Message("heist-button-allin")


# Topics


def test_the_rules_tell_of_the_getaway_where_there_is_one() -> None:
    told = KIT.chat.topics["rules"](Heist(lobby=45, getaway=20), TopicRequest(ANN, 0))
    assert told == [
        Message("heist-rules-short"),
        Message("heist-rules", {"seconds": 45, "credits": 100_000}),
        Message("heist-rules-getaway", {"seconds": 20, "daunting": 1}),
    ]
    assert [each.id for each in KIT.chat.topics["rules"](Heist(getaway=0), TopicRequest(ANN, 0))] == [
        "heist-rules-short",
        "heist-rules",
    ]


def test_the_odds_of_the_contest_with_a_warning_of_the_generous_banks() -> None:
    _, first, warning, _ = KIT.chat.topics["odds"](Heist(), TopicRequest(ANN, 0))
    assert first.id == "heist-odds"
    rows = _rows(first.args["banks"])
    assert [row["bank"] for row in rows] == [Message(f"heist-bank-{number}") for number in range(5)]
    assert [row["level"] for row in rows] == [1, 20, 40, 60, 80]  # at least one heister
    assert [row["chance"] for row in rows] == [54, 48.8, 42.5, 38.7, 32.4]
    assert [row["payout"] for row in rows] == [1.8, 2.1, 2.3, 2.65, 2.95]
    # 54 * 1.8 = 97.2; 48.8 * 2.1 = 102.48; 42.5 * 2.3 = 97.75; 38.7 * 2.65 = 102.555; 32.4 * 2.95 = 95.58
    exact = [97.2, 102.48, 97.75, 102.555, 95.58]
    assert [row["back"] for row in rows] == pytest.approx(exact, abs=0.0501)  # shown to a tenth
    assert rows[1]["back"] == 102.5
    assert warning == Message("heist-odds-generous")


def test_no_bank_of_deepbots_pays_back_more_than_it_takes() -> None:
    (_, only) = KIT.chat.topics["odds"](make(Heist, KIT.rules.presets["deepbot"]), TopicRequest(ANN, 0))
    rows = _rows(only.args["banks"])
    assert [row["level"] for row in rows] == [1, 10, 20, 30, 40]
    assert [row["payout"] for row in rows] == [1.5, 1.7, 2, 2.25, 2.75]
    # 54 * 1.5 = 81; 48.8 * 1.7 = 82.96; 42.5 * 2 = 85; 38.7 * 2.25 = 87.075; 32.4 * 2.75 = 89.1
    assert [row["back"] for row in rows] == [81, 83, 85, 87.1, 89.1]


def test_exactly_all_back_is_not_generous() -> None:
    game = make(Heist, {"chances": "50/50/50/50/50", "odds": "1/1/1/1/1"})  # 50% × 2 = 100%
    told = {each.id for each in KIT.chat.topics["odds"](game, TopicRequest(ANN, 0))}
    assert "heist-odds-generous" not in told


def test_a_career_in_words() -> None:
    own = Career(
        salary=120, employed=False, accounts=(0, 50, 0, 0, 0), guards=(2, 0, 0, 0, 0),
        chances=(0.549154, None, None, None, None), odds=(86_969, None, None, None, None),
    )  # fmt: skip
    (told,) = KIT.chat.topics["career"](Heist(), TopicRequest(ANN, 0, own))
    job = told.args["job"]
    assert isinstance(job, Message)
    assert (job.id, job.args["salary"]) == ("heist-career-unemployed", Credits(120))
    rows = _rows(told.args["banks"])
    assert (rows[0]["chance"], rows[0]["payout"], rows[0]["guards"]) == (54.92, 1.86969, 2)
    assert (rows[1]["chance"], rows[1]["payout"], rows[1]["account"]) == (48.8, 2.1, Credits(50))


@pytest.mark.parametrize("record", [None, "nonsense"])
def test_who_has_no_record_has_a_fresh_career(record: object) -> None:
    (told,) = KIT.chat.topics["career"](Heist(), TopicRequest(ANN, 0, record))
    job = told.args["job"]
    assert isinstance(job, Message)
    assert (job.id, job.args["salary"]) == ("heist-career-employed", Credits(240))


# The board


def test_the_board_of_a_lobby_shows_the_crew_and_what_is_staked() -> None:
    shown = _board(gather([ANN, BOB]))
    assert [each.seat for each in shown.places] == [ANN, BOB]
    assert {each.mark for each in shown.places} == {"waiting"}
    assert shown.note == Message("heist-note-lobby")
    facts = {each.label.id: each.value for each in shown.facts}
    assert facts["heist-fact-bank"] == Message("heist-bank-0")
    assert facts["heist-fact-stakes"] == Message("amount", {"credits": Credits(200)})
    assert facts["heist-fact-odds"] == Message("heist-chance-payout", {"chance": 54.0, "payout": 1.8})


def test_the_board_of_a_getaway_shows_who_has_answered_and_the_crowd() -> None:
    table = gather([ANN, BOB], game=Heist(rabble=2))
    table.tick(Luck(True, False, belows=[2]))
    table.answer(BOB, Act.DOUBLE_CROSS)
    shown = _board(table)
    assert [each.mark for each in shown.places] == ["waiting", "ready"]
    facts = {each.label.id: each.value for each in shown.facts}
    assert facts["heist-fact-rabble"] == Message("heist-crew-size", {"crew": 1})


def test_a_heister_is_told_of_changing_their_mind_only_while_they_can() -> None:
    table = gather([ANN], game=Heist(rabble=0))
    table.tick()
    table.answer(ANN, Act.DEPOSIT)
    answer = Message("heist-act-deposit")
    assert KIT.display.board(table.game.view(table.state, ANN)).note == Message(
        "heist-note-answered", {"answer": answer}
    )
    table.tick()
    assert KIT.display.board(table.game.view(table.state, ANN)).note == answer


def test_the_board_at_the_end_marks_who_won_lost_and_left() -> None:
    shown = _board(play({ANN: None, BOB: None, CAT: Act.BACK_OUT}, Luck(True, False)))
    assert [each.mark for each in shown.places] == ["won", "lost", "left"]
    assert shown.note == Message("heist-note-over")


def test_the_board_of_an_abandoned_heist_has_no_bank() -> None:
    table = gather([ANN], game=Heist(rabble=0, min_crew=2))
    table.tick()
    shown = _board(table)
    assert shown.facts[0].value == Message("heist-no-bank")
    assert shown.note == Message("heist-note-abandoned")


STAKED = Outcome(ANN, Act.GUNCHECK, Fate.ESCAPED, cost=100, winnings=180, received=180, lucky=True)
LOST = Outcome(ANN, Act.GUNCHECK, Fate.CAUGHT, cost=100)


@pytest.mark.parametrize(
    ("outcome", "ending", "mark", "net"),
    [
        (STAKED, "escaped", "won", "+80"),
        (LOST, "caught", "lost", "−100"),
        (replace(LOST, received=130), "caught", "caught", "+30"),  # a share of what crossers had to leave
        (replace(LOST, received=100), "caught", "caught", "+0"),
        (replace(STAKED, lost=36, received=144), "robbed", "won", "+44"),
        (replace(STAKED, lost=90, received=90), "robbed", "away", "−10"),
        (replace(STAKED, lost=180, received=0), "robbed-blind", "away", "−100"),
        (Outcome(ANN, Act.BACK_OUT, Fate.RETURNED), "returned", "left", "+0"),
        (replace(STAKED, act=Act.INTEL, received=0, put_by=180), "intel", "away", "−100"),
        (replace(STAKED, act=Act.INTEL, received=170, put_by=10), "intel", "won", "+70"),
        (replace(LOST, act=Act.INTEL), "caught", "lost", "−100"),
        (replace(STAKED, act=Act.DEPOSIT, received=0, put_by=180), "deposit", "won", "−100"),
        (replace(LOST, act=Act.ALL_IN, cost=240), "allin-caught", "lost", "−240"),
        (replace(STAKED, act=Act.ALL_IN, cost=240, received=936), "allin-escaped", "won", "+696"),
        (replace(STAKED, act=Act.DOUBLE_CROSS), "cross-in-vain", "won", "+80"),
        (replace(LOST, act=Act.DOUBLE_CROSS), "caught", "lost", "−100"),
        (replace(LOST, act=Act.DOUBLE_CROSS, fate=Fate.TRAPPED), "trapped", "lost", "−100"),
        (replace(LOST, act=Act.DOUBLE_CROSS, fate=Fate.FINGERED, cost=300), "fingered", "lost", "−300"),
        (
            replace(LOST, act=Act.DOUBLE_CROSS, fate=Fate.RAN, received=3600),
            "ran",
            "won",
            "+3,500",
        ),
        (replace(LOST, act=Act.DOUBLE_CROSS, fate=Fate.RAN, received=30), "ran", "away", "−70"),
    ],
)
def test_words_and_mark_are_made_of_what_became_of_somebody(
    outcome: Outcome, ending: str, mark: str, net: str
) -> None:
    told = result(outcome)
    assert told.id == f"heist-result-{ending}"
    assert told.args["net"] == net
    assert _mark(outcome) == mark


def _board(table: Table) -> Board:
    return KIT.display.board(table.game.view(table.state, None))


def _rows(listing: Argument) -> list[dict[str, Any]]:
    assert isinstance(listing, Listing)
    return [dict(each.args) for each in listing.items]


def test_as_many_are_marked_as_away_as_the_verdict_counts() -> None:
    """Whoever spends all on intel has got away; a caught one with a share of a crosser's goods has not."""
    outcomes = (
        STAKED,
        replace(STAKED, act=Act.INTEL, received=0, put_by=180),
        replace(STAKED, lost=180, received=0),
        replace(LOST, received=130),
        replace(LOST, received=100),
        LOST,
        Outcome(ANN, Act.BACK_OUT, Fate.RETURNED),
    )
    marks = [_mark(each) for each in outcomes]
    assert sum(mark in {"won", "away"} for mark in marks) == sum(each.away for each in outcomes) == 3
    assert sum(mark in {"lost", "caught"} for mark in marks) == 3
