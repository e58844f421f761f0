"""A game of another distribution is found by its entry point; one that is broken is told and left out."""

from __future__ import annotations

import importlib
import importlib.metadata
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot import games, log
from chatbot.bot import hosted_games
from chatbot.bot.bot import Bot
from chatbot.bot.setting_groups import GROUP_NAMES
from chatbot.kernel.say import Message
from chatbot.runtime.clock import HandWatch
from chatbot.speech import words
from chatbot.speech.words import Words
from tests.bot.stage import Stage
from tests.checked import store
from tests.terminal import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.ledger.store.store import Store

__all__ = ["store", "terminal"]  # fixtures

COIN = Path(__file__).parent / "fakes/coinflip"
CACHED = games.kits, games.own, games._installed, words._collected
IMPORTED = "from dataclasses import replace\nfrom coin_elsewhere import KIT\n"
CHANGED = IMPORTED + "KIT = replace(KIT, {})"
COMMAND = f"""{IMPORTED}commands = (replace(KIT.chat.commands[0], {{}}),)
KIT = replace(KIT, name='other', chat=replace(KIT.chat, commands=commands))
"""
BROKEN = {
    "import error": ("raise ImportError('no such thing')", "ImportError: no such thing."),
    "exit": ("raise SystemExit(3)", "SystemExit: 3."),
    "no kit": ("", "AttributeError: module 'other_game' has no attribute 'KIT'."),
    "wrong type": ("KIT = {'name': 'other'}", "other_game:KIT is no Kit, but dict."),
    "taken name": (CHANGED.format("name='heist'"), "its name heist is taken."),
    "name of settings": (
        COMMAND.format("word='x'") + "KIT = replace(KIT, name='room')",
        "its name room is taken.",
    ),
    "bad name": (
        CHANGED.format("name='My Game'"),
        "its name 'My Game' is not made of small letters and digits.",
    ),
    "taken word": (COMMAND.format("word='bankheist'"), "its command !bankheist is taken."),
    "word of the bot": (
        COMMAND.format("word='x', aliases=('give',)"),
        "its command !give is taken by the bot.",
    ),
    "no command": (
        CHANGED.format("name='other', chat=replace(KIT.chat, commands=())"),
        "it has no command.",
    ),
    "rules that cannot be made": (
        COMMAND.format("word='x'") + "KIT = replace(KIT, rules=replace(KIT.rules, game=int))",
        "AttributeError: 'int' object has no attribute 'view'.",
    ),
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Put distributions where Python finds them; afterwards they are gone again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    _forget()

    def distribution(name: str, module: str, *, source: str | None = None) -> None:
        package = tmp_path / module
        if source is None:
            shutil.copytree(COIN, package, ignore=shutil.ignore_patterns("__pycache__", "ko.ftl"))
            for each in package.glob("*.py"):
                text = each.read_text(encoding="utf-8").replace("chatbot.games.coinflip", module)
                each.write_text(text, encoding="utf-8")
        else:
            package.mkdir()
            (package / "__init__.py").write_text(source, encoding="utf-8")
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(f"[{games.GROUP}]\n{name} = {module}:KIT\n", encoding="utf-8")
        importlib.invalidate_caches()
        _forget()

    yield distribution
    for each in set(sys.modules) - before:
        if each.startswith(("coin_elsewhere", "other_game")):
            del sys.modules[each]
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for each in CACHED:
        each.cache_clear()


async def test_it_is_a_game_like_any_other_with_its_own_words(
    install: Callable[..., None], store: Store
) -> None:
    install("coinflip", "coin_elsewhere")
    assert next(iter(games.kits())) == "heist"
    assert "coinflip" in games.kits()
    assert "coinflip" not in games.own()
    assert games.refused() == ()
    stage = await Stage(store, games.kits()).open()
    assert any("!flip" in line for line in await stage.say("ann", "!help"))
    told = await stage.say("ann", "!flip 10")
    assert told
    assert "coinflip" not in told[0]


def test_another_language_says_it_in_english(install: Callable[..., None]) -> None:
    install("coinflip", "coin_elsewhere")
    english, korean = Words("en"), Words("ko")
    ours = {each for each in english.ids if each.startswith("coinflip-")}
    assert ours
    assert ours <= korean.ids


@pytest.mark.parametrize(("source", "why"), BROKEN.values(), ids=BROKEN)
async def test_what_is_broken_is_told_in_one_sentence_and_left_out(
    install: Callable[..., None], store: Store, capfd: pytest.CaptureFixture[str], source: str, why: str
) -> None:
    install("coinflip", "coin_elsewhere")
    install("other", "other_game", source=source)
    log.configure("warning")
    bot = Bot(games.kits(), store, Words("en"), HandWatch())
    left_out = *games.refused(), *hosted_games.hosted(games.kits())[1]
    assert [each.why + "." for each in left_out] == [why]
    told = [line for line in capfd.readouterr().err.splitlines() if "left out" in line]
    assert len(told) == 1
    assert f"The game of the entry point other is left out: {why}" in told[0]
    assert bot.kits.keys() == {*games.own(), "coinflip"}


async def test_the_doctor_names_it(install: Callable[..., None], terminal: Terminal) -> None:
    install("other", "other_game", source="import nothing_of_this_name")
    done = await terminal.type("doctor")
    assert "wrong  games: The game of the entry point other is left out: ModuleNotFoundError" in done.out


async def test_the_doctor_lists_those_that_are_well(install: Callable[..., None], terminal: Terminal) -> None:
    install("coinflip", "coin_elsewhere")
    done = await terminal.type("doctor")
    assert "ok     games: heist, chickenpoker, coinflip, highshow, pokermarket, sixcardpoker." in done.out


async def test_what_no_game_can_be_called_is_what_the_house_answers_to(store: Store) -> None:
    bot = Bot(games.own(), store, Words("en"), HandWatch())
    own = bot.command_index.bot_commands
    assert {word for each in own for word in (each.word, *each.aliases)} == hosted_games.words()
    assert {*bot.parts.groups} - {*games.own()} == GROUP_NAMES


def test_words_of_a_game_that_are_not_complete_are_said_in_english(
    install: Callable[..., None], tmp_path: Path
) -> None:
    install("coinflip", "coin_elsewhere")
    file = tmp_path / "coin_elsewhere/locales/ko.ftl"
    file.write_text("coinflip-tails = 뒷면\n", encoding="utf-8")
    korean = Words("ko")
    said = [korean.text(Message(each), str) for each in ("coinflip-tails", "coinflip-heads", "help-flip")]
    assert said == ["뒷면", "heads", "bets on a coin."]
