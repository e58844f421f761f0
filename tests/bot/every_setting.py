"""Every setting of every group, for tests that go through them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Refusal
from chatbot.ledger.store.engines import address, engines
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.settings.reference import settings_of
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from chatbot.settings.fields import Group, Selection

_store = Store(*engines(address("sqlite:///never-opened.db")))  # only the wiring is looked at
all_groups = Bot(kits(), _store, Words("en"), HandWatch()).parts.groups

GROUPS = list(all_groups)
EVERY = {
    name: [(each.key, each.example) for each in settings_of(group)] for name, group in all_groups.items()
}

_NUMBERS = ("1", "2", "3", "7", "25", "100", "1/2/3/4/5", "10/20/30/40/50")
_WORDS = (
    "yes",
    "100 Rookie",
    "no",
    "quiet",
    "vip",
    "ko",
    "none",
    "any",
    "small",
    "blue",
    "coin",
    "kelly",
    "stacked",
    "nothing",
    "https://sites.example",
)


def _changing(group: Group) -> list[tuple[str, str]]:
    """Find a value for each setting that is another than what holds, one after the other."""
    chosen = group.unset
    found = []
    for each in settings_of(group):
        for text in (each.example, *_NUMBERS, *_WORDS):
            changed = _changed(group, chosen, each.key, text)
            if changed is not None:
                found.append((each.key, text))
                chosen = changed
                break
    return found


def _changed(group: Group, chosen: Selection[Any], key: str, text: str) -> Selection[Any] | None:
    try:
        changed = group.changed(chosen, {key: text})
    except Refusal:
        return None
    return changed if group.listed(changed) != group.listed(chosen) else None


CHANGING = {name: _changing(group) for name, group in all_groups.items()}
