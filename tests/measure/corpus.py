#!/usr/bin/env python3
"""Counts how many CUDA programs from elsewhere the emulator compiles unmodified, and runs.

    python3 tests/measure/corpus.py DIR... [--out docs/results/coverage.md] [--work DIR]
        [--run SECONDS]

DIR is a collection: a clone of NVIDIA's samples, of a benchmark suite or of a course. No file of
it becomes part of this repository. A folder whose sources have one main() is a program; in a folder
with several, each file with a main() is one. A file that another one includes is no source. nvcc
says which programs are CUDA that this machine can compile at all: those are what counts. `--work`
keeps what nvcc said for the next time, and `--run` gives each program that compiles so many
seconds: it uses the arguments of the program's Makefile, and reads what the program says of its
own results.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "grading"))

from corpora import page  # noqa: E402
from corpora.outcomes import (  # noqa: E402
    ENDED_WITH_ERROR,
    NO_CHECK,
    RIGHT,
    TOO_SLOW,
    WAIVED,
    WRONG,
    Outcome,
)
from corpora.programs import Program, programs, text_of  # noqa: E402

from tilelab.backends import nvidia  # noqa: E402
from tilelab.base import process  # noqa: E402
from tilelab.base.errors import CompileError  # noqa: E402
from tilelab.base.files import work_folder, write_atomically  # noqa: E402
from tilelab.programs import compiling, tools  # noqa: E402
from tilelab.programs.compiling import Sources  # noqa: E402
from tilelab.programs.tools import Tools  # noqa: E402

_PASSED = re.compile(r"\bpass(?:ed)?\b|\bmatch(?:es)?\b|\bsuccess|\bcorrect\b", re.IGNORECASE)
_FAILED = re.compile(
    r"(?<!\b0 )\b(?:fail|failed|failure)\b"
    r"|\b(?:not|n't) match|\bmismatch|\bincorrect|\bnot correct",
    re.IGNORECASE,
)
_WAIVED = 2  # what NVIDIA's samples return where a machine lacks something


def examine(program: Program, tool: Tools, kept: Path, seconds: float) -> Outcome:
    """Compiles a program with nvcc and for the emulator, and runs it for so many seconds."""
    refused = _nvcc_says(program, kept)
    if refused:
        return Outcome(program, refused, "")
    with work_folder() as work:
        try:
            # What only has to compile need not be fast.
            flags = [*program.flags, *([] if seconds else ["-O0"])]
            made = compiling.compile_program(
                Sources(program.files, flags), tool, work, checked=False
            )
        except CompileError as error:
            reason = _reason(error.messages)
            if reason.startswith("undefined") and not _nvcc_links(program, work):
                return Outcome(program, "", "", is_linked=False)
            return Outcome(program, "", reason)
        return Outcome(program, "", "", _ending(made, program, seconds) if seconds else "")


def _nvcc_links(program: Program, work: Path) -> bool:
    nvcc = str(nvidia.nvcc())
    words = [nvcc, "-w", "-arch=sm_90", "-Xcicc", "-O0", *program.flags, "-Xcompiler", "-fopenmp"]
    made = ["-o", str(work / "linked")]
    return process.run([*words, *map(str, program.files), *made], seconds=600).status == 0


def _nvcc_says(program: Program, kept: Path) -> str:
    """Why nvcc refuses a program, "" if it accepts each file."""
    digest = hashlib.sha256()
    for file in program.files:
        digest.update(str(file).encode() + file.read_bytes())
    note = kept / digest.hexdigest()
    if note.exists():
        return note.read_text(encoding="utf-8")
    said = next(filter(None, (_nvcc_refuses(file, program.flags) for file in program.files)), "")
    note.write_text(said, encoding="utf-8")
    return said


def _nvcc_refuses(file: Path, flags: Sequence[str]) -> str:
    nvcc = nvidia.nvcc()
    if nvcc is None:
        sys.exit("nvcc is not installed here, and it says what counts")
    words = [str(nvcc), "-w", "-arch=sm_90", "-Xcicc", "-O0", "-Xptxas", "-O0", *flags]
    words += ["-cuda", str(file)]
    if file.suffix != ".cu":
        words = [str(nvcc), "-w", *flags, "-E", str(file)]
    finished = process.run([*words, "-o", "/dev/null"], seconds=600, keep=64 * 1024)
    return "" if finished.status == 0 else _reason(finished.output.splitlines()) or "?"


def _reason(lines: Sequence[str]) -> str:
    """The first error, without its place."""
    undefined = next((line for line in lines if "undefined reference" in line), None)
    if undefined:
        return re.sub(r".*undefined", "undefined", undefined)[:160]
    for line in lines:
        if match := re.search(r"(?:error|fatal error)\s*:\s*(.*)", line):
            return match[1].strip()[:160]
    return (lines[0] if lines else "?")[:160]


def _ending(made: Path, program: Program, seconds: float) -> str:
    """How a program ended, and what it says of its results."""
    environment = {**os.environ, "TILELAB_STUCK": "10"}
    finished = process.run(
        [made, *_arguments(program)], seconds=seconds, cwd=program.folder, env=environment
    )
    if finished.timed_out:
        return TOO_SLOW
    if _FAILED.search(finished.output):
        return WRONG
    if finished.status == _WAIVED:
        return WAIVED
    if finished.status != 0:
        return ENDED_WITH_ERROR
    return RIGHT if _PASSED.search(finished.output) else NO_CHECK


def _arguments(program: Program) -> list[str]:
    """The arguments with which the Makefile next to the program runs it."""
    makefile = program.folder / "Makefile"
    if not makefile.is_file():
        return []
    match = re.search(
        r"^run:.*\n\t(?:\$\(LAUNCHER\)\s*)?\./\$\(program\)(.*)$", text_of(makefile), re.M
    )
    words = match[1].split() if match else []
    return [] if any(re.search(r"[$|<>;&`]", word) for word in words) else words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, default=REPO / "docs" / "results" / "coverage.md")
    parser.add_argument("--work", type=Path, help="where nvcc's verdicts are kept")
    parser.add_argument("--run", type=float, default=0, metavar="SECONDS", help="run programs")
    arguments = parser.parse_args()
    found = [one for root in arguments.folders for one in programs(root.resolve())]
    tool = tools.prepare(None)
    with work_folder() as work, ThreadPoolExecutor(2) as pool:
        kept = arguments.work or work
        kept.mkdir(parents=True, exist_ok=True)
        jobs = [pool.submit(examine, one, tool, kept, arguments.run) for one in found]
        outcomes = [job.result() for job in jobs]
    write_atomically(arguments.out, page.text(outcomes, arguments.run))
    print(f"Wrote {arguments.out}")


if __name__ == "__main__":
    main()
