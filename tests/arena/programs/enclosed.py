"""Programs made up of kinds of hostility, of which none may get out of bubblewrap, and what they aim at.

Each of them tries some attacks, one after the other, and then plays in some way, or not at all. What an
attack did is not asked of the program: the targets know. Attacks aim at nothing but the targets, so that one
which is not contained harms nobody else.
"""

# ruff: noqa: E501  (a script is easier to read in one piece)

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from pathlib import Path

ATTACKS = {
    "connects to this machine": "socket.create_connection(('127.0.0.1', PORT), 0.2).sendall(b'in')",
    "connects to this machine by IPv6": "socket.create_connection(('::1', PORT), 0.2).sendall(b'in')",
    "sends a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'in', ('127.0.0.1', UDP))",
    "connects to a socket in a file": "socket.socket(socket.AF_UNIX).connect(HOME + '/socket')",
    "connects to a socket without a file": "socket.socket(socket.AF_UNIX).connect('\\0' + NAME)",
    "connects to the world": "socket.create_connection(('192.0.2.1', 80), 0.05)",
    "asks for a name": "socket.getaddrinfo('example.org', 80)",
    "listens to the network": "socket.create_server(('0.0.0.0', 0)); socket.socket(socket.AF_INET, socket.SOCK_RAW)",
    "reads what is secret": "tell(open(HOME + '/secret').read())",
    "reads who has accounts": "tell(open('/etc/passwd').read())",
    "looks for secrets": "for place in ('/root', '/home', '/run', '/proc/1/root', HOME): tell(str(os.listdir(place)))",
    "overwrites a file": "open(HOME + '/secret', 'w').write('mine')",
    "leaves a file at home": "open(HOME + '/left', 'w').write('mine')",
    "leaves a file at the root": "for place in ('/usr', '/etc', '/var', '/dev/shm'): open(place + '/' + NAME, 'w').close()",
    "changes an own program": "open(sys.argv[0], 'a').write('#')",
    "deletes what it finds": "shutil.rmtree(HOME)",
    "links to elsewhere": "os.symlink(HOME + '/secret', 'link'); open('link', 'a').write('mine')",
    "kills its parent": "os.kill(os.getppid(), 9)",
    "kills a process of its user": "os.kill(TARGET, 9)",
    "looks into others": "tell(open('/proc/%d/environ' % TARGET).read()); open('/proc/%d/mem' % os.getppid(), 'wb')",
    "forks and forks": "for _ in range(5): os.fork()",
    "leaves a daemon": "daemon()",
    "leaves daemons that start daemons": "daemon(8)",
    "leaves a daemon that ignores all": "daemon(1, ignore=True)",
    "starts threads": "[threading.Thread(target=time.sleep, args=(600,), daemon=True).start() for _ in range(40)]",
    "outlives its parent": "ctypes.CDLL(None).prctl(1, 0, 0, 0, 0); daemon()",
    "makes itself unkillable": "for each in range(1, 65): signal.signal(each, signal.SIG_IGN)",
    "asks for rights": "ctypes.CDLL(None).setuid(0); ctypes.CDLL(None).unshare(0x10020000)",
    "traces its parent": "ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
    "fills the memory": "x = [bytearray(1 << 24) for _ in range(99)]",
    "fills the disk": "for each in range(3): open('big%d' % each, 'wb').write(b'x' * (17 << 20))",
    "fills a folder": "for each in range(2000): open('small%d' % each, 'w').close()",
    "digs a deep folder": "for _ in range(200):\\n        os.mkdir('deep' * 5); os.chdir('deep' * 5)",
    "shuts its folder": "os.chmod('.', 0)",
    "opens many files": "x = [open('/dev/null') for _ in range(9999)]",
    "takes the terminal": "open('/dev/tty', 'w').write('in'); os.setsid()",
    "lowers the priority of another": "os.setpriority(os.PRIO_PROCESS, TARGET, 19)",
}

ENDINGS = {
    "plays well": "while q := asked(): answer(q, 5)",
    "exits": "sys.exit()",
    "exits with an error": "asked(); raise ValueError",
    "sleeps": "time.sleep(600)",
    "never answers": "while asked(): pass",
    "ignores the end of its input": "sys.stdin.read(); time.sleep(600)",
    "computes for ever": "while True: pass",
    "writes a huge line": "asked(); os.write(1, b'5' * 9_000_000)",
    "writes without end": "while True: os.write(1, b'5' * 65536)",
    "writes errors without end": "while True: os.write(2, b'5' * 65536)",
    "writes garbage": "asked(); os.write(1, bytes(range(256)) * 9 + b'\\\\n')",
    "closes its output": "asked(); os.close(1); time.sleep(600)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP); time.sleep(600)",
}

PRELUDE = """
import ctypes, shutil, signal, socket, threading
PORT, UDP, TARGET, HOME, NAME = {values}
def tell(text):
    sys.stderr.write(text)
def daemon(generations=1, ignore=False):
    for _ in range(generations):
        if os.fork():
            return
        os.setsid()
        if os.fork(): os._exit(0)
    if ignore:
        for each in (1, 2, 3, 13, 15): signal.signal(each, signal.SIG_IGN)
    time.sleep(600)
"""
ATTEMPT = "try:\n    {attack}\nexcept BaseException: pass\n"


class Targets:
    """What programs aim at, in a folder: sockets, files and a process; and what became of them."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.name = f"rabble-target-{os.getpid()}"
        (folder / "secret").write_text("token", encoding="utf-8")
        self._sockets = [socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)]
        self._sockets[1].bind(("127.0.0.1", 0))
        for address in (f"{folder}/socket", f"\0{self.name}"):
            self._sockets.append(socket.socket(socket.AF_UNIX))
            self._sockets[-1].bind(address)
            self._sockets[-1].listen()
        self._files = {each.name for each in folder.iterdir()}
        self._process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(9999)"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._sockets:
            each.close()
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def values(self) -> tuple[object, ...]:
        """What a program has to know of them."""
        port, datagrams = (each.getsockname()[1] for each in self._sockets[:2])
        return port, datagrams, self._process.pid, str(self.folder), self.name

    def reached(self) -> list[str]:
        """Say which of them a program has reached."""
        found = [f"socket {place}" for place, each in enumerate(self._sockets) if _has_heard(each)]
        if self._process.poll() is not None:
            found.append("the process")
        if {each.name for each in self.folder.iterdir()} != self._files:
            found.append("the folder")
        if (self.folder / "secret").read_text(encoding="utf-8") != "token":
            found.append("the secret")
        return found


def _has_heard(target: socket.socket) -> bool:
    target.setblocking(False)
    with suppress(BlockingIOError):
        if target.type == socket.SOCK_DGRAM:
            target.recv(1)
        else:
            target.accept()[0].close()
        return True
    return False


def script(number: int, targets: Targets) -> str:
    """Write program `number`: each attack and each ending is its turn, with up to two more attacks drawn."""
    rng, attacks, endings = Rng.of(f"hostile {number}"), list(ATTACKS.values()), list(ENDINGS.values())
    chosen = [attacks[number % len(attacks)], *(rng.choice(attacks) for _ in range(rng.below(3)))]
    tried = "".join(ATTEMPT.format(attack=each) for each in chosen)
    return PRELUDE.format(values=targets.values) + tried + endings[number % len(endings)]
