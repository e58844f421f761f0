"""The events of tables that each room publishes, in the format `rabble.events/1`."""
