"""Grades the attacks of tests/integrity on a GPU.

    ./tilelab measure integrity [FOLDER...]

Grades every file, or those of some folders, on the emulator and on this machine's GPU together,
several at a time, as a class is graded, and compares with what its head says. Then it looks for
what they left behind, and grades a reference solution. The rows take the place of earlier ones in
docs/results/integrity_GPU.csv, and are saved one by one: all of them take a quarter of an hour.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from left_behind import State, new_in
from tables import Row, Table, filled, line
from tilelab import backends
from tilelab.base.repository import REPO
from tilelab.bench import results_file
from tilelab.labs import lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session

sys.path.insert(0, str(REPO / "tests" / "integrity"))
import heads

# One of them uses the GPU, the others compile or are on the emulator.
_AT_ONCE = 12

HEAD = """\
# Attacks on a GPU

Each file of [tests/integrity](../../tests/integrity/README.md) was graded on the emulator and on
the GPU together, several files at a time. *As its head says*: it got the verdict, the points and
the message that it must get; cheats earn nothing that they did not work for, and honest files lose
nothing. Files that show what they try *only on the emulator* were graded as well, and are listed
below. `./tilelab measure integrity` does this, and writes a CSV file of the page's name.

"""

ONLY_ON_THE_EMULATOR = """
## Only on the emulator

What these files try cannot be done on a GPU, or cannot be seen there. On the emulator, nothing is
earned for speed.

"""


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    folders = parser.parse_args().folders
    device = backends.device()
    if device is None:
        sys.exit("integrity.py: this machine has no GPU")
    files = [path for path in heads.FILES if not folders or path.parent.name in folders]
    session = Session([toolchain.prepare("emulator"), toolchain.prepare("cuda")], seed=20)
    machine = session.machine()
    facts = {
        "machine": f"{device.name}, driver {device.driver}, {machine['compiler']}",
        "sandbox": str(machine["sandbox"]),
        "date": datetime.date.today().isoformat(),
    }
    results = tables.RESULTS / f"integrity_{results_file.slug(device.name)}.csv"
    _reference(session)  # makes what stays, such as the file that locks the GPU
    before = State.now()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for row in pool.map(lambda path: _graded(path, session), files):
            _save(results, facts, [row])
    facts[f"left behind by the last {len(files)}"] = new_in(State.now(), before)
    facts["a reference solution then earned"] = _reference(session)
    _save(results, facts, [])


def _save(results: Path, facts: Mapping[str, str], new: Sequence[Row]) -> None:
    """Adds rows to those that are there, in the order of the folders."""
    known = {(row["folder"], row["file"]): row for row in (*tables.rows(results), *new)}
    names = [(path.parent.name, path.stem) for path in heads.FILES]
    if missing := ["/".join(name) for name in names if name not in known]:
        facts = {**facts, "not graded yet": ", ".join(missing)}
    tables.publish(results, Table(facts, [known[name] for name in names if name in known]), page)


def _graded(path: Path, session: Session) -> Row:
    head = heads.read(path)
    result = submission.grade(path, head.lab, session)
    row = {
        "folder": path.parent.name,
        "file": path.stem,
        "needs": head.needs,
        "expected": head.earns,
        "verdict": result.verdict,
        "earns": _earned(result),
        "differs": heads.problem(head, result) or "",
    }
    print(row, [text for one in result.criteria for text in one.messages], flush=True)
    return row


def _earned(result: Result) -> str:
    earned = [f"{one.name} {one.points:g}" for one in result.criteria if one.points > 0]
    return ", ".join(earned) or "nothing"


def _reference(session: Session) -> str:
    """What the machine still gives to an honest file."""
    of = lab.load("diff")
    return _earned(submission.grade(of.reference, of, session))


def page(table: Table) -> str:
    rows = [row for row in table.rows if row["needs"] != "emulator"]
    others = [row for row in table.rows if row["needs"] == "emulator"]
    text = HEAD + line("folder", "files", "as their heads say", "only on the emulator") + "\n"
    text += line("---", *["---:"] * 3) + "\n"
    for name, some in table.by("folder").items():
        text += line(name, *_counts(some)) + "\n"
    text += line("*all*", *_counts(table.rows)) + "\n"
    text += "".join(
        "\n" + filled(f"- {row['folder']}/{row['file']}: {row['differs']}") + "\n"
        for row in rows
        if row["differs"]
    )
    if others:
        text += ONLY_ON_THE_EMULATOR + line("file", "must earn there", "earns with a GPU") + "\n"
        text += line(*["---"] * 3) + "\n"
        for row in others:
            name = f"`{row['folder']}/{row['file']}.cu`"
            text += line(name, row["expected"], row["earns"]) + "\n"
    text += "\n## The machine\n\n"
    return text + "".join(filled(f"- {name}: {what}") + "\n" for name, what in table.facts.items())


def _counts(rows: Sequence[Row]) -> tuple[int, int, int]:
    compared = [row for row in rows if row["needs"] != "emulator"]
    right = sum(not row["differs"] for row in compared)
    return len(rows), right, len(rows) - len(compared)


if __name__ == "__main__":
    main()
