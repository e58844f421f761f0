"""The commands of the bot itself, each of which is one decorated function; see `chatbot.bot.command`."""
