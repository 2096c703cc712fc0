"""Advice after a check and hints, tier by tier, whatever the progress file contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from made_profile import call, counts, launch
from support import PRESENTED_LABS
from tilelab.labs import lab
from tilelab.labs.lab import course
from tilelab.model.case import Case, Message
from tilelab.model.evidence import Verdict
from tilelab.model.lab import Lab
from tilelab.model.profile import Call
from tilelab.model.result import CriterionResult, Result, Status
from tilelab.score.failures import failures
from tilelab.tutor import advice, fitting, progress
from tilelab.tutor.counts import METRICS
from tilelab.tutor.progress import Progress

FAILED = Progress("failed", "mine.cu", 4, ("block_edges",))
FAILED_LOAD = Progress("failed", "mine.cu", 2, given={2: 1})

# A kernel without its barrier.
FILE = """\
__shared__ int tile[block];
tile[tx] = in[i];
out[i] = tile[tx] - tile[tx - 1];
diff_kernel<<<2, 256>>>(in, out, n);
"""


def calls(bytes_per_thread: int, bytes_per_load: int) -> list[Call]:
    """A profile of one launch of 2 blocks of 128 threads, of which one was observed."""
    loads = counts(
        bytes_requested=128 * bytes_per_thread,
        thread_accesses=128 * bytes_per_thread // bytes_per_load,
    )
    totals = {"global_loads": loads}
    one = launch(block=(128, 1, 1), blocks=2, observed_blocks=1, totals=totals)
    return [call("diff(int[256], int[256], 256)", one)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "progress"))
    return tmp_path / "progress"


def after(
    diff_lab: Lab,
    *patterns: str,
    text: str = "",
    status: Status = "partial",
    speed: Status = "not_run",
    verdict: Verdict = "graded",
    before: Progress | None = None,
) -> Progress:
    cases = tuple(Case(pattern, False, [Message(pattern, pattern)]) for pattern in patterns)
    rows = [
        CriterionResult("correctness", status, 0, 40, [], patterns, cases),
        CriterionResult("speed", speed, 0, 30),
    ]
    result = Result("", "diff", verdict, 0, 100, None, rows if verdict == "graded" else [])
    return advice.after_check(result, diff_lab, "mine.cu", text, before or Progress())


def test_a_check_leaves_the_task_of_the_first_failure(diff_lab: Lab) -> None:
    state = after(diff_lab, "data_race", "block_edges", text=FILE)
    assert (state.outcome, state.task, state.others) == ("failed", 3, (4,))
    assert (state.patterns, state.waiting) == (("data_race", "block_edges"), ("speed",))
    assert after(diff_lab, status="pass").outcome == "passed"
    assert after(diff_lab, status="pass", speed="partial").outcome == "slow"
    assert after(diff_lab, status="pass", speed="review").outcome == "failed"
    assert after(diff_lab, "order", speed="partial").outcome == "failed"


def test_a_failing_check_ends_with_what_to_do(diff_lab: Lab) -> None:
    assert advice.next_step(FAILED, diff_lab) == (
        "Next: TODO 4, Store the difference. Stuck? ./tilelab hint diff"
    )
    assert "the first failure above" in advice.next_step(Progress("failed"), diff_lab)
    assert "fix the first message" in advice.next_step(Progress("unbuilt"), diff_lab)
    assert advice.next_step(Progress("passed"), diff_lab) == ""
    assert advice.next_step(Progress("slow"), diff_lab) == (
        "Next: make it faster. What could help: ./tilelab hint diff"
    )


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        (["mine.cu is empty."], "fix what the first message above says"),
        (["diff.cu:3: inline assembly is not allowed."], "message above that names a line"),
        (["diff.h:9: error: x", "diff.cu:3: error: y"], "message above that names a line"),
    ],
)
def test_a_line_is_asked_for_only_where_a_message_names_one(
    messages: list[str], says: str, diff_lab: Lab, tmp_path: Path
) -> None:
    result = Result("", "diff", "rejected", 0, 100, messages=messages)
    assert says in advice.note_check(result, diff_lab, tmp_path / "mine.cu")


def test_hints_come_one_at_a_time_and_end(diff_lab: Lab) -> None:
    state, said = FAILED, []
    for _ in range(4):
        lines, state = advice.hint(diff_lab, state)
        said.append("\n".join(lines))
    task = diff_lab.tasks[3]
    for tier in range(3):
        assert f"TODO 4, {task.title}: hint {tier + 1} of 3" in said[tier]
        assert task.hints[tier].strip("`") in said[tier]
    assert "the last hint" not in said[1]
    assert "This is the last hint of TODO 4." in said[2]
    assert "labs/diff/README.md" in said[2] and "solutions/diff/" in said[2]
    assert said[3] == said[2]
    assert state.given == {4: 3}


def test_each_task_counts_its_own_hints(diff_lab: Lab) -> None:
    _, state = advice.hint(diff_lab, FAILED)
    other = after(diff_lab, "order", text=FILE, before=state)
    lines, other = advice.hint(diff_lab, other)
    assert "TODO 3, Wait for the tile: hint 1 of 3" in lines[0]
    again = after(diff_lab, "block_edges", text=FILE, before=other)
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
    lines, _ = advice.hint(diff_lab, after(diff_lab, "bank_conflicts", text=FILE))
    assert f"  {diff_lab.hints['bank_conflicts']}" in lines
    lines, _ = advice.hint(diff_lab, after(diff_lab, text=FILE))
    assert "do not point to one TODO" in lines[0]


def test_the_nudge_about_code_that_is_there_goes_by_how_it_fails(diff_lab: Lab) -> None:
    whole = FILE.replace("tile[tx] = in[i];", "tile[tx] = in[i]; __syncthreads();")
    nudge, by_pattern = diff_lab.tasks[1].hints[0], diff_lab.hints["out_of_bounds"]
    assert "out_of_bounds" in diff_lab.tasks[1].patterns
    state = Progress("failed", "mine.cu", 2, ("out_of_bounds", "data_race"))
    lines, after_it = advice.hint(diff_lab, state, whole)
    assert "hint 1 of 3" in lines[0] and f"  {by_pattern}" in lines and f"  {nudge}" not in lines
    assert f"  {diff_lab.tasks[1].hints[1]}" in advice.hint(diff_lab, after_it, whole)[0]
    # Nothing is there yet, or the failure has no hint.
    unbegun = FILE.replace("tile[tx] = in[i];", "// TODO 2: load\n")
    assert f"  {nudge}" in advice.hint(diff_lab, state, unbegun)[0]
    assert f"  {nudge}" in advice.hint(diff_lab, replace(state, patterns=("x",)), whole)[0]


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_without_a_todo_no_hint_speaks_of_one(name: str) -> None:
    for says in lab.load(name).hints.values():
        assert fitting.in_text(says, "// TODO 2: load") == says
        left = fitting.in_text(says, "whole();")
        assert "TODO" not in left and (left == says) == ("TODO" not in says)


@pytest.mark.parametrize(
    ("says", "fits"),
    [
        ("A block of 2048 x 1 x 1 threads is too large", True),
        ("A block may have 49152 bytes of dynamic shared memory", False),
        ("A grid of 1 x 1 x 65540 blocks is too large", False),
        ("The grid has no block: a launch needs at least one block of one thread", True),
    ],
)
def test_a_hint_about_another_limit_of_launches_is_not_given(
    diff_lab: Lab, says: str, fits: bool
) -> None:
    case = Case("a", False, [Message(says, "launch_failed")])
    row = CriterionResult("correctness", "partial", 0, 40, [], ("launch_failed",), (case,))
    result = Result("", "diff", "graded", 0, 100, None, [row])
    by_pattern = diff_lab.hints["launch_failed"]
    [failure] = failures(result)
    assert fitting.hint(failure, diff_lab, FILE) == (by_pattern if fits else "")
    state = advice.after_check(result, diff_lab, "mine.cu", FILE, Progress())
    assert (f"  {by_pattern}" in advice.hint(diff_lab, state, FILE)[0]) == fits
    more = {**diff_lab.hints, "launch_failed": "A grid ends at 65,535, and so does shared memory."}
    assert fitting.hint(failure, replace(diff_lab, hints=more), FILE)


def test_a_variant_that_no_task_names_gets_its_own_hint(diff_lab: Lab) -> None:
    hint = "Blocks of a cluster read each other's tiles."
    lab = replace(diff_lab, hints={**diff_lab.hints, "data_race_cluster": hint})
    race = Message("race", "data_race", variant="cluster")
    cases = (Case("diff has no data race", False, [race]),)
    row = CriterionResult("safety", "partial", 0, 30, [], ("data_race",), cases)
    result = Result("", "diff", "graded", 0, 100, None, [row])
    state = advice.after_check(result, lab, "mine.cu", FILE, Progress())
    lines, _ = advice.hint(lab, state)
    assert f"  {hint}" in lines


def test_no_hint_shows_code_that_the_file_has(diff_lab: Lab) -> None:
    load, launch = diff_lab.tasks[1], diff_lab.tasks[0]
    state = Progress("failed", "mine.cu", 2, given={2: 2}, others=(1,))
    assert "    if (i < n) tile[tx] = in[i];" in advice.hint(diff_lab, state, "")[0]
    # Laid out in another way, it is still the same code.
    has_load = "if (i<n)\n  tile[ tx ] = in[i]; // TODO\n"
    assert load.hints[2].strip("`") == "if (i < n) tile[tx] = in[i];"
    lines, after_it = advice.hint(diff_lab, state, has_load)
    assert f"  {launch.hints[0]}" in lines and after_it.given == {2: 2, 1: 1}
    # An explanation has no code, so it is not held back.
    assert f"  {load.hints[1]}" in advice.hint(diff_lab, FAILED_LOAD, has_load)[0]
    only = Progress("failed", "mine.cu", 2, ("tail_unwritten",), given={2: 2})
    assert f"  {diff_lab.hints['tail_unwritten']}" in advice.hint(diff_lab, only, has_load)[0]
    both = has_load + "blocks = (n + block - 1) / block;"
    assert "do not point to one TODO" in advice.hint(diff_lab, only, both)[0][0]


def test_a_hint_of_several_lines_leaves_out_the_code_that_the_file_has(diff_lab: Lab) -> None:
    hint = "First\n`a = b;`\n`c = d;`\nand so on."
    task = replace(diff_lab.tasks[0], hints=("", "", hint))
    the_lab = replace(diff_lab, tasks=(task,))
    state = Progress("failed", "mine.cu", 1, given={1: 2})
    lines, _ = advice.hint(the_lab, state, "")
    assert lines[2:6] == ["  First", "    a = b;", "    c = d;", "  and so on."]
    lines, _ = advice.hint(the_lab, state, "int a=b ;")
    assert lines[2:5] == ["  First", "    c = d;", "  and so on."]
    lines, same = advice.hint(the_lab, state, "a = b; c = d;")
    assert "do not point to one TODO" in lines[0] and same == state


def test_no_task_is_called_undone_once_the_code_is_there(diff_lab: Lab) -> None:
    state = Progress("failed", "mine.cu", 1, ("launch_failed", "never_written"))
    said = "Your file does not seem to do this task yet."
    assert said in "\n".join(advice.hint(diff_lab, state, "// TODO 1: launch")[0])
    launched = "diff_kernel<<<n / block, block>>>(in, out, n);"
    assert said not in "\n".join(advice.hint(diff_lab, state, launched)[0])


def test_after_a_machine_error_the_next_step_is_no_task(diff_lab: Lab) -> None:
    line = advice.note_check(Result("", "diff", "infra_error", None, 100), diff_lab, Path("a.cu"))
    assert line.startswith("Next: check again.") and len(line) <= 80


def test_what_to_do_next_fits_a_line() -> None:
    for one in map(lab.load, PRESENTED_LABS):
        for task in one.tasks:
            line = advice.next_step(Progress("failed", task=task.number), one)
            assert len(line) <= 80, line


def test_a_right_kernel_gets_hints_for_speed(diff_lab: Lab) -> None:
    first, second = diff_lab.speed
    state = Progress("passed", "mine.cu", waiting=("speed",))
    lines, state = advice.hint(diff_lab, state, "", calls(4, 4))
    assert lines[0] == "mine.cu passes everything that was tested (speed did not run here)."
    assert METRICS["bytes_per_thread"].says(calls(4, 4)) in lines
    assert f"Task 5, {first.title}: hint 1 of 3, a nudge." in lines
    assert f"  {first.hints[0]}" in lines
    assert any("./tilelab quiz diff" in line for line in lines)
    lines, state = advice.hint(diff_lab, state, "", calls(4, 4))
    assert f"  {first.hints[1]}" in lines
    slow = Progress("slow", "mine.cu", given=state.given)
    lines, _ = advice.hint(diff_lab, slow, "", calls(16, 4))
    assert lines[0] == "mine.cu is right. What is left to win is speed."
    assert "A load of your kernel brings 4 bytes on average; it could bring 16." in lines
    assert f"  {second.hints[2]}" in lines
    assert not any("Task 5" in line for line in advice.hint(diff_lab, slow, "", calls(16, 16))[0])
    assert not any("Task 5" in line for line in advice.hint(diff_lab, slow)[0])
    done = Progress("passed", "mine.cu")
    assert not any("Task 5" in line for line in advice.hint(diff_lab, done, "", calls(4, 4))[0])


def test_hints_for_speed_are_counted_until_something_fails(diff_lab: Lab) -> None:
    _, state = advice.hint(diff_lab, Progress("slow", "mine.cu", given={4: 2}), "", calls(4, 4))
    assert state.given == {4: 2, 5: 1}
    assert after(diff_lab, status="pass", before=state).given == {5: 1}


def test_who_passed_is_told_what_comes_next(diff_lab: Lab) -> None:
    state = after(diff_lab, status="pass")
    said = "\n".join(advice.hint(diff_lab, state)[0])
    assert "mine.cu passes everything that was tested (speed did not run here)" in said
    assert "continues after task 4" in said
    assert "./tilelab quiz diff" in said
    names = [one.name for one in course()]
    following, after_it = names[names.index("diff") + 1 :][:2]
    assert f"labs/{following}/README.md" in said
    progress.save(following, Progress("passed"))
    assert f"labs/{after_it}/README.md" in "\n".join(advice.hint(diff_lab, state)[0])
    for name in lab.all_labs():
        progress.save(name, Progress("passed"))
    assert "next lab" not in "\n".join(advice.hint(diff_lab, state)[0])


def test_who_passed_a_lab_without_speed_is_not_told_to_get_faster(folder: Path) -> None:
    said = "\n".join(advice.hint(lab.load("first_kernel"), Progress("passed", "mine.cu"))[0])
    assert "faster" not in said and "read labs/diff/README.md" in said


def test_a_state_that_is_kept_comes_back(folder: Path) -> None:
    state = Progress("failed", "mine.cu", 4, ("a", "b"), ("speed",), {1: 3, 4: 1}, others=(2,))
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
        "others": [3],
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
        GOOD.replace("[3]", "3"),
        GOOD.replace("[3]", '["3"]'),
        "\udcff",
    ],
)
def test_a_foreign_state_is_none(folder: Path, text: str, diff_lab: Lab) -> None:
    assert progress._parsed(GOOD) == Progress("failed", "f", 2, given={2: 1}, others=(3,))
    folder.mkdir()
    (folder / "diff.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert progress.load("diff") == Progress()


def test_a_state_of_the_first_release_has_no_other_tasks() -> None:
    data = json.loads(GOOD)
    del data["others"]
    assert progress._parsed(json.dumps(data)).others == ()


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
