"""What is typed at High Show, and what moderators set for it."""

from __future__ import annotations

SHOWS = ("!highshow", "!hs", "!HighShow", "!highshow keep=2")
TERMS = ("5 2 linear=1", "4 1 none", "6 3 value", "5 2 turn=1/2", "4 2 turnvalue")  # small: they take stakes
SHOW_JUNK = (
    "!highshow 1", "!highshow 5 5", "!highshow 1000000000", "!hs 5 2 linear=1/0", "!hs 5 2 linear=-1",
    "!hs x", "!highshow 5 2 none 3 4", "!highshow rules", "!fair highshow", "!guess many", "!guess",
    "!cashout now",
)  # fmt: skip
SHOW_ANSWERS = (
    "!cashout", "!cashout", "!another", "!another", "!see another", "!hint", "!hint", "!guess skip",
    "!guess 3 4.5",
)  # fmt: skip
SHOW_CHOICES = (
    "highshow games 1", "highshow games 10", "highshow decision 10", "highshow decision 60",
    "highshow estimates 10", "highshow max_stake 50", "highshow max_stake 0", "highshow min_stake 10",
    "highshow starters moderator", "highshow starters viewer", "highshow cards 5",
)  # fmt: skip
