"""The archive, which stores old finished tables in packed form."""
