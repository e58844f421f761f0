"""What is typed at a heist, and what moderators set for it."""

from __future__ import annotations

ANSWERS = (
    "guncheck", "backout", "allin", "changejobs", "intel", "guard", "deposit", "withdraw", "doublecross",
    "finger",
)  # fmt: skip
CHOICES = (
    "heist lobby 10", "heist lobby 60", "heist lobby 300", "heist getaway 0", "heist getaway 20",
    "heist suspense 0", "heist suspense 6", "heist cooldown 0", "heist cooldown 30", "heist min_crew 3",
    "heist min_crew 1", "heist max_stake 50", "heist max_stake 0", "heist min_stake 10", "heist payday no",
    "heist payday yes", "heist rabble 0", "heist rabble 40", "heist active 1", "heist season_heists 1",
    "heist season_heists 2", "heist season_heists 0", "heist season_resets everything", "heist season_days 1",
    "heist season_resets careers", "heist season_resets nothing", "heist starters moderator",
    "heist starters viewer", "heist chances 0/0/0/0/0", "heist lobby x",
    "heist max_stake 25 chances 100/100/100/100/100",  # few credits, so that one moderator may choose it
    "credits start 0", "credits start 100", "room talk quiet", "room talk full", "room talk normal",
)  # fmt: skip
