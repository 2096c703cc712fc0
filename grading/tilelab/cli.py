"""The commands of `tilelab`."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tilelab import (
    advice,
    ask,
    batch,
    bench_plots,
    bench_tables,
    lab,
    machine,
    progress,
    records,
    report,
    report_profile,
    report_verify,
    submission,
    suite,
    toolchain,
)
from tilelab import bench as benching
from tilelab import leaderboard as racing
from tilelab import new_lab as new_lab_module
from tilelab import profile as profiling
from tilelab import quiz as quiz_module
from tilelab import verify as verifying
from tilelab.errors import CompileError, InfraError, Rejected, UserError
from tilelab.lab import REPO
from tilelab.records import Result
from tilelab.setup import doctor as doctor_module
from tilelab.site import doxygen
from tilelab.submission import Session
from tilelab.text import one_line

SAMPLE_CLASS = REPO / "grading" / "sample_class"

app = typer.Typer(
    name="tilelab",
    help="Labs on GPU shared memory: check your own work, or grade a class.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False, soft_wrap=True)

Backend = Annotated[
    str | None,
    typer.Option(help="emulator, emulator-clang or cuda; by default all that count here."),
]

LabName = Annotated[str, typer.Argument(metavar="LAB", help="Which lab, for example diff.")]

File = Annotated[Path | None, typer.Argument(help="Your file; by default the one in labs/LAB.")]

Seed = Annotated[
    int | None, typer.Option(min=0, max=2**64 - 1, help="Repeat a run with its inputs.")
]


@app.command()
def doctor() -> None:
    """Says what this machine has, and what each absence costs."""
    doctor_module.show(console)


@app.command()
def check(
    lab_name: LabName,
    file: File = None,
    backend: Backend = None,
    seed: Seed = None,
) -> None:
    """Tests one submission and shows its score."""
    the_lab = lab.load(lab_name)
    path = _existing(file or the_lab.skeleton)
    session = _session(backend, seed)
    report.show_machine(console, session.machine())
    result = submission.grade(path, the_lab, session)
    report.show_check(console, the_lab, one_line(str(path)), result, session.seed)
    if line := advice.note_check(result, the_lab, path):
        console.print(line, markup=False)
    falls_short = any(criterion.falls_short for criterion in result.criteria)
    raise typer.Exit(0 if result.verdict == "graded" and not falls_short else 1)


@app.command()
def profile(
    lab_name: LabName,
    file: File = None,
    json: Annotated[Path | None, typer.Option(help="Write it all to this file, too.")] = None,
    seed: Seed = None,
) -> None:
    """Shows what a submission's kernels do with memory, launch by launch and line by line."""
    the_lab = lab.load(lab_name)
    path = _existing(file or the_lab.skeleton)
    session = _session(None, seed)
    tools = {one.preset: one for one in session.toolchains}
    try:
        result = profiling.profile(
            path, the_lab, tools["emulator"], tools.get("cuda"), session.seed
        )
    except (Rejected, CompileError) as error:
        raise UserError(f"{one_line(str(path))}: {error}") from error
    report_profile.show(console, result)
    if json:
        profiling.write(json, result)
        console.print(f"Wrote {json}", markup=False)


@app.command()
def grade(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Holds <student>/<lab>.cu.", show_default=False)
    ] = SAMPLE_CLASS,
    out: Annotated[Path, typer.Option(help="Where results.json and gradebook.csv go.")] = Path(
        "results"
    ),
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions at a time; one per processor by default.")
    ] = None,
    labs: Annotated[
        str | None, typer.Option(help="For example diff,nbody; by default all that came in.")
    ] = None,
    backend: Backend = None,
    leaderboard: Annotated[
        bool, typer.Option("--leaderboard", help="Rank who is right by speed, outside the grade.")
    ] = False,
) -> None:
    """Grades a class (the sample class, if no DIR is given)."""
    if leaderboard:
        _assert_usable("cuda")
        if backend not in (None, "cuda"):
            raise UserError(f"--leaderboard times on a GPU: leave out --backend {backend}")
    found = batch.read_class(folder)
    names = _names(labs) if labs else batch.handed_in(found.students)
    if not names:
        raise UserError(
            f"{folder} holds no submission: it needs DIR/<student>/<lab>.cu with a lab of "
            f"{', '.join(lab.all_labs())}"
        )
    the_labs = [lab.load(name) for name in names]
    _make_folder(out)
    session = _session(backend, None)
    report.show_machine(console, session.machine())
    for note in found.notes:
        console.print(note, style="dim", markup=False)
    results = _grade_class(found.students, the_labs, session, jobs or os.cpu_count() or 1, out)
    records.write_results(out / "results.json", session.machine(), session.seed, results)
    records.write_gradebook(out / "gradebook.csv", names, results)
    report.show_class(console, the_labs, results)
    for name in ("results.json", "gradebook.csv"):
        console.print(f"Wrote {out / name}", markup=False)
    if leaderboard:
        _race(found.students, the_labs, session, results, out / "leaderboard.csv")
    if ungraded := sum(result.score is None for result in results):
        console.print(
            f"{ungraded} submissions could not be graded: the machine failed, not they.",
            style="bold yellow",
        )
    missing = len(found.students) * len(the_labs) - len(results)
    if missing:
        console.print(f"Interrupted: {missing} submissions were not graded.", style="bold yellow")
        raise typer.Exit(130)


@app.command()
def verify(
    lab_names: Annotated[
        list[str] | None, typer.Argument(metavar="[LAB...]", help="By default all.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Files at a time; one per processor by default.")
    ] = None,
    backend: Backend = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Of the inputs.")] = 20,
) -> None:
    """For instructors: whether each lab judges its own solutions and mistakes as it should."""
    names = dict.fromkeys(lab_names or lab.all_labs())
    labs = [lab.load(name) for name in names]
    session = _session(backend, seed)
    report.show_machine(console, session.machine())
    total = sum(len(verifying.checks(one)) for one in labs)
    with _bars("Verifying") as bars:
        bar = bars.add_task("", total=total)
        found = verifying.verify(
            labs, session, jobs or os.cpu_count() or 1, lambda: bars.advance(bar)
        )
    report_verify.show(console, found)
    raise typer.Exit(1 if any(one.problems for one in found) else 0)


@app.command()
def bench(
    lab_names: Annotated[
        list[str] | None, typer.Argument(metavar="[LAB]...", help="By default all labs.")
    ] = None,
    peers: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Times other libraries and prints JSON; see tests/measure/others/time_others.py.",
        ),
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Time nothing: only write the tables again.")
    ] = False,
) -> None:
    """For maintainers: times the solutions' ladders on a GPU, and writes docs/results."""
    if tables:
        written = sorted(benching.RESULTS.glob("*.json"))
    else:
        labs = [lab.load(name) for name in dict.fromkeys(lab_names or lab.all_labs())]
        session = _session("cuda", seed=None)
        report.show_machine(console, session.machine())
        written = [benching.run(labs, session, peers, lambda one: console.print(one.name))]
    for results in written:
        # The plots come first: the page shows those that are there.
        for path in [results, *bench_plots.write(results), *bench_tables.write(results)]:
            console.print(f"Wrote {path}", markup=False)


@app.command("new-lab")
def new_lab(
    name: Annotated[str, typer.Argument(metavar="NAME", help="For example matrix_transpose.")],
) -> None:
    """For instructors: writes the files of another lab, a tiny one that works."""
    for path in new_lab_module.make(name):
        console.print(f"Wrote {path}", markup=False)
    console.print(
        f"Next: make it yours, where TODO(instructor) stands, and run ./tilelab verify {name}",
        markup=False,
    )


@app.command()
def test() -> None:
    """Builds and tests everything that this machine can run."""
    raise typer.Exit(suite.run(console))


@app.command()
def docs() -> None:
    """Builds the documentation as a web site."""
    doxygen.show(console)


@app.command()
def hint(lab_name: LabName) -> None:
    """Gives the next hint for what failed last, and what comes next when nothing did."""
    the_lab = lab.load(lab_name)
    lines, state = advice.hint(the_lab, progress.load(lab_name))
    console.print("\n".join(lines), markup=False)
    progress.save(lab_name, state)


@app.command()
def quiz(lab_name: LabName) -> None:
    """Asks the handout's questions that have a number for an answer."""
    questions = quiz_module.load(lab.load(lab_name))
    raise typer.Exit(ask.ask_all(questions, console))


def _names(labs: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in labs.split(",")))


def _existing(path: Path) -> Path:
    if not os.path.lexists(path):
        raise UserError(f"{one_line(str(path))}: there is no such file")
    return path


def _session(backend: str | None, seed: int | None) -> Session:
    presets = [backend] if backend else machine.default_backends()
    for preset in presets:
        _assert_usable(preset)
    with console.status("Building the harness (this takes a while the first time)..."):
        prepared = [toolchain.prepare(preset) for preset in presets]
    return Session(prepared, secrets.randbits(63) if seed is None else seed)


def _assert_usable(preset: str) -> None:
    if preset not in toolchain.BACKENDS:
        raise UserError(f"there is no backend '{preset}': {', '.join(toolchain.BACKENDS)}")
    if preset == "cuda" and machine.nvcc() is None:
        raise UserError("the backend cuda needs nvcc: install the CUDA Toolkit")
    if preset == "cuda" and machine.gpu() is None:
        raise UserError("the backend cuda needs an NVIDIA GPU; this machine shows none")
    if preset == "emulator-clang" and machine.version("clang++") is None:
        raise UserError("the backend emulator-clang needs clang++: install clang")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from error
    if not os.access(out, os.W_OK):
        raise UserError(f"{out}: cannot be written to")


def _grade_class(
    students: list[Path], labs: list[lab.Lab], session: Session, jobs: int, out: Path
) -> list[Result]:
    total = len(students) * len(labs)
    log = out / "grader.log"
    log.unlink(missing_ok=True)
    if not console.is_terminal:
        done: list[Result] = []

        def say(result: Result) -> None:
            done.append(result)
            console.print(
                f"[{len(done)}/{total}] {result.student}/{result.lab}.cu: {result.verdict}",
                markup=False,
            )

        return list(batch.grade(students, labs, session, jobs, log, say))
    with _bars("Grading") as bars:
        bar = bars.add_task("", total=total)
        return list(batch.grade(students, labs, session, jobs, log, lambda _: bars.advance(bar)))


def _race(
    students: list[Path],
    labs: list[lab.Lab],
    session: Session,
    results: list[Result],
    path: Path,
) -> None:
    tool = next(one for one in session.toolchains if one.needs_gpu)
    folders = {one_line(student.name): student for student in students}
    with _bars("Racing") as bars:
        bar = bars.add_task("", total=None)
        board = racing.race(results, folders, labs, tool, session.seed, lambda _: bars.advance(bar))
    racing.show(console, board)
    racing.write(path, board)
    console.print(f"Wrote {path}", markup=False)


def _bars(doing: str) -> Progress:
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _interrupt(signum: int, _: object) -> None:
    # As Ctrl-C: work folders are removed and running programs stopped.
    raise KeyboardInterrupt


def main() -> None:
    """Runs the command line; exit status 2 and one clear line for what the user got wrong."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        app(prog_name="tilelab")
    except UserError as error:
        _fail(one_line(str(error)), 2)
    except InfraError as error:
        _fail(str(error), 3)


def _fail(message: str, status: int) -> None:
    print(f"tilelab: {message}", file=sys.stderr)
    sys.exit(status)
