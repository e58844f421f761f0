"""Members of communities and their credits: linked accounts, gifts, grants, earning, rankings and seasons.

Here are also balances imported from other bots, what is bought for channel points, and joined chats.
"""
