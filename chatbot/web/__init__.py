"""The local chat page: a chat, its tables and a simulated crowd, without any token."""
