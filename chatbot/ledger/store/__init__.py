"""The database: its schema, engines, write queue, locks and backups."""
