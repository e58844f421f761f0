"""One module a revision. A published one never changes: the schema's next state is the next module."""
