"""Counts CUDA programs from elsewhere that the emulator runs.

    ./tilelab measure corpora DIR... [--out docs/results/coverage.md] [--work DIR]
        [--run SECONDS] [--findings FILE] [--base VERSION [--again NAME...]]

It compiles them unmodified. DIR is a collection: a clone of NVIDIA's samples, of a benchmark suite
or of a course. No file of it becomes part of this repository. A folder whose sources have one
main() is a program; in a folder with several, each file with a main() is one. A file that another
one includes is no source. nvcc says which programs are CUDA that this machine can compile at all:
those are what counts.

`--run` gives each program that compiles so many seconds in the fast build, and twice as many in the
checked build. It uses the arguments of arguments.toml or of the program's Makefile, and reads what
the program says of its own results. A person says in verdicts.toml whether what the checked build
finds is right, and in endings.toml why a program ended badly; `--findings` writes down what there
is to judge.

`--work` keeps every result at once. The next run measures only what has changed: the program, its
arguments, the time that it gets, or the emulator. After a small change of the emulator, `--base
VERSION` takes what an earlier version has measured, but for the programs that `--again NAME` names.
The page says which version each was. `--kept-only` measures nothing more: the page names the
programs that it leaves out.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compilers
import page
import sgemm
import tables
import verdicts
from endings import read_endings
from kept import Kept, digest_of, emulator_version
from outcomes import Outcome, Run
from programs import Program, programs
from running import arguments_of, run
from tilelab.base.files import work_folder, write_atomically
from tilelab.programs import tools
from tilelab.programs.tools import Tools

_HERE = Path(__file__).resolve().parent
_CHECKED_TAKES = 2  # times as many seconds as the fast build


class Examiner:
    """Compiles programs with nvcc and for the emulator, and runs them for so many seconds."""

    def __init__(self, tool: Tools, kept: Kept, options: argparse.Namespace) -> None:
        self._tool = tool
        self._kept = kept
        self._seconds: float = options.run
        self._base: str = options.base
        self._again: list[str] = options.again
        self._kept_only: bool = options.kept_only

    def examine(self, program: Program) -> Outcome:
        files = digest_of(list(program.files)) + str(program.flags)
        if self._is_missing(program, files):
            return Outcome(program, "", is_left_out=True)
        refused = self._kept.get(f"nvcc {files}", lambda: compilers.nvcc_says(program))
        if refused:
            return Outcome(program, refused)
        rest = f"{files} {self._seconds} {arguments_of(program)}"
        version = self._version(program, rest)
        key = f"{version} {rest}"
        compiled = self._kept.get(f"fast {key}", lambda: self._compile_and_run(program, False))
        if compiled["refused"] and compiled["linked"]:
            return Outcome(program, "", compiled["refused"], version=version)
        if not compiled["linked"]:
            return Outcome(program, "", is_linked=False, version=version)
        if not self._seconds:
            return Outcome(program, "", version=version)
        fast = Run.from_json(compiled["run"])
        if self._kept_only and self._kept.known(f"checked {key}") is None:
            return Outcome(program, "", fast=fast, version=version)
        checked = self._kept.get(f"checked {key}", lambda: self._compile_and_run(program, True))
        if checked["refused"]:
            reason = checked["refused"]
            return Outcome(program, "", fast=fast, checked_compiler_says=reason, version=version)
        ran = Run.from_json(checked["run"])
        return Outcome(program, "", fast=fast, checked=ran, version=version)

    def _is_missing(self, program: Program, files: str) -> bool:
        """Whether there is no time left to measure the program."""
        if not self._kept_only:
            return False
        refused = self._kept.known(f"nvcc {files}")
        rest = f"{files} {self._seconds} {arguments_of(program)}"
        fast = self._kept.known(f"fast {self._version(program, rest)} {rest}")
        return refused is None or (refused == "" and fast is None)

    def _version(self, program: Program, rest: str) -> str:
        """The version of the emulator whose results count for a program."""
        name = f"{program.collection}/{program.name}"
        is_asked_again = any(one in name for one in self._again)
        fast, checked = (
            self._kept.known(f"{one} {self._base} {rest}") for one in ("fast", "checked")
        )
        has_base = checked is not None or (
            fast is not None and (fast["refused"] or self._kept_only)
        )
        return self._base if self._base and has_base and not is_asked_again else emulator_version()

    def _compile_and_run(self, program: Program, checked: bool) -> dict[str, object]:
        with work_folder() as work:
            optimized = self._seconds > 0
            made, refused = compilers.compile_for_emulator(
                program, self._tool, work, checked=checked, optimized=optimized
            )
            if made is None or not self._seconds:
                lacks_library = refused.startswith("undefined")
                linked = not lacks_library or compilers.nvcc_links(program, work)
                return {"refused": refused, "linked": linked}
            seconds = self._seconds * (_CHECKED_TAKES if checked else 1)
            ended = run(made, program, self._tool, seconds, checked=checked)
            print(f"{program.name}: {ended.ending}, {ended.seconds} s", flush=True)
            return {"refused": "", "linked": True, "run": ended.as_json()}


def main() -> None:
    parser = tables.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, default=tables.RESULTS / "coverage.md")
    parser.add_argument("--work", type=Path, help="where results are kept")
    parser.add_argument("--run", type=float, default=0, metavar="SECONDS", help="run programs")
    parser.add_argument("--findings", type=Path, help="write what there is to judge to this file")
    parser.add_argument("--base", default="", metavar="VERSION", help="results that count, too")
    parser.add_argument("--again", nargs="*", default=[], metavar="NAME", help="measure these")
    parser.add_argument("--kept-only", action="store_true", help="leave out what is not measured")
    arguments = parser.parse_args()
    folders = [root.resolve() for root in arguments.folders]
    found = [one for root in folders for one in programs(root)]
    found += [sgemm.program(root) for root in folders if sgemm.is_in(root)]
    tool = tools.prepare(None)
    with work_folder() as work, ThreadPoolExecutor(2) as pool:
        examiner = Examiner(tool, Kept(arguments.work or work), arguments)
        outcomes = list(pool.map(examiner.examine, found))
    judged = verdicts.judge(outcomes, verdicts.read(_HERE / "verdicts.toml"))
    if arguments.findings:
        write_atomically(arguments.findings, verdicts.to_judge(outcomes, judged))
    reasons = read_endings(_HERE / "endings.toml")
    write_atomically(arguments.out, page.text(outcomes, judged, reasons, arguments.run))
    print(f"Wrote {arguments.out}")


if __name__ == "__main__":
    main()
