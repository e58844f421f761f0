"""Tells what kind of file it is by its content, not its name, and says so of one that cannot be read."""

from __future__ import annotations

from chatbot.community.imports.sheets import MOST_BYTES, RowSheet, SheetError

_ZIP, _SQLITE = b"PK\x03\x04", b"SQLite format 3\x00"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_H2 = (b"H:2,", b"-- H2 0.5/B --")
_SAMPLE = 4096  # bytes in which a kind shows

_H2_ADVICE = (
    "This is a database of H2, as PhantomBot keeps it by default, which only Java reads. In its console, "
    "type `exportpoints`, and give the CSV file that it writes; or give the phantombot.db of one that keeps "
    "its data in SQLite."
)
_OLD_EXCEL_ADVICE = (
    "This is a spreadsheet of an old Excel (.xls); open it and save it as .xlsx or as CSV in UTF-8."
)
_UNREADABLE = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"Rar!", "a RAR archive: unpack it, and give the file in it"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it, and give the file in it"),
    (b"\x1f\x8b", "a gzip archive: unpack it, and give the file in it"),
    (b"Obj\x01", "a file of Avro"),
    (b"PAR1", "a file of Parquet"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"<!doctype html", "a page of the web: what was saved is the page, and not the export"),
    (b"<html", "a page of the web: what was saved is the page, and not the export"),
    (b"<?xml", "XML, which none of the known bots exports"),
    (b"{\\rtf", "a document in RTF"),
)
_CAN_BE_READ = "What can be read is CSV, .xlsx, JSON, and the databases of Firebot and PhantomBot (SQLite)."


def open_sheet(content: bytes, encoding: str | None = None, table: str | None = None) -> RowSheet:
    """Return the table in a file; `table` names one of several.

    Raises:
        SheetError: it is none that can be read, or is damaged, empty or too large.
    """
    if len(content) > MOST_BYTES:
        raise SheetError(f"The file has more than {MOST_BYTES >> 20} MiB.")
    if not content.strip():
        raise SheetError("The file is empty.")
    if content.startswith(_ZIP):
        from chatbot.community.imports.spreadsheets import read_archive  # noqa: PLC0415

        return read_archive(content, table, encoding)
    if content.startswith(_SQLITE):
        from chatbot.community.imports.databases import read_database  # noqa: PLC0415

        return read_database(content, table)
    if content.startswith(_H2):
        raise SheetError(_H2_ADVICE)
    if content.startswith(_OLD_EXCEL):
        raise SheetError(_OLD_EXCEL_ADVICE)
    beginning = content[:_SAMPLE].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for mark, what in _UNREADABLE:
        if beginning.startswith(mark.lower()):
            raise SheetError(f"This is {what}. {_CAN_BE_READ}")
    if beginning.startswith((b"{", b"[")):
        from chatbot.community.imports.json_files import read_json  # noqa: PLC0415

        return read_json(content, table)
    from chatbot.community.imports.text_files import read_text  # noqa: PLC0415

    return read_text(content, encoding)
