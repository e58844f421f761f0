"""Programs that misbehave, each with the kind of failure that it must be counted under.

Scripts of the first protocol are started for each decision; those of the second begin with `stage.SPEAKS`.
`WELL` is no failure: it answers 5, and what else it does must not matter.
"""

# ruff: noqa: E501  (a script is easier to read in one piece)

from __future__ import annotations

from typing import NamedTuple

WELL = "well"
LATE, ENDED, UNREADABLE, ILLEGAL = "late", "ended", "unreadable", "illegal"


class Hostile(NamedTuple):
    """What it does, the kind of failure, and its script."""

    name: str
    kind: str
    script: str
    linux: bool = False  # contained there only


CALLS = (
    Hostile("hangs", LATE, "import time; time.sleep(600)"),
    Hostile(
        "hangs and cannot be told to end",
        LATE,
        "import signal, time\n"
        "for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(each, signal.SIG_IGN)\n"
        "time.sleep(600)",
    ),
    Hostile(
        "writes half a line and hangs", LATE, "import time; print('5', end='', flush=True); time.sleep(600)"
    ),
    Hostile("closes its output and hangs", LATE, "import os, time; os.close(1); time.sleep(600)"),
    Hostile("floods standard error", LATE, "import os\nwhile True: os.write(2, b'n' * 65536)"),
    Hostile(
        "forks and forks",
        LATE,
        "import os, time\nfor _ in range(6): os.fork()\ntime.sleep(600)",
    ),
    Hostile("floods in one line", UNREADABLE, "import os\nwhile True: os.write(1, b'5' * 65536)"),
    Hostile("floods with lines", UNREADABLE, "import os\nwhile True: os.write(1, b'5\\n' * 9999)"),
    Hostile("writes one huge line", UNREADABLE, "print('9' * 1_000_000)"),
    Hostile("writes binary", UNREADABLE, "import os; os.write(1, bytes(range(255, -1, -1)))"),
    Hostile("answers in a broken encoding", UNREADABLE, "import os; os.write(1, b'5\\xff\\n')"),
    Hostile("says nothing", ILLEGAL, ""),
    Hostile("says a word", ILLEGAL, "print('everything')"),
    Hostile("says less than nothing", ILLEGAL, "print(-5)"),
    Hostile("says a fraction", ILLEGAL, "print(5.0)"),
    Hostile("says digits of another script", ILLEGAL, "import os; os.write(1, '\\u0665'.encode())"),
    Hostile("answers, and exits with 3", ENDED, "import sys; print(5); sys.exit(3)"),
    Hostile("kills itself", ENDED, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"),
    Hostile("kills its group", ENDED, "import os, signal; os.killpg(0, signal.SIGKILL)"),
    Hostile("eats memory", ENDED, "bytearray(1 << 34)"),
    Hostile(
        "eats memory in small bites", ENDED, "x = []\nwhile True: x.append(bytearray(1 << 20))", linux=True
    ),
    Hostile("opens many files", ENDED, "x = [open('/dev/null') for _ in range(9999)]"),
    Hostile("writes a large file", ENDED, "open('big', 'wb').write(b'x' * (17 << 20))"),
    Hostile(
        "kills its parent",
        ENDED,
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)",
        linux=True,
    ),
    Hostile(
        "kills its parent, and leaves a daemon",
        ENDED,
        "import os, signal, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    time.sleep(600)\n"
        "os.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)",
        linux=True,
    ),
    Hostile(
        "speaks for its parent",
        ENDED,
        "import os, time\nwith open(f'/proc/{os.getppid()}/fd/1', 'wb') as file: file.write(b'5\\n')\ntime.sleep(600)",
        linux=True,
    ),
    Hostile("writes no line feed", WELL, "import os; os.write(1, b'5')"),
    Hostile("goes on after the first line", WELL, "print('5\\n6\\nnonsense')"),
    Hostile("answers between blanks", WELL, "print(' \\t5 \\r')"),
    Hostile("takes its input for its own", WELL, "import sys; print(5 + len(sys.stdin.read()))"),
    Hostile(
        "leaves a child with its pipes",
        WELL,
        "import os, time\nif os.fork() == 0: time.sleep(600)\nprint(5)",
    ),
    Hostile(
        "leaves a daemon with its pipes",
        WELL,
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    time.sleep(600)\nprint(5)",
        linux=True,
    ),
    Hostile(
        "leaves a daemon that hides",
        WELL,
        "import os, sys, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    os.chdir('/')\n"
        "    os.execve(sys.executable, [sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)',\n"
        "                               os.path.abspath(sys.argv[0])], {})\n"
        "print(5)",
        linux=True,
    ),
    Hostile(
        "leaves daemons that leave daemons",
        WELL,
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    for _ in range(200):\n        os.setsid()\n        if os.fork(): os._exit(0)\n"
        "    time.sleep(600)\nprint(5)",
        linux=True,
    ),
    Hostile(
        "keeps a file for the next time",
        WELL,
        "import os\nprint(5 + len(os.listdir('.')))\nopen('memory', 'w').close()\nos.makedirs('a/b/c')",
    ),
    Hostile(
        "keeps what is hard to delete",
        WELL,
        "import os\nprint(5 + len(os.listdir('.')))\nhome = os.getcwd()\n"
        "for _ in range(250):\n    os.mkdir('deep' * 5)\n    os.chdir('deep' * 5)\n"
        "os.chmod('.', 0)\nos.symlink('/', home + '/root')\nopen(home + '/_1', 'w').close()\nos.mkdir(home + '/_2')",
    ),
    Hostile(
        "deletes its folder",
        WELL,
        "import os\nprint(5 + len(os.listdir('.')))\nos.rmdir(os.getcwd())",
    ),
    Hostile(
        "shuts its folder",
        WELL,
        "import os\nprint(5 + len(os.listdir('.')))\nopen('x', 'w').close()\nos.chmod(os.getcwd(), 0)",
    ),
)

HOWEVER_ASKED = (
    Hostile("exits at once", ENDED, "sys.exit()"),
    Hostile("exits with 3", ENDED, "asked(); sys.exit(3)"),
    Hostile("kills its group", ENDED, "os.killpg(0, 9)"),
    Hostile("kills its parent", ENDED, "os.kill(os.getppid(), 9); time.sleep(600)", linux=True),
    Hostile("closes its output", ENDED, "asked(); os.close(1); time.sleep(600)"),
    Hostile("floods in one line", UNREADABLE, "asked()\nwhile True: os.write(1, b'5' * 65536)"),
)
"""Programs that stay, in JSON or in a text of the game's own: what they do wrong has no words."""

LINES = (
    Hostile("hangs", LATE, "time.sleep(600)"),
    Hostile("reads and never answers", LATE, "while asked(): pass"),
    Hostile(
        "writes half a line and hangs", LATE, 'q = asked(); say(\'{"id": 1, "ans\', end=""); time.sleep(600)'
    ),
    Hostile("answers to nobody", UNREADABLE, 'asked(); say(\'{"id": 0, "answer": 5}\')'),
    *HOWEVER_ASKED,
    Hostile("floods with lines", UNREADABLE, "asked()\nwhile True: os.write(1, b'5' * 9999 + b'\\n')"),
    Hostile("writes one huge line", UNREADABLE, "q = asked(); answer(q, '9' * 1_000_000)"),
    Hostile("writes binary", UNREADABLE, "asked(); os.write(1, b'\\xff\\xfe\\0\\n')"),
    Hostile("says nothing", UNREADABLE, "asked(); say('')"),
    Hostile("says only a number", UNREADABLE, "asked(); say('5')"),
    Hostile("says a list", UNREADABLE, "asked(); say('[5]')"),
    Hostile("says no JSON", UNREADABLE, "asked(); say('{\"id\": 1, answer: 5}')"),
    Hostile("leaves out the answer", UNREADABLE, "q = asked(); say(json.dumps({'id': q['id']}))"),
    Hostile("leaves out the number", UNREADABLE, "asked(); say('{\"answer\": 5}')"),
    Hostile(
        "answers to tomorrow", UNREADABLE, "q = asked(); say(json.dumps({'id': q['id'] + 1, 'answer': 5}))"
    ),
    Hostile("says True for the number", UNREADABLE, 'asked(); say(\'{"id": true, "answer": 5}\')'),
    Hostile("says NaN", UNREADABLE, 'asked(); say(\'{"id": 1, "answer": NaN}\')'),
    Hostile("says infinity", UNREADABLE, 'asked(); say(\'{"id": 1, "answer": 1e999}\')'),
    Hostile(
        "says a number of 60,000 digits",
        UNREADABLE,
        "q = asked(); say('{\"id\": 1, \"answer\": ' + '9' * 60_000 + '}')",
    ),
    Hostile(
        "nests 10,000 levels",
        UNREADABLE,
        "asked(); say('{\"id\": 1, \"answer\": ' + '[' * 10_000 + ']' * 10_000 + '}')",
    ),
    Hostile("says a list for a stake", ILLEGAL, "q = asked(); answer(q, [5])"),
    Hostile("says less than nothing", ILLEGAL, "q = asked(); answer(q, -5)"),
    Hostile("says yes for a stake", ILLEGAL, "q = asked(); answer(q, True)"),
    Hostile("says nothing for a stake", ILLEGAL, "q = asked(); answer(q, None)"),
    Hostile("answers twice", WELL, "while q := asked(): answer(q, 5); answer(q, 6)"),
    Hostile(
        "answers twice, the second time late",
        WELL,
        "last = None\nwhile q := asked():\n    if last: answer(last, 6)\n    answer(q, 5); last = q",
    ),
    Hostile(
        "answers before it is asked",
        WELL,
        "while q := asked(): say(json.dumps({'id': q['id'], 'answer': 5}) + '\\n' + json.dumps({'id': q['id'] + 1, 'answer': 7}))",
    ),
    Hostile(
        "adds half a line",
        WELL,
        "while q := asked(): say(('' if q['id'] == 1 else '\"more\"}\\n') + json.dumps({'id': q['id'], 'answer': 5}) + '\\n{\"half\":', end='')",
    ),
    Hostile("talks to standard error", WELL, "while q := asked(): os.write(2, b'x' * 100_000); answer(q, 5)"),
    Hostile(
        "writes in pieces",
        WELL,
        "while q := asked():\n    for each in json.dumps({'id': q['id'], 'answer': 5}): say(each, end='')\n    say('')",
    ),
    Hostile(
        "keeps a file for the next time",
        WELL,
        "left = os.listdir('.')\nopen('memory', 'w').close()\nwhile q := asked(): answer(q, 5 + len(left))",
    ),
    Hostile(
        "leaves a daemon with its pipes",
        WELL,
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    time.sleep(600)\n"
        "while q := asked(): answer(q, 5)",
        linux=True,
    ),
    Hostile(
        "does not end when it is over",
        WELL,
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile line := sys.stdin.readline(): answer(json.loads(line), 5)\ntime.sleep(600)",
    ),
)
