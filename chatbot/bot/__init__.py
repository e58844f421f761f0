"""What hears a line: admits it, finds what answers it, and lets it act."""
