"""The adapter to Twitch, over twitchio, which nothing outside this folder imports."""
