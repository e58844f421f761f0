"""What every game promises without being asked."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatbot import games
from chatbot.games import kits
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat, Sit, Timeout, TransferParty
from chatbot.kernel.lobby import ForHonour
from chatbot.kernel.say import Message, Talk
from chatbot.kernel.settings import Schema, dump, make
from chatbot.settings.fields import of_game
from chatbot.speech.words import Words, languages
from tests.games.play import PEOPLE, RandomTable, Row, apply, is_secret, read, replay

if TYPE_CHECKING:
    from chatbot.kernel.kit import AnyKit

KITS = list(kits().values())
EVERY_KIT = pytest.mark.parametrize("kit", KITS, ids=[kit.name for kit in KITS])
WORDS = {language: Words(language) for language in languages()}
EXAMPLES = settings(max_examples=25, deadline=None)
PLACES = {"waiting", "ready", "won", "lost", "drawn", "left", "plain", "away", "caught"}
"""How places may be marked."""
LONG_RUN = 1500  # tables in a row, for what happens rarely
UNUSUAL = {"highshow": {"keep": "8"}}
"""Settings that no preset has, and without which some event cannot happen."""

seeds = st.integers(min_value=0, max_value=2**32).map(str)


def name(seat: Seat) -> str:
    return seat.partition(":")[2]


def say(message: Message) -> None:
    """Say it in every language: a missing word or placeholder raises."""
    for words in WORDS.values():
        assert words.text(message, name).strip() or message.id == "nothing"


def rules(kit: AnyKit, seed: str) -> Any:
    presets = list(kit.rules.presets) or [""]
    preset = Rng.of(f"preset {seed}").choice(presets)
    return of_game(kit).read({"preset": preset} if preset else {}).value


def purses(seed: str) -> Counter[TransferParty]:
    rng = Rng.of(f"purses {seed}")
    return Counter({seat: rng.choice((0, 1, 68, 240, 5000, 250_000)) for seat in PEOPLE})


def played(kit: AnyKit, seed: str) -> RandomTable:
    return RandomTable(kit, rules(kit, seed), Rng.of(seed), purses(seed)).play()


@pytest.mark.slow
@EVERY_KIT
def test_the_odds_of_every_preset_are_published_and_can_be_said(kit: AnyKit) -> None:
    assert kit.money.odds is not None
    for preset in (*kit.rules.presets, ""):
        published = kit.money.odds(of_game(kit).read({"preset": preset} if preset else {}).value)
        assert published.rows
        for row in published.rows:
            say(row)


@pytest.mark.slow
@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_random_play_ends_with_an_empty_pot_and_no_credit_lost(kit: AnyKit, seed: str) -> None:
    # RandomTable asserts at each step: conservation, no overdraft, old states untouched, menus accepted.
    table = played(kit, seed)
    assert table.game.clock(table.state) is None
    assert all(table.game.menu(table.state, seat, 1000) == [] for seat in PEOPLE)
    assert table.game.rest(table.state) >= 0
    assert kit.rules.has_cooldown or table.game.rest(table.state) == 0
    for why in table.reasons:
        say(Message(f"why-{why.replace(' ', '-')}"))


@pytest.mark.slow
@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_what_comes_at_the_wrong_time_or_of_the_wrong_one_is_refused_in_words(kit: AnyKit, seed: str) -> None:
    """Somebody types what somebody typed at this table, before it or after it."""
    rng, table = Rng.of(f"wrong {seed}"), played(kit, seed)
    lines = [
        kit.chat.line(row.action)
        for row in table.journal
        if not isinstance(row.action, Sit | Timeout | ForHonour)
    ]
    state, seated = table.game.start(), set[Seat]()
    for turn, row in enumerate(table.journal, 1):
        for line in rng.sample(lines, min(3, len(lines))):
            _attempt(kit, table, state, rng.choice(sorted(seated) or PEOPLE[:1]), line)
        state = apply(table.game, state, row, table.seed, turn).state
        seated |= {row.action.seat} if isinstance(row.action, Sit) else set()


def _attempt(kit: AnyKit, table: RandomTable, state: Any, seat: Seat, line: str) -> None:
    try:
        action = read(kit, table.game, seat, line)
        needed = table.game.needs(state, action)
        apply(table.game, state, Row(action, dict.fromkeys(needed, 240)), table.seed, 1)
    except Refusal as refusal:
        say(refusal.message)


@pytest.mark.slow
@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_a_journal_that_was_written_and_read_replays_to_the_same_state(kit: AnyKit, seed: str) -> None:
    table = played(kit, seed)
    codec = kit.codec
    journal = [Row(codec.load(codec.dump(row.action)), row.purses) for row in table.journal]
    assert replay(table.game, journal, table.seed) == table.state
    assert played(kit, seed).state == table.state


@pytest.mark.slow
@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_records_survive_being_written(kit: AnyKit, seed: str) -> None:
    codec = kit.codec
    for record in played(kit, seed).records.values():
        assert codec.load(codec.dump(record)) == record


@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_nobody_else_sees_a_secret_action_before_the_end(kit: AnyKit, seed: str) -> None:
    """Two tables that differ in one secret action look the same to all others, and sound the same."""
    rng = Rng.of(seed)
    table = RandomTable(kit, rules(kit, seed), rng, purses(seed))
    table.state = table.game.start()
    for seat in PEOPLE[:3]:
        table.sit(seat)
    while table.game.clock(table.state) is not None:
        for seat in PEOPLE[:3] * 2:  # twice, for who joins may have a secret before the clock runs out
            menu = table.offers(seat) if table.game.menu(table.state, seat, table.purses[seat]) else []
            secrets = [each for each in menu if is_secret(kit, table.state, each)]
            if len(secrets) >= 2:
                _assert_alike(kit, table, seat, rng.sample(secrets, 2))
            if menu:
                table.take(rng.choice(menu))
        table.run_out()


def _assert_alike(kit: AnyKit, table: RandomTable, seat: Seat, actions: list[Any]) -> None:
    turn = len(table.journal) + 1
    rows = [
        Row(each, {who: table.purses[who] for who in table.game.needs(table.state, each)}) for each in actions
    ]
    steps = [apply(table.game, table.state, row, table.seed, turn) for row in rows]
    if any(table.game.clock(step.state) != table.game.clock(table.state) for step in steps):
        return  # the action itself ended the phase
    for other in (None, *(each for each in PEOPLE if each != seat)):
        one, two = (table.game.view(step.state, other, 240) for step in steps)
        assert one == two
        assert kit.display.board(one) == kit.display.board(two)
    one, two = (
        [_heard(line, seat) for event in step.events for line in kit.chat.narrate(event)] for step in steps
    )
    assert one == two


def _heard(line: Any, seat: Seat) -> Any:
    """What others can hear of a line: where a platform cannot whisper, all that is not secret."""
    if line.secret:
        assert line.to == seat, "a secret line has one reader"
        return None
    return line.message


@pytest.mark.slow
@EVERY_KIT
def test_every_event_happens_sooner_or_later_and_has_words_in_every_language(kit: AnyKit) -> None:
    seen: set[type] = set()
    records: dict[Seat, Any] = {}
    held: Counter[TransferParty] = Counter()
    for number in range(LONG_RUN):
        held = purses(str(number // 20)) if number % 20 == 0 else held
        table = RandomTable(kit, rules(kit, str(number)), Rng.of(f"long run {number}"), held, records)
        if number % 10 == 9:  # at some tables hardly anybody is left
            table.game, table.silence = of_game(kit).read(UNUSUAL.get(kit.name, {})).value, 0.6
        for event in table.play().events:
            if type(event) not in seen or number < 10:
                for line in kit.chat.narrate(event):
                    assert line.game == kit.name
                    assert line.event == type(event).__name__
                    assert isinstance(line.talk, Talk)
                    say(line.message)
                _say_thoughts(kit, event)
            seen.add(type(event))
        if number >= 10 and seen == set(kit.rules.events):
            return
    raise AssertionError(f"these never happen: {set(kit.rules.events) - seen}")


@pytest.mark.slow
@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_everything_on_menus_and_boards_has_words_and_can_be_typed(kit: AnyKit, seed: str) -> None:
    table = RandomTable(kit, rules(kit, seed), Rng.of(seed), purses(seed))
    table.state = table.game.start()
    for seat in PEOPLE[:2]:
        table.sit(seat)
    while (clock := table.game.clock(table.state)) is not None:
        say(Message(f"{kit.name}-phase-{clock.phase.split()[0]}"))
        _say_board(kit, table)
        for seat in PEOPLE[:2]:
            menu = table.game.menu(table.state, seat, table.purses[seat])
            for action in menu:
                say(kit.display.label(action))
                assert read(kit, table.game, seat, kit.chat.line(action)) == action
            if menu:
                table.take(table.rng.choice(menu))
                _say_board(kit, table)
        table.run_out()
    _say_board(kit, table)


def _say_thoughts(kit: AnyKit, event: Any) -> None:
    """Say what is said of an event later."""
    thought = kit.chat.analyses.get(type(event))
    for line in thought(event) if thought else ():
        assert line.game == kit.name
        say(line.message)


def _say_board(kit: AnyKit, table: RandomTable) -> None:
    for seat in (None, *PEOPLE[:2]):
        board = kit.display.board(table.game.view(table.state, seat, 240))
        facts = [words for fact in board.facts for words in (fact.label, fact.value)]
        places = [place.detail for place in board.places]
        hands = [words for hand in board.hands for words in (hand.label, hand.detail) if words]
        for message in (board.title, *facts, *places, *hands, *([board.note] if board.note else [])):
            say(message)
        assert {place.mark for place in board.places} <= PLACES
        marks = {card.mark for hand in board.hands for card in hand.cards}
        assert marks <= {"shown", "kept", "taken", "rejected", "plain"}
        assert {hand.mark for hand in board.hands} <= {"won", "lost", "drawn", "plain"}
        assert all(hand.hidden >= 0 for hand in board.hands)


@EVERY_KIT
@EXAMPLES
@given(seed=seeds)
def test_strategies_choose_from_the_menu_and_change_nothing(kit: AnyKit, seed: str) -> None:
    assert kit.programs.strategies
    table = RandomTable(kit, rules(kit, seed), Rng.of(seed), purses(seed))
    table.state = table.game.start()
    table.sit(PEOPLE[0])
    while table.game.clock(table.state) is not None:
        for strategy in kit.programs.strategies.values():
            menu = table.game.menu(table.state, PEOPLE[0], table.purses[PEOPLE[0]])
            view = table.game.view(table.state, PEOPLE[0], table.purses[PEOPLE[0]])
            before = copy.deepcopy(view)
            action = strategy(view, menu, table.rng)
            assert view == before
            assert action is None or action in menu
            if action is not None:
                table.take(action)
        table.run_out()


@EVERY_KIT
def test_the_title_of_a_game_is_that_of_its_words(kit: AnyKit) -> None:
    assert games.title_of(kit.name) == WORDS["en"].text(Message(f"game-{kit.name}"), name)


def test_a_game_without_words_has_its_name_for_a_title() -> None:
    assert games.title_of("heis") == "heis"


@EVERY_KIT
def test_every_command_setting_preset_and_topic_has_words(kit: AnyKit) -> None:
    say(Message(f"game-{kit.name}"))
    for command in kit.chat.commands:
        say(Message(f"help-{command.word}"))
    for preset in kit.rules.presets or [""]:
        game = of_game(kit).read({"preset": preset} if preset else {}).value
        for topic in kit.chat.topics.values():
            for message in topic(game, TopicRequest(PEOPLE[0], 240)):
                say(message)
    for option in Schema(kit.rules.game).descriptors.values():
        say(Message(f"setting-{kit.name}-{option.key}"))
        say(option.expected)


@EVERY_KIT
def test_settings_are_written_and_read_back(kit: AnyKit) -> None:
    for preset in kit.rules.presets or [""]:
        game = of_game(kit).read({"preset": preset} if preset else {}).value
        assert make(kit.rules.game, dump(game)) == game


@EVERY_KIT
def test_settings_of_the_wrong_kind_are_refused(kit: AnyKit) -> None:
    for each in fields(kit.rules.game):
        with pytest.raises(Refusal):
            make(kit.rules.game, {each.name: "\N{ARABIC-INDIC DIGIT THREE}"})
    with pytest.raises(Refusal):
        make(kit.rules.game, {"no_such_setting": "1"})


def test_no_two_games_share_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [word for kit in KITS for each in kit.chat.commands for word in (each.word, *each.aliases)]
    assert len(words) == len(set(words))
    first = KITS[0]
    twin = type(first)(**{each.name: getattr(first, each.name) for each in fields(first)} | {"name": "twin"})
    with pytest.raises(ValueError, match=f"!{first.word} belongs to {first.name} and to twin"):
        games._refuse_shared_words({first.name: first, "twin": twin})
