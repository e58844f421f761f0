"""No secret gets into the log, whoever logs, warns or breaks, at any level."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

BEFORE = """
import asyncio, logging, sys, threading, warnings
import structlog
from chatbot import log
from chatbot.keys.discretion import Discretion
discretion = Discretion()
discretion.add("canary-known-secret", lasting=True)
log.configure("debug", discretion)
SECRET, UNKNOWN = "canary-known-secret", "https://id.twitch.tv/oauth2/token?client_secret=canary-unknown"
def fail():
    try:
        raise ValueError(f"within {SECRET}")
    except ValueError as error:
        raise OSError(f"asked {UNKNOWN} with {SECRET}") from error
"""


def told(code: str) -> str:
    """Run a program in which something is told, and give what it told."""
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert "canary" not in done.stderr
    assert "***" in done.stderr
    return done.stderr


def test_our_own_events_hide_secrets_in_names_values_and_tracebacks() -> None:
    err = told("""
ours = structlog.get_logger("ours")
ours.warning(f"asked {UNKNOWN}", token=SECRET, more={"refresh_token": "canary-x"})
try:
    fail()
except OSError:
    ours.exception("broken")
""")
    assert "OSError" in err
    assert "in fail" in err


def test_libraries_hide_secrets_in_arguments_and_tracebacks() -> None:
    err = told("""
for name in ("discord.gateway", "twitchio.http", "aiohttp.client", "asyncio", "somebody"):
    logging.getLogger(name).warning("with %s and %r", SECRET, {"Authorization": "Bot canary-unknown"})
    try:
        fail()
    except OSError:
        logging.getLogger(name).exception("broken")
""")
    assert err.count("\nOSError: asked") == 5


def test_no_terminal_obeys_what_is_quoted() -> None:
    err = told(r"""
BAD = "\x1b[2J\x07\r\x9b1m\u202e"
logging.getLogger("discord").warning("quoting %s", BAD)
ours = structlog.get_logger("ours")
ours.warning("hidden", token=SECRET, name=BAD)
try:
    raise ValueError(BAD)
except ValueError:
    ours.exception("broken")
    logging.getLogger("discord").exception("broken")
threading.Thread(target=lambda: int(BAD)).start()
raise ValueError(BAD)
""")
    assert err.count(r"\x1b[2J\x07\r\x9b1m\u202e") >= 6
    assert not set(err) & set("\x1b\x07\r\x9b\u202e")


def test_a_task_that_nobody_waits_for_hides_them() -> None:
    err = told("""
async def main():
    async def broken():
        fail()
    task = asyncio.create_task(broken())
    await asyncio.wait([task])
    del task
asyncio.run(main())
import gc; gc.collect()
""")
    assert "Task exception was never retrieved" in err


def test_warnings_hide_them() -> None:
    assert "UserWarning" in told("warnings.warn(f'beware of {SECRET}')")


def test_the_end_of_the_program_a_thread_and_a_destructor_hide_them() -> None:
    assert told("fail()").count("Traceback") == 2
    assert "in fail" in told("thread = threading.Thread(target=fail); thread.start(); thread.join()")
    err = told("""
class Dying:
    def __del__(self):
        fail()
Dying()
""")
    assert "in fail" in err


def test_libraries_that_tell_payloads_never_tell_them() -> None:
    err = told("""
for name in ("discord", "discord.http", "twitchio.eventsub", "aiohttp.client", "aiosqlite"):
    logging.getLogger(name).debug("a payload")
    logging.getLogger(name).info("a step")
logging.getLogger("somebody").debug("a detail of %s", SECRET)
""")
    assert "a payload" not in err
    assert err.count("a step") == 5
    assert "a detail of ***" in err


def test_libraries_are_no_louder_than_the_rest() -> None:
    err = told("""
log.configure("error", discretion)
logging.getLogger("discord.http").warning("a warning")
logging.getLogger("discord.http").error("an error with %s", SECRET)
""")
    assert "a warning" not in err
    assert "an error with ***" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_who_types_a_command_reads_only_errors_of_libraries_unless_they_debug() -> None:
    code = """
log.configure({level!r}, discretion, quiet=True)
logging.getLogger("twitchio.client").warning("advice")
warnings.warn("a thing of yesterday")
logging.getLogger("twitchio.client").error("an error with %s", SECRET)
structlog.get_logger("ours").warning("a warning of ours")
"""
    err = told(code.format(level="warning"))
    assert ("advice" in err, "yesterday" in err) == (False, False)
    assert "an error with ***" in err
    assert "a warning of ours" in err
    err = told(code.format(level="debug"))
    assert ("advice" in err, "yesterday" in err) == (True, True)


def test_what_a_library_logs_looks_like_our_own_events_and_names_the_library() -> None:
    err = told("""
structlog.get_logger("ours").warning("a token", of=SECRET)
logging.getLogger("discord.http").warning("a warning")
""")
    ours, theirs = err.splitlines()
    shape = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z \[warning  \] "
    assert re.fullmatch(shape + r"a token +of=\*\*\*", ours)
    assert re.fullmatch(shape + "a warning library=discord.http", theirs)


def test_a_log_on_a_full_disk_is_lost_and_stops_nothing() -> None:
    code = """
from chatbot.cli.context import tell_running
sys.stdout = open("/dev/full", "w")
ours = structlog.get_logger("ours")
ours.error("cannot be written")
try:
    fail()
except OSError:
    ours.exception("broken")
tell_running("nobody reads this")
open(sys.argv[1], "w").write("went on")
sys.stdout = None
"""
    with tempfile.TemporaryDirectory() as folder, Path("/dev/full").open("w") as full:
        end = Path(folder, "end")
        subprocess.run([sys.executable, "-c", BEFORE + code, end], cwd=ROOT, stderr=full, check=False)
        assert end.read_text() == "went on"


FULL = """
from sqlalchemy.exc import OperationalError
try:
    raise OperationalError("COMMIT", None, Exception(f"database or disk is full {SECRET}\\nand more"))
except OperationalError:
    structlog.get_logger("ours").exception("a line could not be answered", line="x:1")
"""


def test_what_the_database_could_not_do_is_one_line() -> None:
    lines = told(f"log.configure('info', discretion){FULL}").splitlines()
    assert len(lines) == 1
    assert "a line could not be answered" in lines[0]
    assert "why='the database: database or disk is full ***'" in lines[0]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (
            "InterfaceError('SELECT 1', None, Exception('connection is closed'))",
            "the database: connection is closed",
        ),
        (
            "DBAPIError('SELECT 1', None, Refused('terminating connection'))",
            "the database: terminating connection",
        ),
        ("leases.NotOwner(['town'])", "this process has no lease of town"),
        (
            "LostAnswer('welcome') from DBAPIError('SELECT 1', None, Refused('not accepting connections'))",
            "the database: not accepting connections",
        ),
        (
            "DatabaseError('SELECT 1', None, Exception('database disk image is malformed'))",
            "the database: database disk image is malformed",
        ),
    ],
    ids=["closed", "ended by the server", "leases", "no answer", "damaged"],
)
def test_what_a_server_could_not_do_is_one_line(error: str, why: str) -> None:
    lines = told(f"""
log.configure('info', discretion)
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.store import leases
class Refused(Exception):
    sqlstate = "57P01"
try:
    raise {error}
except Exception:
    structlog.get_logger("ours").exception("a line could not be answered", line="x:1", token=SECRET)
""").splitlines()
    assert len(lines) == 1
    assert why in lines[0]


def test_an_error_of_the_program_itself_has_a_traceback() -> None:
    assert "Traceback" in told("""
log.configure('info', discretion)
from sqlalchemy.exc import ProgrammingError
try:
    raise ProgrammingError('SELECT x', None, Exception('no such column: x'))
except ProgrammingError:
    structlog.get_logger("ours").exception("a line could not be answered", token=SECRET)
""")


def test_who_debugs_sees_where_the_database_failed() -> None:
    assert "Traceback" in told(FULL)
