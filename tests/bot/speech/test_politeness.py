"""In Korean everybody is called by their name and 님, in rows and lists as well."""

from __future__ import annotations

import re

from chatbot.kernel import supplies

BARE = re.compile(r"^(\S+) = .*\{ \$(?:who|rival|partner|taker|moderator) \}(?!님)", re.MULTILINE)
ADDRESSES = {"addressed", "crowd-name"}  # what platforms take for a mention


def test_no_name_of_a_person_stands_bare_in_korean() -> None:
    files = sorted((supplies.folder("locales") / "ko").glob("*.ftl"))
    assert files
    bare = {match[1] for each in files for match in BARE.finditer(each.read_text(encoding="utf-8"))}
    assert bare == ADDRESSES
