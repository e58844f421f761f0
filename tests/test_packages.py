"""What is installed without Python's own tools: its parts fit the program, and the service is confined."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import tarfile
from typing import TYPE_CHECKING

import pytest

from chatbot.cli.entry import IN_BRIEF
from chatbot.environment import PREFIX, Settings
from scripts import clean_root, packages, resolve
from scripts.packages import Build
from tests.documentation import ROOT

if TYPE_CHECKING:
    from pathlib import Path

OURS = ROOT / "packages"
LEAST_EXPOSED = 2.5  # the scale of systemd ends at 10


def test_the_service_is_confined(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", OURS / "debian" / "rabble.service"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for rabble.service: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= LEAST_EXPOSED


def test_what_packages_set_is_a_setting_of_the_program() -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    texts = [
        each.read_text(encoding="utf-8") for each in (*OURS.rglob("*"), ROOT / "rabble.cmd") if each.is_file()
    ]
    named = {name for text in texts for name in re.findall(rf"{PREFIX}[A-Z_]+", text)}
    assert named
    assert named <= known


def test_what_is_compiled_while_it_is_installed_exists() -> None:
    listed = re.findall(
        r'^    "([\w.]+)",$', (OURS / packages.COMPILING).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(listed) > 5
    for each in listed:
        importlib.import_module(each)


def test_packages_bring_what_their_examples_set() -> None:
    """Several processes need NATS's client, and what is watched that of Prometheus."""
    examples = [(OURS / "cluster" / name).read_text() for name in ("compose.yaml", "rabble@.service")]
    needs = {"CHATBOT_NATS_URL": "cluster", "CHATBOT_METRICS_PORT": "metrics", "CHATBOT_DATABASE": "postgres"}
    set_by_them = {name for name in needs if any(name in text for text in examples)}
    assert {needs[name] for name in set_by_them} <= {*packages.EXTRAS}
    service = OURS / "cluster" / "rabble@.service"
    assert service.name in (ROOT / "scripts" / "packages.py").read_text()


def test_removing_the_package_stops_all_that_it_started() -> None:
    script = (OURS / "debian" / "prerm").read_text()
    assert "systemctl stop 'rabble@*.service'" in script
    assert (
        "systemctl disable rabble@.service" in script
    )  # the name of a template disables all of its instances


def test_the_script_of_windows_has_the_ends_of_lines_that_its_shell_needs() -> None:
    content = (ROOT / "rabble.cmd").read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n") > 20
    assert {*re.findall(rb"goto (\w+)", content)} == {*re.findall(rb"^:(\w+)\r$", content, re.MULTILINE)}
    assert b"rabble.cmd doctor" in content
    assert b'set "CHATBOT_PORT' not in content, "it would win over the port in .env"
    assert b'findstr /b /i "CHATBOT_PORT=" .env' in content, "the page is opened at the port in .env"
    assert "doctor" in IN_BRIEF


def test_an_image_can_be_loaded_by_its_digests(tmp_path: Path) -> None:
    """Every blob is what its name says, and each description of a blob is true of it."""
    file = tmp_path / "image.tar"
    layers = [b"layer one", b"layer two"]
    packages._save_image(Build(tmp_path, "amd64"), file, layers)
    with tarfile.open(file) as archive:
        files = {each.name: archive.extractfile(each).read() for each in archive}  # type: ignore[union-attr]
    blobs = {name.rpartition("/")[2]: content for name, content in files.items() if name.startswith("blobs/")}
    assert all(packages._digest(content) == name for name, content in blobs.items())
    (described,) = json.loads(files["index.json"])["manifests"]
    manifest = json.loads(blobs[described["digest"].removeprefix("sha256:")])
    for each in (described, manifest["config"], *manifest["layers"]):
        assert len(blobs[each["digest"].removeprefix("sha256:")]) == each["size"]
    config = json.loads(blobs[manifest["config"]["digest"].removeprefix("sha256:")])
    assert config["rootfs"]["diff_ids"] == [f"sha256:{packages._digest(each)}" for each in layers]
    (docker,) = json.loads(files["manifest.json"])
    assert docker["Layers"] == [
        f"blobs/sha256/{each['digest'].removeprefix('sha256:')}" for each in manifest["layers"]
    ]
    assert docker["Config"] in files


def test_a_layer_is_the_same_whenever_it_is_packed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("a", encoding="ascii")
    (tmp_path / "link").symlink_to("folder/file")
    first = packages._layer(tmp_path)
    (tmp_path / "folder" / "file").write_text("a", encoding="ascii")  # at another time
    assert packages._layer(tmp_path) == first


def test_every_way_to_install_that_is_tried_is_in_the_documentation() -> None:
    shown = (ROOT / "docs" / "operate" / "start.md").read_text(encoding="utf-8")
    for way in clean_root.WAYS:
        assert f"| {way.name} |" in shown, way.name


def test_all_systems_and_pythons_of_the_workflow_are_resolved() -> None:
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    assert json.loads(re.search(r"python: (\[.*\])", workflow)[1]) == [*resolve.PYTHONS]  # type: ignore[index]
    for system in ("windows", "macos", "ubuntu"):
        assert f"{system}-latest" in workflow


@pytest.mark.slow
def test_the_debian_package_holds_the_program_and_its_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not all(map(shutil.which, ("uv", "dpkg-deb"))):
        pytest.skip("there is no uv, or no dpkg-deb")
    monkeypatch.setenv("UV_OFFLINE", "1")
    try:
        packages.main(["wheel", "deb", "--out", str(tmp_path)])
    except SystemExit as ended:
        if re.search(r"network was disabled|not found in the cache", str(ended.code)):
            pytest.skip("uv has not everything in its cache")
        raise
    (deb,) = tmp_path.glob("*.deb")
    listed = subprocess.run(
        ["dpkg-deb", "--contents", deb], capture_output=True, encoding="utf-8", check=True
    ).stdout
    for path in ("usr/bin/rabble", "usr/lib/systemd/system/rabble.service", "etc/rabble/rabble.env"):
        assert f" ./{path}\n" in listed
    assert "/usr/lib/rabble/chatbot/__main__.py" in listed
    assert "direct_url.json" not in listed
    assert all(" root/root " in line for line in listed.splitlines())
