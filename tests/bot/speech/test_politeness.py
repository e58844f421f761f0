"""In Korean everybody is called by their name and 님, in rows and lists as well."""

from __future__ import annotations

import re
from pathlib import Path

import chatbot.games
from chatbot.kernel import supplies

BARE = re.compile(r"^(\S+) = .*\{ \$(?:who|rival|partner|taker|moderator) \}(?!님)", re.MULTILINE)
ADDRESSES = {"addressed", "crowd-name"}  # what platforms take for a mention


def test_no_name_of_a_person_stands_bare_in_korean() -> None:
    (games,) = chatbot.games.__path__
    files = sorted(
        [*(supplies.folder("locales") / "ko").glob("*.ftl"), *Path(games).glob("*/locales/ko.ftl")]
    )
    assert len(files) > len(chatbot.games.own())
    bare = {match[1] for each in files for match in BARE.finditer(each.read_text(encoding="utf-8"))}
    assert bare == ADDRESSES
