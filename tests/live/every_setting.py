"""Every setting of every group, for tests that go through them all."""

from __future__ import annotations

from chatbot.games import kits
from chatbot.live.house import House
from chatbot.live.settings_table import settings_of
from chatbot.live.watch import HandWatch
from chatbot.live.words import Words
from chatbot.wallets.engines import address, engines
from chatbot.wallets.store import Store

_store = Store(*engines(address("sqlite:///never-opened.db")))  # only the wiring is looked at
_groups = House(kits(), _store, Words("en"), HandWatch()).staff.groups

GROUPS = list(_groups)
EVERY = {name: [(each.key, each.example) for each in settings_of(group)] for name, group in _groups.items()}
