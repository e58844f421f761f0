"""The line of a program's standard error that says why it failed, among those that say where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TRACEBACK = "Traceback (most recent call last)"  # of Python, whose last line says why
# Other languages say why before they say where: Java, Node, Ruby, Go, Rust, C++, compilers and shells.
_REASON = re.compile(
    r"""Exception\ in\ thread | ^(?:Uncaught\ )?[\w.$]*(?:Error|Exception)\b(?:\ \[\w+\])?:
      | ^panic: | ^fatal\ error: | ^thread\ '.*\ panicked\ at | ^terminate\ called
      | :\ (?:fatal\ )?error: | ^error(?:\[\w+\])?: | \((?:\w+::)*\w*(?:Error|Exception|Interrupt)\)$
      | not\ found$ | No\ such\ file | [Pp]ermission\ denied""",
    re.VERBOSE,
)
_GOES_ON = re.compile(r"^thread '.*' .*panicked at .*:$|^terminate called")  # the next line says the rest
_PLACE = re.compile(
    r"^\s+at |^\s*from |^goroutine |^Node\.js v|^\s*\^|^\s*\.\.\. \d+ more|^note: |^exit status|^\d+ errors?$"
)


def telling_line(lines: Sequence[str]) -> str:
    """Return the line that says why, without the white space around it; "": there is none."""
    texts = [each.rstrip() for each in lines if each.strip()]
    if any(_TRACEBACK in each for each in texts):
        return next((each for each in reversed(texts) if not each[0].isspace()), "")
    for place, each in enumerate(texts):
        if _REASON.search(each):
            following = texts[place + 1 : place + 2] if _GOES_ON.search(each) else []
            return " ".join(word.strip() for word in (each, *following))
    outside = [each for each in texts if not _PLACE.search(each)]
    return (outside or texts or [""])[-1].strip()
