"""Type each documented way to install in a fresh Debian that has nothing but Python, and play a heist there.

Needs root, debootstrap, bubblewrap and what `python -m scripts.packages` has built. The bot is started as
printed; the heist is played over its page. Prints a row for each way: seconds until it listens, what was
downloaded and what was installed, in MB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import aiohttp

from scripts.packages import MIRROR, SUITE, USER
from scripts.steps import ROOT

PATIENCE = 600.0  # seconds for one way, on a machine that is busy with other things
FILES = "/root"  # where the files of a release lie in the root, as in somebody's folder of downloads
HANDED_ON = ("PIP_CERT", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "UV_SYSTEM_CERTS")
CONFIGURED = ("/etc/ssl/certs", "/usr/local/share/ca-certificates", "/etc/resolv.conf")
"""What tells a root whom this machine trusts, and where names are looked up."""


@dataclass(frozen=True, slots=True)
class Way:
    """What is typed, and what of Debian is there before."""

    name: str
    typed: str
    packages: str = "python3,ca-certificates"


VENV = "python3,python3-venv,ca-certificates"
UV = "python3 -m venv ~/uv && ~/uv/bin/pip install uv"
OWN = "python3 -m venv ~/rabble-bot && ~/rabble-bot/bin/pip install"
WHEEL = "./rabble-*-py3-none-any.whl"
WAYS = (
    Way("clone", f"cd rabble && {UV} && ~/uv/bin/uv run rabble", VENV),
    Way("uvx", f"{UV} && ~/uv/bin/uvx --from {WHEEL} rabble", VENV),
    Way("uv tool", f"{UV} && ~/uv/bin/uv tool install {WHEEL} && ~/.local/bin/rabble", VENV),
    Way("pip", f"{OWN} {WHEEL} && ~/rabble-bot/bin/rabble", VENV),
    Way(
        "pins",
        f"{OWN} --require-hashes -r requirements.txt && ~/rabble-bot/bin/pip install --no-deps {WHEEL}"
        " && ~/rabble-bot/bin/rabble",
        VENV,
    ),
    Way("deb", "apt-get update && apt-get install -y ./rabble_*.deb && rabble"),
    Way("image", "/usr/bin/rabble run", ""),
)


def main() -> None:
    """Try the ways that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m scripts.clean_root", description=__doc__)
    parser.add_argument("ways", nargs="*", metavar="WAY")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--suite", default=SUITE, help="of Debian, whose Python it is; the package is for one"
    )
    arguments = parser.parse_args()
    failed = False
    print("| way | seconds to the page | downloaded, MB | installed, MB | the heist |")
    print("| --- | --: | --: | --: | --- |", flush=True)
    for way in WAYS:
        if not arguments.ways or way.name in arguments.ways:
            failed |= not _try(way, arguments.dist, arguments.suite)
    sys.exit(1 if failed else 0)


def _try(way: Way, dist: Path, suite: str) -> bool:
    folder = Path(mkdtemp(prefix="rabble-"))
    try:
        root = _image(dist, folder) if way.name == "image" else _debian(suite, way.packages, dist, folder)
        before = 0 if way.name == "image" else _size(root)
        bytes_before, began = _received(), time.monotonic()
        with subprocess.Popen(
            _inside(root, way), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        ) as bot:
            assert bot.stdout is not None  # noqa: S101  (it is a pipe)
            output = ""
            try:
                while "is listening" not in (line := bot.stdout.readline()) and line:
                    output += line
                match = re.search(r"http://[0-9.]+:\d+", line)
                if match is None:
                    print(f"| {way.name} | it does not listen: |\n{output}", flush=True)
                    return False
                seconds = time.monotonic() - began
                downloaded = (_received() - bytes_before) / 1e6
                result = asyncio.run(asyncio.wait_for(play(match[0].replace("0.0.0.0", "127.0.0.1")), 60))  # noqa: S104
            finally:
                bot.terminate()
                with suppress(subprocess.TimeoutExpired):
                    bot.wait(20)
                bot.kill()
        installed = (_size(root) - before) / 1e6
        print(f"| {way.name} | {seconds:.0f} | {downloaded:.0f} | {installed:.0f} | {result} |", flush=True)
        return True
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _debian(suite: str, packages: str, dist: Path, folder: Path) -> Path:
    archive, root = Path(f"/var/tmp/rabble-{suite}-{packages.replace(',', '-')}.tar"), folder / "root"  # noqa: S108
    if not archive.exists():
        tree = folder / "made"
        bootstrap = ["debootstrap", "--variant=minbase", f"--include={packages}", suite, str(tree), *MIRROR]
        subprocess.run(bootstrap, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", str(tree), "-cf", str(archive), "."], check=True)
    root.mkdir()
    subprocess.run(["tar", "-C", str(root), "-xf", str(archive)], check=True)
    for each in dist.iterdir():
        shutil.copy(each, root / FILES.lstrip("/"))
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in tracked.decode().split("\0")[:-1]:  # as an archive of the repository has them
        (root / "root" / "rabble" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / "root" / "rabble" / name)
    return root


def _image(dist: Path, folder: Path) -> Path:
    """Unpack the layers of the image, as whoever runs it does."""
    (file,) = dist.glob("rabble-*-image-*.tar")
    root = folder / "root"
    root.mkdir()
    with tarfile.open(file) as archive:
        archive.extractall(folder / "layout", filter="data")
    for name in re.findall(r"blobs/sha256/\w+", (folder / "layout" / "manifest.json").read_text())[1:]:
        subprocess.run(["tar", "-C", str(root), "-xzf", str(folder / "layout" / name)], check=True)
    return root


def _inside(root: Path, way: Way) -> list[str]:
    """Return what types the commands in a namespace of its own, whose root is that folder."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    environment = {"PATH": path, "LANG": "C.UTF-8", "CHATBOT_PORT": "0"}
    options = [
        "--die-with-parent",
        "--unshare-pid",
        "--bind",
        str(root),
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
    ]
    if way.name == "image":  # as its configuration says
        home, everywhere = "/var/lib/rabble", "0.0.0.0"  # noqa: S104
        environment |= {"CHATBOT_HOST": everywhere, "CHATBOT_HOME": home}
        options += [
            "--unshare-user",
            "--uid",
            str(USER),
            "--gid",
            str(USER),
            "--tmpfs",
            home,
            "--chdir",
            home,
        ]
    else:
        environment |= {name: value for name, value in os.environ.items() if name in HANDED_ON} | {
            "HOME": FILES
        }
        options += ["--chdir", FILES]
        for place in filter(os.path.exists, CONFIGURED):
            options += ["--ro-bind", place, place]
    for name, value in environment.items():
        options += ["--setenv", name, value]
    return ["bwrap", "--clearenv", *options, "sh", "-ec", way.typed]


async def play(address: str) -> str:
    """Play a heist of two over the page of a running bot, and return its result."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{address}/socket", headers={"Origin": address}) as page,
    ):
        seats: list[str] = []
        for name in ("ann", "bob"):
            await page.send_json({"type": "enter", "name": name, "role": "broadcaster"})
        async for frame in page:
            message = frame.json()
            if message["type"] == "entered":
                seats.append(message["seat"])
                await page.send_json({"type": "say", "seat": seats[-1], "text": "!heist 69"})
            for table in message.get("tables", ()):
                await page.send_json({"type": "hurry", "table": table["id"]})
                await asyncio.sleep(0.2)
            if match := re.search(r"Results: [^\"]*?\.", json.dumps(message, ensure_ascii=False)):
                return match[0]
    raise ConnectionError("the page was closed before the heist was over")


def _size(root: Path) -> int:
    """Return the bytes on the disk; a file that uv's cache and an environment share counts once."""
    stats = [each.lstat() for each in root.rglob("*")]
    return sum({(each.st_dev, each.st_ino): each.st_blocks * 512 for each in stats}.values())


def _received() -> int:
    """Return the bytes that this machine has received, but for those of its loopback."""
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
    return sum(int(line.split(":")[1].split()[0]) for line in lines if not line.strip().startswith("lo:"))


if __name__ == "__main__":
    main()
