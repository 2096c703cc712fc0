"""The files through which a grader and the nodes of a cluster talk, and what is in them.

All are JSON, and written atomically. A file of evidence has the name of what it depends on, so it
does not matter which job wrote it, or how many did.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.files import write_atomically
from tilelab.base.records import converted, decoded
from tilelab.model.evidence import Evidence
from tilelab.pipeline.harness.session import Machine
from tilelab.record import archive
from tilelab.record.fingerprint import Inputs


@dataclass(frozen=True)
class Request:
    """What a node is to build: the harness of a backend, and the workers of labs."""

    backend: str | None
    without_seccomp: bool
    labs: list[str]


@dataclass(frozen=True)
class Refused:
    """What a node said that cannot grade."""

    error: str
    node: str


@dataclass(frozen=True)
class Harness:
    """A harness that is built, as in pipeline.records.toolchain.Toolchain."""

    preset: str
    folder: str
    filters_calls: bool
    broken: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prepared:
    """What a node said when it had built everything: its description, and the harnesses."""

    machine: Machine
    harnesses: tuple[Harness, ...]


@dataclass(frozen=True)
class Order:
    """A file to examine. `key` names the file of its evidence."""

    key: str
    name: str
    path: str
    lab: str
    points: Mapping[str, float]
    seed: int


@dataclass(frozen=True)
class Batch:
    """The work of one job. Each element of its array has a chunk of orders."""

    prepared: Prepared
    log: str
    chunks: tuple[tuple[Order, ...], ...]


@dataclass(frozen=True)
class _FoundFile:
    inputs: Inputs
    machine: Machine
    node: str
    seconds: float
    evidence: str  # as in a record
    source: str


@dataclass(frozen=True)
class Found:
    """Evidence, what it really depends on, and where it was found."""

    inputs: Inputs
    machine: Machine
    node: str
    seconds: float
    evidence: Evidence


class Folder:
    """RESULTS/cluster, which the grader and all nodes see at the same path."""

    def __init__(self, out: Path) -> None:
        self.path = out.resolve() / "cluster"
        for name in ("batches", "evidence", "logs"):
            (self.path / name).mkdir(parents=True, exist_ok=True)

    def write_batch(self, job_name: str, batch: Batch) -> Path:
        path = self._batch(job_name)
        write_atomically(path, json.dumps(dataclasses.asdict(batch)))
        return path

    def batches(self) -> dict[str, Batch]:
        """What was submitted and may not have ended, by the name of the job."""
        return {path.stem: read_batch(path) for path in self.path.glob("batches/*.json")}

    def forget_batch(self, job_name: str) -> None:
        self._batch(job_name).unlink(missing_ok=True)
        for log in self.logs.glob(f"{job_name}*"):
            if log.stat().st_size == 0:
                log.unlink()

    def _batch(self, job_name: str) -> Path:
        return self.path / "batches" / f"{job_name}.json"

    def prepared(self, job_name: str) -> Path:
        return self.path / f"{job_name}.json"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    def log(self, job_name: str) -> Path:
        return self.logs / f"{job_name}.log"

    def evidence(self, key: str) -> Path:
        return self.path / "evidence" / f"{key}.json"

    def finished(self) -> list[str]:
        """The keys of all evidence."""
        names = os.listdir(self.path / "evidence")
        return [name[:-5] for name in names if name.endswith(".json") and name[0] != "."]


def read_batch(path: Path) -> Batch:
    return decoded(path.read_bytes(), Batch)


def read_answer(path: Path) -> Prepared | Refused:
    """What a node said that was to build everything."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return converted(data, Refused) if "error" in data else converted(data, Prepared)


def write_found(path: Path, found: Found) -> None:
    kept = _FoundFile(
        found.inputs,
        found.machine,
        found.node,
        found.seconds,
        archive.evidence_text(found.evidence),
        found.evidence.source,
    )
    write_atomically(path, json.dumps(dataclasses.asdict(kept)))


def read_found(path: Path) -> Found | None:
    """None if the file is damaged."""
    try:
        kept = decoded(path.read_bytes(), _FoundFile)
        evidence = replace(archive.evidence_of(kept.evidence), source=kept.source)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Found(kept.inputs, kept.machine, kept.node, kept.seconds, evidence)
