"""One module for each revision. A published one never changes: a change of the schema is a new module."""
