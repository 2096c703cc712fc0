"""The figures of GPUs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.estimate import figures, gpus
from tilelab.pipeline.profiling import resources

HEAD = 'name = "X"\ncompute_capability = [8, 0]\n[interval]\nleast = 0.8\nmost = 1.2\n'


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with what was measured on this machine."""
    monkeypatch.setattr(figures, "MEASURED", tmp_path)
    monkeypatch.setattr(figures, "_OF_THE_OWNER", tmp_path / "owner")
    return tmp_path


def write(folder: Path, *, name: str = "X", **changes: float) -> Path:
    """Writes a file with all figures."""
    usual = figures.usual()
    assert usual is not None
    lines = [f"{key} = {value}" for key, value in {**usual.values, **changes}.items()]
    folder.mkdir(exist_ok=True)
    path = folder / "x.toml"
    path.write_text(HEAD.replace('"X"', f'"{name}"') + "[figures]\n" + "\n".join(lines))
    return path


def test_each_file_is_of_a_gpu_that_can_be_named() -> None:
    named = [figures.of(gpus.named(name).name) for name in gpus.names()]
    assert figures.known()
    for one in figures.known():
        assert named.count(one) == 1, one.name


def test_a_driver_may_add_the_memory_to_a_name() -> None:
    found = figures.of("NVIDIA H100")
    assert found is not None and found.name == "NVIDIA H100 80GB HBM3"
    assert figures.of("NVIDIA H100 PCIe") is None
    assert figures.of("NVIDIA H") is None


def test_times_are_estimated_for_the_usual_gpu() -> None:
    usual = figures.usual()
    assert usual is not None and usual.name == gpus.DEFAULT.name


def test_each_figure_is_one_that_the_estimator_reads() -> None:
    header = next(REPO.glob("common/estimator/**/gpu.h")).read_text(encoding="utf-8")
    members = set(re.findall(r"double (\w+)", header))
    for one in figures.known():
        assert set(one.values) == members, one.name


def test_nobody_has_measured_every_gpu() -> None:
    assert figures.of("Tesla K20") is None


def test_needed_bytes_are_rate_times_latency() -> None:
    one = figures.Figures(
        "X",
        (9, 0),
        {"dram_read": 4e12, "gigahertz": 2.0, "multiprocessors": 100.0, "dram_latency": 500.0},
        0.8,
        1.2,
    )
    assert one.bytes_needed == pytest.approx(20 * 500)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 3", "name must be"),
        ('name = "X"', "compute_capability is missing: it must be two whole numbers"),
        ('name = "X"\ncompute_capability = [9, 0]\nother = 1', "unknown key other"),
        ('name = "X"\ncompute_capability = [9, 0]\n[figures]\nfma = "2"', "figures.fma"),
        ('name = "X"\ncompute_capability = [9, 0]\n[interval]\nleast = 0', "interval.least"),
        (HEAD.replace("[8, 0]", "[9, 9]"), "compute_capability 9.9 is not known"),
        (HEAD.replace("0.8", "1.3"), "interval.least must not be above"),
        (f"{HEAD}[figures]\nfma = -2", "figures.fma must be greater than 0"),
        ("name = ", "x.toml"),
    ],
)
def test_a_wrong_file_is_named(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(figures, "_FOLDER", tmp_path)
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        figures.known()
    assert "x.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_measured_gpu_is_known_by_its_name(measured: Path) -> None:
    write(measured, gigahertz=1.5)
    found = figures.of("X")
    assert found is not None and found.values["gigahertz"] == 1.5
    assert resources.gpu_of("X").capability == (8, 0)


def test_what_was_measured_here_counts_in_place_of_bundled_figures(measured: Path) -> None:
    write(measured / "owner", name=gpus.DEFAULT.name, gigahertz=1.5)
    found = figures.usual()
    assert found is not None and found.values["gigahertz"] == 1.5
    write(measured, name=gpus.DEFAULT.name, gigahertz=1.25)
    found = figures.usual()
    assert found is not None and found.values["gigahertz"] == 1.25
    assert len(figures.known()) == len({one.name for one in figures.known()})


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("fma = 2\n", "", "it lacks figures.fma"),
        ("fma = 2\n", "fma = 2\nother = 1\n", "it has the unknown figures.other"),
        ("fma = 2\n", "fma = 0\n", "figures.fma must be greater than 0"),
        ("name = ", "name ", "x.toml"),
    ],
)
def test_a_measured_file_that_is_wrong_says_what_to_do(
    before: str, after: str, said: str, measured: Path
) -> None:
    path = write(measured, fma=2)
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        figures.known()
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).endswith("run ./tilelab calibrate again, or remove the file")


def test_only_some_gpus_were_compared() -> None:
    usual = figures.usual()
    assert usual is not None and usual.is_compared
    assert not dataclasses.replace(usual, name="NVIDIA A100").is_compared
