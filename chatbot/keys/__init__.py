"""Access tokens of the platforms and the sealing key: how they are obtained, stored, renewed and redacted."""
