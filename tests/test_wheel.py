"""The wheel holds every file that the program reads, and plays and serves from it alone."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE
from http import HTTPStatus
from pathlib import Path
from zipfile import ZipFile

import pytest
from aiohttp import ClientSession

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "chatbot", "cogs")
STATIC = ROOT / "chatbot" / "web" / "static"
SUPPLIES = ("lists", "locales", "policies", "themes")
STORY = "ann: !heist 69\nbob: !heist half\n+200\nbob: !sixcard 50\nbob: !set auto\n+60\n"
PATIENCE = 120.0  # seconds for one command, on a machine that is busy with other things


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it without a network: `uv run` has had the builder at hand already."""
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    folder = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [uv, "build", "--wheel", "--offline", "--out-dir", folder, ROOT],
        capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip
    if "network was disabled" in built.stderr:
        pytest.skip("uv has no hatchling in its cache")
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay it out as in a folder of libraries, far from the tree."""
    folder = tmp_path_factory.mktemp("libraries")
    with ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def environment(installed: Path) -> dict[str, str]:
    """Have Python find the packages there, and no setting anywhere."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    return {**inherited, "PYTHONPATH": str(installed), "PYTHONUTF8": "1", "CHATBOT_PORT": "0"}


def files(folder: Path) -> set[str]:
    found = (each for each in folder.rglob("*") if each.is_file() and "__pycache__" not in each.parts)
    return {each.relative_to(folder).as_posix() for each in found}


def test_it_holds_the_packages_with_their_supplies_and_nothing_else(wheel: Path) -> None:
    packages = {f"{package}/{file}" for package in PACKAGES for file in files(ROOT / package)}
    data = {f"chatbot/_data/{name}/{file}" for name in SUPPLIES for file in files(ROOT / "data" / name)}
    with ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if ".dist-info/" not in name}
    assert held == packages | data


@pytest.mark.parametrize(
    ("entry", "words", "says"),
    [
        ("main", "--version", "Rabble "),
        ("main", "rehearse --seed 1", "All together: "),  # words, lists, and the policies of two games
        ("main", "arena chicken nash random --games 2 --seed 1", "nash"),
        ("main", "arena sixcard nash random --games 2 --seed 1", "nash"),
        ("main", "doctor", "Nothing to fix."),
        ("chickp", "-n 5 -s 2 --seed 1 nash random", "session victory"),
        ("bankheist", "--help", "--seed"),
    ],
)
def test_its_commands_run_in_an_empty_folder(
    installed: Path, tmp_path: Path, entry: str, words: str, says: str
) -> None:
    start = (
        "import sys, chatbot.cli.entry\n"
        f"assert chatbot.cli.entry.__file__.startswith({str(installed)!r}), chatbot.cli.entry.__file__\n"
        f"chatbot.cli.entry.{entry}()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", start, *words.split()],
        cwd=tmp_path, env=environment(installed), input=STORY,
        capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert says in done.stdout


async def test_it_listens_on_a_new_database_and_serves_the_page(installed: Path, tmp_path: Path) -> None:
    own, here = environment(installed), tmp_path / "here"
    if sys.platform == "linux":  # elsewhere the system's place for data is the tester's own
        own["XDG_DATA_HOME"] = str(tmp_path / "share")
        del own["CHATBOT_HOME"]
    here.mkdir()
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "chatbot", cwd=here, env=own, stdout=PIPE
    )
    try:
        assert program.stdout is not None
        said = (await asyncio.wait_for(program.stdout.readline(), PATIENCE)).decode()
        (address,) = re.findall(r"http://[0-9.:]+", said)
        async with ClientSession() as session:
            for path in ("/", *sorted(f"/static/{file}" for file in files(STATIC))):
                async with session.get(address + path) as answer:
                    assert answer.status == HTTPStatus.OK, path
    finally:
        program.terminate()
        await program.communicate()
    home = tmp_path / "share" / "rabble" if sys.platform == "linux" else here / "data"
    assert (home / "rabble.db").is_file()
    assert sys.platform != "linux" or not [*here.iterdir()]
