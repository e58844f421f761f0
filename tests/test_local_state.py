"""What a process remembers others know as well, or its module says why it is local and what follows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STORES = re.compile(r"\b(Allowances|remember|Uses|Backoff)\(|: OrderedDict\[")
"""What makes a store of limits, or of what was done last."""

DECLARED = {
    "chatbot/bot/cooldowns.py",
    "chatbot/bot/deduplication.py",
    "chatbot/bot/flood_limit.py",
    "chatbot/bot/hints.py",
    "chatbot/cluster/cluster.py",
    "chatbot/cluster/forwarding.py",
    "chatbot/cluster/owning.py",
    "chatbot/community/confirmations.py",
    "chatbot/community/earning/audience.py",
    "chatbot/community/earning/earning.py",
    "chatbot/community/receipts.py",
    "chatbot/delivery/sender.py",
    "chatbot/ledger/codes.py",
    "chatbot/tables/background.py",
    "chatbot/tracing.py",
    "chatbot/web/account_login.py",
    "chatbot/web/api/request_limits.py",
    "chatbot/web/login.py",
    "chatbot/web/seat_session.py",
    "chatbot/web/session.py",
    "cogs/discord/answers.py",
    "cogs/discord/rights.py",
    "cogs/twitch/channels.py",
    "cogs/twitch/delivery_router.py",
    "cogs/twitch/points.py",
    "cogs/twitch/predictions.py",
    "cogs/twitch/sender.py",
}
"""The modules that say what their stores mean for several processes."""

COPIES = {
    "chatbot/bot/access.py",  # uses those of `cooldowns`
    "chatbot/community/departures.py",
    "chatbot/community/earning/payments.py",
    "chatbot/community/imports/claims.py",
    "chatbot/community/members.py",
    "chatbot/community/minting/policy.py",
    "chatbot/delivery/outbox.py",  # where somebody wrote last, in rooms that run here
    "chatbot/ledger/books/memory.py",
    "chatbot/ledger/people.py",
    "chatbot/rooms/languages.py",
    "chatbot/cluster/room_owners.py",
    "chatbot/rooms/room.py",  # of rooms that run here
    "chatbot/runtime/limits.py",  # what stores are made of
    "chatbot/speech/words.py",
    "chatbot/tables/fairness.py",
    "chatbot/web/board.py",
    "chatbot/web/board_showing.py",
    "chatbot/web/principals.py",
    "chatbot/web/replays/pages.py",
}
"""The modules whose stores are copies of what the database or a platform says, or can be computed anew."""


def test_each_store_of_a_process_is_a_copy_or_says_what_it_means_for_several() -> None:
    modules = [*ROOT.glob("chatbot/**/*.py"), *ROOT.glob("cogs/**/*.py")]
    names = {
        str(path.relative_to(ROOT).as_posix())
        for path in modules
        if "games" not in path.parts and STORES.search(path.read_text(encoding="utf-8"))
    }
    assert names - DECLARED - COPIES == set()


def test_what_is_declared_is_said() -> None:
    for name in sorted(DECLARED):
        docstring = ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8"))) or ""
        assert "process" in docstring, name
