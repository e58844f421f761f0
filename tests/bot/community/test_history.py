"""Nobody has to ask where their credits went."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.community.earning import payments
from chatbot.ledger.changes import IMPORTED
from chatbot.rooms.channel import Manner, Privacy
from chatbot.speech.words import Words, languages
from tests.bot.hosting import MO, WHOLE
from tests.bot.stage import Stage
from tests.generous import let_give

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3] / "chatbot"
MOVES = {"Transfer", "Entry", "instalments", "move", "_receive", "_split", "_payments"}
"""What moves credits, and is told why as the last of what it is given."""


async def test_a_history_tells_when_what_how_much_and_what_was_left(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("bob", "hello")
    await stage.say("ann", "hello")
    await stage.turn(3 * 3600)
    await stage.say("ann", "!give @bob 40")
    await stage.turn(120)
    await stage.say("bob", "!give @ann 15")
    await stage.turn(5)
    assert "; ".join(await stage.say("ann", "!history")) == (
        "> ann: ann has 215 credits. 5 s ago: gift of bob +15 → 215; "
        "2 min ago: given to bob \N{MINUS SIGN}40 → 200; 3 h ago: start +240 → 240"
    )
    (told,) = await stage.say("ann", "!history 1")
    assert told == "> ann: ann has 215 credits. 5 s ago: gift of bob +15 → 215"


async def test_who_never_had_a_credit_is_told_that_nothing_has_come_or_gone(stage: Stage) -> None:
    await stage.say(MO, "!set credits start 0")
    assert await stage.say("ann", "!history") == ["> ann: Nothing has come to ann or gone yet."]


async def test_a_game_is_one_entry_with_the_number_that_verify_takes(stage: Stage) -> None:
    for change in ("max_stake 69", "chances 100/100/100/100/100", "rabble 0"):
        await stage.say(MO, f"!set heist {change}")
    await stage.say("ann", "!heist 69")
    (told,) = await stage.say("ann", "!history 1")
    assert "Bank Heist a-table-1 (still being played) \N{MINUS SIGN}69 → 171" in told
    await stage.turn(WHOLE)
    (told,) = await stage.say("ann", "!history 1")
    # floor(.8 · 69) = 55 won, and a salary of 240
    assert "Bank Heist a-table-1 (with payday +240) +295 → 535" in told
    assert "checks out" in (await stage.say("ann", "!verify a-table-1"))[0]


async def test_who_was_only_paid_reads_what_for(stage: Stage) -> None:
    await stage.say("cat", "hello")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    assert "Bank Heist a-table-1, payday +240 → 480" in (await stage.say("cat", "!history 1"))[0]


async def test_what_keepers_did_is_told(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 60")
    await stage.say(MO, "!take @ann 10")
    (told,) = await stage.say("ann", "!history 2")
    assert "taken by a moderator \N{MINUS SIGN}10 → 290; " in told
    assert "granted by a moderator +60 → 300" in told


async def test_another_s_history_is_for_moderators(stage: Stage) -> None:
    await stage.say("ann", "hello")
    (told,) = await stage.say("bob", "!history @ann")
    assert told == "> bob: Whose credits went where is for themselves and for moderators or above."
    for text in ("!history @ann", "!history 3 @ann", "!history @ann 3"):
        (told,) = await stage.say(MO, text)
        assert told.startswith("> mo: ann has 240 credits. ")
    assert (await stage.say("ann", "!history @ann"))[0].startswith("> ann: ann has 240 credits. ")


@pytest.mark.parametrize("text", ["!history 0", "!history 21", "!history 5 5", "!history @nobody"])
async def test_what_is_no_number_and_nobody_s_name_is_one_sentence(stage: Stage, text: str) -> None:
    (told,) = await stage.say("ann", text)
    assert told.startswith("> ann: ")
    assert "240" not in told


@pytest.mark.parametrize("text", ["!history x", "!history @nobody", "!history -5"])
async def test_what_is_not_understood_is_told_what_can_be_asked_for(stage: Stage, text: str) -> None:
    word = text.split()[1].removeprefix("@")
    start = f"“{word}” is neither a number of entries from 1 to 20 nor a name that is known here;"
    assert await stage.say("ann", text) == [f"> ann: {start} write it like this: !history [1-20]"]
    assert await stage.say(MO, text) == [f"> mo: {start} write it like this: !history [1-20] [@name]"]


async def test_who_asks_by_a_whisper_is_told_by_a_whisper(store: Store) -> None:
    stage = await Stage(store, manner=Manner(Privacy.SECRETS)).open()
    (told,) = await stage.say("ann", "!history")
    assert told.startswith("@ann: ann has 240 credits.")
    await stage.turn(60)  # the cooldown
    (told,) = await stage.say("ann", "!history", private=True)
    assert told.startswith("> ann: ann has 240 credits.")


@pytest.mark.parametrize("language", languages())
async def test_twenty_entries_fit_one_message_of_five_hundred_characters(store: Store, language: str) -> None:
    stage = await Stage(store, manner=Manner(Privacy.SECRETS, length=500)).open()
    await stage.say(MO, f"!set room language {language}")
    let_give(stage.room)
    name = "a_name_of_twenty-five_let"
    await stage.say(name, "hello")
    for _ in range(21):
        await stage.turn(60)  # or it would be a flood
        await stage.say("ann", f"!give @{name} 1")
    heard = len(stage.adapter.deliveries)
    await stage.say("ann", "!history 20")
    (told,) = stage.said(heard)
    assert len(told) <= 500
    assert told.count(name) >= 4
    assert any(f"{more} more" in told or f"외 {more}" in told for more in range(1, 17))


def _whys(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in MOVES:
            yield from _texts(node.args[-1:])
        elif isinstance(node, ast.Assign) and "why" in {getattr(each, "id", "") for each in node.targets}:
            yield from _texts([node.value])
        elif isinstance(node, ast.Tuple) and any(
            "SystemPurse." in ast.unparse(each) for each in node.elts[:2]
        ):
            yield from _texts(node.elts[-1:])


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    written = (one for one in nodes if not isinstance(one, ast.Call))  # and not read from somewhere
    for node in (each for one in written for each in ast.walk(one)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def whys() -> set[str]:
    """Collect every reason that rules and the house write into the ledger."""
    writing = "games", "kernel", "ledger", "tables", "community", "bot"
    folders = [path for name in writing for path in (ROOT / name).rglob("*.py")]
    read = {why for path in folders for why in _whys(ast.parse(path.read_text(encoding="utf-8")))}
    named = {"welcome", "gift", "season", "grant", "take", "undo", "link", "inherit", "welcome-returned"}
    earned = {each for name, each in vars(payments).items() if name.isupper() and isinstance(each, str)}
    return read | named | earned | {IMPORTED}


def test_every_reason_that_can_be_written_is_found() -> None:
    known = {"stake", "stake returned", "winnings", "loss", "won", "back", "payday", "all in", "all in won"}
    known |= {"bribes", "finger", "stitches", "double cross", "double cross undone", "double cross sprung"}
    known |= {"refund", "cover", "bankroll", "allowance"}
    known |= {"watch", "talk", "raid", "follow", "subscribe", "cheer", "claim"}
    assert known <= whys()


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_words(language: str) -> None:
    assert {f"why-{each.replace(' ', '-')}" for each in whys()} <= Words(language).ids
