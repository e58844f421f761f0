"""What a reward may cost and be called; apart from all else, for the command line names it in its help."""

MOST_POINTS = 2_147_483_647  # that a reward may cost: Twitch counts them with 32 bits
LONGEST_TITLE = 45  # characters, Twitch's limit
LONGEST_COOLDOWN = 604_800  # seconds, Twitch's limit
