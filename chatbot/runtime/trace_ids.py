"""The trace of a line: by it, what all processes log and measure of one line is found together.

It follows from the line's id alone. So nothing has to be remembered or carried to know it, also in a process
that has the line from a journal, or is told of it twice.
"""

from __future__ import annotations

import re
from hashlib import sha256

HEADER = "traceparent"
"""The header of carried messages, as https://www.w3.org/TR/trace-context/ has it."""

_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII)
_RECORDED = 1  # the bit of the last field that says so


def trace_of(line: str) -> str:
    """Return the trace of a line by its id: 32 hexadecimal digits, never all of them 0."""
    return sha256(f"rabble line {line}".encode(errors="replace")).hexdigest()[:32]


def parent_of(line: str) -> str:
    """Return the header for a line that is carried where nothing is traced: it names the line itself."""
    trace = trace_of(line)
    return f"00-{trace}-{trace[:16]}-00"


def read_parent(header: str) -> tuple[str, str] | None:
    """Return the trace and the span that a header names; None: it is none, or they are not recorded."""
    match = _PARENT.fullmatch(header)
    return (match[1], match[2]) if match is not None and int(match[3], 16) & _RECORDED else None
