"""What `calibrate` writes about a GPU. Here, a script prints what the GPU would have measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tilelab.backends import nvidia
from tilelab.backends.base import Device
from tilelab.backends.cuda import Cuda
from tilelab.base import tables
from tilelab.base.errors import InfraError, UserError
from tilelab.estimate import figures
from tilelab.maintain import microbenchmarks

DEVICE = Device("NVIDIA H200", "580.1", "GPU-1a2b")


def bundled() -> figures.Figures:
    found = figures.of(DEVICE.name)
    assert found is not None
    return found


def measured() -> dict[str, str]:
    """What the microbenchmarks print on the GPU, by name."""
    _, _, rest = (figures._FOLDER / "nvidia_h200.toml").read_text().partition("[figures]\n")
    lines = rest.partition("\n\n")[0].splitlines()
    printed = {line.split(" = ")[0]: line.split(" = ")[1] for line in lines}
    return {"capability": "9 0", **printed}


def calibrated(
    printed: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, *, status: int = 0
) -> str:
    """What is written if nvcc makes a program that prints this."""
    output = "".join(f"{name} {value}\n" for name, value in printed.items())
    program = folder / "printing"
    program.write_text(f"#!/bin/sh\ncat <<END\n{output}END\nexit {status}\n")
    program.chmod(0o755)
    nvcc = folder / "nvcc"
    nvcc.write_text(
        f'#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp {program} "$2" && test -f "$3"\n'
    )
    nvcc.chmod(0o755)
    monkeypatch.setattr(nvidia, "nvcc", lambda: nvcc)
    monkeypatch.setattr(nvidia, "nvcc_version", lambda: "13.0")
    return microbenchmarks.figures_of(Cuda(), DEVICE)


def test_a_file_is_what_was_measured_and_what_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(calibrated(measured(), tmp_path, monkeypatch))
    assert tables.read(path, figures._File, figures._figures) == bundled()


def test_an_exponent_is_written_as_toml_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    printed = {**measured(), "dram_read": "4e+12"}
    path.write_text(calibrated(printed, tmp_path, monkeypatch))
    assert tables.read(path, figures._File, figures._figures).values["dram_read"] == 4e12


def test_a_capability_that_nobody_documented_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"compute capability 8\.7") as caught:
        calibrated({**measured(), "capability": "8 7"}, tmp_path, monkeypatch)
    assert "throughput.py" in str(caught.value)


def test_another_capability_gets_no_figures_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(calibrated({**measured(), "capability": "7 5"}, tmp_path, monkeypatch))
    found = tables.read(path, figures._File, figures._figures)
    assert (found.capability, found.values["fp64"]) == ((7, 5), 64)


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "much", ""])
def test_an_impossible_figure_is_not_written(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InfraError, match="measured dram_read"):
        calibrated({**measured(), "dram_read": value}, tmp_path, monkeypatch)


def test_a_program_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfraError, match="figures failed: out of memory"):
        calibrated({"out": "of memory"}, tmp_path, monkeypatch, status=1)


def test_a_program_that_prints_nothing_has_measured_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InfraError, match="do not say which GPU"):
        calibrated({}, tmp_path, monkeypatch)
