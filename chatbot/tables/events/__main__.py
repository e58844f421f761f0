"""Prints the JSON Schema of the events: `data/schemas/rabble.events-1.json` is what it prints."""

import sys

from chatbot.tables.events.models import schema

if __name__ == "__main__":
    sys.stdout.write(schema())
