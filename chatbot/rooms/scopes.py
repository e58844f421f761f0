"""What a program may do in the name of whoever made its token: never more than they, and mostly less."""

from __future__ import annotations

EVENTS, READ, PLAY, GIVE, MODERATE, OWN = "events", "read", "play", "give", "moderate", "own"
SCOPES = {
    EVENTS: "hear what happens at tables",
    READ: "read tables, tops, wallets, settings and what moderators did",
    PLAY: "use the commands of viewers, and so stake credits",
    GIVE: "give credits to others",
    MODERATE: "use the commands of moderators",
    OWN: "use the commands of broadcasters, and make webhooks",
}
"""What a token may be made for."""

PERSON = "person"
"""What no token may be made for: commands by which somebody says who they are, or agrees to something.

Whoever steals a token must not be able to join wallets with their own, open a desk, or consent to what
another moderator asks for. Daily credits are for people who are there, and not for a program that never
sleeps.
"""
