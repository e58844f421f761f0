"""How much Twitch lets one account hear by sockets.

See https://dev.twitch.tv/docs/eventsub/manage-subscriptions/#subscription-limits.
"""

SOCKETS = 3  # connections of one account that may have subscriptions
SUBSCRIPTIONS = 300  # of one connection
MOST = SOCKETS * SUBSCRIPTIONS  # of one account


def too_many(channels: int) -> str:
    """Say what is to be done about more channels than one account can hear by sockets."""
    return (
        f"{channels} channels are set up, and one account hears {MOST}; set CHATBOT_TWITCH_CONDUIT to true, "
        "and start the bot again: a conduit has room for all."
    )
