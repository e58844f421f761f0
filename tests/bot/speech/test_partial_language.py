"""A language is a folder of files, complete or not: what it does not say, or cannot, is said in English."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

import chatbot.games
from chatbot import environment, log
from chatbot.bot.bot import Bot
from chatbot.cli.rehearsal import Rehearsal, as_text, read_script
from chatbot.games import kits
from chatbot.kernel import supplies
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name
from chatbot.rooms import languages as tongues
from chatbot.runtime.clock import HandWatch
from chatbot.speech import words
from chatbot.speech.words import Words, languages
from chatbot.web import showing
from tests.bot.stage import Stage
from tests.conftest import REPORT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
THREE = """\
heist-opened = { $who } plant einen Bankraub.
heist-joined = { $who } ist dabei, und { $nobody } auch.
game-heist = Bankraub
"""
EVENING = """\
ann: !heist 69
bob: !heist half
ann: !nonsense
bob: !give @ann 5000
+200
ann: !credits
ann: !heist odds
ann: !top
bob: !history
ann: !sixcard 50
ann: !set auto
+60
ann: !highshow 5 1
ann: !another
+300
cid: !chicken 3
+400
dan: !market 1
+400
mo (moderator): !settings heist
mo (moderator): !set heist cooldown 7
mo (moderator): !audit
"""


@pytest.fixture
def locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Lay the folder of languages out elsewhere, and let faults of words be logged as they are."""
    ours = supplies.folder
    shutil.copytree(ours("locales"), tmp_path / "locales")
    monkeypatch.setattr(supplies, "folder", lambda name: tmp_path / name if name == "locales" else ours(name))
    monkeypatch.setattr(words, "report", REPORT)
    log.configure("warning")
    REPORT.cache_clear()
    tongues._words.cache_clear()
    yield tmp_path / "locales"
    tongues._words.cache_clear()


@pytest.fixture
def german(locales: Path) -> Path:
    (locales / "de").mkdir()
    (locales / "de" / "heist.ftl").write_text(THREE, encoding="utf-8")
    return locales / "de"


async def evening(language: str) -> list[str]:
    """Play all five games to their ends, with all else that people ask for."""
    heard: list[str] = []
    performance = Rehearsal("seed", None, language, lambda *said: heard.append(as_text(*said)))
    await performance.play(read_script(EVENING.splitlines()))
    return heard


@pytest.mark.slow
@pytest.mark.usefixtures("german")
async def test_with_three_messages_every_reply_is_given_that_english_would_have_given() -> None:
    english, german = await evening("en"), await evening("de")
    assert len(english) > 40
    assert any("Results: " in line for line in english)
    other = [(ours, theirs) for ours, theirs in zip(english, german, strict=True) if ours != theirs]
    assert [theirs for _, theirs in other if "plant einen Bankraub." in theirs]
    for ours, theirs in other:
        told = re.sub("plant einen Bankraub.", "", theirs)
        assert ("Bank Heist" in ours) == ("Bankraub" in told), (ours, theirs)


@pytest.mark.usefixtures("german")
async def test_a_room_speaks_it_from_the_stake_to_the_result(store: Store) -> None:
    stage = await Stage(store).open()
    (told,) = await stage.say(MO, "!set room language DE")
    assert told == "room: language was auto and is now de."
    assert await stage.say("ann", "!heist 69") == ["ann plant einen Bankraub."]
    assert await stage.say("bob", "!heist 20") == ["> bob: You are in with 20 credits."]
    said = [*await stage.turn(60), *await stage.turn(30), *await stage.turn(6)]
    assert any(line.startswith("Results: ") for line in said)
    assert await stage.say("bob", "!give ann") != []


@pytest.mark.usefixtures("german")
async def test_the_page_has_all_its_words(store: Store) -> None:
    english, german = (Bot(kits(), store, Words(language), HandWatch()) for language in ("en", "de"))
    assert showing.page_words(german) == showing.page_words(english)
    assert [each["title"] for each in showing.games(german) if each["name"] == "heist"] == ["Bankraub"]
    assert len(showing.commands(german)) == len(showing.commands(english))


@pytest.mark.slow
def test_whatever_folder_is_there_is_a_language(locales: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, before = ("de", "pt-BR", "klingon", "my words"), {each.name for each in locales.iterdir()}
    for name in (*made, ".git", "__pycache__"):
        (locales / name).mkdir()
    assert languages() == tuple(sorted({*made} | before))
    for name in languages():
        assert Words(name).text(Message("credits", {"amount": 1234}), str)
    assert Words("klingon").text(Message("credits", {"amount": 1234}), str) == "1,234 credits"
    monkeypatch.setenv("CHATBOT_LANGUAGE", "PT-br")
    assert environment.load().language == "pt-BR"
    monkeypatch.setenv("CHATBOT_LANGUAGE", "fr")
    with pytest.raises(environment.SettingsError, match=f"one of {', '.join(languages())}"):
        environment.load()


BROKEN = {
    "a placeholder that there is not": "heist-joined = { $nobody } ist dabei.",
    "a reference to nothing": "heist-joined = { -bande } hat { $who }.",
    "a reference to itself": "heist-joined = { heist-joined }",
    "a function that there is not": "heist-joined = { LAUT($who) }",
    "a name as a number": "heist-joined = { NUMBER($who) }",
    "an option that breaks the library": 'heist-joined = { NUMBER($crew, minimumFractionDigits: "x") }',
    "nothing but an attribute": "heist-joined =\n    .title = Bankraub",
    "what is no message": "heist-joined { $who }",
}


@pytest.mark.parametrize("written", BROKEN.values(), ids=BROKEN)
@pytest.mark.slow
def test_what_a_translation_gets_wrong_is_said_in_english(locales: Path, written: str) -> None:
    (locales / "de").mkdir()
    (locales / "de" / "heist.ftl").write_text(f"{written}\n", encoding="utf-8")
    args: Arguments = {"who": Name(Seat("t:ann")), "stake": Credits(5), "crew": 2, "wanted": 1}
    told = Message("heist-joined", args)
    assert Words("de").text(told, str) == Words("en").text(told, str)
    assert "dabei" not in Words("de", {"heist-joined": "{who}!"}).text(told, str)
    assert Words("de").typed("heist-joined") is not None
    assert Words("de").placeholders("heist-joined") is not None


def test_a_fault_is_logged_once_with_what_to_look_for(german: Path) -> None:
    told = Message("heist-joined", {"who": "ann", "stake": Credits(5), "crew": 2, "wanted": 1})
    with capture_logs() as logged:
        for _ in range(3):
            Words("de").text(told, str)
    assert [(each["event"], each["message"], each["language"]) for each in logged] == [
        ("words cannot be said", "heist-joined", "de")
    ]
    assert "nobody" in logged[0]["why"]


def test_a_file_that_is_no_text_is_left_out_and_named(locales: Path) -> None:
    (locales / "de").mkdir()
    (locales / "de" / "heist.ftl").write_bytes(b"game-heist = Bankraub \xff\n")
    (locales / "de" / "words.ftl").write_bytes("\ufeffgame-market = Kartenmarkt\r\n".encode())
    with capture_logs() as logged:
        german = Words("de")
    assert [each["file"] for each in logged] == [str(locales / "de" / "heist.ftl")]
    assert german.text(Message("game-heist"), str) == "Bank Heist"
    assert german.text(Message("game-market"), str) == "Kartenmarkt"


def test_a_message_without_words_in_any_language_is_still_said_and_logged(locales: Path) -> None:
    (locales / "en" / "local.ftl").write_text("", encoding="utf-8")
    told = Message("no-such-message", {"who": Name(Seat("t:ann")), "stake": Credits(5)})
    with capture_logs() as logged:
        assert Words("en").text(told, lambda _: "ann") == "no such message: ann, 5 credits"
    assert [each["event"] for each in logged] == ["a message has no words"]


@pytest.mark.slow
@pytest.mark.usefixtures("locales")
async def test_a_stake_is_never_taken_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    heist, silent, files = f"heist{os.sep}locales{os.sep}en.ftl", tmp_path / "silent.ftl", words._files
    monkeypatch.setattr(
        words, "_files", lambda *of: [silent if str(each).endswith(heist) else each for each in files(*of)]
    )
    (games,) = chatbot.games.__path__
    lines = (Path(games) / heist).read_text(encoding="utf-8").split("\n")
    silent.write_text("\n".join(each for each in lines if not each.startswith("heist-opened =")), "utf-8")
    stage = await Stage(store).open()
    assert await stage.say("ann", "!heist 69") == ["heist opened: ann, 69 credits, 60"]
    assert await stage.credits("ann") == 171


@pytest.mark.slow
def test_a_plural_form_that_is_none_is_no_obstacle(german: Path) -> None:
    (german / "words.ftl").write_text("credits-form = eins\n", encoding="utf-8")
    assert Words("de", None, ("coin",)).text(Message("credits", {"amount": 5}), str) == "5 credits"
    amount = Message("amount", {"credits": Credits(5)})
    assert Words("de", None, ("coin", "coins")).text(amount, str) == "5 coin"


@pytest.mark.usefixtures("german")
async def test_credits_are_called_as_in_english_where_a_language_has_no_name_of_its_own(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set room language de")
    await stage.say(MO, "!set credits name_en coin/coins")
    assert await stage.say("ann", "!credits") == ["ann has 240 coins."]
