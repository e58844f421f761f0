"""The database: its tables, its engines, one queue of writes, locks and backups."""
