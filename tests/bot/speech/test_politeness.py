"""In Korean people are called by name and 님, in lists as well; particles fit; one register is kept."""

from __future__ import annotations

import re
from pathlib import Path

import chatbot.games
from chatbot.kernel import supplies

BARE = re.compile(r"^(\S+) = .*\{ \$(?:who|rival|partner|taker|moderator) \}(?!님)", re.MULTILINE)
PARTICLE = re.compile(
    r"\{ (?:\$(?=\w)|(?=currency))(\w+) \}"
    r"(?:은|는|이|가|을|를|과|와|으로|로|라는|예요|이에요|\(으\)로|이\(가\)|을\(를\))(?=[\s,.!)])"
)
ENDING_ALIKE = {"names", "bank"}  # in a list of names each ends in 님; the banks are tested below
BANK = re.compile(r"^heist-bank-\d = (.+)$", re.MULTILINE)
FORMAL = re.compile(r"^(?!#)(?:[^“”\n]|“[^”\n]*”)*?(?:니다|십시오|습니까)", re.MULTILINE)
"""Another register than 해요체; a figure of a story may be quoted in it."""
VARIANT = re.compile(r"^\s+\*?\[(\w+)\]", re.MULTILINE)
BANKS = 5  # of a heist
ADDRESSES = {"addressed", "crowd-name"}  # what platforms take for a mention


def korean() -> list[Path]:
    """List all Korean texts: of the bot, of each game and of each theme."""
    (games,) = chatbot.games.__path__
    found = [*(supplies.folder("locales") / "ko").glob("*.ftl"), *Path(games).glob("*/locales/ko.ftl")]
    return [*found, *supplies.folder("themes").glob("*/ko.ftl")]


def test_no_name_of_a_person_stands_bare_in_korean() -> None:
    files = korean()
    assert len(files) > len(chatbot.games.own())
    bare = {match[1] for each in files for match in BARE.finditer(each.read_text(encoding="utf-8"))}
    assert bare == ADDRESSES


def test_no_particle_that_depends_on_the_sound_before_it_follows_a_value() -> None:
    followed = {
        match[1] for each in korean() for match in PARTICLE.finditer(each.read_text(encoding="utf-8"))
    }
    assert followed == ENDING_ALIKE


def test_particles_after_a_bank_fit_the_names_of_all_banks() -> None:
    banks = [match[1] for each in korean() for match in BANK.finditer(each.read_text(encoding="utf-8"))]
    assert len(banks) >= 2 * BANKS  # of Bank Heist, and of a theme at least
    vowels = [each for each in banks if (ord(each[-1]) - ord("가")) % 28 == 0]
    assert vowels == []  # what ends in a consonant takes 은, 이 and 을


def test_everything_is_said_in_one_register() -> None:
    formal = [
        f"{each.parent.name}/{each.name}: {match[0]}: end it in 해요체"
        for each in korean()
        for match in FORMAL.finditer(each.read_text(encoding="utf-8"))
    ]
    assert formal == []


def test_no_text_is_for_a_number_that_korean_does_not_tell_apart() -> None:
    """Of the rules of plurals Korean has `other` alone: what is said of `one` was never said; `1` is."""
    told = {match[1] for each in korean() for match in VARIANT.finditer(each.read_text(encoding="utf-8"))}
    assert told & {"zero", "one", "two", "few", "many"} == set()
