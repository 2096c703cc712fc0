"""The file of a GPU's figures: what was measured on it, and what was not."""

from __future__ import annotations

from collections.abc import Mapping

from tilelab.base.fields import Number
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.throughput import Throughput

_HEAD = """\
# What an {gpu} can do. `./tilelab calibrate` wrote this, with driver {driver} and
# nvcc {nvcc}. docs/estimates.md says what each figure means. Cycles are those of a multiprocessor.
name = "{gpu}"
compute_capability = [{major}, {minor}]

# Nine in ten kernels take between `least` and `most` times the estimate, on an H200:
# docs/results/estimates.md.
[interval]
least = {least:.2f}
most = {most:.2f}

[figures]
"""

# No microbenchmark measures these, and no documentation lists them.
_LITERATURE = {"read_window": 3}
_CHOSEN = {
    "adu": 4,
    "uniform": 2,
    "l1_line": 1.2,
    "l1_queue": 60,
    "l2_queue": 800,
    "shared_increment": 1.4,
    "xu_latency": 24,
    "constant_latency": 30,
    "special_latency": 20,
    "shuffle_latency": 24,
    "block_latency": 380,
    "block_warp_latency": 14,
}


def text(
    gpu: str,
    capability: Capability,
    tools: Mapping[str, str],
    interval: Mapping[str, float],
    measured: Mapping[str, Number],
    documented: Throughput,
) -> str:
    """The file. `tools` are the "driver" and "nvcc", `interval` has "least" and "most"."""
    major, minor = capability
    head = _HEAD.format(gpu=gpu, major=major, minor=minor, **tools, **interval)
    given: dict[str, Mapping[str, float]] = {
        f"CUDA's documentation, for compute capability {major}.{minor}": documented.figures(),
        "literature: arXiv 2503.20481": _LITERATURE,
        "chosen with ladders in view, on an H200": _CHOSEN,
    }
    lines = [f"{name} = {_digits(value)}" for name, value in measured.items()]
    for source, figures in given.items():
        lines += ["", f"# {source}", *(f"{name} = {value}" for name, value in figures.items())]
    return head + "\n".join(lines) + "\n"


def _digits(value: Number) -> str:
    """A measured number has four. TOML's exponents have no plus sign."""
    return str(value) if isinstance(value, int) else f"{value:.4g}".replace("e+", "e")
