"""The figures of GPUs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.estimate import figures, gpus


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
        ('name = "X"', "compute_capability must be two whole numbers"),
        ('name = "X"\ncompute_capability = [9, 0]\nother = 1', "unknown key other"),
        ('name = "X"\ncompute_capability = [9, 0]\n[figures]\nfma = "2"', "figures.fma"),
        ('name = "X"\ncompute_capability = [9, 0]\n[interval]\nleast = 0', "interval.least"),
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
