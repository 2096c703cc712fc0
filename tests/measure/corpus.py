#!/usr/bin/env python3
"""Counts how many CUDA programs from elsewhere the emulator compiles unmodified, and runs.

    python3 tests/measure/corpus.py DIR... [--out docs/results/coverage.md] [--work DIR] [--run]

DIR is a collection: a clone of NVIDIA's samples, of a benchmark suite or of a course. No file of
it becomes part of this repository. A folder whose sources have one main() is a program; in a folder
with several, each file with a main() is one. nvcc says which programs are CUDA that this machine
can compile at all: those are what counts. `--work` keeps what nvcc said for the next time, and
`--run` runs each program that compiles.
"""

from __future__ import annotations

import argparse
import collections
import datetime
import hashlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "grading"))

from tilelab.backends import nvidia  # noqa: E402
from tilelab.base import process  # noqa: E402
from tilelab.base.errors import CompileError  # noqa: E402
from tilelab.base.files import work_folder, write_atomically  # noqa: E402
from tilelab.programs import compiling, tools  # noqa: E402
from tilelab.programs.compiling import Sources  # noqa: E402
from tilelab.programs.tools import Tools  # noqa: E402

_MAIN = re.compile(r"^\s*(?:int|void|auto)?\s*\bmain\s*\(", re.MULTILINE)
_RUN_SECONDS = 60
_HEADERS = ("Common", "common", "include", "inc", "utils", "book")


@dataclass(frozen=True)
class Program:
    """One program of a collection: its files, and the folders that its headers may be in."""

    collection: str
    name: str
    files: tuple[Path, ...]
    include: tuple[Path, ...]

    @property
    def flags(self) -> list[str]:
        return [f"-I{folder}" for folder in self.include]


@dataclass(frozen=True)
class Outcome:
    """What became of a program. Each reason is "" if there was nothing to say."""

    program: Program
    nvcc_says: str
    compiler_says: str
    ending: str = ""


def programs(root: Path) -> Iterator[Program]:
    """The programs of a collection, those with CUDA in them."""
    folders = sorted({path.parent for path in root.rglob("*.cu")})
    for folder in folders:
        sources = [one for one in sorted(folder.iterdir()) if one.suffix in (".cu", ".cpp", ".cc")]
        mains = [one for one in sources if _has_main(one)]
        include = tuple(_header_folders(folder, root))
        name = str(folder.relative_to(root))
        if len(mains) == 1:
            yield Program(
                root.name, name, (mains[0], *(s for s in sources if s != mains[0])), include
            )
            continue
        for main in mains:
            if main.suffix == ".cu":
                yield Program(root.name, f"{name}/{main.name}", (main,), include)


def _has_main(path: Path) -> bool:
    return _MAIN.search(path.read_text(encoding="utf-8", errors="replace")) is not None


def _header_folders(folder: Path, root: Path) -> Iterator[Path]:
    """The folder itself, and folders of headers next to it or above it."""
    while True:
        yield folder
        yield from (folder / name for name in _HEADERS if (folder / name).is_dir())
        if folder == root:
            return
        folder = folder.parent


def examine(program: Program, tool: Tools, kept: Path, *, run: bool) -> Outcome:
    """Compiles a program with nvcc and for the emulator, and runs it if that is asked for."""
    refused = _nvcc_says(program, kept)
    with work_folder() as work:
        try:
            # What only has to compile need not be fast.
            flags = [*program.flags, *([] if run else ["-O0"])]
            made = compiling.compile_program(
                Sources(program.files, flags), tool, work, checked=False
            )
        except CompileError as error:
            return Outcome(program, refused, _reason(error.messages))
        if not run or refused:
            return Outcome(program, refused, "")
        return Outcome(program, refused, "", _ending(made, program.files[0].parent))


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


def _ending(made: Path, folder: Path) -> str:
    """How a program ended: "ran", or what went wrong."""
    environment = {**os.environ, "TILELAB_STUCK": "10"}
    finished = process.run([made], seconds=_RUN_SECONDS, cwd=folder, env=environment)
    if finished.timed_out:
        return f"needs more than {_RUN_SECONDS} s"
    if finished.status == 0:
        return "ran"
    said = [line for line in finished.output.splitlines() if line.strip()] or [""]
    return f"ended with status {finished.status}: {said[-1][:120]}"


def page(outcomes: Sequence[Outcome], ran: bool) -> str:
    """The page of results."""
    counted = [one for one in outcomes if not one.nvcc_says]
    lines = [
        "# Programs from elsewhere on the emulator",
        "",
        f"Written by `python3 tests/measure/corpus.py DIR...` on {datetime.date.today()}, with",
        f"nvcc {nvidia.nvcc_version()}. Each program was compiled unmodified, as `./tilelab run`"
        " does it.",
        "Only programs that nvcc accepts count.",
        "",
        "| collection | programs | accepted by nvcc | compiled | share |"
        + (" ran |" if ran else ""),
        "| --- | --: | --: | --: | --: |" + (" --: |" if ran else ""),
    ]
    names = sorted({one.program.collection for one in outcomes})
    for name in [*names, None]:
        chosen = [one for one in outcomes if name in (one.program.collection, None)]
        lines.append(_row(name or "all", chosen, ran))
    lines += [
        "",
        "## Why programs did not compile",
        "",
        "| programs | first error |",
        "| --: | --- |",
    ]
    reasons = collections.Counter(one.compiler_says for one in counted if one.compiler_says)
    lines += [f"| {count} | {_cell(reason)} |" for reason, count in reasons.most_common()]
    if ran:
        lines += ["", "## How programs ended", "", "| programs | ending |", "| --: | --- |"]
        endings = collections.Counter(one.ending for one in counted if one.ending)
        lines += [f"| {count} | {_cell(ending)} |" for ending, count in endings.most_common()]
    lines += ["", "## Each program that did not compile", ""]
    lines += [
        f"- {one.program.collection}/{one.program.name}: {_cell(one.compiler_says)}"
        for one in counted
        if one.compiler_says
    ]
    return "\n".join(lines) + "\n"


def _row(name: str, chosen: Sequence[Outcome], ran: bool) -> str:
    accepted = [one for one in chosen if not one.nvcc_says]
    compiled = [one for one in accepted if not one.compiler_says]
    share = f"{100 * len(compiled) / len(accepted):.0f} %" if accepted else "-"
    row = f"| {name} | {len(chosen)} | {len(accepted)} | {len(compiled)} | {share} |"
    return row + (f" {sum(one.ending == 'ran' for one in compiled)} |" if ran else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, default=REPO / "docs" / "results" / "coverage.md")
    parser.add_argument("--work", type=Path, help="where nvcc's verdicts are kept")
    parser.add_argument("--run", action="store_true", help="also run what compiles")
    arguments = parser.parse_args()
    found = [one for root in arguments.folders for one in programs(root.resolve())]
    tool = tools.prepare(None)
    with work_folder() as work, ThreadPoolExecutor(2) as pool:
        kept = arguments.work or work
        kept.mkdir(parents=True, exist_ok=True)
        jobs = [pool.submit(examine, one, tool, kept, run=arguments.run) for one in found]
        outcomes = [job.result() for job in jobs]
    write_atomically(arguments.out, page(outcomes, arguments.run))
    print(f"Wrote {arguments.out}")


if __name__ == "__main__":
    main()
