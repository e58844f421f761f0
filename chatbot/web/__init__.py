"""The local page: a chat with its tables and a simulated crowd, which needs no token of a platform."""
