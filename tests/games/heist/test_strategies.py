"""Players of the house: they stay within the menu, and whatever they do, no credit is made or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.rules.moves import Act, Answer, Join
from chatbot.games.heist.rules.rabble import RABBLE
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Getaway, Lobby
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import SystemPurse
from chatbot.kernel.settings import make
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, PEOPLE, Table, crowd, gather

if TYPE_CHECKING:
    from chatbot.games.heist.rules.career import Career
    from chatbot.kernel.game import Seat

villager, passive = KIT.programs.strategies["villager"], KIT.programs.strategies["passive"]


def test_the_passive_stake_69_and_stick() -> None:
    table = Table(PEOPLE)
    menu = table.game.menu(table.state, ANN, 600)  # 69, half of 600, 600
    assert passive(table.game.view(table.state, ANN, 600), menu, Luck()) == Join(ANN, 69)
    table.join(ANN)
    table.tick()
    menu = table.game.menu(table.state, ANN, 600)
    assert passive(table.game.view(table.state, ANN, 600), menu, Luck()) == Answer(ANN, Act.GUNCHECK)


def test_the_passive_stay_out_when_they_can_pay_nothing() -> None:
    table = Table(PEOPLE)
    assert passive(table.game.view(table.state, ANN, 0), table.game.menu(table.state, ANN, 0), Luck()) is None


@pytest.mark.parametrize(("small", "pick", "stake"), [(True, [], 69), (False, [1], 300), (False, [2], 600)])
def test_villagers_stake_little_four_times_out_of_five(small: bool, pick: list[int], stake: int) -> None:
    table = Table(PEOPLE)
    luck = Luck(small, picks=pick)
    menu = table.game.menu(table.state, ANN, 600)  # 69, half of 600, 600
    assert villager(table.game.view(table.state, ANN, 600), menu, luck) == Join(ANN, stake)
    assert luck.asked == [0.8]
    luck.check_used_up()


def test_villagers_answer_in_the_getaway_and_stick_more_than_anything_else() -> None:
    table = gather([ANN])
    table.tick()
    luck = Luck()
    menu = table.game.menu(table.state, ANN, 900)
    assert villager(table.game.view(table.state, ANN, 900), menu, luck) == Answer(ANN, Act.GUNCHECK)
    tempers = luck.pools[0]
    assert set(tempers) == set(Act)
    assert max(Act, key=tempers.count) is Act.GUNCHECK


def test_villagers_do_nothing_where_nothing_is_offered() -> None:
    table = gather([ANN])
    assert villager(table.game.view(table.state, ANN, 900), [], Luck()) is None


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(KIT.rules.presets))
@pytest.mark.parametrize("size", [1, 7, 30])
def test_whole_seasons_of_villagers_lose_no_credit_and_break_no_limit(preset: str, size: int) -> None:
    game: Heist = make(Heist, KIT.rules.presets[preset])
    rng = Rng.of(f"{preset} {size}")
    crew, purses = crowd(size), dict.fromkeys(crowd(size), 240)
    records: dict[Seat, object] = {}
    for _ in range(40):
        table = Table(game, purses)
        for seat in (*KIT.seating.residents, *crew):
            table.sit(seat, records.get(seat))
        _play(table, crew, rng)
        records |= table.records
        after = {seat: table.purse(seat) for seat in crew}
        # What the crew has more, the house and the mint have less; the table watches each transfer.
        assert sum(after.values()) - sum(purses.values()) == -table.house - table.purses[SystemPurse.MINT]
        purses = after
        for seat in crew:
            _check(table.career(seat))
        assert all(credits_held >= 0 for credits_held in table.rabble)
    assert RABBLE in records or game.rabble == 0


def _play(table: Table, crew: tuple[Seat, ...], rng: Rng) -> None:
    while table.game.clock(table.state) is not None:
        if isinstance(table.state, Lobby | Getaway):
            for seat in crew:
                purse = table.purse(seat)
                menu = table.game.menu(table.state, seat, purse)
                action = villager(table.game.view(table.state, seat, purse), menu, rng)
                if action is not None:
                    assert action in menu
                    table.apply(action, rng)
        if not table.state.company.crew:
            return  # nobody could pay for anything
        table.tick(rng)


def _check(career: Career) -> None:
    assert career.salary >= 0
    assert min(career.accounts) >= 0
    assert min(career.guards) >= 0
    assert all(chance is None or 0 <= chance <= 1 for chance in career.chances)
    assert all(odds is None or odds >= 0 for odds in career.odds)
