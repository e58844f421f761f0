"""How many files, and so connections, this process may have open at once."""

from __future__ import annotations

from contextlib import suppress


def most_open_files(wanted: int) -> int:
    """Return how many files may be open, after asking the system for as many as are wanted.

    Windows has no such number for connections, so that it is what is wanted there.
    """
    try:
        import resource  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft < most:
        with suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return most
    return soft
