"""What Discord lists of a command, and the labels of forms, are whole sentences in every language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.say import Message
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words, languages
from cogs.discord import forms
from cogs.discord.adapter import DiscordAdapter

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

CUT = "\N{HORIZONTAL ELLIPSIS}"
LABEL = 45  # characters of the label of a field


@pytest.fixture(params=languages())
def bot(store: Store, request: pytest.FixtureRequest) -> Bot:
    return Bot(kits(), store, Words(request.param), HandWatch())


def test_no_description_of_a_slash_command_or_of_its_options_is_cut(bot: Bot) -> None:
    commands = DiscordAdapter(bot, "")._make(reads=True).slash_commands._slash
    rows = {each.name: each.description for each in commands}
    rows |= {f"{each.name} {row.name}": str(row.description) for each in commands for row in each.parameters}
    assert len(rows) > 2 * len(commands) > 100
    assert {name: text for name, text in rows.items() if CUT in text} == {}


def test_no_label_of_a_form_is_cut(bot: Bot) -> None:
    lines = [f"!{each.word}" for kit in bot.kits.values() for each in kit.chat.commands]
    asked = forms.of_moves(bot, lines)
    ids = [f"option-{each.word}-{option.name}" for each in asked for option in each.options]
    ids += [
        f"option-{each.word}-{each.options[-1].name}" for each in bot.command_index.bot_commands if each.form
    ]
    assert {"option-arrange-hands", "option-guess-k", "option-set-value", "option-text-text"} <= set(ids)
    words = {each: bot.outbox.text(Message(each)) for each in ids}
    assert {name: text for name, text in words.items() if len(text) > LABEL} == {}
