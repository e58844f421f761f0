"""Settings and presets: what text makes which game, and which text is refused."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from typing import Any

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Stormed, Targeted
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.settings import Resets
from chatbot.games.heist.rules.states import Over, Storming
from chatbot.kernel.game import Refusal, Role, SystemPurse
from chatbot.kernel.kit import Season
from chatbot.kernel.say import Credits, Message, Quote
from chatbot.kernel.settings import Schema, as_text, dump, make
from chatbot.settings.fields import of_game
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, UNPAID, Table, crowd, gather


def preset(name: str, **changes: object) -> Heist:
    game: Heist = make(Heist, {**KIT.rules.presets[name], **changes})
    return game


def refusal(**values: object) -> Message:
    with pytest.raises(Refusal) as refused:
        make(Heist, values)
    return refused.value.message


# Presets


def test_a_room_that_has_chosen_nothing_plays_the_preset_of_the_stream() -> None:
    assert list(KIT.rules.presets) == ["stream", "contest", "deepbot", "small"]
    assert of_game(KIT).unset.value == preset("stream")


def test_what_a_preset_leaves_out_is_the_contests() -> None:
    assert preset("contest") == Heist()
    game = Heist()
    assert (game.lobby, game.getaway, game.cooldown) == (60, 30, 300)
    assert (game.min_stake, game.max_stake, game.min_crew) == (1, 0, 1)
    assert (game.payday, game.active, game.levels) == (True, 30, (0, 20, 40, 60, 80))
    assert 0 < game.rabble <= 500


def test_deepbots_windows_stakes_and_company() -> None:
    game = preset("deepbot")
    assert (game.lobby, game.getaway, game.cooldown) == (120, 0, 600)
    assert (game.max_stake, game.rabble, game.payday) == (5000, 0, False)


@pytest.mark.parametrize(
    ("size", "bank", "chance", "credits_won"),
    [
        (1, 0, 0.54, 150),  # pays 1.5
        (9, 0, 0.54, 150),
        (10, 1, 0.488, 170),  # pays 1.7
        (19, 1, 0.488, 170),
        (20, 2, 0.425, 200),  # pays 2.0
        (29, 2, 0.425, 200),
        (30, 3, 0.387, 225),  # pays 2.25
        (39, 3, 0.387, 225),
        (40, 4, 0.324, 275),  # pays 2.75
        (100, 4, 0.324, 275),
    ],
)
def test_deepbot_is_one_round_at_its_levels_chances_and_gross_payouts(
    size: int, bank: int, chance: float, credits_won: int
) -> None:
    table = gather(crowd(size), game=preset("deepbot"))
    step = table.tick()
    assert isinstance(table.state, Storming)  # no getaway in between
    assert step.events == (
        Targeted(bank, size, rabble=0, staked=100 * size, seconds=0),
        Stormed(bank, committed=size, heisters=size),
    )
    luck = Luck(True, *(False,) * (size - 1))
    table.tick(luck)
    assert isinstance(table.state, Over)
    assert luck.asked == [chance] * size
    assert table.purse(crowd(1)[0]) == 900 + credits_won
    assert table.purses[SystemPurse.MINT] == 0  # no payday
    assert table.records == {}


@pytest.mark.parametrize(("size", "bank"), [(1, 0), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4)])
def test_small_brings_every_bank_in_reach_of_a_dozen_people(size: int, bank: int) -> None:
    table = gather(crowd(size), game=preset("small"))
    assert table.tick().events[0] == Targeted(bank, size, rabble=0, staked=100 * size, seconds=30)


def test_small_is_the_contest_otherwise() -> None:
    assert preset("small") == Heist(rabble=0, levels=(1, 2, 4, 7, 10))


def test_a_preset_may_be_changed() -> None:
    assert preset("deepbot", max_stake="100").max_stake == 100


# Text


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("lobby", "5", 5),
        ("lobby", "600", 600),
        ("getaway", "0", 0),
        ("getaway", "5", 5),
        ("getaway", "600", 600),
        ("suspense", "0", 0),
        ("suspense", "30", 30),
        ("cooldown", "0", 0),
        ("starters", "moderator", Role.MODERATOR),
        ("default_stake", "1", 1),
        ("min_stake", "10", 10),
        ("max_stake", "0", 0),
        ("min_crew", "2", 2),
        ("rabble", "0", 0),
        ("rabble", "500", 500),
        ("payday", "off", False),
        ("payday", "YES", True),
        ("active", "1440", 1440),
        ("levels", "1/2/4/7/10", (1, 2, 4, 7, 10)),
        ("levels", "0/1/2/3/4", (0, 1, 2, 3, 4)),
        ("chances", "0/100/48.8/0.001/50", tuple(map(Decimal, ("0", "100", "48.8", "0.001", "50")))),
        ("odds", "0/1000/0.00001/1.65/2", tuple(map(Decimal, ("0", "1000", "0.00001", "1.65", "2")))),
        ("season_resets", "everything", Resets.EVERYTHING),
    ],
)
def test_text_makes_a_setting(key: str, text: str, value: object) -> None:
    assert make(Heist, {key: text}) == Heist(**_one(key, value))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        *(("lobby", text) for text in ("4", "601", "sixty", "60.0", "-60", "+60", " 60", "", "1e2")),
        ("lobby", "\N{FULLWIDTH DIGIT SIX}0"),
        *(("getaway", text) for text in ("1", "4", "601", "none", "-1")),
        *(("suspense", text) for text in ("31", "-1", "six")),
        ("cooldown", "86401"),
        ("starters", "king"),
        ("default_stake", "0"),
        ("default_stake", "all"),
        ("min_stake", "0"),
        ("min_stake", "1000000000000001"),
        ("max_stake", "-1"),
        ("min_crew", "0"),
        ("rabble", "501"),
        ("payday", "maybe"),
        ("payday", "2"),
        ("active", "0"),
        ("season_resets", "all"),
        *(
            ("levels", text)
            for text in (
                "", "0", "0/20/40/60", "0/20/40/60/80/100", "0/20/20/60/80", "80/60/40/20/0", "2/20/40/60/80",
                "0,20,40,60,80", "a/b/c/d/e", "0/20.5/40/60/80", "-1/20/40/60/80", "0/20/40/60/10001",
                "0/20/40/60/\N{FULLWIDTH DIGIT EIGHT}0", "0//40/60/80", "0/20/40/60/80/", "0 /20/40/60/80",
            )
        ),
        *(
            ("chances", text)
            for text in (
                "54", "54/48.8/42.5/38.7", "100.001/50/50/50/50", "-1/50/50/50/50", "nan/50/50/50/50",
                "54%%/50/50/50/50", "54.1234/50/50/50/50", "1e1/50/50/50/50", ".5/50/50/50/50",
            )
        ),
        *(
            ("odds", text)
            for text in (
                "0.8", "1000.1/1/1/1/1", "-0.5/1/1/1/1", "inf/1/1/1/1", "0.123456/1/1/1/1", "1,5/1/1/1/1",
                "0.8/1.1/1.3/1.65",
            )
        ),
    ],
)  # fmt: skip
def test_nonsense_is_refused_and_named(key: str, text: str) -> None:
    message = refusal(**_one(key, text))
    assert message.id == ("setting-wrong" if text else "setting-empty")
    assert message.args["key"] == key
    assert message.args["value"] == Quote(text)
    assert isinstance(message.args["expected"], Message)


def test_yes_is_no_number() -> None:
    assert refusal(rabble=True).id == "setting-wrong"


def test_an_unknown_setting_is_refused_with_those_there_are() -> None:
    message = refusal(lobbi="60")
    assert message.id == "setting-unknown"
    assert message.args["key"] == Quote("lobbi")
    assert "lobby" in str(message.args["known"])


@pytest.mark.parametrize("most", [9, "9"])
def test_stakes_that_cross_are_refused(most: object) -> None:
    message = refusal(min_stake=10, max_stake=most)
    assert message == Message("stakes-crossed", {"least": Credits(10), "most": Credits(9)})
    assert make(Heist, {"min_stake": 10, "max_stake": 10}).max_stake == 10


@pytest.mark.parametrize("name", ["contest", "deepbot", "small"])
def test_settings_are_written_as_plain_values_and_read_back(name: str) -> None:
    game = preset(name)
    assert make(Heist, dump(game)) == game


@pytest.mark.parametrize("name", ["contest", "deepbot", "small"])
def test_what_is_shown_of_a_setting_may_be_typed(name: str) -> None:
    game = preset(name)
    shown = {key: as_text(getattr(game, key)) for key in Schema(type(game)).descriptors}
    assert make(Heist, shown) == game
    assert set(shown) == {each.name for each in fields(Heist)}


# What the settings do


def test_the_chances_and_odds_of_the_settings_are_those_of_the_heist() -> None:
    game = Heist(rabble=0, payday=False, chances=(Decimal("12.5"),) * 5, odds=(Decimal("0.00001"),) * 5)
    table = gather(
        [ANN, BOB], game=game, stakes={ANN: 100_000, BOB: 99_999}, purses={ANN: 100_000, BOB: 99_999}
    )
    table.tick()
    table.tick()
    luck = Luck(True, True)
    table.tick(luck)
    assert luck.asked == [0.125, 0.125]
    assert table.purse(ANN) == 100_001  # 100 000 + 100 000 * 0.00001
    assert table.purse(BOB) == 99_999  # 99 999 + floor(0.99999)


def test_a_career_without_own_numbers_follows_the_settings() -> None:
    game = Heist(rabble=0, chances=(Decimal(1),) * 5)
    table = Table(game)
    table.sit(ANN)
    assert table.career(ANN).chance_at(4, game.banks) == 0.01
    assert table.career(ANN).odds_at(4, game.banks) == 195_000


def test_own_numbers_that_have_fallen_to_zero_stay_there() -> None:
    ruined = Career(chances=(0.0, None, None, None, None), odds=(0, None, None, None, None))
    table = gather([ANN], game=UNPAID, careers={ANN: ruined})
    table.tick()
    table.tick()
    luck = Luck(True)
    table.tick(luck)
    assert luck.asked == [0.0]
    assert table.purse(ANN) == 1000  # 1000 - 100 + 100 + 0.00 * 100


def test_members_who_were_active_within_the_setting_sit_too() -> None:
    assert KIT.seating.audience(Heist()) == 30
    assert KIT.seating.audience(Heist(active=5)) == 5


@pytest.mark.parametrize(
    ("resets", "records", "credits_too"),
    [(Resets.NOTHING, False, False), (Resets.CAREERS, True, False), (Resets.EVERYTHING, True, True)],
)
def test_a_season_ends_by_heists_or_days_and_resets_what_is_set(
    resets: Resets, records: bool, credits_too: bool
) -> None:
    game = Heist(season_heists=100, season_days=28, season_resets=resets)
    season = KIT.rules.season(game)
    assert season == Season(tables=100, days=28, forgets_records=records, resets_credits=credits_too)


def test_ten_answers_have_ten_words() -> None:
    assert [act.value for act in Act] == [
        "guncheck", "backout", "allin", "changejobs", "intel",
        "guard", "deposit", "withdraw", "doublecross", "finger",
    ]  # fmt: skip


def _one(key: str, value: object) -> dict[str, Any]:
    return {key: value}
