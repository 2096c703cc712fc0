"""Tables of other programs: what is not replaced stays as it is, byte by byte."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.exports import delimited

TEXT = 'Student,ID,"Lab, 1 (7)"\r\n"Lovelace, Ada",007,""\r\n"a ""b""\nc",,1.50\r\n\r\nlast,1'


def read(tmp_path: Path, data: bytes) -> delimited.Delimited:
    path = tmp_path / "downloaded.csv"
    path.write_bytes(data)
    return delimited.read(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_all_bytes_come_back(tmp_path: Path, encoding: str, delimiter: str, newline: str) -> None:
    lines = ["Name,ID,Punkte", '"Grüße, ""x""",0042,', "b,,12", ""]
    data = newline.join(lines).replace(",", delimiter).encode(encoding)
    table = read(tmp_path, data)
    assert table.filled({}) == data
    assert table.column(1) == ["0042", ""]


def test_cells_are_those_of_the_csv_module(tmp_path: Path) -> None:
    table = read(tmp_path, TEXT.encode())
    rows = [[cell.value for cell in row] for row in table.rows]
    assert rows == [row or [""] for row in csv.reader(io.StringIO(TEXT, newline=""))]


def test_a_replaced_cell_keeps_its_quotes(tmp_path: Path) -> None:
    table = read(tmp_path, TEXT.encode())
    filled = table.filled({(1, 2): "60", (2, 2): "7"}).decode()
    assert filled == TEXT.replace('007,""', '007,"60"').replace("1.50", "7")


@pytest.mark.parametrize("data", [b"", b"one column\nonly\n", b"a,b\n", b"PK\x03\x04\x00,\x00\n\n"])
def test_what_is_no_table_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UserError, match=r"downloaded\.csv is no table"):
        read(tmp_path, data)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('x,"y,1', "line 3: a cell has a quote that is not closed"),
        ('"x,y,1\n"z",1,2', "line 3: a cell has a quote that is not closed"),
        ("x,y, z,1", "line 3: 4 cells for 3 columns"),
    ],
)
def test_a_row_whose_cells_are_in_other_columns_is_named(
    tmp_path: Path, row: str, says: str, newline: str
) -> None:
    with pytest.raises(UserError, match=rf"downloaded\.csv, {says}"):
        read(tmp_path, f"a,b,c\n1,2,3,,\n{row}\n".replace("\n", newline).encode())


def test_a_short_row_is_refused(tmp_path: Path) -> None:
    table = read(tmp_path, b"a,b,c\nx,y\n")
    with pytest.raises(UserError, match="row 2"):
        table.filled({(1, 2): "60"})
