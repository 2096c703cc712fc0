"""What Nsight Compute writes, and the page made of it. The CSV here is made up."""

from __future__ import annotations

import re
import sys

import pytest

from support import REPO
from tilelab.base.errors import InfraError

sys.path.insert(0, str(REPO / "tests" / "measure" / "counters"))
import counters
from counters import CASES, Launch

COLUMNS = ["ID", "Process ID", "Kernel Name", "Block Size", "Grid Size", *counters.METRICS]
UNITS = dict.fromkeys(counters.METRICS, "%") | {
    counters.TIME: "ns",
    counters.CLOCK: "hz",
    counters.READ: "byte",
    counters.WRITTEN: "byte",
    **dict.fromkeys(counters.STALLS.values(), "inst"),
}
COUNTS = {
    counters.TIME: "506,400",
    counters.CLOCK: "1,755,000,000.5",
    counters.ISSUE: "81.25",
    counters.INSTRUCTIONS: "123,456,789",
    counters.WARPS: "93.71",
    counters.REGISTERS: "32",
    counters.DRAM: "91.2",
    counters.READ: "1,073,741,824",
    counters.WRITTEN: "1,072,000,000",
    **dict.fromkeys(counters.STALLS.values(), "0.01"),
    counters.STALLS["wait"]: "1.5",
    counters.STALLS["long_scoreboard"]: "12.25",
    counters.STALLS["barrier"]: "0.75",
}


def ncu(*kernels: str, counts: dict[str, str] = COUNTS, units: dict[str, str] = UNITS) -> str:
    """What --page raw --csv looks like: names, units, and a row per launch."""

    def line(cells: dict[str, str]) -> str:
        return ",".join(f'"{cells.get(column, "")}"' for column in COLUMNS)

    names = line({column: column for column in COLUMNS})
    rows = [line({"ID": "0", "Kernel Name": name, **counts}) for name in kernels]
    return "\n".join(
        ["==PROF== Connected to process 7", names, line(units), *rows, "==PROF== Done"]
    )


def test_a_row_says_what_was_counted() -> None:
    (launch,) = counters.read(ncu("diff_groups"))
    assert launch.kernel == "diff_groups"
    line = counters.line(counters.row(CASES[0], launch))
    assert line == (
        "| `diff/diff.cu`, `diff`, n = 268435456 | `diff_groups` | 0.5064 ms | 1755 MHz | 81.2% "
        "| 1.235e+08 | long_scoreboard 12.25, wait 1.50, barrier 0.75 | 93.7% | 32 | 91.2% "
        "| 1073.7 MB | 1072.0 MB |"
    )
    assert counters.HEAD.splitlines()[-1].count("|") == line.count("|")


def test_units_are_those_of_the_second_line() -> None:
    units = {**UNITS, counters.TIME: "usecond", counters.READ: "Mbyte", counters.CLOCK: "Ghz"}
    counts = {**COUNTS, counters.TIME: "506.4", counters.READ: "1.5", counters.CLOCK: "1.75"}
    (launch,) = counters.read(ncu("diff_groups", counts=counts, units=units))
    assert launch.counts[counters.TIME] == pytest.approx(506.4e-6)
    assert launch.counts[counters.READ] == 1.5e6
    assert launch.counts[counters.CLOCK] == 1.75e9


def test_what_was_not_counted_is_said() -> None:
    counts = {**COUNTS, counters.DRAM: "n/a", counters.STALLS["wait"]: "n/a"}
    (launch,) = counters.read(ncu("diff_groups", counts=counts))
    row = counters.row(CASES[0], launch)
    assert "| n/a |" in counters.line(row)
    reasons = counters.largest_stalls(row)
    assert reasons[:2] == ["long_scoreboard", "barrier"] and "wait" not in reasons


def test_launches_come_in_the_order_of_the_cases() -> None:
    kernels = [kernel for case in CASES for kernel in case.kernels]
    pairs = counters.by_case(counters.read(ncu(*kernels)))
    assert [(case.function, one.kernel) for case, one in pairs[-3:]] == [
        ("derivative_y", "derivative_y_kernel"),
        ("derivative_z", "derivative_z_kernel"),
        ("gradient", "gradient_kernel"),
    ]
    with pytest.raises(InfraError, match=r"than expected: .*, surprise"):
        counters.by_case([*(one for _, one in pairs[:-1]), Launch("surprise", {})])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.source.stem}-{case.function}")
def test_every_case_has_its_kernels_in_its_file(case: counters.Case) -> None:
    text = case.source.read_text()
    assert f"void {case.function}(" in case.header.read_text()
    launched = re.findall(r"(\w+)(?:<[\w, ]+>)?\s*<<<", text)
    assert [kernel for kernel in launched if kernel in case.kernels] == [*case.kernels]


def test_no_counts_are_an_error_in_one_line() -> None:
    said = "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM: no permission\n"
    with pytest.raises(InfraError, match=r"counted nothing\. ==ERROR== ERR_NVGPUCTRPERM"):
        counters.read(said)
    assert counters.why(said, "") == "==ERROR== ERR_NVGPUCTRPERM: no permission"
    raised = "Traceback (most recent call last):\n  File\nImportError: no torch\n"
    assert counters.why("", raised) == "ImportError: no torch"
    assert counters.why("", "") == "it said nothing."


def test_a_metric_that_is_missing_is_an_error() -> None:
    text = ncu("diff_groups").replace(counters.REGISTERS, "another")
    with pytest.raises(InfraError, match=counters.REGISTERS):
        counters.read(text)
