"""Proofs that take their time: `uv run pytest -m slow`."""
