"""A role may bring a bonus on top of the payout, as long as the heist never pays back more than is staked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.chat.odds import odds
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT
from chatbot.games.heist.rules.moves import Join, JoinAs
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Refusal, Role, Seat, Timeout
from chatbot.kernel.say import Listing
from chatbot.kernel.settings import make

ANN, BOB = Seat("ann"), Seat("bob")
ONE_ROUND = {"chances": "80/80/80/80/80", "odds": "0/0/0/0/0"}  # each pays back .8 of what is staked


def with_bonus(preset: str, **settings: object) -> Heist:
    return make(Heist, {**PRESETS[preset], **settings})


def typed(game: Heist, *roles: Role) -> Any:
    return KIT.chat.commands[0].read(game, MoveRequest(ANN, 1000, ("69",), roles=frozenset(roles)))


def paid(game: Heist, *joins: Join) -> list[dict[Seat, int]]:
    """Play a hundred heists, and tell what each was paid."""
    found = []
    for number in range(100):
        rng, state, got = Rng.of(f"bonus {number}"), game.start(), dict[Seat, int]()
        for action in joins:
            state = game.apply(state, action, Moment(rng)).state
        while (clock := game.clock(state)) is not None:
            step = game.apply(state, Timeout(clock), Moment(rng))
            state = step.state
            for each in step.transfers:
                if each.why == "winnings" and isinstance(each.target, str):
                    got[Seat(each.target)] = each.credits
        found.append(got)
    return found


def test_the_highest_bonus_of_a_members_roles_counts() -> None:
    game = with_bonus("deepbot", subscriber_bonus=5, vip_bonus="2.5")
    assert typed(game) == Join(ANN, 69)
    assert typed(game, Role.VIEWER, Role.REGULAR, Role.MODERATOR) == Join(ANN, 69)
    assert typed(game, Role.VIP) == JoinAs(ANN, 69, Role.VIP)
    assert typed(game, Role.MODERATOR, Role.VIP, Role.SUBSCRIBER) == JoinAs(ANN, 69, Role.SUBSCRIBER)


def test_without_a_bonus_no_role_is_written_into_the_journal() -> None:
    assert KIT.codec.dump(typed(Heist(), *Role)) == '{"Join":{"seat":"ann","credits":69}}'


def test_a_role_survives_the_journal() -> None:
    action = JoinAs(ANN, 69, Role.SUBSCRIBER)
    assert KIT.codec.load(KIT.codec.dump(action)) == action
    assert KIT.chat.line(action) == "!heist 69"


def test_who_gets_away_is_paid_the_bonus_and_nobody_else_is() -> None:
    game = with_bonus("deepbot", **ONE_ROUND, subscriber_bonus=25)
    found = paid(game, JoinAs(ANN, 1000, Role.SUBSCRIBER), Join(BOB, 1000))
    assert {each.get(ANN, 0) for each in found} == {0, 1250}
    assert {each.get(BOB, 0) for each in found} == {0, 1000}


def test_a_role_without_a_bonus_is_paid_as_all_others() -> None:
    game = with_bonus("deepbot", **ONE_ROUND, vip_bonus=25)
    assert {each.get(ANN, 0) for each in paid(game, JoinAs(ANN, 1000, Role.SUBSCRIBER))} == {0, 1000}


@pytest.mark.parametrize(
    ("preset", "settings", "most"),
    [
        ("deepbot", ONE_ROUND, "25"),  # .8 × 1.25 = 1
        ("stream", {}, "5.084"),  # .97 + (.54 + .05) × .05084 = .9999956
        ("stream", {"getaway": 0}, "18.209"),  # .324 × (2.75 + .18209) + .05 = .99999716
    ],
)
def test_no_bonus_brings_back_more_than_is_staked(
    preset: str, settings: dict[str, object], most: str
) -> None:
    more = str(Decimal(most) + Decimal("0.001"))
    assert with_bonus(preset, **settings, vip_bonus=most).bonuses == {Role.VIP: Decimal(most)}
    with pytest.raises(Refusal) as refused:
        with_bonus(preset, **settings, vip_bonus=more)
    assert refused.value.message.id == "heist-bonus-high"


def test_the_best_career_with_the_bonus_stays_within_what_is_staked() -> None:
    """Every probability that guards can come to, with the odds that intel raises beside it, and the wage."""
    game, bounds = with_bonus("stream", vip_bonus=5), with_bonus("stream", vip_bonus=5).bounds
    best = 0.0
    for bank in game.banks:
        top = bounds.most_chance(bank, bank.odds)
        for part in range(101):
            chance = bank.chance + (top - bank.chance) * part / 100
            gross = 1 + bounds.most_odds(bank, chance) / ODDS_UNIT + 0.05
            best = max(best, chance * gross + 0.05, chance * gross * 1.05)
    assert 0.97 < best <= 1
    assert float(odds(game).back or 0) >= best


def test_other_settings_cannot_be_raised_beside_a_bonus() -> None:
    with pytest.raises(Refusal):
        with_bonus("stream", vip_bonus=5, return_most=94)
    with pytest.raises(Refusal):
        with_bonus("deepbot", vip_bonus=20, odds="0.5/0.7/1/1.25/2")


@pytest.mark.parametrize("preset", ["contest", "small"])
def test_where_nothing_bounds_careers_no_bonus_is_possible(preset: str) -> None:
    with pytest.raises(Refusal) as refused:
        with_bonus(preset, regular_bonus=1)
    assert refused.value.message.id == "heist-bonus-unbounded"


def test_the_odds_tell_who_gets_more() -> None:
    (told,) = [each for each in odds(with_bonus("stream", vip_bonus=5)).rows if each.id == "heist-odds-bonus"]
    rows = told.args["rows"]
    assert isinstance(rows, Listing)
    assert [each.args["percent"] for each in rows.items] == [5.0]
    assert told.args["back"] == 100.0  # .97 + .59 × .05 = .9995
    assert "heist-odds-bonus" not in {each.id for each in odds(with_bonus("stream")).rows}
