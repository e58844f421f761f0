"""The arena: strategies and programs compete in any game, over many matches."""
