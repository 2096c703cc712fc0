"""Advice after a check and hints, tier by tier, whatever the progress file contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilelab.score import lab
from tilelab.score.lab import Lab
from tilelab.score.records import CriterionResult, Result, Status, Verdict
from tilelab.tutor import advice, progress
from tilelab.tutor.progress import Progress

ALL = "// TODO 2: load\n// TODO 3: wait\n// TODO 4: store\n// TODO 1: launch\n"
FAILED = Progress("failed", "mine.cu", 4, ("block_edges",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "progress"))
    return tmp_path / "progress"


def after(
    diff_lab: Lab,
    *patterns: str,
    text: str = "",
    status: Status = "partial",
    verdict: Verdict = "graded",
    before: Progress | None = None,
) -> Progress:
    rows = [
        CriterionResult("correctness", status, 0, 40, [], patterns),
        CriterionResult("speed", "not_run", 0, 30),
    ]
    result = Result("", "diff", verdict, 0, 100, None, rows if verdict == "graded" else [])
    return advice.after_check(result, diff_lab, "mine.cu", text, before or Progress())


@pytest.mark.parametrize(
    ("patterns", "text", "number"),
    [
        (["block_edges"], "", 4),
        (["block_edges"], ALL, 4),
        (["block_edges", "order"], "", 3),  # the first task, not the first failure
        (["data_race"], "", 3),
        (["never_written"], ALL, 1),
        (["never_written"], ALL.replace("TODO 1", "done"), 2),  # the TODOs that are left
        (["never_written"], "", 1),
        (["never_written"], "// TODO 77: ?\n", 1),
        (["something_else"], ALL, None),
        ([], "", None),
    ],
)
def test_the_failures_name_the_task(
    diff_lab: Lab, patterns: list[str], text: str, number: int | None
) -> None:
    state = after(diff_lab, *patterns, text=text)
    assert (state.outcome, state.task, state.patterns) == ("failed", number, tuple(patterns))
    assert state.waiting == ("speed",)


def test_of_two_tasks_with_the_same_failure_the_one_that_is_left_comes(tmp_path: Path) -> None:
    nbody = lab.load("nbody")
    for text, number in (("", 3), ("// TODO 5: wait\n", 5), ("// TODO 3: w\n// TODO 5: w\n", 3)):
        task = advice.task_of(["order"], nbody, advice.todos(text))
        assert task is not None and task.number == number


def test_a_failing_check_ends_with_what_to_do(diff_lab: Lab) -> None:
    assert advice.next_step(FAILED, diff_lab) == (
        "Next: TODO 4, Store the difference. Stuck? ./tilelab hint diff"
    )
    assert "the first failure above" in advice.next_step(Progress("failed"), diff_lab)
    assert "fix the first message" in advice.next_step(Progress("unbuilt"), diff_lab)
    assert advice.next_step(Progress("passed"), diff_lab) == ""


def test_hints_come_one_at_a_time_and_end(diff_lab: Lab) -> None:
    state, said = FAILED, []
    for _ in range(4):
        lines, state = advice.hint(diff_lab, state)
        said.append("\n".join(lines))
    task = diff_lab.tasks[3]
    for tier in range(3):
        assert f"TODO 4, {task.title}: hint {tier + 1} of 3" in said[tier]
        assert task.hints[tier] in said[tier]
    assert "the last hint" not in said[1]
    assert "This is the last hint of TODO 4." in said[2]
    assert "labs/diff/README.md" in said[2] and "solutions/diff/" in said[2]
    assert said[3] == said[2]
    assert state.given == {4: 3}


def test_each_task_counts_its_own_hints(diff_lab: Lab) -> None:
    _, state = advice.hint(diff_lab, FAILED)
    other = after(diff_lab, "order", before=state)
    lines, other = advice.hint(diff_lab, other)
    assert "TODO 3, Wait for the tile: hint 1 of 3" in lines[0]
    again = after(diff_lab, "block_edges", before=other)
    assert "hint 2 of 3" in advice.hint(diff_lab, again)[0][0]
    assert after(diff_lab, status="pass", before=again).given == {}


def test_before_the_first_check_the_first_task_comes(diff_lab: Lab) -> None:
    lines, state = advice.hint(diff_lab, Progress())
    assert "TODO 1, Launch the kernel: hint 1 of 3, a nudge." in lines
    assert "(You have not run a check yet: ./tilelab check diff shows where you are.)" in lines
    assert state.given == {1: 1}


def test_what_does_not_compile_gets_no_hint_of_a_task(diff_lab: Lab) -> None:
    state = after(diff_lab, verdict="compile_error", before=FAILED)
    lines, same = advice.hint(diff_lab, state)
    assert "mine.cu could not be tested" in lines[0]
    assert same == state


def test_a_failure_of_no_task_gets_the_pattern_s_hint(diff_lab: Lab) -> None:
    lines, _ = advice.hint(diff_lab, after(diff_lab, "input_changed"))
    assert f"  {diff_lab.hints['input_changed']}" in lines
    lines, _ = advice.hint(diff_lab, after(diff_lab))
    assert "do not point to one TODO" in lines[0]


def test_who_passed_is_told_what_comes_next(diff_lab: Lab) -> None:
    state = after(diff_lab, status="pass")
    said = "\n".join(advice.hint(diff_lab, state)[0])
    assert "mine.cu passes everything that was tested (speed did not run here)" in said
    assert "continues after task 4" in said
    assert "./tilelab quiz diff" in said
    assert "labs/nearest_neighbor/README.md" in said
    progress.save("nearest_neighbor", Progress("passed"))
    assert "labs/nbody/README.md" in "\n".join(advice.hint(diff_lab, state)[0])
    for name in lab.all_labs():
        progress.save(name, Progress("passed"))
    assert "next lab" not in "\n".join(advice.hint(diff_lab, state)[0])


def test_a_state_that_is_kept_comes_back(folder: Path) -> None:
    state = Progress("failed", "mine.cu", 4, ("a", "b"), ("speed",), {1: 3, 4: 1})
    progress.save("diff", state)
    assert progress.load("diff") == state
    assert [path.name for path in folder.iterdir()] == ["diff.json"]


GOOD = json.dumps(
    {
        "schema": 1,
        "outcome": "failed",
        "file": "f",
        "task": 2,
        "patterns": [],
        "waiting": [],
        "given": {"2": 1},
    }
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        GOOD.replace('"schema": 1', '"schema": 2'),
        GOOD.replace('"failed"', '"lost"'),
        GOOD.replace('"failed"', "[]"),
        GOOD.replace('"f"', "3"),
        GOOD.replace('"task": 2', '"task": "2"'),
        GOOD.replace('"patterns": []', '"patterns": [1]'),
        GOOD.replace('"patterns": []', '"patterns": 1'),
        GOOD.replace('{"2": 1}', '{"two": 1}'),
        GOOD.replace('{"2": 1}', '{"2": -1}'),
        GOOD.replace('{"2": 1}', "7"),
        "\udcff",
    ],
)
def test_a_foreign_state_is_none(folder: Path, text: str, diff_lab: Lab) -> None:
    assert progress._parse(json.loads(GOOD)).given == {2: 1}
    folder.mkdir()
    (folder / "diff.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert progress.load("diff") == Progress()


def test_a_state_of_a_lab_that_has_changed_is_no_trouble(diff_lab: Lab) -> None:
    state = Progress("failed", "mine.cu", 99, ("gone",), given={99: 5, 1: 77})
    assert "do not point to one TODO" in advice.hint(diff_lab, state)[0][0]
    assert "the first failure" in advice.next_step(state, diff_lab)
    lines, _ = advice.hint(diff_lab, Progress("failed", "mine.cu", 1, given={1: 77}))
    assert "hint 3 of 3" in lines[0]


def test_a_folder_that_cannot_be_written_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "file" / "below"))
    progress.save("diff", FAILED)
    assert progress.load("diff") == Progress()
