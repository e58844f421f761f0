"""Prints the JSON Schema of the events, which is stored in `data/schemas/rabble.events-1.json`."""

import sys

from chatbot.tables.events.models import schema

if __name__ == "__main__":
    sys.stdout.write(schema())
