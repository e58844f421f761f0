"""A release is made of what is committed, and its wheel is tried as by somebody who installs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from chatbot import __version__
from scripts import packages, release, resolve
from tests.documentation import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

DATED = f"## {__version__}, 2026-11-28"
UNRELEASED = f"## {__version__}, not released yet"


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    """Make a repository of those files alone that are looked at before the build."""
    (tmp_path / "chatbot").mkdir()
    for name in ("pyproject.toml", "chatbot/__init__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{DATED}\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "--message", "all")


def refusal(root: Path) -> str:
    with pytest.raises(SystemExit) as refused:
        release.main(["--dry-run"], root)
    return str(refused.value.code)


def test_what_is_not_committed_is_not_released(sketch: Path) -> None:
    (sketch / "note.txt").touch()
    assert refusal(sketch).startswith("No release: There are changes that are not committed:\n?? note.txt\n")


def test_the_program_has_to_know_the_version_of_the_project(sketch: Path) -> None:
    (sketch / "chatbot" / "__init__.py").write_text('__version__ = "0.0.9"\n', encoding="utf-8")
    commit(sketch)
    told = f"No release: chatbot/__init__.py does not say {__version__}, which pyproject.toml does."
    assert refusal(sketch) == told


def test_a_version_is_released_once(sketch: Path) -> None:
    git(sketch, "tag", f"v{__version__}")
    assert refusal(sketch) == (
        f"No release: The tag v{__version__} exists; raise the version in pyproject.toml."
    )


@pytest.mark.parametrize("heading", [UNRELEASED, "## 0.0.9, 2026-11-28"])
def test_the_changelog_has_to_begin_with_the_version_and_a_date(sketch: Path, heading: str) -> None:
    (sketch / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", encoding="utf-8")
    commit(sketch)
    assert refusal(sketch) == (
        f"No release: The first heading of CHANGELOG.md is `{heading}`; write `## {__version__}, YYYY-MM-DD`."
    )


def test_the_notes_are_what_the_changelog_says_of_the_version(tmp_path: Path) -> None:
    text = f"# Changelog\n\n{DATED}\n\n### For operators\n\n- New.\n\n## 0.0.9, 2026-01-01\n\n- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    assert release.notes(tmp_path, __version__) == f"# Rabble {__version__}\n\n### For operators\n\n- New.\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Clone this repository as it is committed, with a changelog that is ready for a release."""
    if shutil.which("uv") is None:
        pytest.skip("uv is not installed")
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    folder = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--no-local", "--depth", "1", ROOT.as_uri(), str(folder))
    changelog = folder / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    changelog.write_text(
        re.sub(rf"^## {__version__}, .*$", DATED, text, flags=re.MULTILINE), encoding="utf-8"
    )
    if git(folder, "status", "--porcelain"):
        commit(folder)
    return folder


def make(clone: Path, *words: str) -> None:
    """Run the release in a clone, or skip the test where that needs a network."""
    try:
        release.main([*words], clone)
    except SystemExit as refused:
        if re.search(r"network was disabled|not found in the cache", str(refused.code)):
            pytest.skip("uv has not everything in its cache")
        raise


@pytest.mark.slow
def test_a_dry_run_builds_and_tries_the_wheel_and_leaves_nothing_behind(
    clone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    make(clone, "--dry-run", "--wheel-only")
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2].endswith("chatbot --help")
    assert printed[-1] == f"Rabble {__version__} can be released."
    assert git(clone, "tag") == git(clone, "status", "--porcelain") == ""
    assert not (clone / release.DIST).exists()


@pytest.mark.slow
def test_a_release_keeps_the_files_and_sets_the_tag(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.org")
    make(clone, "--wheel-only")
    kept = sorted(each.name for each in (clone / release.DIST).iterdir())
    assert kept == ["NOTES.md", f"rabble-{__version__}-py3-none-any.whl", f"rabble-{__version__}.tar.gz"]
    assert git(clone, "tag", "--points-at", "HEAD") == f"v{__version__}"


def test_what_cannot_be_built_or_tried_here_is_said(
    sketch: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_: packages.Build) -> Iterator[Path]:
        raise packages.PackageError("the image needs debootstrap.")

    made = release.Release(sketch, dry_run=True)
    monkeypatch.setattr(release, "BUILDERS", {"wheel": refuse, "image": refuse})
    monkeypatch.setattr(release, "is_installed", lambda _: False)
    monkeypatch.setattr(resolve, "main", lambda _: None)
    made._package(tmp_path)
    assert made.unchecked[:3] == [
        "The part image was not built: the image needs debootstrap.",
        "The service was not rated: there is no systemd-analyze.",
        "No way to install was tried: that needs root, debootstrap and bubblewrap.",
    ]
    assert {*release.NEVER_CHECKED} < {*made.unchecked}


@pytest.mark.slow
def test_a_wheel_that_lacks_data_is_refused(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    (clone / ".gitignore").write_text(
        "bots.txt\n", encoding="utf-8"
    )  # the builder leaves out what git ignores
    commit(clone)
    with pytest.raises(SystemExit, match=r"No release: .*\.whl lacks chatbot/_data/lists/bots[.]txt\."):
        make(clone, "--dry-run", "--wheel-only")
