"""Pictures of the cards on a table, for platforms that display images."""
