"""A game is told in the theme that a room has chosen; what a theme lacks is told as usual."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot import games
from chatbot.kernel.say import Credits, Message, Name
from chatbot.rooms import languages as tongues
from chatbot.speech import themes, words
from chatbot.speech.words import Words, placeholders
from chatbot.web import showing
from tests.bot.speech.test_variants import COMMONEST
from tests.bot.speech.test_words import COMPLETE
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.say import Arguments
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
CACHED = themes.names, themes.messages, themes._themes, tongues._words
LONGEST = 300  # characters
AMOUNTS: Arguments = {
    "who": Name(seat("n" * 25)), "stake": Credits(5000), "staked": Credits(500_000), "seconds": 600,
    "crew": 100, "rabble": 500, "committed": 600, "heisters": 600, "went": 99, "won": 88,
}  # fmt: skip
"""As long as they come in a large chat."""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of a streamer's themes."""
    monkeypatch.setattr(themes, "STREAMERS", tmp_path)
    _forget()
    yield tmp_path
    _forget()


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give what is logged of wrong words."""
    lines: list[str] = []
    monkeypatch.setattr(words, "report", lambda event, **about: lines.append(f"{event} {about}"))
    return lines


def _forget() -> None:
    for each in CACHED:
        each.cache_clear()


def written(folder: Path, theme: str, language: str, text: str) -> None:
    (folder / theme).mkdir(exist_ok=True)
    (folder / theme / f"{language}.ftl").write_text(text, encoding="utf-8")


def themed(theme: str, language: str) -> Words:
    return Words(language, themed=themes.messages("heist", theme, language))


async def test_a_heist_is_told_among_the_stars_on_the_board_and_in_the_odds_too(stage: Stage) -> None:
    told = await stage.say(MO, "!set heist theme space")
    assert told == ["heist: theme was bank and is now space."]
    (opened,) = await stage.say("ann", "!heist 5")
    assert opened.startswith("ann plots a course to somewhere rich and stakes 5 credits! Board with !heist")
    (shown,) = showing.tables(stage.bot, stage.room)
    assert shown["title"] == "Space Heist"
    fact = {"id": "heist-fact-bank", "label": "Station", "value": "at least Lunar Depot"}
    assert fact in shown["facts"]
    assert any("Lunar Depot from" in line for line in await stage.say("ann", "!odds heist more"))
    assert any("Galactic Reserve" in line for line in await stage.say("ann", "!heist odds more"))
    told = [*await stage.turn(60), *await stage.turn(36)]
    assert any("Course set for the " in line for line in told)
    assert not any("Bank" in line for line in told)


async def test_it_is_told_so_at_once_and_in_the_room_s_language(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    assert await stage.say(MO, "!set heist theme space") == ["heist: theme was bank and is now space."]
    await stage.say(MO, "!set room language ko")
    assert any("정거장! 크루" in line for line in await stage.turn(60))


async def test_a_theme_is_shown_undone_and_kept_by_a_preset(stage: Stage) -> None:
    assert "one of bank, space" in (await stage.say(MO, "!settings heist theme"))[0]
    await stage.say(MO, "!set heist theme SPACE")
    (told,) = await stage.say(MO, "!settings heist")
    assert "theme space" in told
    await stage.say(MO, "!preset heist small")
    assert stage.room.settings("heist") == {"theme": "space", "preset": "small"}
    await stage.say(MO, "!set heist theme bank")
    assert any("space" in line for line in await stage.say(MO, "!undo"))
    assert stage.room.settings("heist")["theme"] == "space"


async def test_a_theme_that_there_is_not_is_refused_with_what_is_meant(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set heist theme spaec")
    assert told.endswith("Did you mean space?")
    assert "theme" not in stage.room.settings("heist")


async def test_a_game_without_themes_has_no_such_setting(stage: Stage) -> None:
    (told, *_) = await stage.say(MO, "!set highshow theme space")
    assert "theme" in told
    assert "theme" not in stage.room.settings("highshow")


async def test_what_a_theme_lacks_is_told_as_usual(own: Path, store: Store) -> None:
    written(own, "Farm", "en", "heist-bank-0 = Henhouse\nheist-opened = { $who } smells eggs.\n")
    stage = await Stage(store).open()
    (told,) = await stage.say(MO, "!set heist theme farm")
    assert told.endswith("is now farm.")
    assert await stage.say("ann", "!heist 5") == ["ann smells eggs."]
    assert any("The target is the " in line for line in await stage.turn(60))
    assert any("Henhouse from" in line for line in await stage.say("ann", "!heist odds more"))
    korean = themed("farm", "ko").text(Message("heist-opened", AMOUNTS), str)
    assert korean == Words("ko").text(Message("heist-opened", AMOUNTS), str)


def test_a_text_that_cannot_be_told_is_logged_and_another_is_told(own: Path, logged: list[str]) -> None:
    wrong = "heist-opened = { $whom } and { $stake }\nheist-you-left = { -farm }\nheist-nonsense = moo\n"
    several = "heist-you-joined = { $wrong }\n    .text-2 = Cluck, { $stake }!\n    .text-3 = { no-such }\n"
    written(own, "farm", "en", wrong + several)
    farm = themed("farm", "en")
    usual = Words("en")
    for each in ("heist-opened", "heist-you-left"):
        assert farm.text(Message(each, AMOUNTS), str) == usual.text(Message(each, AMOUNTS), str)
    assert farm.text(Message("heist-you-joined", AMOUNTS), str) == "Cluck, 5,000 credits!"
    assert farm.texts("heist-you-joined") == 1
    assert all("a text of a theme is left out" in each for each in logged if "nonsense" not in each)
    about = " ".join(logged)
    assert all(each in about for each in ("'whom'", "'-farm'", "'heist-nonsense'", "'wrong'", "'no-such'"))
    assert about.count("en.ftl") == 5


async def test_a_streamer_s_own_text_goes_before_that_of_the_theme(stage: Stage) -> None:
    await stage.say(MO, "!set heist theme space")
    await stage.say(MO, "!text opening {who} has {stake} for the {seconds}")
    assert await stage.say("ann", "!heist 5") == ["ann has 5 credits for the 60"]
    assert any("Course set for the " in line for line in await stage.turn(60)), "the others are as before"


def test_other_distributions_bring_themes_by_an_entry_point(
    own: Path, logged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own.is_dir()
    package = tmp_path / "packages" / "western_themes"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    written(package, "western", "en", "heist-bank-0 = Saloon\n")
    monkeypatch.syspath_prepend(str(package.parent))
    entries = [
        importlib.metadata.EntryPoint("western", "western_themes", themes.GROUP),
        importlib.metadata.EntryPoint("gone", "no_such_package", themes.GROUP),
    ]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries)
    _forget()
    assert themes.names("heist", "bank") == ("bank", "space", "western")
    assert themed("western", "en").text(Message("heist-bank-0"), str) == "Saloon"
    assert ["no_such_package" in each for each in logged] == [True]


@pytest.mark.parametrize("theme", ["bank", "space"])
@pytest.mark.parametrize("language", COMPLETE)
def test_each_theme_has_six_texts_for_the_commonest_events_none_of_them_long(
    language: str, theme: str
) -> None:
    told = themed(theme, language)
    assert {each: told.texts(each) for each in COMMONEST} == dict.fromkeys(COMMONEST, 6)
    for event in COMMONEST:
        texts = set()
        for variant in range(6):
            for bank in range(5):
                args: Arguments = {**AMOUNTS, "bank": Message(f"heist-bank-{bank}")}
                text = told.text(Message(event, args, variant), lambda each: each.partition(":")[2])
                assert len(text) <= LONGEST, text
                texts.add(text)
        assert len(texts) in {6, 30}, "no text is there twice"


def test_every_text_of_a_theme_is_told_and_the_languages_say_the_same() -> None:
    """None of ours is left out for what it refers to, and each has all that the usual text has."""
    english, korean = (
        {each.id.name: each for each in themes.messages("heist", "space", language)}
        for language in ("en", "ko")
    )
    assert english.keys() == korean.keys()
    for language, told in (("en", english), ("ko", korean)):
        entries = words.messages(language)
        file = Path(__file__).parents[3] / "data" / "themes" / "space" / f"{language}.ftl"
        source = {each.id: each.node for each in themes._about("heist", file)}
        assert told.keys() == source.keys()
        for name, message in told.items():
            assert len(message.attributes) == len(source[name].attributes), name
            for pattern in filter(None, (message.value, *(each.value for each in message.attributes))):
                text = words.message(name, [pattern])
                assert set(placeholders(text, entries)) == set(placeholders(entries[name], entries)), name


def test_every_game_has_its_own_theme_or_none() -> None:
    assert themes.themed_games() == tuple(name for name, kit in games.kits().items() if kit.chat.theme)
    assert all(
        themes.names(name, games.kits()[name].chat.theme)[0] == "bank" for name in themes.themed_games()
    )
