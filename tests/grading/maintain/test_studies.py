"""The studies of tests/measure, and the pages of docs/results that are made of their rows."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from support import REPO
from tilelab.base.errors import UserError
from tilelab.maintain import studies

sys.path.insert(0, str(REPO / "tests" / "measure" / "detector"))
import detector

FOLDER = REPO / "tests" / "measure"
RESULTS = REPO / "docs" / "results"
ROWS = sorted(RESULTS.glob("*.csv"))


def test_every_folder_has_a_script_of_its_name() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/*.py")}
    assert folders - set(studies.studies()) == {"shared"}


def test_each_study_has_a_line_of_80_columns() -> None:
    lines = list(studies.listing())
    assert len(lines) == len(studies.studies()) > 15
    for line in lines:
        assert re.fullmatch(r"[\w/]+  +\S.*\.", line) and len(line) <= 80, line


def test_each_study_says_how_it_is_run() -> None:
    for name, script in studies.studies().items():
        assert re.search(rf"tilelab measure {name}\b(?!/)", script.read_text()), script


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One study, with a module next to it, and a program that it runs itself."""
    study = tmp_path / "speed"
    study.mkdir()
    (study / "speed.py").write_text(
        '"""Measures."""\nimport os, sys\nimport helper, tables, tilelab\n'
        'if __name__ == "__main__":\n    print(sys.argv[1:], os.getcwd())\n    sys.exit(7)\n'
    )
    (study / "helper.py").touch()
    (study / "program.py").write_text("print()\n")
    return tmp_path


def test_a_study_gets_its_arguments(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert list(studies.listing(folder)) == ["speed  Measures."]
    assert studies.run("speed", ["--runs", "2", "--help"], folder) == 7
    assert capfd.readouterr().out == f"['--runs', '2', '--help'] {REPO}\n"


def test_a_package_that_is_missing_is_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "speed" / "helper.py").write_text("import absent_package\n")
    assert studies.run("speed", [], folder) == 1
    said = capfd.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith(f"tilelab: {folder / 'speed' / 'speed.py'} needs the Python package")
    assert said.err.endswith("-m pip install absent_package\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("sped", "did you mean speed?"), ("speed/program", "lists all"), ("x", "lists all")],
)
def test_an_unknown_study_is_one_line(folder: Path, name: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        studies.run(name, [], folder)
    assert str(raised.value).startswith(f"there is no study '{name}'; ")
    assert hint in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("rows", ROWS, ids=lambda path: path.stem)
def test_a_page_says_what_its_rows_say(rows: Path, tmp_path: Path) -> None:
    page = rows.with_suffix(".md").read_text()
    study = re.search(r"`\./tilelab measure (\w+)", page)
    assert study is not None
    copied = shutil.copy(rows, tmp_path)
    assert studies.run(study[1], ["--page", str(copied)]) == 0
    assert (tmp_path / f"{rows.stem}.md").read_text() == page, (
        f"run: ./tilelab measure {study[1]} --page {rows.relative_to(REPO)}"
    )


def test_the_page_on_the_detector_is_what_was_measured() -> None:
    assert detector.page() == detector.PAGE.read_text(), "run: ./tilelab measure detector"
