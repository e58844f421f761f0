"""Every command that the scripts, the hooks, the workflow and the dev container name exists."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from chatbot.cli.entry import app
from chatbot.environment import Settings
from scripts import check, docs, generate, setup, steps
from scripts.__main__ import DAILY, main
from tests.documentation import CONTRIBUTING, ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "checks.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"
CONTAINER = ROOT / ".devcontainer" / "devcontainer.json"
FORMS = [
    each for each in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if each.stem != "config"
]
FIELDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}
"""The kinds of fields that an issue form may have."""
OF_THE_SYSTEM = {"apt-get", "git", "pip"}
OF_UV = {"build", "pip", "sync", "venv"}


def read_yaml(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def container() -> Any:
    return json.loads(CONTAINER.read_text(encoding="utf-8"))


def hooks() -> list[dict[str, Any]]:
    return [hook for repository in read_yaml(HOOKS)["repos"] for hook in repository["hooks"]]


def runs() -> list[str]:
    """List what the steps of the workflow run."""
    jobs = read_yaml(WORKFLOW)["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def single(line: str) -> list[str]:
    return line.split(" && ")


NAMED = {
    *DAILY.values(),
    *check.PYTHON,
    *(each.replace("npm", f"npm --prefix {steps.JAVASCRIPT}", 1) for each in check.JAVASCRIPT),
    docs.BUILD,
    *generate.PAGES,
    *(setup.INSTALL, setup.HOOKS, setup.PACKAGES),
    *(hook["entry"] for hook in hooks()),
    *(command for line in runs() for command in single(line)),
    *(command for name in ("onCreateCommand", "postCreateCommand") for command in single(container()[name])),
}


def missing(command: str) -> str | None:
    """Return what a command needs and this repository lacks."""
    program, *words = shlex.split(command)
    if program == "npm":
        return _missing_of_npm(words)
    if program != "uv":
        there = program in OF_THE_SYSTEM or os.access(ROOT / program, os.X_OK)
        return None if there else program
    if words[0] != "run":
        return None if words[0] in OF_UV else words[0]
    _, tool, *rest = re.sub(r"--group \w+ ", "", " ".join(words)).split()
    if tool == "python":
        return None if rest[0] == "-m" and find_spec(rest[1]) else " ".join(rest)
    if tool == "chatbot":
        return _missing_of_chatbot(rest)
    return None if shutil.which(tool, path=str(Path(sys.executable).parent)) else tool


def _missing_of_npm(words: list[str]) -> str | None:
    if "install" in words:
        return None
    scripts = json.loads((ROOT / steps.JAVASCRIPT / "package.json").read_text(encoding="utf-8"))["scripts"]
    return None if words[-1] in scripts else words[-1]


def _missing_of_chatbot(words: list[str]) -> str | None:
    command = typer.main.get_group(app).commands.get(words[0])
    if command is None:
        return words[0]
    known = {name for parameter in command.params for name in parameter.opts}
    return next((each for each in words[1:] if each not in known), None)


@pytest.mark.parametrize("command", sorted(NAMED))
def test_a_command_that_is_named_exists(command: str) -> None:
    if "sphinx-build" in command and find_spec("sphinx") is None:
        pytest.skip("the group docs is not installed")
    assert missing(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "uv run python -m scripts.brew",
        "uv run chatbot brew",
        "uv run chatbot run --brew",
        ".ci/brew",
        "uv brew",
    ],
)
def test_a_command_that_does_not_exist_is_noticed(command: str) -> None:
    assert missing(command) in command.split() or missing(command) == "-m scripts.brew"


def test_contributing_lists_what_the_scripts_list() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| `(.+?)` \|$", CONTRIBUTING, re.MULTILINE))
    assert {purpose: rows.get(purpose) for purpose in DAILY} == DAILY


def test_the_list_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    lines = capsys.readouterr().out.splitlines()
    assert [tuple(re.split(r"  +", line)) for line in lines] == [*DAILY.items()]


def test_steps_all_run_and_those_that_fail_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    python = shlex.quote(Path(sys.executable).as_posix())
    failing, passing = f"{python} -c 'raise SystemExit(1)'", f"{python} -c 'print(42)'"
    with pytest.raises(SystemExit, match="These failed:") as stopped:
        steps.run_all([failing, passing])
    assert str(stopped.value.code).splitlines()[1:] == [failing]
    assert "42" in capfd.readouterr().out


def test_hooks_run_the_tools_of_this_environment_and_need_no_network() -> None:
    repositories = read_yaml(HOOKS)["repos"]
    assert [each["repo"] for each in repositories] == ["local"]
    assert {hook["id"]: hook.get("stages", ["pre-commit"]) for hook in hooks()} == {
        "ruff-check": ["pre-commit"],
        "ruff-format": ["pre-commit"],
        "mypy": ["manual"],
        "generated-pages": ["manual"],
        "commit-message": ["commit-msg"],
    }


def test_the_workflow_may_only_read_and_runs_everything_on_linux_and_the_two_commands_elsewhere() -> None:
    workflow = read_yaml(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read"}
    on = {name: [step.get("run") for step in job["steps"]] for name, job in workflow["jobs"].items()}
    assert ".ci/run" in on["everything"]
    assert on["elsewhere"][1:] == [
        None, "pip install uv", "uv run python -m scripts.smoke", "uv run pytest", "rabble.cmd doctor",
    ]  # fmt: skip
    assert ".ci/packages" in on["packages"]
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


@pytest.mark.parametrize("file", FORMS, ids=[each.stem for each in FORMS])
def test_an_issue_form_has_what_forms_must_have(file: Path) -> None:
    form = read_yaml(file)
    assert form["name"]
    assert form["description"]
    assert {field["type"] for field in form["body"]} <= FIELDS
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(field["attributes"]["label"] for field in asked)
    assert len({field["id"] for field in asked}) == len(asked)


def test_the_dev_container_forwards_the_port_of_the_page() -> None:
    port = Settings.model_fields["port"].default
    assert container()["forwardPorts"] == [port]
    assert {*container()["portsAttributes"]} == {str(port)}


def test_the_dev_container_has_the_image_of_the_workflow() -> None:
    assert container()["image"] == read_yaml(WORKFLOW)["jobs"]["everything"]["container"]["image"]


def test_code_owners_are_asked_for_paths_that_exist() -> None:
    lines = (ROOT / ".github" / "CODEOWNERS").read_text(encoding="utf-8").splitlines()
    paths = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert paths[0] == "*"
    assert all((ROOT / path.strip("/")).exists() for path in paths[1:])
    assert len(paths) > 1
