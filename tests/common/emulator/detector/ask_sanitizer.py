#!/usr/bin/env python3
"""Runs every detector case under each tool of compute-sanitizer and writes what the tools said.

Needs a GPU, nvcc and compute-sanitizer. Each case runs in a process of its own. The CSV file has a
row per case and tool: what the case expects, and the tool's errors, warnings, messages and lines.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = {
    "memcheck": ["--leak-check", "full"],
    "racecheck": ["--racecheck-report", "analysis"],
    "initcheck": [],
    "synccheck": [],
}
COLUMNS = ["case", "expected", "line_a", "line_b", "debatable"]
COLUMNS += ["tool", "exit", "errors", "warnings", "lines", "messages"]
MESSAGE = re.compile(
    r"^========= ((?:Error|Warning|Info|Invalid|Misaligned|Uninitialized|Barrier|Leaked|Divergent"
    r"|Out-of-range|Program hit|Address|Internal|Target)\b.*)$",
    re.MULTILINE,
)
PLACE = re.compile(r"(\w+\.cu):(\d+)")
CASE_FILES = {path.name for path in HERE.glob("*.cu")} - {"driver.cu"}


@dataclass
class Case:
    name: str
    expected: str
    line_a: str
    line_b: str
    debatable: str


@dataclass
class Answer:
    tool: str
    exit_code: str
    errors: str
    warnings: str
    lines: str
    messages: str
    log: str


def call(command: Iterable[str | Path]) -> str:
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)
    return result.stdout


def build(folder: Path, arch: str) -> Path:
    nvcc = ["nvcc", f"-arch={arch}", "-std=c++20", "-lineinfo", f"-I{HERE}", f"-I{HERE.parent}"]
    sources = sorted([*HERE.glob("*.cu"), HERE / "cases.cpp"])
    objects = [folder / f"{source.stem}.o" for source in sources]
    jobs = [[*nvcc, "-c", s, "-o", o] for s, o in zip(sources, objects, strict=True)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(call, jobs))
    driver = folder / "detector_driver"
    call([*nvcc, *objects, "-o", driver])
    return driver


def summary(text: str) -> tuple[str, str]:
    """Errors and warnings from the tool's last line, which racecheck words differently."""
    if found := re.search(r"RACECHECK SUMMARY: .*?\((\d+) errors?, (\d+) warnings?", text):
        return found.group(1), found.group(2)
    if found := re.search(r"RACECHECK SUMMARY: (\d+) hazards?", text):
        return found.group(1), "0"
    if found := re.search(r"ERROR SUMMARY: (\d+) error", text):
        return found.group(1), "0"
    return "", ""


def ask(driver: Path, sanitizer: list[str], tool: str, case: Case, seconds: float) -> Answer:
    command = [*sanitizer, "--tool", tool, *TOOLS[tool], str(driver), case.name]
    try:
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
            text=True,
        )
        text, exit_code = result.stdout, str(result.returncode)
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
        text = output.decode(errors="replace") if isinstance(output, bytes) else output
        exit_code = "timeout"
    errors, warnings = summary(text)
    places = {int(line) for file, line in PLACE.findall(text) if file in CASE_FILES}
    messages = dict.fromkeys(re.sub(r"0x[0-9a-f]+", "0x", m)[:120] for m in MESSAGE.findall(text))
    lines = " ".join(str(line) for line in sorted(places))
    short = " | ".join(list(messages)[:4])
    return Answer(tool, exit_code, errors, warnings, lines, short, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, help="the CSV file to write; the log goes next to it")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) - 2))
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds per case and tool")
    parser.add_argument("--build-only", action="store_true", help="compile the driver and stop")
    arguments = parser.parse_args()

    arguments.work.mkdir(parents=True, exist_ok=True)
    driver = build(arguments.work, arguments.arch)
    rows = csv.reader(call([driver]).splitlines()[1:])
    cases = [Case(*row) for row in rows]
    print(f"{len(cases)} cases")
    if arguments.build_only:
        return

    if "--initcheck-address-space" in call([arguments.sanitizer, "--help"]):
        TOOLS["initcheck"] += ["--initcheck-address-space", "all"]
    command = [arguments.sanitizer, "--print-level", "info", "--print-limit", "20"]
    jobs = [(case, tool) for case in cases for tool in TOOLS]
    with ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        answers = pool.map(
            lambda job: ask(driver, command, job[1], job[0], arguments.timeout), jobs
        )
        with (
            arguments.output.open("w", newline="") as table,
            arguments.output.with_suffix(".log").open("w") as log,
        ):
            writer = csv.writer(table, lineterminator="\n")
            writer.writerow(COLUMNS)
            for (case, _), answer in zip(jobs, answers, strict=True):
                writer.writerow(
                    [
                        *(case.name, case.expected, case.line_a, case.line_b, case.debatable),
                        *(answer.tool, answer.exit_code, answer.errors, answer.warnings),
                        *(answer.lines, answer.messages),
                    ]
                )
                log.write(f"##### {case.name} {answer.tool}\n{answer.log}\n")
                table.flush()
    print(f"{len(jobs)} answers in {arguments.output}")


if __name__ == "__main__":
    main()
