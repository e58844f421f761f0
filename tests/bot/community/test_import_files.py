"""What other bots write is read as it was meant, and what is not plainly a balance is named by its line."""

from __future__ import annotations

import pytest

from chatbot.community.imports.columns import Columns
from chatbot.community.imports.reading import BalanceFile, ReadingOptions
from chatbot.community.imports.reading import read as read_file
from chatbot.community.imports.sheets import SheetError

USUAL = Columns()


def read(content: bytes, columns: Columns = USUAL) -> BalanceFile:
    return read_file(content, ReadingOptions(columns=columns))


def faults(file: BalanceFile) -> list[str]:
    return [each.text for each in file.rows.faults()]


def rows(text: str | bytes, columns: Columns = USUAL) -> list[tuple[int, str, int]]:
    file = read(text if isinstance(text, bytes) else text.encode(), columns)
    assert faults(file) == []
    return [(row.line, row.who, row.credits) for row in file.rows]


@pytest.mark.parametrize(
    ("text", "ids", "who"),
    [
        ("username,points\nBob,10\n", False, "bob"),  # StreamElements
        ("Username,Currency,Watch time\nBob,10,99\n", False, "bob"),  # Streamlabs
        ("user;points;hours\r\nbob;10;7\r\n", False, "bob"),  # DeepBot
        ('"username"\t"points"\n"bob"\t"10"\n', False, "bob"),
        ("Rank,User ID,Cash,Bank,Total\n1,42,3,7,10\n", True, "42"),  # UnbelievaBoat
        ("id,username,points\n1,bob,10\n", False, "bob"),  # an id that numbers the rows
        ("twitch_id,name,credits\n42,bob,10\n", True, "42"),
        ("id,balance\n42,10\n", True, "42"),
        ("bob,10\n", False, "bob"),  # without headings
        ("name,total,amount\n@Bob, 10 ,11\n", False, "bob"),
    ],
)
def test_the_columns_of_other_bots_are_found_by_their_headings(text: str, ids: bool, who: str) -> None:
    file = read(text.encode())
    assert [(bool(row.id), row.who, row.credits) for row in file.rows] == [(ids, who, 10)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_encoding_that_spreadsheets_write_is_read(encoding: str) -> None:
    assert rows("name,points\n은하,10\n".encode(encoding)) == [(2, "은하", 10)]


def test_columns_can_be_named_by_heading_or_by_number() -> None:
    text = "who,what,much\nbob,x,10\n"
    assert rows(text, Columns(name="WHO", credits="much")) == [(2, "bob", 10)]
    assert rows(text, Columns(name="1", credits="3")) == [(2, "bob", 10)]
    assert rows("42,10\n", Columns(id="1")) == [(1, "42", 10)]
    assert rows("10,bob\n", Columns(name="2")) == [(1, "bob", 10)]


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        ("-5", "line 2: -5 is below 0; `--negative zero` takes such a balance as 0"),
        ("", "line 2: the credits are missing"),
        ("١٢", "line 2: '١٢' is no number of credits"),
        ("1_000", "line 2: '1_000' is no number of credits"),
        ("1e-9", "line 2: '1e-9' is no number of credits"),
        ("12k", "line 2: '12k' is a rounded number: export the whole ones"),
        ("12:30", "line 2: '12:30' is no number of credits"),
        (".5", "line 2: '.5' is no number of credits"),
        ("NaN", "line 2: 'NaN' is no number of credits"),
        ("1000000000000001", "line 2: 1,000,000,000,000,001 is more than 1,000,000,000,000,000 credits"),
    ],
)
def test_what_is_no_number_of_credits_is_named_by_its_line(cell: str, fault: str) -> None:
    file = read(f"name,points\nbob,{cell}\nann,7\n".encode())
    assert faults(file) == [fault]
    assert [row.who for row in file.rows] == ["ann"]


def test_fractions_of_a_credit_are_left_out_and_counted() -> None:
    file = read(b"name,points\nbob,12.9\nann,7.0\n")
    assert [row.credits for row in file.rows] == [12, 7]
    assert file.notices == ("In the numbers a dot begins a fraction.", "1 fraction of a credit was left out.")


def test_who_stands_there_twice_is_never_summed() -> None:
    file = read(b"name,points\nbob,1\nann,2\nBOB,3\n")
    assert faults(file) == ["lines 2, 4: 'bob' stands there 2 times; `--same` add, most or first takes one"]
    assert [row.who for row in file.rows] == ["ann"]
    assert file.rows.fault_credits == 4


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        (",5", "line 2: the name is missing"),
        ("two words,5", "line 2: 'two words' is no name"),
        ("name:twitch:bob,5", "line 2: 'name:twitch:bob' is no name"),
        ("bob", "line 2: it has 1 columns, which is too few"),
    ],
)
def test_what_is_no_name_is_named_by_its_line(cells: str, fault: str) -> None:
    assert faults(read(f"name,points\n{cells}\n".encode())) == [fault]


@pytest.mark.parametrize(
    ("text", "columns", "sentence"),
    [
        (b"", USUAL, "The file is empty."),
        (b"\xff\xfe\x00", USUAL, "The file is no text in UTF-16; save it as CSV in UTF-8, .*"),
        (b"a,b,c\n1,2,3\n", USUAL, "No column tells whose .* There are: a, b, c."),
        (b"name,b,c\n1,2,3\n", USUAL, "No column tells the credits; .* There are: name, b, c."),
        (
            b"name,points\n",
            Columns(credits="gold"),
            "There is no column 'gold' among the 2 of the first line.",
        ),
        (b"name,points\n", Columns(name="points"), "One column cannot be both; there are: name, points."),
        (b"name,points\nbob,5\n", Columns(ids_only=True), "No column tells whose .* by --id-column. .*"),
        (b"name,points\n", Columns(name="name", ids_only=True), "With --ids-only there can be no .*"),
        (b"42,10\n", USUAL, "The file has no headings: say `--name-column 1` or `--id-column 1`."),
        (b'name,points\n"bob,5\n', USUAL, "Line 2 of the file cannot be read: .*"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(
    text: bytes, columns: Columns, sentence: str
) -> None:
    with pytest.raises(SheetError, match=sentence):
        read(text, columns)
