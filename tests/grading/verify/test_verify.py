"""Verify finds everything that can be wrong with a lab: each test breaks one thing."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from support import REPO
from tilelab.backends.base import Backend
from tilelab.labs import lab
from tilelab.pipeline.harness.session import Session
from tilelab.screens.verify import show_findings
from tilelab.verify import consistency, lab_files
from tilelab.verify.lab_files import Check, Findings, Kind

of_judged = pytest.mark.drawn(pool="files that are judged wrong", count=3)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The texts of one lab, to be broken."""
    for part in ("labs/diff", "solutions/diff", "common/judge", "common/report"):
        shutil.copytree(REPO / part, tmp_path / part)
    (tmp_path / "tests" / "labs").mkdir(parents=True)
    shutil.copytree(REPO / "tests" / "labs" / "diff", tmp_path / "tests" / "labs" / "diff")
    return tmp_path


def problems(repo: Path) -> list[str]:
    return consistency.problems(lab.load("diff", repo))


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("labs/diff/lab.toml", "points = 40", "points = 41", "add up to 101, not 100"),
        ("labs/diff/diff.cu", "(1 line)", "(a line)", "is not the skeleton that `reset` restores"),
        ("labs/diff/.skeleton.cu", "(1 line)", "(a line)", "cp labs/diff/diff.cu labs/diff/.sk"),
        ("labs/diff/diff.cu", "TODO 4", "To do 4", "has the TODOs 1, 2, 3, but"),
        ("labs/diff/diff.cu", "TODO 4", "TODO 3", "has the TODOs 1, 2, 3, 3, but"),
        ("labs/diff/diff.cu", "TODO 4", "TODO 5", "lab.toml has the tasks 1, 2, 3, 4"),
        ("labs/diff/README.md", "5. **Move", "6. **Move", "its tasks 1, 2, 3, 4, 6"),
        (
            "labs/diff/README.md",
            "**Wait for",
            "**Stop for",
            "task 3 is 'Stop for the tile', but",
        ),
        (
            "solutions/diff/mistakes/saturates.cu",
            "// Task: 4",
            "// Task: 4, 1",
            "saturates.cu: '// Task: 4, 1' must be a number, or two with 'or' between",
        ),
        ("labs/diff/README.md", "## Tasks", "## Work", "task 1 is 'missing', but"),
        (
            "labs/diff/README.md",
            "## Tasks",
            f"{'word ' * consistency.LONGEST_HANDOUT}\n## Tasks",
            "words besides code and folded answers, and a lesson has at most 1,200",
        ),
        (
            "labs/diff/lab.toml",
            '["order", "data_race", "divergent_barrier"]',
            '["order", "rice"]',
            "names 'rice', which",
        ),
        ("labs/diff/lab.toml", '["<<<', '["block", "<<<', "has the code of task 1"),
        ("labs/diff/lab.toml", '["<<<', '["<<<<<', "no file has the code '<<<<<"),
        ("labs/diff/lab.toml", '["<<<', '["(?:.|.)*!!', "code '(?:.|.)*!!(?!block,)' takes"),
        ("labs/diff/lab.toml", "`int4` per", "`tile[block]` per", "whose code is in the skeleton"),
        (
            "labs/diff/lab.toml",
            "bytes_per_load",
            "bytes",
            "goes by 'bytes'; the metrics are",
        ),
        ("labs/diff/README.md", "5. **Move", "5. **Load", "task 5 is 'Load more per thread', but"),
        (
            "labs/diff/lab.toml",
            'metric = "bytes_per_load"\nbelow = 8',
            'unless = "nowhere"',
            "task 5 would come for the reference solution too: it lacks 'nowhere'",
        ),
        ("labs/diff/lab.toml", "\ndata_race = ", "\nrice = ", "no test uses the pattern 'rice'"),
        ("labs/diff/lab.toml", "data_race_global", "data_race_far", "the pattern 'data_race_far'"),
        ("labs/diff/README.md", "its own `tx`?", "its own tx?", "question 1 is not in the handout"),
        ("tests/labs/diff/judge.cpp", '"[estimated]"', '"[x]"', "no test has the tag [estimated]"),
        (
            "labs/diff/quiz.toml",
            "answer = 12\n",
            "",
            "questions[1].answer is missing: it must be a number",
        ),
        (
            "solutions/diff/mistakes/saturates.cu",
            "// Task:",
            "// Needs: a large GPU\n// Task:",
            "'// Needs: a large GPU' must be like 'compute capability 9.0'",
        ),
        (
            "solutions/diff/mistakes/saturates.cu",
            "// Says:",
            "// Says",
            "solutions/diff/mistakes/saturates.cu needs a line '// Says: ...'",
        ),
        (
            "solutions/diff/mistakes/saturates.cu",
            "// Test:",
            "\n// Test:",  # no longer in the comment at its top
            "solutions/diff/mistakes/saturates.cu needs a line '// Test: ...'",
        ),
    ],
)
def test_texts_that_disagree(copy: Path, file: str, old: str, new: str, sentence: str) -> None:
    assert problems(copy) == []
    path = copy / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    found = problems(copy)
    assert any(sentence in problem for problem in found), found
    assert not any("\n" in problem for problem in found)


@pytest.mark.parametrize("uncounted", ["    {}", "```\n{}\n```", "<details>\n{}\n</details>"])
def test_code_and_folded_answers_make_no_handout_too_long(copy: Path, uncounted: str) -> None:
    path = copy / "labs" / "diff" / "README.md"
    more = uncounted.format("word " * consistency.LONGEST_HANDOUT)
    path.write_text(path.read_text().replace("## Tasks", f"{more}\n\n## Tasks"))
    assert problems(copy) == []


@pytest.mark.parametrize(
    "name",
    ["labs/diff/diff.h", "labs/diff/baseline.cu", "labs/diff/README.md", "solutions/diff/diff.cu"],
)
def test_a_file_that_is_missing(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert problems(copy) == [f"{name} is missing"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("labs/diff/README.md", b"\xff\xfe\0", "has bytes in line 1 that are not UTF-8"),
        ("labs/diff/diff.cu", b"a\n\xe4", "has bytes in line 2 that are not UTF-8"),
        ("labs/diff/.skeleton.cu", b"", "is empty"),
        ("solutions/diff/diff.cu", b"\xe4", "has bytes in line 1"),
        ("solutions/diff/mistakes/saturates.cu", b"\xe4", "has bytes in line 1"),
    ],
)
def test_a_file_that_is_no_text(copy: Path, name: str, content: bytes, sentence: str) -> None:
    (copy / name).write_bytes(content)
    (found,) = problems(copy)
    assert found.startswith(f"{name} {sentence}")
    # None of the files is judged, and it takes no session.
    (findings,) = lab_files.verify([lab.load("diff", copy)], Session([], 1), 1, lambda: None)
    assert findings.problems == [found] and findings.total == {}


def test_a_lab_without_a_quiz(copy: Path) -> None:
    (copy / "labs" / "diff" / "quiz.toml").unlink()
    (found,) = problems(copy)
    assert "diff has no quiz" in found


def test_too_few_mistakes(copy: Path) -> None:
    for path in sorted((copy / "solutions" / "diff" / "mistakes").iterdir())[9:]:
        path.unlink()
    assert problems(copy) == [
        "solutions/diff/mistakes has 9 mistakes; a lab needs at least 10",
    ]


def check_of(copy: Path, kind: Kind, name: str) -> Check:
    checks = lab_files.checks(lab.load("diff", copy))
    return next(one for one in checks if (one.kind, one.path.name) == (kind, name))


def replaced(source: str, target: str, edit: Callable[[str], str] = str) -> Callable[[Path], None]:
    def apply(copy: Path) -> None:
        (copy / target).parent.mkdir(exist_ok=True)
        (copy / target).write_text(edit((REPO / source).read_text()))

    return apply


BASELINE, REFERENCE = "labs/diff/baseline.cu", "solutions/diff/diff.cu"
BARRIER = "solutions/diff/mistakes/missing_barrier.cu"
STEP = "solutions/diff/ladder/9_step.cu"
CHALLENGE = "solutions/diff/challenge/other_way.cu"


@of_judged
@pytest.mark.parametrize(
    ("kind", "name", "change", "sentence"),
    [
        ("skeleton", "diff.cu", replaced(REFERENCE, "labs/diff/diff.cu"), "the skeleton passes"),
        ("skeleton", "diff.cu", replaced(BARRIER, "labs/diff/diff.cu"), "point to task 3, not"),
        (
            "skeleton",
            "diff.cu",
            replaced("labs/diff/diff.cu", "labs/diff/diff.cu", lambda text: text + "oops\n"),
            "labs/diff/diff.cu: compile_error: ",
        ),
        ("baseline", "baseline.cu", replaced(REFERENCE, BASELINE), "gets all points for memory"),
        ("baseline", "baseline.cu", replaced(BARRIER, BASELINE), "loses points for correctness: "),
        ("reference", "diff.cu", replaced(BARRIER, REFERENCE), "loses points for correctness: "),
        ("ladder", "9_step.cu", replaced(BASELINE, STEP), "loses points for memory: "),
        ("ladder", "other_way.cu", replaced(BARRIER, CHALLENGE), "loses points for correctness: "),
        (
            "ladder",
            "9_step.cu",
            replaced(REFERENCE, STEP, lambda text: "// Misses: memory\n" + text),
            "'// Misses:' names memory, but it passes",
        ),
        (
            "ladder",
            "9_step.cu",
            replaced(REFERENCE, STEP, lambda text: "// Misses: memories\n" + text),
            "names memories, which is not a criterion",
        ),
        (
            "mistakes",
            "saturates.cu",
            replaced(REFERENCE, "solutions/diff/mistakes/saturates.cu", lambda text: HEAD + text),
            "'diff wraps on overflow' does not say 'out is wrong'. It says: ",
        ),
    ],
)
def test_a_file_that_is_not_judged_as_it_should_be(
    copy: Path,
    emulator: Session,
    kind: Kind,
    name: str,
    change: Callable[[Path], None],
    sentence: str,
) -> None:
    change(copy)
    problem = check_of(copy, kind, name).problem(emulator)
    assert problem is not None and sentence in problem
    assert len(problem) < 1200


HEAD = "// Test: diff wraps on overflow\n// Says: out is wrong\n"


@of_judged
def test_a_step_may_miss_what_its_head_says(copy: Path, emulator: Session) -> None:
    replaced(BASELINE, STEP, lambda text: "// Misses: memory\n" + text)(copy)
    assert check_of(copy, "ladder", "9_step.cu").problem(emulator) is None


@of_judged
@pytest.mark.parametrize(
    ("capability", "sentence"),
    [(None, "names memory, but it passes"), ((9, 0), "names memory"), ((8, 9), "a newer GPU")],
)
def test_a_file_is_graded_where_it_can_run(
    copy: Path,
    emulator: Session,
    capability: tuple[int, int] | None,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = "// Misses: memory\n// Needs: compute capability 9.0\n"
    replaced(REFERENCE, STEP, lambda text: head + text)(copy)
    monkeypatch.setattr(Backend, "capability", lambda _: capability)
    problem = check_of(copy, "ladder", "9_step.cu").problem(emulator)
    assert problem is not None and sentence in problem


@of_judged
def test_a_mistake_gets_the_hint_of_the_task_that_its_head_names(
    copy: Path, emulator: Session
) -> None:
    path = copy / "solutions" / "diff" / "mistakes" / "missing_barrier.cu"
    check = check_of(copy, "mistakes", path.name)
    assert check.problem(emulator) is None
    path.write_text(path.read_text().replace("// Task: 3", "// Task: 1 or 2"))
    problem = check.problem(emulator)
    assert problem is not None
    assert problem.endswith("missing_barrier.cu: its hint is of task 3, not of task 1 or 2")


@of_judged
def test_a_mistake_may_show_in_another_criterion(copy: Path, emulator: Session) -> None:
    head = "// Test: diff loads each element about once\n// Says: 2.00 global loads\n"
    replaced(BASELINE, "solutions/diff/mistakes/no_tile.cu", lambda text: head + text)(copy)
    assert check_of(copy, "mistakes", "no_tile.cu").problem(emulator) is None


def test_the_findings_are_a_table_and_a_line_per_problem(copy: Path) -> None:
    diff = lab.load("diff", copy)
    good: dict[Kind, int] = {"skeleton": 1, "mistakes": 12}
    total: dict[Kind, int] = {"skeleton": 1, "mistakes": 13}
    console = Console(width=80)
    with console.capture() as capture:
        found = Findings(diff, ["a text"], ["a\nfile"], good, total)
        show_findings(console, [dataclasses.replace(found, texts=[], files=[]), found])
    said = capture.get()
    assert re.search(r"diff │ +1/1 │ +- │ +- │ +- │ +12/13 │ +1\s*\n", said)
    assert said.endswith("\n24 of 26 mistakes get the right diagnosis.\na text\na\\nfile\n")


def test_everything_of_a_lab_is_run_and_counted(
    copy: Path, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        lab_files.Check, "problem", lambda self, _: "no" if "s" in self.kind else None
    )
    done: list[None] = []
    (found,) = lab_files.verify([lab.load("diff", copy)], emulator, 2, lambda: done.append(None))
    assert found.total == {
        "skeleton": 1,
        "baseline": 1,
        "reference": 1,
        "ladder": 6,
        "mistakes": 13,
    }
    assert found.good == {"skeleton": 0, "baseline": 0, "reference": 1, "ladder": 6, "mistakes": 0}
    assert (len(done), len(found.files), found.problems) == (22, 15, ["no"] * 15)
