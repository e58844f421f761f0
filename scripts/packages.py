"""Build everything that can be installed, in the folder `dist`: wheel, sdist, Debian package, image, pins.

`uv run python -m scripts.packages` builds all that this machine can build; names of parts build these alone.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from scripts.steps import ROOT, arguments, is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = ROOT / "packages"
LIBRARIES = "usr/lib/rabble"
COMPILING = "rabble_compile.py"
EXTRAS = ("postgres", "cluster", "metrics")  # what the packages bring beside the base
SUITE, SUITE_PYTHON = "bookworm", "3.11"  # Debian 12, and its Python, for which compiled libraries are chosen
MACHINES = {"amd64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
UNWANTED = ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "var/cache/apt",
            "var/lib/apt/lists", "var/log", "dev", "proc", "sys", "tmp", "run")  # fmt: skip
"""Folders of Debian that an image does without; those that it needs are made empty."""
MIRROR = [each for each in (os.environ.get("DEBIAN_MIRROR"),) if each]  # or debootstrap's own
USER = 10_001  # of the image, far from the users of a machine
STAMP = datetime(2026, 1, 1, tzinfo=UTC)  # of all files, so that the same commit builds the same package


class PackageError(Exception):
    """A package cannot be built; the text says why."""


def main(words: list[str] | None = None) -> None:
    """Build the parts that are named, or all, and print what each takes."""
    parser = argparse.ArgumentParser(prog="python -m scripts.packages", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(BUILDERS)}")
    parser.add_argument("--architecture", choices=MACHINES, default=own_architecture())
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    options = parser.parse_args(words)
    if unknown := {*options.parts} - BUILDERS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    build = Build(options.out, options.architecture)
    try:
        for part in options.parts or BUILDERS:
            for file in BUILDERS[part](build):
                print(f"{file.stat().st_size / 1e6:8.1f} MB  {file}")
    except PackageError as error:
        sys.exit(f"Not built: {error}")


@dataclass(frozen=True, slots=True)
class Build:
    """Where it is built, and for which machine."""

    out: Path
    architecture: str

    @property
    def version(self) -> str:
        """The version of the project."""
        project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        return str(project["project"]["version"])


def build_wheel(build: Build) -> Iterator[Path]:
    """Build the sdist, and the wheel from it."""
    run("uv build --quiet --out-dir", str(build.out), str(ROOT))
    yield from (_wheel(build), *build.out.glob(f"rabble-{build.version}.tar.gz"))


def build_pins(build: Build) -> Iterator[Path]:
    """Write a requirements file with the hashes of everything that a host needs, for all systems."""
    build.out.mkdir(exist_ok=True)
    file = build.out / "requirements.txt"
    run("uv export --quiet --no-default-groups --no-emit-project --no-header --format requirements-txt",
        *(word for each in EXTRAS for word in ("--extra", each)), "--output-file", str(file))  # fmt: skip
    yield file


def build_windows(build: Build) -> Iterator[Path]:
    """Pack the wheel with the script that a double click starts."""
    file = build.out / f"rabble-{build.version}-windows.zip"
    with TemporaryDirectory() as folder:
        inside = Path(folder) / f"rabble-{build.version}"
        inside.mkdir()
        for each in (_wheel(build), ROOT / "rabble.cmd", ROOT / "LICENSE"):
            shutil.copy(each, inside)
        shutil.make_archive(str(file.with_suffix("")), "zip", folder)
    yield file


def build_deb(build: Build) -> Iterator[Path]:
    """Build the Debian package, whose libraries are those of Debian's Python."""
    if not is_installed("dpkg-deb"):
        raise PackageError("the Debian package needs dpkg-deb.")
    file = build.out / f"rabble_{build.version}_{build.architecture}.deb"
    with TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        lay_out(build, root)
        _lay_out_debian(build, root)
        _set_times(root)
        run("dpkg-deb --root-owner-group -Zxz --build", str(root), str(file))
    yield file


def build_image(build: Build) -> Iterator[Path]:
    """Build an image from Debian's bootstrap, which `docker load` and `podman load` read; no hub is asked."""
    if not is_installed("debootstrap") or os.name != "posix" or os.getuid() != 0:
        raise PackageError("the image needs debootstrap, and root, who lays Debian's files out.")
    if build.architecture != own_architecture():
        raise PackageError("the image is built on a machine of its own architecture.")
    file = build.out / f"rabble-{build.version}-image-{build.architecture}.tar"
    with TemporaryDirectory() as folder:
        system, program = Path(folder) / "system", Path(folder) / "program"
        run(f"debootstrap --variant=minbase --include=python3,ca-certificates {SUITE}", str(system), *MIRROR)
        _slim(system)
        lay_out(build, program)
        _compile(system, program)
        _save_image(build, file, [_layer(system), _layer(program)])
    yield file


BUILDERS = {
    "wheel": build_wheel, "pins": build_pins, "windows": build_windows, "deb": build_deb,
    "image": build_image,
}  # fmt: skip
"""What can be built, in this order: what follows is made of the wheel."""


def lay_out(build: Build, root: Path) -> None:
    """Lay out the program, its libraries for Debian's Python, and what starts it."""
    libraries = root / LIBRARIES
    libraries.mkdir(parents=True)
    extras = ",".join(EXTRAS)
    run("uv pip install --quiet --only-binary :all: --python-version", SUITE_PYTHON,
        "--python-platform", MACHINES[build.architecture], "--target", str(libraries),
        f"rabble[{extras}] @ {_wheel(build).as_uri()}")  # fmt: skip
    shutil.rmtree(libraries / "bin", ignore_errors=True)
    for each in (*libraries.glob("rabble-*.dist-info/direct_url.json"), *libraries.glob(".lock")):
        each.unlink()  # it names a folder of this machine, as if the program could be installed from there
    for each in libraries.rglob("tests"):
        if each.is_dir() and each.parent.name != "chatbot":
            shutil.rmtree(each)  # NumPy's alone are megabytes
    shutil.copy(OURS / COMPILING, libraries)
    program = root / "usr" / "bin" / "rabble"
    program.parent.mkdir(parents=True)
    shutil.copy(OURS / "rabble", program)
    program.chmod(0o755)


def _lay_out_debian(build: Build, root: Path) -> None:
    places = {
        OURS / "debian" / "rabble.service": "usr/lib/systemd/system/rabble.service",
        OURS / "cluster" / "rabble@.service": "usr/lib/systemd/system/rabble@.service",
        OURS / "debian" / "rabble.env": "etc/rabble/rabble.env",
        ROOT / "README.md": "usr/share/doc/rabble/README.md",
        ROOT / "CHANGELOG.md": "usr/share/doc/rabble/CHANGELOG.md",
        ROOT / "LICENSE": "usr/share/doc/rabble/copyright",
        ROOT / ".env.example": "usr/share/doc/rabble/.env.example",
    }
    for file, place in places.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / place)
        (root / place).chmod(0o644)
    kilobytes = sum(each.stat().st_size for each in root.rglob("*") if each.is_file()) // 1024
    control = root / "DEBIAN"
    control.mkdir()
    major, minor = SUITE_PYTHON.split(".")
    control_text = (OURS / "debian" / "control").read_text(encoding="utf-8").format(
        version=build.version, architecture=build.architecture, kilobytes=kilobytes,
        python=SUITE_PYTHON, next_python=f"{major}.{int(minor) + 1}",
    )  # fmt: skip
    (control / "control").write_text(control_text, encoding="utf-8")
    (control / "conffiles").write_text("/etc/rabble/rabble.env\n", encoding="utf-8")
    for name in ("postinst", "prerm", "postrm"):
        shutil.copy(OURS / "debian" / name, control / name)
        (control / name).chmod(0o755)
    for each in (root, *root.rglob("*")):
        if each.is_dir():
            each.chmod(0o755)


def _slim(system: Path) -> None:
    for name in UNWANTED:
        folder = system / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    (system / "tmp").chmod(0o1777)
    for name, line in (
        ("passwd", f"rabble:x:{USER}:{USER}:Rabble:/var/lib/rabble:/usr/sbin/nologin\n"),
        ("group", f"rabble:x:{USER}:\n"),
    ):
        with (system / "etc" / name).open("a", encoding="ascii") as file:
            file.write(line)
    home = system / "var" / "lib" / "rabble"
    home.mkdir()
    os.chown(home, USER, USER)
    home.chmod(0o700)


def _compile(system: Path, program: Path) -> None:
    """Have the image's own Python compile what a start imports, which nobody can write there later."""
    shutil.move(program / LIBRARIES, system / LIBRARIES)
    try:
        run("chroot", str(system), "/usr/bin/python3", "-I", f"/{LIBRARIES}/{COMPILING}")
    finally:
        shutil.move(system / LIBRARIES, program / LIBRARIES)


def _layer(root: Path) -> bytes:
    """Pack a folder as a layer: in order, and with one time for all, so that it is always the same."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in sorted(root.rglob("*")):
            info = archive.gettarinfo(each, each.relative_to(root).as_posix())
            info.mtime, info.uname, info.gname = STAMP.timestamp(), "", ""
            if info.isreg():
                with each.open("rb") as content:
                    archive.addfile(info, content)
            else:
                archive.addfile(info)
    return packed.getvalue()


def _save_image(build: Build, file: Path, layers: list[bytes]) -> None:
    """Write an OCI layout that is also an archive of Docker, which older versions load."""
    config = {
        "architecture": build.architecture,
        "os": "linux",
        "created": STAMP.isoformat(),
        "config": {
            "User": f"{USER}:{USER}",
            "WorkingDir": "/var/lib/rabble",
            "Entrypoint": ["/usr/bin/rabble"],
            "Cmd": ["run"],
            "Env": [
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "LANG=C.UTF-8",
                "CHATBOT_HOME=/var/lib/rabble",
                "CHATBOT_HOST=0.0.0.0",  # of the container; whoever publishes the port decides who reaches it
            ],
            "ExposedPorts": {"8765/tcp": {}},
            "Volumes": {"/var/lib/rabble": {}},
            "StopSignal": "SIGTERM",
            "Labels": {"org.opencontainers.image.title": "rabble",
                       "org.opencontainers.image.version": build.version},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{_digest(each)}" for each in layers]},
        "history": [{"created_by": "debootstrap"}, {"created_by": "scripts.packages"}],
    }  # fmt: skip
    blobs: dict[str, bytes] = {}
    archives = [gzip.compress(each, mtime=0) for each in layers]
    config_descriptor = _descriptor(blobs, json.dumps(config).encode(), "config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config_descriptor,
        "layers": [_descriptor(blobs, each, "layer.v1.tar+gzip") for each in archives],
    }
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [
            _descriptor(blobs, json.dumps(manifest).encode(), "manifest.v1+json")
            | {
                "platform": {"architecture": build.architecture, "os": "linux"},
                "annotations": {"io.containerd.image.name": "rabble:latest",
                                "org.opencontainers.image.ref.name": "latest"},
            }
        ],
    }  # fmt: skip
    docker = [{
        "Config": f"blobs/sha256/{_digest(json.dumps(config).encode())}",
        "RepoTags": ["rabble:latest", f"rabble:{build.version}"],
        "Layers": [f"blobs/sha256/{_digest(each)}" for each in archives],
    }]  # fmt: skip
    files = {f"blobs/sha256/{name}": content for name, content in blobs.items()} | {
        "index.json": json.dumps(index).encode(),
        "manifest.json": json.dumps(docker).encode(),
        "oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode(),
    }
    with tarfile.open(file, "w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), int(STAMP.timestamp())
            archive.addfile(info, io.BytesIO(content))


def _descriptor(blobs: dict[str, bytes], content: bytes, kind: str) -> dict[str, Any]:
    digest = _digest(content)
    blobs[digest] = content
    media = f"application/vnd.oci.image.{kind}"
    return {"mediaType": media, "digest": f"sha256:{digest}", "size": len(content)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _set_times(root: Path) -> None:
    for each in root.rglob("*"):
        os.utime(each, (STAMP.timestamp(), STAMP.timestamp()), follow_symlinks=False)


def _wheel(build: Build) -> Path:
    wheel = next(build.out.absolute().glob(f"rabble-{build.version}-*.whl"), None)
    if wheel is None:
        raise PackageError("there is no wheel yet; build `wheel` first.")
    return wheel


def own_architecture() -> str:
    return "arm64" if platform.machine().lower() in {"aarch64", "arm64"} else "amd64"


def run(command: str, *words: str) -> None:
    """Run a command; further words need no quotes.

    Raises:
        PackageError: it fails.
    """
    print("$", command, *words, flush=True)
    process = subprocess.run(
        [*arguments(command), *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if process.returncode:
        raise PackageError(f"this command failed:\n{process.stderr.strip() or process.stdout.strip()}")


if __name__ == "__main__":
    main()
