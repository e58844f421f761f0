"""The hook for commit messages lets pass what CONTRIBUTING asks for, and refuses the rest with one reason."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.documentation import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")

HOOK = ROOT / ".githooks" / "commit-msg"
WHY = "\n\nIt was slow: 20 ms before, 2 ms now.\n"


def told(folder: Path, message: str) -> str:
    """Return why a message is refused; empty if it is not."""
    file = folder / "message"
    file.write_text(message, encoding="utf-8")
    done = subprocess.run(["sh", str(HOOK), str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == bool(done.stderr)
    return done.stderr.partition("\n")[0]


@pytest.mark.parametrize(
    "message",
    [
        f"heist: Seat nobody twice{WHY}",
        f"cogs/twitch: Ask again after a revocation{WHY}",
        "docs: Rename a page",
        "Merge branch 'main'",
        f"# a comment of git\nledger: {'x' * 64}{WHY}",
    ],
)
def test_a_message_with_part_subject_and_reason_passes(tmp_path: Path, message: str) -> None:
    assert told(tmp_path, message) == ""


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (f"ledger: {'x' * 65}{WHY}", "A subject has at most 72 characters; this one has 73."),
        (f"Seat nobody twice{WHY}", "A subject names the part first"),
        (f"heist: Seat nobody twice.{WHY}", "A subject names the part first"),
        ("heist: Seat nobody twice\n\n# Please enter the message\n", "A commit says in its body why"),
        ("heist: Seat nobody twice\n\nSigned-off-by: Ann\n", "A commit says in its body why"),
    ],
)
def test_any_other_message_is_refused_with_its_reason(tmp_path: Path, message: str, reason: str) -> None:
    assert told(tmp_path, message).startswith(reason)
