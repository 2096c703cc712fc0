"""What `calibrate` writes about a GPU. Here, a script prints what the GPU would have measured."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tilelab.backends import nvidia
from tilelab.backends.base import Device
from tilelab.backends.cuda import Cuda
from tilelab.base import tables
from tilelab.base.errors import InfraError, UserError
from tilelab.base.fields import Number
from tilelab.estimate import figures
from tilelab.maintain import microbenchmarks
from tilelab.model.stream import VERSION

DEVICE = Device("NVIDIA H200", "580.1", "GPU-1a2b")


def bundled() -> figures.Figures:
    found = figures.of(DEVICE.name)
    assert found is not None
    return found


def measured() -> dict[str, Number]:
    """What the microbenchmarks measure on the GPU, by name."""
    _, _, rest = (figures._FOLDER / "nvidia_h200.toml").read_text().partition("[figures]\n")
    return dict(tomllib.loads(rest.partition("\n\n")[0]))


def printed(constants: Mapping[str, object], capability: tuple[int, int] = (9, 0)) -> str:
    """What they print."""
    major, minor = capability
    events = [
        {"type": "begin", "version": VERSION},
        {"type": "capability", "major": major, "minor": minor},
        *({"type": "constant", "name": name, "value": constants[name]} for name in constants),
    ]
    return "".join(json.dumps(one) + "\n" for one in events)


def calibrated(
    output: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, status: int = 0
) -> str:
    """What is written if nvcc makes a program that prints this."""
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
    path.write_text(calibrated(printed(measured()), tmp_path, monkeypatch))
    assert tables.read(path, figures._File, figures._figures) == bundled()


def test_an_exponent_is_written_as_toml_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    output = printed({**measured(), "dram_read": 4e12})
    path.write_text(calibrated(output, tmp_path, monkeypatch))
    assert "dram_read = 4e12\n" in path.read_text()
    assert tables.read(path, figures._File, figures._figures).values["dram_read"] == 4e12


def test_a_capability_that_nobody_documented_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"compute capability 8\.7") as caught:
        calibrated(printed(measured(), (8, 7)), tmp_path, monkeypatch)
    assert "throughput.py" in str(caught.value)


def test_another_capability_gets_no_figures_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(calibrated(printed(measured(), (7, 5)), tmp_path, monkeypatch))
    found = tables.read(path, figures._File, figures._figures)
    assert (found.capability, found.values["fp64"]) == ((7, 5), 64)


@pytest.mark.parametrize("value", [0, -1, None])
def test_an_impossible_figure_is_not_written(
    value: Number | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InfraError, match="measured dram_read"):
        calibrated(printed({**measured(), "dram_read": value}), tmp_path, monkeypatch)


@pytest.mark.parametrize("output", ["much\n", printed({"dram_read": "much"}), '{"type": "end"}\n'])
def test_what_cannot_be_read_is_an_error(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InfraError, match="cannot be used"):
        calibrated(output, tmp_path, monkeypatch)


def test_a_program_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfraError, match="calibration failed: out of memory"):
        calibrated("out of memory\n", tmp_path, monkeypatch, status=1)


def test_a_program_that_prints_nothing_has_measured_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InfraError, match="do not say which GPU"):
        calibrated("", tmp_path, monkeypatch)
