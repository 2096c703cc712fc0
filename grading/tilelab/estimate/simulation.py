"""What common/estimator says of the launches of a call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilelab.base.records import converted


@dataclass(frozen=True)
class Simulated:
    """A launch that ran on the model of a GPU.

    `cycles` are those of a multiprocessor. `busy` is the share of them in which "issue", "l1",
    "l2" and "dram" work, or "atomics" take turns, and `stalls` are a warp's cycles per instruction
    by what it waits for, in Nsight Compute's words. `bytes_in_flight` are loads of global memory,
    per multiprocessor. `unknown_branches` is the share of branches that depend on what another
    launch computed, and `unlike` tells how different the work is that was not simulated, 0 to 1.
    """

    kernel: str
    cycles: float
    instructions: float
    busy: Mapping[str, float]
    stalls: Mapping[str, float]
    l2_bytes: float
    dram_bytes: float
    bytes_in_flight: float
    unknown_branches: float
    unlike: float


def read(output: str) -> Sequence[Simulated] | str:
    """The launches in the estimator's output, or the sentence with which it abstained.

    Raises ValueError if the output is neither.
    """
    launches = []
    for line in output.splitlines():
        try:
            data = json.loads(line)
        except ValueError as error:
            raise ValueError(f"the estimator said: {line[:200]}") from error
        if "unknown" in data:
            return str(data["unknown"])
        launches.append(converted(data, Simulated))
    return launches
