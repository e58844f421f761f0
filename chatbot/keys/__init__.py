"""Access tokens, the sealing key and the keys of overlays: obtained, stored, renewed, redacted."""
