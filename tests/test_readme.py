"""Every command that the documentation prints runs as printed, and prints what its page says.

`uv run` and `pip install` are answered by this environment's own programs, so nothing needs a network.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from arena.report.report import CONTAINMENTS
from chatbot.keys import sealing_key
from chatbot.keys.discretion import Discretion
from chatbot.ledger.rooms import KnownRoom, KnownRooms
from chatbot.ledger.store.store import Store
from tests.bot.stage import Stage
from tests.documentation import CONTRIBUTING, README, ROOT, WRITTEN, page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = ROOT / "data" / "examples"
PATIENCE = 120.0  # seconds, on a machine that is busy with other things
UV = '#!/bin/sh\n[ "$1" = run ] && shift && exec "$@"\n'
PIP = '#!/bin/sh\n[ "$*" = "install uv" ]\n'
VENV = '#!/bin/sh\n[ "$1 $2" = "-m venv" ] && mkdir -p "$3/bin" && cp "$OWN/pip" "$OWN/uv" "$3/bin"\n'

STARTS = (
    "pip install uv && uv run chatbot",
    "python3 -m venv ~/uv && ~/uv/bin/pip install uv && ~/uv/bin/uv run chatbot",
)
"""They run until they are stopped."""

DUELS = "tests/test_champion_duels.py::test_each_champion_is_compared_with_all_the_others"
BENCHMARKS = "tests/test_benchmarks.py::test_each_benchmark_runs_and_its_rows_are_complete"
NAMES_EXIST = "tests/test_scripts.py::test_a_command_that_is_named_exists"
PROMPT = "tests/test_shell.py::test_somebody_plays_at_the_prompt_and_nothing_is_left_behind"
ELSEWHERE = {
    "pip install uv && uv run --all-extras --all-groups pytest": (
        r".ci/run::uv run --all-extras --all-groups pytest .*"
    ),
    "uv run chatbot connect twitch": "tests/test_connect.py::test_without_an_application_the_steps_are_told",
    "uv run chatbot connect twitch --bot": (
        "tests/test_connect.py::test_the_bot_and_the_streamer_are_connected_one_after_the_other"
    ),
    "uv run chatbot connect twitch --broadcaster": (
        "tests/test_connect.py::test_the_bot_and_the_streamer_are_connected_one_after_the_other"
    ),
    "uv run chatbot connect twitch --broadcaster --points": (
        "tests/test_connect.py::test_what_a_feature_needs_is_asked_for_with_its_option_alone"
    ),
    "uv run chatbot rewards make heist --cost 500 --stake 100": (
        "tests/test_rewards_command.py::test_a_reward_is_made_listed_changed_and_removed"
    ),
    "uv run chatbot connect twitch --broadcaster --predictions": (
        "tests/test_connect.py::test_what_a_feature_needs_is_asked_for_with_its_option_alone"
    ),
    "uv run chatbot connect twitch --bot --announcements": (
        "tests/test_connect.py::test_what_a_feature_needs_is_asked_for_with_its_option_alone"
    ),
    "uv run chatbot desk": (
        "tests/test_start.py::test_an_address_for_setting_up_is_printed_while_the_bot_runs_and_opens_it"
    ),
    "uv run chatbot connect discord": (
        "tests/test_connect_discord.py::test_discord_is_checked_and_the_bot_invited_with_no_more_than_it_needs"
    ),
    "uv run python -m benchmarks": BENCHMARKS,
    "uv run python -m benchmarks --only heist sixcard": BENCHMARKS,
    "uv run python -m benchmarks.heist": BENCHMARKS,
    "uv run python -m benchmarks.road --vs main": BENCHMARKS,
    "uv run python -m benchmarks.road --picture FILE.svg --vs 467d90f8": (
        "tests/test_road_picture.py::test_the_way_of_a_line_is_drawn_alone_where_there_is_no_such_commit"
    ),
    "uv run python -m benchmarks --markdown": BENCHMARKS,
    "uv run python -m benchmarks.age": "tests/test_aged.py::test_what_a_long_life_costs_is_measured",
    "uv run python -m benchmarks.cluster --processes 4 --rooms 2000 --seconds 120 --seed 1": (
        "tests/cluster/test_kills.py::test_a_load_is_measured"
    ),
    "uv run python -m benchmarks.cluster --processes 3 --rooms 60 --kill 200": (
        ".ci/nightly::uv run python -m benchmarks.cluster --processes 3 --rooms 60 --kill 200"
    ),
    "uv run python -m benchmarks.desk": "tests/test_desk_benchmark.py::test_each_view_is_measured",
    "uv run python -m benchmarks.economy --seed 1 --picture economy.png": (
        "tests/test_economy.py::test_a_small_economy_holds_and_says_so_line_by_line"
    ),
    "uv run python -m benchmarks.economy --only simulation --seeds 20": (
        ".ci/nightly::uv run python -m benchmarks.economy --only simulation --seeds 20"
    ),
    "uv run python -m benchmarks.economy --minutes 1": (
        ".ci/run::uv run python -m benchmarks.economy --minutes 1"
    ),
    "uv run python -m benchmarks.economy_visits --checkout ../former": (
        "tests/test_economy_visits.py::test_honest_visits_are_compared_with_those_of_another_checkout"
    ),
    "uv run python -m benchmarks.economy --only search --checkout ../former": (
        "tests/test_economy_adversary.py::test_another_checkout_is_searched_by_the_same_adversary"
    ),
    "uv run python -m benchmarks.redemptions --times 500": (
        "tests/slow/test_redemptions.py::"
        "test_whenever_the_program_is_killed_each_redemption_is_settled_once_as_the_books_say"
    ),
    "uv run --all-extras --all-groups pytest": r".ci/run::uv run --all-extras --all-groups pytest .*",
    "uv run pytest": "tests/test_readme.py::test_tests_skip_what_is_not_installed_and_say_what_that_is",
    "uv run pytest -m 'slow and not nightly'": r".ci/run::slow=\(uv run pytest -m .slow and not nightly. .*",
    "uv run pytest -m nightly": ".ci/nightly::uv run pytest -m nightly",
    "uv run python -m benchmarks.memory": ".ci/nightly::uv run python -m benchmarks.memory",
    "uv run python -m scripts": "tests/test_scripts.py::test_the_list_is_printed",
    "uv run python -m scripts.setup": NAMES_EXIST,
    "uv run python -m scripts.check": NAMES_EXIST,
    "uv run python -m scripts.generate": NAMES_EXIST,
    "uv run python -m scripts.docs": NAMES_EXIST,
    "uv run python -m scripts.smoke": ".ci/run::uv run python -m scripts.smoke",
    "uv run python -m scripts.release --dry-run": (
        "tests/test_release.py::test_a_dry_run_builds_and_tries_the_wheel_and_leaves_nothing_behind"
    ),
    "uv run python -m scripts.release": (
        "tests/test_release.py::test_a_release_keeps_the_files_and_sets_the_tag"
    ),
    "uv run pre-commit run --all-files --hook-stage manual": (
        "tests/test_scripts.py::test_hooks_run_the_tools_of_this_environment_and_need_no_network"
    ),
    "uv run chatbot run --reload": "tests/test_reloading.py::test_the_bot_stops_in_order_after_a_change",
    "uv run chatbot shell": PROMPT,
    "uv run chatbot doctor --live": (
        "tests/adapters/test_live_check.py::test_ctrl_c_ends_the_command_in_order"
    ),
    "uv run ruff check": ".ci/run::uv run ruff check",
    "uv run ruff format --check": ".ci/run::uv run ruff format --check",
    "uv run mypy": ".ci/run::uv run mypy & .*",
    "uv run pytest tests/web": "tests/test_readme.py::test_whoever_names_a_folder_runs_all_that_is_in_it",
    "uv run pytest tests/games/test_every_game.py": (
        "tests/test_sixth_game.py::test_the_generic_tests_and_the_floors_take_it_in"
    ),
    "uv run python -m chatbot.tables.events": (
        "tests/bot/tables/test_events.py::test_the_schema_that_is_checked_in_is_what_the_program_prints"
    ),
    "uv run python -m benchmarks.road": BENCHMARKS,
    "uv run python -m benchmarks.champion --game chickenpoker": DUELS,
    "uv run python -m benchmarks.champion --game highshow": DUELS,
    "uv run python -m benchmarks.champion --game pokermarket --seed market-400 --samples 400": DUELS,
    "uv run python -m benchmarks.champion --unseen 40 --seed fresh-1": BENCHMARKS,
    "uv run --group docs sphinx-build -W docs site": (
        ".ci/run::uv run --group docs sphinx-build -W docs site"
    ),
    "uv run python -m docs.generate": (
        "tests/test_docs.py::test_the_pages_that_the_program_writes_are_up_to_date"
    ),
    "uv run python -m docs.moving": "tests/test_docs.py::test_the_move_from_another_bot_is_up_to_date",
    "uv run python -m docs.both_platforms": (
        "tests/test_docs.py::test_the_evening_on_both_platforms_is_up_to_date_and_answers_each_viewer"
    ),
    "uv run python -m docs.evening": (
        "tests/test_docs.py::test_the_transcripts_of_an_evening_are_up_to_date"
    ),
    "uv run python -m docs.figures": (
        "tests/test_docs.py::test_the_code_is_measured_by_the_same_rules_everywhere"
    ),
    "uv run python -m docs.figures --of ../another/package": (
        "tests/test_docs.py::test_the_code_is_measured_by_the_same_rules_everywhere"
    ),
}
"""Commands that need an account, or too long: where they are played instead, and what stands there."""

SHORTER = {"--seeds 10000": "--seeds 2", "--times 500": "--times 1"}
"""What CONTRIBUTING lets run for a night, and how much of it shows that the command is right."""

SAYS = {
    "solve highshow 20 3 linear=5": ("exact", "par", "span"),
    "solve chicken --n 6": ("The value is 1",),
    "solve sixcard": (
        "68", "760", "13 hands need mixing", "431 22 4 (94.45%), 322 44 1 (5.55%)",
        "81.31", "56.71", "172047/200200",
    ),
    "!odds heist": ("87.9%", "143%", "58.2%", "118.1%", "89.1%", "33.7%"),
}  # fmt: skip
"""What these commands print, and their page says in its own words around them."""


def blocks(kind: str, text: str) -> list[str]:
    found = re.findall(rf"^( *)```{kind}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [dedent(block) for _, block in found]


def commands(block: str) -> list[str]:
    """List the lines of a block without what they say of themselves."""
    lines = re.sub(r"\\\n *", "", block).splitlines()
    return [re.sub(r"\s+# .*", "", line) for line in lines]


SHIPPED = {each.read_text(encoding="utf-8") for each in EXAMPLES.iterdir() if each.is_file()}
SHOWN = {block: text for text in WRITTEN.values() for block in blocks("sh", text) if block not in SHIPPED}
"""Blocks of commands, each with the page that prints it."""
TYPED = [*SHOWN]
NIGHTS = [each for block in blocks("sh", CONTRIBUTING) for each in commands(block)]
INTERNALS = [text for name, text in WRITTEN.items() if name.startswith("internals/")]
NAMED = set(re.findall(r"`(uv run [^`]+)`", "\n".join([CONTRIBUTING, *INTERNALS]))) - {*NIGHTS}
RUN = [each for each in TYPED if not {*commands(each)} <= {*STARTS, *ELSEWHERE}]
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="the commands are typed in a shell"),
]


def lay_out_examples(folder: Path) -> None:
    shutil.copytree(EXAMPLES, folder / "data" / "examples")


def lay_out_bot(folder: Path) -> None:
    """Save the bot in ten lines, as who reads its page does."""
    first = blocks("python", page("program/first-bot"))[0]
    assert len(first.splitlines()) == 10
    (folder / "bot.py").write_text(first, encoding="utf-8")


def lay_out_points(folder: Path) -> None:
    (folder / "points.csv").write_text("username,points\nold_friend,1200\n", encoding="utf-8")


def lay_out_game(folder: Path) -> None:
    junk = shutil.ignore_patterns("*.db*")
    for name in ("arena", "chatbot", "cogs", "data", "tests/fakes/coinflip"):
        shutil.copytree(ROOT / name, folder / name, ignore=junk)


def lay_out_first_start(folder: Path) -> None:
    """Leave behind what the first start does: a database with the room of the local page, and a key."""
    (folder / "data").mkdir()
    sealing_key.provide(None, folder / "data" / "fairness.key", Discretion())
    asyncio.run(_note_room(f"sqlite:///{folder / 'data' / 'rabble.db'}"))


async def _note_room(url: str) -> None:
    store = await Store.open(url)
    await KnownRooms(store).note(KnownRoom("local", "local"), datetime.now(UTC))
    await store.close()


NEEDS: dict[str, Callable[[Path], None]] = {
    "data/examples/": lay_out_examples,
    "bot.py": lay_out_bot,
    "points.csv": lay_out_points,
    "chatbot/games": lay_out_game,
    "chatbot overlay": lay_out_first_start,
}


async def play(folder: Path) -> dict[str, str]:
    """Play a heist in a channel of Twitch; give what its table, its terms and a backup are on its pages."""
    database = folder / "data" / "rabble.db"
    database.parent.mkdir(exist_ok=True)
    store = await Store.open(f"sqlite:///{database}")
    stage = Stage(store)
    stage.room = stage.new_room("room", community="twitch-123")
    await stage.open()
    await stage.want_proofs()
    await stage.say("ann", "!heist 69")
    await stage.turn(60 + 30 + 6 + 300)
    await store.close()
    (folder / "data" / "backups").mkdir(exist_ok=True)
    shutil.copy(database, folder / "data" / "backups" / "rabble-20260102-030405.db")
    (terms,) = {each for text in stage.proven() for each in re.findall(r"; terms (\w+)", text)}
    return {"3f9a0c27b1": "a-table-1", "24e49f93…": terms}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "bin"
    path.mkdir()
    for name, script in (("uv", UV), ("pip", PIP)):
        (path / name).write_text(script, encoding="utf-8")
        (path / name).chmod(stat.S_IRWXU)
    search = (str(path), str(Path(sys.executable).parent), os.environ["PATH"])
    libraries = (str(tmp_path), str(ROOT))
    paths = {"PATH": os.pathsep.join(search), "PYTHONPATH": os.pathsep.join(libraries)}
    return {**ENVIRONMENT, **paths, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}


def test_every_command_is_run_or_played_elsewhere() -> None:
    for block in TYPED:
        others = {*STARTS, *ELSEWHERE} & {*commands(block)}
        assert block in RUN or others == {*commands(block)}
        assert not (block in RUN and others), f"run and not run: {block}"
    printed = {command for block in TYPED for command in commands(block)}
    assert {*STARTS, *ELSEWHERE} <= printed | NAMED
    assert {*ELSEWHERE} | printed >= NAMED
    assert all(any(long in each for long in SHORTER) for each in NIGHTS)


@pytest.mark.parametrize("command", ELSEWHERE)
def test_what_is_played_elsewhere_is_there(command: str) -> None:
    file, _, what = ELSEWHERE[command].partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    wanted = rf"^(async )?def {what}\(" if file.endswith(".py") else rf"^{what}$"
    assert re.search(wanted, text, re.MULTILINE), ELSEWHERE[command]


@pytest.mark.parametrize("command", STARTS)
def test_it_starts_as_printed_says_that_it_listens_and_ends_when_asked(
    command: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    own = tmp_path / "bin"
    environment |= {"CHATBOT_PORT": "0", "HOME": str(tmp_path / "home"), "OWN": str(own)}
    if "venv" in command:  # the system's Python, which keeps itself to itself
        (own / "python3").write_text(VENV, encoding="utf-8")
        (own / "python3").chmod(stat.S_IRWXU)
    with subprocess.Popen(
        ["sh", "-e", "-c", command],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            assert "listening: open http://" in process.stdout.readline()
        finally:
            os.killpg(process.pid, signal.SIGINT)
        process.wait(PATIENCE)
    assert (tmp_path / "data" / "rabble.db").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("command", NIGHTS)
def test_what_lasts_a_night_runs_as_printed_but_shorter(
    command: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    for long, short in SHORTER.items():
        command = command.replace(long, short)
    done = typed(command, tmp_path, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"2 of 2 evenings, 0 with a breach|\b1 kills, .* 0 breaches", done.stdout), done.stdout


def test_tests_skip_what_is_not_installed_and_say_what_that_is(tmp_path: Path) -> None:
    missing = "raise ModuleNotFoundError(\"No module named '{}'\", name='{}')"
    (tmp_path / "test_module.py").write_text(missing.format("scipy", "scipy"), encoding="utf-8")
    bodies = {"test_one": "asyncpg", "test_two": "something"}
    tests = [f"def {name}():\n    {missing.format(library, library)}\n" for name, library in bodies.items()]
    (tmp_path / "test_functions.py").write_text("\n".join(tests), encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "-rs", "-q"]
    words += ["-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 failed, 2 skipped" in done.stdout, done.stdout
    assert "needs scipy, which the extra arena adds" in done.stdout
    assert "needs asyncpg, which the extra postgres adds" in done.stdout


def test_whoever_names_a_folder_runs_all_that_is_in_it(environment: dict[str, str]) -> None:
    done = typed("uv run pytest tests/web --collect-only -q --numprocesses 0", ROOT, environment)
    assert re.search(r"^\d+ tests collected in ", done.stdout, re.MULTILINE), done.stdout
    assert "deselected" not in done.stdout


def test_what_is_shown_behind_a_command_is_compared_with_what_it_prints() -> None:
    shown = [text for block in RUN for text in outputs(block)]
    assert sorted(text.partition(" ")[0] for text in shown) == ["highshow:", '{"game":']


@pytest.mark.parametrize("block", RUN, ids=[commands(each)[-1][:70] for each in RUN])
def test_a_block_runs_as_printed(block: str, tmp_path: Path, environment: dict[str, str]) -> None:
    if "javac " in block and shutil.which("javac") is None:
        pytest.skip("javac is not installed")
    printed = block
    for word, lay_out in NEEDS.items():
        if word in block:
            lay_out(tmp_path)
    if re.search(r"\b(restore|import|export|archive) ", block):
        for name, real in asyncio.run(play(tmp_path)).items():
            block = block.replace(name, real)
    done = typed(block, tmp_path, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not re.search(r"\bfailed\b|\bfailures ( *┃|[1-9])", done.stdout)
    for errors in tmp_path.rglob("errors.txt"):
        assert errors.read_text(encoding="utf-8") == ""
    for text in told(printed):
        assert text in SHOWN[printed]
        assert text in done.stdout
    for shown in outputs(printed):
        assert timeless(done.stdout) == timeless(shown)


def test_whoever_begins_is_told_how_to_get_the_code_and_uv() -> None:
    """First the code, then the start; and what to do where the system refuses `pip install`."""
    for start in (README, page("operate/start")):
        first, *_ = blocks("sh", start)
        assert first == f"{STARTS[0]}\n"
        before = start.partition(first)[0]
        assert before.index("archive") < before.index("`pyproject.toml`")


@pytest.mark.parametrize("name", WRITTEN)
def test_a_command_can_be_pasted_without_putting_an_address_into_it(name: str) -> None:
    assert not re.search(r"\bADDRESS\b", "".join(blocks("sh", WRITTEN[name])))
    assert "](docs/operate/start.md)" in README.partition("`externally-managed-environment`")[2]
    refused = page("operate/start").partition("`externally-managed-environment`")[2]
    for way in ("`brew install uv`", "`pipx install uv`", STARTS[1]):
        assert way in refused


def typed(text: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-e", "-c", text],
        cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip


def told(block: str) -> Iterator[str]:
    for command, texts in SAYS.items():
        if command in block:
            yield from texts
    if "hashlib" in block:  # it prints what the next sentence says
        yield re.findall(r"prints what was told:\s+`(\w{64})`", SHOWN[block].partition(block)[2])[0]


def outputs(block: str) -> list[str]:
    """Give what a page shows as output: a block without a language, or JSON with nothing in between."""
    behind = SHOWN[block].partition(f"{block}```\n")[2]
    section = re.split(r"^(?:#{2,3} |```sh\n)", behind, maxsplit=1, flags=re.MULTILINE)[0]
    directly = re.match(r"\n```json\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return (
        [directly[1]] if directly else re.findall(r"^\n```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[:1]
    )


def timeless(output: str) -> object:
    """Leave out how long it took, and what contained programs, as on this machine; of JSON the layout."""
    if output.startswith("{"):
        return {**json.loads(output), "seconds": None}
    for each in CONTAINMENTS.values():
        output = output.replace(each, "")
    return re.sub(r"\d+\.\d+ s\b", "… s", output.strip())
