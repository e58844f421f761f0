"""Imports what a start imports, as whoever may write its compiled form beside it."""

import importlib
import sys

sys.dont_write_bytecode = False
sys.path.insert(0, "/usr/lib/rabble")

for each in (
    "asyncpg",
    "chatbot.app",
    "chatbot.cli.doctor",
    "chatbot.cli.entry",
    "chatbot.cli.rehearsal",
    "chatbot.metrics",
    "chatbot.pictures.painting",
    "chatbot.sharing",
    "cogs.discord.adapter",
    "cogs.twitch.adapter",
    "nats",
    "prometheus_client",
):
    importlib.import_module(each)
