"""The door to Twitch, over twitchio: all that names Twitch stands in this folder."""
