"""Counts what a GPU does in the cases of the calibration.

    ./tilelab measure calibration tests/common/emulator/calibration/h200.csv --work DIR

Needs a GPU, nvcc and ncu, and the right to read the GPU's counters. The file holds what the
hardware counted and nothing derived from it.
"""

from __future__ import annotations

import csv
import datetime
import fnmatch
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "tests" / "common" / "emulator" / "calibration"
KERNELS = CASES / "kernels"
NOT_CASES = {"lab_case.cu"}
LAB_FILES = ("labs/{}/baseline.cu", "solutions/{}/*.cu", "solutions/{}/ladder/*.cu")

# Names as `ncu --query-metrics` prints them, without the roll-up, which is .sum for all.
METRICS = [
    "smsp__inst_executed_op_global_ld",
    "smsp__inst_executed_op_global_st",
    "smsp__inst_executed_op_global_red",
    "smsp__inst_executed_op_global_atom",
    "smsp__inst_executed_op_shared_ld",
    "smsp__inst_executed_op_shared_st",
    "smsp__inst_executed_op_shared_atom",
    "smsp__inst_executed_op_shared_atom_dot_alu",
    "smsp__inst_executed_op_shared_atom_dot_cas",
    "smsp__inst_executed_op_ldgsts",
    "smsp__inst_executed_op_ldsm",
    "smsp__inst_executed_op_local_ld",
    "smsp__inst_executed_op_local_st",
    "smsp__inst_executed_op_ldc",
    "smsp__inst_executed_pipe_lsu",
    "sm__inst_executed_pipe_lsu",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts",
    "l1tex__data_pipe_lsu_wavefronts_mem_lgds",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_cmd_read",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_cmd_write",
    "l1tex__t_requests_pipe_lsu_mem_dshared_op_ld",
    "l1tex__t_requests_pipe_lsu_mem_dshared_op_st",
    "l1tex__t_requests_pipe_lsu_mem_dshared_op_atom",
    "l1tex__t_requests_pipe_lsu_mem_dshared_op_redas",
    "l1tex__t_sectors_pipe_lsu_mem_dshared_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_dshared_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_dshared_op_atom",
    "l1tex__t_sectors_pipe_lsu_mem_dshared_op_redas",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_dshared_op_ld",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_dshared_op_st",
    "lts__t_sectors_op_read",
    "l1tex__data_pipe_lsu_wavefronts",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom",
    "idc__requests",
    "idc__requests_lookup_hit",
    "idc__requests_lookup_miss",
]

# Counted by instrumenting the kernels, which is slow.
INSTRUMENTED_METRICS = [
    "smsp__sass_inst_executed_op_global*",
    "smsp__sass_inst_executed_op_shared*",
    "smsp__sass_inst_executed_op_ldc*",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared*",
    "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared*",
]


def run(command: Iterable[str | Path], log: Path | None = None) -> str:
    """Returns what the command prints. Exits with the reason if it fails."""
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if log:
        log.write_text(f"$ {shlex.join(words)}\n{result.stdout}{result.stderr}")
    if result.returncode != 0:
        sys.exit(f"{shlex.join(words)}\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


def first_match(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found.group(1).strip() if found else "unknown"


def lab_files() -> list[tuple[str, str, Path]]:
    """The case name, lab and file of the baselines, solutions and steps of the labs in labs.txt."""
    lines = (CASES / "labs.txt").read_text().splitlines()
    labs = [line for line in lines if line and not line.startswith("#")]
    files = [
        file for lab in labs for pattern in LAB_FILES for file in ROOT.glob(pattern.format(lab))
    ]
    result = []
    for file in sorted(files):
        lab = file.relative_to(ROOT).parts[1]
        step = "solution" if file.stem == lab else file.stem
        result.append((f"lab_{lab}_{step}", lab, file))
    return result


def build(folder: Path, arch: str) -> Path:
    """Compiles the driver with all cases, several files at a time."""
    folders = [f"-I{folder}" for folder in (CASES, KERNELS, CASES.parent)]
    nvcc = ["nvcc", f"-arch={arch}", "-std=c++20", "-lineinfo", *folders]
    jobs = [
        ([*nvcc, "-c", str(file)], folder / f"{file.stem}.o")
        for file in sorted([*KERNELS.glob("*.cu"), CASES / "cases.cpp"])
        if file.name not in NOT_CASES
    ]
    for name, lab, file in lab_files():
        header = ROOT / "labs" / lab / f"{lab}.h"
        defines = [
            f"-DLAB_CASE={name}",
            f'-DLAB_HEADER="{header}"',
            f'-DLAB_FILE="{file}"',
            f"-I{header.parent}",
        ]
        jobs.append(([*nvcc, *defines, "-c", str(KERNELS / "lab_case.cu")], folder / f"{name}.o"))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(lambda job: run([*job[0], "-o", job[1]]), jobs))
    driver = folder / "calibration_driver"
    run([*nvcc, *(target for _, target in jobs), "-o", driver])
    return driver


def known_metrics(ncu: str, wanted: list[str], log: Path) -> list[str]:
    """The metrics that this GPU has. Names the others on stderr."""
    listing = run([ncu, "--query-metrics"], log)
    available = re.findall(r"^(\w+__\w+)\s", listing, re.MULTILINE)
    chosen: list[str] = []
    for pattern in wanted:
        found = fnmatch.filter(available, pattern)
        if not found:
            print(f"this GPU has no metric {pattern}", file=sys.stderr)
        chosen += [name for name in found if name not in chosen]
    if not chosen:
        sys.exit(f"ncu --query-metrics names none of the metrics; see {log}")
    return [f"{name}.sum" for name in chosen]


def profile(ncu: str, driver: Path, metrics: list[str], raw: Path) -> None:
    """Runs all cases in one process under ncu, and writes its table of launches to `raw`."""
    command = [ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"]
    command += ["--metrics", ",".join(metrics), "--log-file", str(raw), str(driver), "run"]
    print(run(command), end="")


def is_count(cell: str | None) -> bool:
    return cell is not None and cell.replace(",", "").isdigit()


def counts_by_case(raw: Path, names: list[str], metrics: list[str]) -> list[tuple[str, str, int]]:
    """Adds up the launches of each case, which are those between two launches of next_case.

    Leaves out zeros, except in the first case, which therefore names all metrics.
    """
    lines = raw.read_text().splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        sys.exit("ncu printed no table:\n" + "\n".join(lines[-20:]))
    rows = list(csv.DictReader(lines[start:]))[1:]  # the first row holds units
    absent = [metric for metric in metrics if any(not is_count(row.get(metric)) for row in rows)]
    if absent:
        print(f"not counted: {', '.join(absent)}", file=sys.stderr)
        metrics = [metric for metric in metrics if metric not in absent]
    totals: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(metrics, 0))
    case = ""
    for row in rows:
        if "next_case" in row["Kernel Name"]:
            position = int(re.findall(r"\d+", row["Grid Size"])[0])
            case = names[position - 1]
            continue
        for metric in metrics:
            totals[case][metric] += int(row[metric].replace(",", ""))
    missing = [name for name in names if name not in totals]
    if missing:
        sys.exit(f"ncu saw no launch of {', '.join(missing)}")
    return [
        (name, metric, totals[name][metric])
        for name in names
        for metric in metrics
        if totals[name][metric] != 0 or name == names[0]
    ]


def provenance(ncu: str) -> list[str]:
    gpu = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    name, driver = (part.strip() for part in gpu.splitlines()[0].split(","))
    return [
        f"GPU: {name}",
        f"driver: {driver}",
        "CUDA: " + first_match(r"release [\d.]+, (V[\d.]+)", run(["nvcc", "--version"])),
        "ncu: " + first_match(r"Version ([\d.]+)", run([ncu, "--version"])),
        f"date: {datetime.date.today()}",
        "one row per case and metric; a case's launches are added up",
        "the first case has all metrics that were counted; the others leave out those that are 0",
    ]


def main() -> None:
    parser = tables.parser(__doc__)
    parser.add_argument("output", type=Path, help="the CSV file to write")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument(
        "--instrumented", action="store_true", help="the slow metrics instead of the usual ones"
    )
    parser.add_argument("--build-only", action="store_true", help="compile the driver and stop")
    arguments = parser.parse_args()

    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    driver = build(work, arguments.arch)
    names = run([driver]).split()
    print(f"{len(names)} cases")
    if arguments.build_only:
        return

    wanted = INSTRUMENTED_METRICS if arguments.instrumented else METRICS
    metrics = known_metrics(arguments.ncu, wanted, work / "query_metrics.log")
    raw = arguments.output.with_suffix(".ncu.csv")
    profile(arguments.ncu, driver, metrics, raw)
    counts = counts_by_case(raw, names, metrics)
    with arguments.output.open("w", newline="") as file:
        file.writelines(f"# {line}\n" for line in provenance(arguments.ncu))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "metric", "value"])
        writer.writerows(counts)
    print(f"{len(counts)} counts in {arguments.output}")


if __name__ == "__main__":
    main()
