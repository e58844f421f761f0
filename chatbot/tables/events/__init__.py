"""What each room publishes of its tables: numbered events, in the format `rabble.events/1`."""
