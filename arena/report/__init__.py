"""The output of a run: tables, JSON, logs and plots."""
