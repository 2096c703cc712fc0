"""The table of mistakes, and the hints that a sample of them gets.

`tilelab verify` looks at the hint of each file of solutions/*/mistakes, and
`./tilelab measure hints` at those of all rows. tests/measure/hints/rows.py has the rule for a right
hint.
"""

from __future__ import annotations

import sys

import pytest

from support import PRESENTED_LABS, REPO
from tilelab.labs import lab
from tilelab.pipeline.harness.session import Session

sys.path.insert(0, str(REPO / "tests" / "measure" / "hints"))
import hints
import rows
from tables import Table

pytestmark = pytest.mark.drawn(pool="hints of mistakes", count=2)

ROWS = {f"{row.lab.name}/{row.name}": row for row in rows.rows() if row.lab.name in PRESENTED_LABS}

# One for each way to find the task: a pattern, a line, code that is missing, nothing written.
SAMPLE = (
    "diff/launch_missing",
    "diff/slot_minus_one",
    "diff/barrier_before_load",
    "diff/load_missing",
    "nearest_neighbor/store_at_slot",
    "nbody/barrier_before_load",
)


def test_the_table_has_a_row_for_each_mistake_and_a_task_for_each_row() -> None:
    assert len(ROWS) >= 160
    for name, row in ROWS.items():
        numbers = [task.number for task in row.lab.tasks]
        assert 1 <= len(row.tasks) <= 2 and set(row.tasks) <= set(numbers), name
        assert row.text != row.lab.reference.read_text()
    for row in ROWS.values():
        taught = {
            number for other in ROWS.values() if other.lab == row.lab for number in other.tasks
        }
        assert taught == {task.number for task in row.lab.tasks}, row.lab.name


@pytest.mark.parametrize("name", [path.stem for path in sorted(rows.HERE.glob("*.toml"))])
def test_each_task_has_a_mistake(name: str) -> None:
    expected = {number for row in ROWS.values() if row.lab.name == name for number in row.tasks}
    assert expected == {task.number for task in lab.load(name).tasks}


def test_an_edit_that_cannot_be_made_is_an_error() -> None:
    assert rows.edited("a b c", ["a", "x", "x b", "y"]) == "y c"
    for change in (["d", "x"], [" ", "x"]):
        with pytest.raises(ValueError, match=r"occurs [02] times"):
            rows.edited("a b c", change)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_mistake_gets_the_hint_of_its_task(emulator: Session, name: str) -> None:
    assert hints.hinted(ROWS[name], emulator).task in ROWS[name].tasks


def test_the_page_counts_what_is_right() -> None:
    row = ROWS["diff/host_loop"]
    found = [hints.Hinted(row, "it | crashed", None, 1), hints.Hinted(row, "no", 7, None)]
    page = hints.page(Table({}, [hints.cells(one) for one in found]))
    assert "\n1 of 2 hints are as expected.\n" in page and "## diff: 1 of 2\n" in page
    assert "| host_loop | it \\| crashed |  | 1 | 1 |\n" in page
    assert "| host_loop | no | 7 | **none** | 1 |\n" in page
