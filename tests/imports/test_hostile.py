"""Small files that would become gigabytes, or take minutes: each is refused by a sentence."""

from __future__ import annotations

import io
import sqlite3
import zipfile

import openpyxl
import pytest

from chatbot.community.imports.reading import ReadingOptions, read
from chatbot.community.imports.sheets import SheetError

POINTS = "CREATE TABLE phantombot_points (section, variable, value)"
GENERATED = "value AS (hex(zeroblob(5)))"
PEOPLE = "CREATE TABLE people (name, points)"


def database(statements: list[str]) -> bytes:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for each in statements:
        connection.execute(each)
    content = connection.serialize()
    connection.close()
    return content


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        ([POINTS.replace("value", GENERATED)], "has no column 'value'"),
        ([POINTS, f"CREATE TABLE phantombot_time (variable, {GENERATED})"], "has no column 'value'"),
        ([PEOPLE, "INSERT INTO people VALUES (hex(zeroblob(600000)), 5)"], "too big"),
    ],
)
def test_a_database_computes_nothing_and_has_no_value_of_megabytes(statements: list[str], fault: str) -> None:
    """With `zeroblob(499999999)` the first one took 4 GB."""
    with pytest.raises(SheetError, match=fault):
        read(database(statements), ReadingOptions())


def test_a_document_of_millions_of_values_is_not_read() -> None:
    """Nothing else goes on while it is: 20 KB in an archive stopped all rooms for 3 seconds."""
    with pytest.raises(SheetError, match="more than 500,000 objects"):
        read(b"[" + b"[]," * 500_000 + b"[]]", ReadingOptions())


TEXT = '<c t="inlineStr"><is><t>{}</t></is></c>'
HEADINGS = f'<row r="1">{TEXT.format("name")}{TEXT.format("points")}</row>'
ATTRIBUTES = "".join(f'a{each}="" ' for each in range(200_000))
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def spreadsheet(rows: str, before: str = "") -> bytes:
    """A spreadsheet with these rows below its headings, written by hand."""
    workbook, whole, old = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    workbook.save(old)
    sheet = f'{before}<worksheet xmlns="{MAIN}"><sheetData>{HEADINGS}{rows}</sheetData></worksheet>'
    with zipfile.ZipFile(old) as source, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            target.writestr(name, sheet if is_sheet else source.read(name))
    return whole.getvalue()


def test_a_spreadsheet_written_by_hand_is_read() -> None:
    """So that the others are refused for what is wrong with them alone."""
    rows = [f'<row r="{each}">{TEXT.format(f"bob{each}")}<c><v>5</v></c></row>' for each in (2, 1000)]
    file = read(spreadsheet("".join(rows)), ReadingOptions())
    assert [row.credits for portion in file.rows.portions() for row in portion] == [5, 5]
    file.rows.close()


@pytest.mark.parametrize(
    ("rows", "before", "fault"),
    [
        pytest.param(
            '<row r="2000000000"><c><v>1</v></c></row>', "", "a row beyond 1,048,576", marks=pytest.mark.slow
        ),
        (f"<row>{'<c><v>1</v></c>' * 6000}</row>", "", "too many cells in a row"),
        (f"<row>{'<x>' * 11_000}", "", "too many cells in a row"),
        ("<row>" * 11_000, "", "too many cells in a row"),
        ("<x/>" * 101_000, "", "too many cells in a row"),
        pytest.param("<row/>" * 2_100_000, "", "too many rows", marks=pytest.mark.slow),
        (f"<row {ATTRIBUTES}/>", "", "a tag of megabytes"),
        ("", '<!DOCTYPE worksheet [<!ENTITY a "b">]>', "its own entities"),
    ],
    ids=["number", "wide", "open", "nested", "beside", "many", "attributes", "entities"],
)
def test_a_spreadsheet_that_would_take_gigabytes_or_hours_is_refused(
    rows: str, before: str, fault: str
) -> None:
    """A row of 4 million cells took 1.8 GB and 46 s; the rows up to one of number 2,000,000,000, hours."""
    content = spreadsheet(rows, before)
    assert len(content) < 2_000_000
    with pytest.raises(SheetError, match=fault):
        read(content, ReadingOptions())
