"""Make a release of what is committed: check it, build and try all packages, write notes, and set the tag.

What this machine cannot build or try is listed at the end. `--dry-run` does the same, but keeps no file and
sets no tag; `--wheel-only` leaves out all packages but the wheel and the sdist. Nothing is ever published:
the last line says how to push the tag.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from scripts import packages, resolve
from scripts.packages import BUILDERS, Build, PackageError
from scripts.steps import ROOT, arguments, is_installed

DIST = "dist"
NOTES = "NOTES.md"
MOST_INSTALLED = 200  # MB of the wheel with all that a host needs, NumPy among them
MOST_EXPOSED = 2.5  # of 10, on the scale of `systemd-analyze security`
NEVER_CHECKED = (
    "Nothing was started on Windows or macOS; the workflow does that.",
    "The image was started without Docker or Podman, and compose.yaml not at all.",
    "The service was rated, but not started by systemd.",
    "No bot was connected to the real Twitch or Discord.",
)
NEEDED_IN_SDIST = ("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml")
_HEADING = re.compile(r"^## (?P<version>\S+?), (?P<date>.+)$", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class ReleaseError(Exception):
    """The release cannot be made; the text says what to correct."""


def main(words: list[str] | None = None, root: Path = ROOT) -> None:
    """Make a release, or exit with 1 and say what is in the way."""
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="check and build, but leave nothing behind")
    parser.add_argument(
        "--wheel-only", action="store_true", help="build no package but the wheel and the sdist"
    )
    options = parser.parse_args(words)
    release = Release(root, dry_run=options.dry_run, is_whole=not options.wheel_only)
    try:
        version = release.make()
    except (ReleaseError, PackageError) as error:
        sys.exit(f"No release: {error}")
    if release.unchecked:
        print("\n".join(["Not checked here:", *(f"- {each}" for each in release.unchecked)]))
    if options.dry_run:
        print(f"Rabble {version} can be released.")
    else:
        print(f"The files are in {DIST}. To publish the tag: git push origin v{version}")


@dataclass(frozen=True, slots=True)
class Release:
    """A release of the repository in a folder."""

    root: Path
    dry_run: bool
    is_whole: bool = True
    unchecked: list[str] = field(
        default_factory=list
    )  # what this machine could not build or try, in sentences

    def make(self) -> str:
        """Make it and return its version.

        Raises:
            ReleaseError: something is in the way; all that can be seen before the build is named at once.
        """
        project = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        version: str = project["project"]["version"]
        if obstacles := self._obstacles(version):
            raise ReleaseError(" ".join(obstacles))
        with TemporaryDirectory(
            ignore_cleanup_errors=True
        ) as folder:  # Windows holds a program that just ended
            dist = Path(folder) / DIST
            wheel, sdist = self._build(dist)
            _check_contents(wheel, sdist, self._packaged(project))
            _try(wheel, version, Path(folder) / "venv")
            if self.is_whole:
                self._package(dist)
            (dist / NOTES).write_text(notes(self.root, version), encoding="utf-8", newline="\n")
            if not self.dry_run:
                self._keep(*(each for each in dist.iterdir() if not each.name.startswith(".")))
                self._tag(version)
        return version

    def _obstacles(self, version: str) -> list[str]:
        obstacles = []
        if changes := self._git("status", "--porcelain"):
            obstacles.append(f"There are changes that are not committed:\n{changes}\nCommit them.")
        init = (self.root / "chatbot" / "__init__.py").read_text(encoding="utf-8")
        if f'__version__ = "{version}"' not in init:
            obstacles.append(f"chatbot/__init__.py does not say {version}, which pyproject.toml does.")
        if self._git("tag", "--list", f"v{version}"):
            obstacles.append(f"The tag v{version} exists; raise the version in pyproject.toml.")
        heading = _HEADING.search((self.root / "CHANGELOG.md").read_text(encoding="utf-8"))
        if heading is None or heading["version"] != version or not _DATE.fullmatch(heading["date"]):
            stands = f"is `{heading[0]}`" if heading else "is missing"
            obstacles.append(f"The first heading of CHANGELOG.md {stands}; write `## {version}, YYYY-MM-DD`.")
        return obstacles

    def _build(self, folder: Path) -> tuple[Path, Path]:
        """Build the sdist, and the wheel from it: a wheel that works shows that the sdist is complete."""
        _run("uv build --quiet --out-dir", str(folder), str(self.root))
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        return wheel, sdist

    def _package(self, dist: Path) -> None:
        """Build all other packages from the wheel, and try them as far as this machine can."""
        build = Build(dist, packages.own_architecture())
        for part in (each for each in BUILDERS if each != "wheel"):
            try:
                for file in BUILDERS[part](build):
                    print(f"{file.stat().st_size / 1e6:8.1f} MB  {file.name}")
            except PackageError as error:
                self.unchecked.append(f"The part {part} was not built: {error}")
        resolve.main([])
        if is_installed("systemd-analyze"):
            _check_service()
        else:
            self.unchecked.append("The service was not rated: there is no systemd-analyze.")
        if os.name == "posix" and os.getuid() == 0 and is_installed("debootstrap") and is_installed("bwrap"):
            print(_run(shlex.quote(sys.executable), "-m", "scripts.clean_root", "--dist", str(dist)))
        else:
            self.unchecked.append("No way to install was tried: that needs root, debootstrap and bubblewrap.")
        others = sorted(packages.MACHINES.keys() - {build.architecture})
        self.unchecked.append(f"Nothing was built or tried for {', '.join(others)}.")
        self.unchecked.extend(NEVER_CHECKED)

    def _packaged(self, project: dict[str, Any]) -> set[str]:
        """Return the paths in the wheel of all committed files that belong there."""
        target = project["tool"]["hatch"]["build"]["targets"]["wheel"]
        places = {each: each for each in target["packages"]} | target["force-include"]
        files = self._git("ls-files", "-z", *places).split("\0")
        return {
            f"{place}{file.removeprefix(folder)}"
            for file in files
            for folder, place in places.items()
            if file.startswith(f"{folder}/")
        }

    def _keep(self, *files: Path) -> None:
        (self.root / DIST).mkdir(exist_ok=True)
        for each in files:
            shutil.copy(each, self.root / DIST)

    def _tag(self, version: str) -> None:
        self._git("tag", "--annotate", f"v{version}", "--message", f"Rabble {version}")

    def _git(self, *words: str) -> str:
        process = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, encoding="utf-8", check=False
        )
        if process.returncode:
            raise ReleaseError(f"`git {' '.join(words)}` failed: {process.stderr.strip()}")
        return process.stdout.rstrip("\n")


def notes(root: Path, version: str) -> str:
    """Return what the changelog says of a version, for the page of the release."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    own = re.split(r"^## ", changelog, flags=re.MULTILINE)[1]
    return f"# Rabble {version}\n\n{own.partition(chr(10))[2].strip()}\n"


def _check_service() -> None:
    file = packages.OURS / "debian" / "rabble.service"
    output = _run("systemd-analyze security --offline=true", str(file))
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", output)
    if exposure is None or float(exposure[1]) > MOST_EXPOSED:
        raise ReleaseError(f"{file.name} exposes the machine: {output.strip().splitlines()[-1]}")


def _check_contents(wheel: Path, sdist: Path, packaged: set[str]) -> None:
    with ZipFile(wheel) as packed:
        if missing := sorted(packaged - {*packed.namelist()}):
            raise ReleaseError(f"{wheel.name} lacks {', '.join(missing)}.")
    with tarfile.open(sdist) as packed:
        names = {each.partition("/")[2] for each in packed.getnames()}
    if missing := sorted({*NEEDED_IN_SDIST} - names):
        raise ReleaseError(f"{sdist.name} lacks {', '.join(missing)}.")


def _try(wheel: Path, version: str, venv: Path) -> None:
    """Install the wheel where nothing else is, and ask it for its version and its help.

    All of it happens outside of the clone: there Python would find the clone's packages, and uv the limits of
    versions in pyproject.toml, which who installs a wheel does not have.
    """
    _run("uv venv --quiet --python", sys.executable, str(venv))
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    _run("uv pip install --quiet --python", str(python), str(wheel), folder=venv)
    size = sum(each.lstat().st_size for each in venv.rglob("*") if each.is_file()) / 1e6
    if size > MOST_INSTALLED * 1.05:  # MB, and what an environment itself takes
        raise ReleaseError(
            f"{wheel.name} takes {size:.0f} MB when it is installed, more than {MOST_INSTALLED}."
        )
    program = python.with_name("chatbot.exe" if os.name == "nt" else "chatbot")
    for option, says in (("--version", f"Rabble {version}"), ("--help", "rehearse")):
        output = _run(str(program), option, folder=venv)  # not in the clone, whose packages Python would find
        if says not in output:
            raise ReleaseError(f"`chatbot {option}` of {wheel.name} does not say {says!r}, but: {output}")


def _run(command: str, *words: str, folder: Path = ROOT) -> str:
    """Run a command and return what it prints; further words need no quotes, as paths may have blanks.

    Raises:
        ReleaseError: it fails.
    """
    print("$", command, *words, flush=True)
    full_command = [command, *words] if Path(command).is_absolute() else [*arguments(command), *words]
    left_out = {"PYTHONPATH", "VIRTUAL_ENV"}  # they would lead to the clone's packages again
    process = subprocess.run(
        full_command,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in left_out},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if process.returncode:
        raise ReleaseError(f"this command failed:\n{process.stderr.strip() or process.stdout.strip()}")
    return process.stdout


if __name__ == "__main__":
    main()
