"""The GPU's own counters, through Nsight Compute."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path

from tilelab.backends.profiler import Launch
from tilelab.base import process, system
from tilelab.base.errors import InfraError

_SECONDS = 300

# Nsight Compute's name for what the emulator counts as (kind of access, count).
METRICS = {
    ("global_loads", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ("global_loads", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    ("global_stores", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ("global_stores", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    ("shared_loads", "requests"): "smsp__inst_executed_op_shared_ld.sum",
    ("shared_loads", "wavefronts"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    ("shared_loads", "bank_conflicts"): "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    ("shared_stores", "requests"): "smsp__inst_executed_op_shared_st.sum",
    ("shared_stores", "wavefronts"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    ("shared_stores", "bank_conflicts"): "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}


class NsightCompute:
    """Reads an NVIDIA GPU's counters, if the user has permission to."""

    name = "Nsight Compute (ncu)"
    seconds: float = _SECONDS
    metrics = METRICS

    def version(self) -> str | None:
        path = ncu()
        return system.version(path) if path else None

    def count(self, command: list[str], work: Path) -> list[Launch]:
        """Runs a command and returns its launches in order. Keeps files in `work`.

        Raises InfraError.
        """
        program, log = ncu(), work / "ncu.csv"
        assert program is not None
        profiler = [str(program), "--target-processes", "all", "--clock-control", "none", "--csv"]
        profiler += ["--print-units", "base", "--log-file", str(log)]
        profiler += ["--metrics", ",".join(METRICS.values())]
        finished = process.run([*profiler, *command], seconds=_SECONDS, keep=64 * 1024)
        try:
            text = log.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise InfraError(f"Nsight Compute left no counts: {finished.output[-300:]}") from error
        return read(text)


def ncu() -> Path | None:
    """The path of Nsight Compute, which installers do not put on the PATH."""
    if found := shutil.which("ncu"):
        return Path(found)
    places = [*Path("/opt/nvidia/nsight-compute").glob("*/ncu"), Path("/usr/local/cuda/bin/ncu")]
    return next((path for path in sorted(places, reverse=True) if path.is_file()), None)


def read(text: str) -> list[Launch]:
    """Reads Nsight Compute's CSV, a row per launch and metric. Raises InfraError if it is empty."""
    launches: dict[str, Launch] = {}
    for row in rows(text):
        kernel = re.sub(r".*::|[<(].*", "", row["Kernel Name"]).strip()
        launch = launches.setdefault(row["ID"], Launch(kernel, row["Grid Size"], row["Block Size"]))
        launch.counts[row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    return list(launches.values())


def rows(text: str) -> list[dict[str, str]]:
    """The rows of the CSV in Nsight Compute's output. Raises InfraError if there are none."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    found = list(csv.DictReader(io.StringIO("\n".join(lines))))
    if not found:
        said = " ".join(line for line in text.splitlines() if line.startswith("==ERROR=="))
        raise InfraError(f"Nsight Compute counted nothing. {said[:300]}")
    return found
