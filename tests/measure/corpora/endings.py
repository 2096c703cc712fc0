"""Why programs ended badly: what a person says who has looked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Who is to blame, as endings.toml says it and as the page does.
AT_FAULT = {
    "program": "the program: it would do so on a GPU, too",
    "input": "an input file or an argument that it needs is not there",
    "machine": "a library, a second GPU or a feature of the GPU is not there",
    "expected": "nobody: it is meant to end like this",
    "emulator": "the emulator",
}


@dataclass(frozen=True)
class Reason:
    """Who is to blame for a program's bad end, and why."""

    at_fault: str
    why: str


def read_endings(path: Path) -> Mapping[str, Reason]:
    """The reasons by the names of the programs. Exits if one is not as it should be."""
    reasons = {}
    for name, one in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert one["at_fault"] in AT_FAULT and one["why"].strip(), name
        reasons[name] = Reason(one["at_fault"], one["why"])
    return reasons
