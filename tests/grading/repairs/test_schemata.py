"""Many repairs as one text, and a program that runs one of them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.repairs import schemata

DIFF = lab.load("diff")
TEXT = '#include "diff.h"\nvoid diff(const int* in, int* out, int n) {}\n'


def test_each_line_belongs_to_its_repair() -> None:
    joined = schemata.join([TEXT, TEXT.replace("{}", "{\n}"), TEXT], DIFF)
    lines = joined.text.splitlines()
    found = [joined.number_at(i + 1) for i, line in enumerate(lines) if "void diff" in line]
    assert found == [0, 1, 2, None]  # the last one calls the others
    assert joined.number_at(1) is None


def test_includes_come_first_and_once() -> None:
    joined = schemata.join([TEXT, TEXT], DIFF)
    assert joined.text.startswith('#include "diff.h"\n')
    assert joined.text.count("#include") == 1


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_functions_of_each_lab_call_the_chosen_repair(name: str) -> None:
    the_lab = lab.load(name)
    joined = schemata.join([the_lab.baseline.read_text()] * 2, the_lab)
    functions = the_lab.header.read_text().count("F(") + the_lab.header.read_text().count(
        "FUNCTION("
    )
    assert joined.text.count("return tl_1::") >= 1
    assert joined.text.count("return tl_0::") == joined.text.count("return tl_1::") <= functions


def test_a_copy_of_the_program_has_the_number(tmp_path: Path) -> None:
    program, copy = tmp_path / "program", tmp_path / "copy"
    mark = struct.pack("=3I", *schemata._MARK)
    program.write_bytes(b"before" + mark + struct.pack("=I", 0) + b"after")
    schemata.choose(program, 7, copy)
    assert copy.read_bytes() == b"before" + mark + struct.pack("=I", 7) + b"after"


def test_another_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no repairs"):
        schemata.choose(tmp_path / "program", 7, tmp_path / "copy")
