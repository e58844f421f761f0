"""Debian's Chromium, started once for many tests."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import deque
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--headless",
    "--remote-debugging-port=0",  # a free one, which it tells
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-component-update",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--no-first-run",
)
_TOLD = "DevTools listening on "


@contextmanager
def running() -> Iterator[str]:
    """Lend the address at which a browser takes orders."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [CHROMIUM, *ARGUMENTS, f"--user-data-dir={profile}"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as process:
            assert process.stderr is not None
            told = next(line for line in process.stderr if _TOLD in line)
            rest = Thread(target=deque, args=(process.stderr, 0))  # or it would wait for a reader some day
            rest.start()
            try:
                yield told.partition(_TOLD)[2].strip()
            finally:
                process.terminate()
                rest.join()
