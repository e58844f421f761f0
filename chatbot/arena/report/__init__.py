"""What is told of a run: tables, JSON, files of logs, pictures."""
