"""Which tasks the failures of a submission point to."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from support import REPO
from tilelab.labs import lab
from tilelab.model.case import Case, Message, Place
from tilelab.model.failure import Cause, Causes
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.tutor import aim

TODOS = """\
__shared__ int tile[block];
// TODO 2: load
// TODO 3: wait
// TODO 4: store
// TODO 1: launch
"""
KERNEL = """\
__shared__ int tile[block];
if (i < n) {
  tile[tx] = in[i];
}
__syncthreads();
const int left =
    tx > 0 ? tile[tx - 1] : 0;
out[i] = tile[tx] - left;
diff_kernel<<<blocks, block>>>(in, out, n);
"""
LOAD, READ, STORE = 3, 7, 8  # lines


def failure(pattern: str, *lines: int, test: str = "") -> Case:
    message = Message(pattern, pattern, places=tuple(map(Place, lines)))
    return Case(test or pattern, False, [message])


def aimed(the_lab: Lab, text: str, *cases: Case) -> list[int]:
    rows = [CriterionResult(case.name, "fail", 0, 1, cases=(case,)) for case in cases]
    result = Result("", the_lab.name, "graded", 0, 1, criteria=rows)
    return [task.number for task in aim.tasks_for(result, the_lab, text)]


@pytest.mark.parametrize(
    ("pattern", "text", "numbers"),
    [
        ("block_edges", KERNEL, [4]),
        ("block_edges", TODOS, [1, 2, 3, 4]),
        ("never_written", TODOS, [1, 2, 3, 4]),
        ("never_written", TODOS.replace("TODO 1", "done"), [2, 3, 4]),
        ("never_written", "__shared__ int tile[block];", [1, 2, 3, 4]),
        ("never_written", KERNEL, [4]),
        ("never_written", KERNEL.replace("out[i] =", ""), [4]),
        ("never_written", KERNEL.replace("out[i] =", "") + "// TODO 3: wait\n", [4]),  # was deleted
        ("never_written", KERNEL + TODOS, [4]),  # none was deleted
        ("bank_conflicts", KERNEL, []),  # it has a hint, but no task
        ("something_else", KERNEL, []),
        ("something_else", KERNEL.replace("<<<blocks, block>>>", ""), [1]),
    ],
)
def test_the_pattern_and_the_code_name_the_task(
    diff_lab: Lab, pattern: str, text: str, numbers: list[int]
) -> None:
    assert aimed(diff_lab, text, failure(pattern)) == numbers


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        ((), [2, 4]),
        ((LOAD,), [2, 4]),
        ((READ,), [4, 2]),
        ((STORE,), [4, 2]),
        ((READ - 1,), [2, 4]),  # after the barrier, before the tile is read
        ((LOAD, STORE), [2, 4]),  # no task has both
    ],
)
def test_of_several_tasks_the_one_at_the_line_comes_first(
    diff_lab: Lab, lines: tuple[int, ...], numbers: list[int]
) -> None:
    assert aimed(diff_lab, KERNEL, failure("out_of_bounds", *lines)) == numbers


@pytest.mark.parametrize(
    ("pattern", "missing", "lines", "numbers"),
    [
        # The comment of a task may be gone although its code was never written, or not rightly.
        ("data_race", "__syncthreads();", (LOAD, READ), [3, 4]),
        ("data_race", "nothing", (LOAD, READ), [4, 3]),
        ("loads_per_element", "nothing", (STORE,), [4, 2]),
        ("loads_per_element", "nothing", (LOAD,), [2, 4]),
        ("loads_per_element", "tile[tx] = in[i];", (STORE,), [2, 4]),
    ],
)
def test_of_several_tasks_one_whose_code_is_missing_comes_first(
    diff_lab: Lab, pattern: str, missing: str, lines: tuple[int, ...], numbers: list[int]
) -> None:
    text = KERNEL.replace(missing, "") + "// TODO 1: launch\n"
    assert aimed(diff_lab, text, failure(pattern, *lines)) == numbers


def test_without_a_better_line_the_one_where_a_call_failed_names_the_task(diff_lab: Lab) -> None:
    place = Place(STORE, says="fails here")
    case = Case("diff", False, [Message("something else", places=(place,))])
    assert aimed(diff_lab, KERNEL.replace("__syncthreads();", ""), case) == [3, 4]
    assert aimed(diff_lab, KERNEL, case) == [4]
    assert aimed(diff_lab, KERNEL.replace("<<<blocks, block>>>", ""), case) == [1, 4]


def test_a_line_alone_names_the_task(diff_lab: Lab) -> None:
    assert aimed(diff_lab, KERNEL, failure("something_else", STORE)) == [4]
    assert aimed(diff_lab, KERNEL, failure("something_else", 1)) == []


def test_the_first_failure_counts(diff_lab: Lab) -> None:
    later = failure("block_edges")
    assert aimed(diff_lab, KERNEL, failure("tail_unwritten"), later) == [1]
    assert aimed(diff_lab, KERNEL, failure("bank_conflicts"), later) == []
    assert aimed(diff_lab, KERNEL, failure("something_else"), later) == [4]
    assert aimed(diff_lab, KERNEL) == []


OTHERS = KERNEL.replace("tile", "slots").replace("out[", "result[").replace(" in[", " given[")
LAUNCH = 9  # a line


def next_one(the_lab: Lab, text: str, case: Case, *causes: Cause) -> int | None:
    rows = [CriterionResult(case.name, "fail", 0, 1, cases=(case,))]
    result = Result("", the_lab.name, "graded", 0, 1, criteria=rows)
    found = aim.tasks_for(result, the_lab, text)
    task = aim.next_task(result, the_lab, text, Causes(causes), found)
    return task.number if task else None


def cause(line: int, kind: str = "a kind") -> Cause:
    return Cause(kind, line, "", "", "", "")


@pytest.mark.parametrize(
    ("text", "case", "number"),
    [
        (KERNEL, failure("out_of_bounds", READ), 4),
        (KERNEL, failure("out_of_bounds"), 2),
        (KERNEL, failure("out_of_bounds", 1), None),  # neither task has code there
        (KERNEL + "// TODO 2: load\n", failure("out_of_bounds", 1), 2),
        (OTHERS, failure("out_of_bounds", READ), None),  # whose names are not the skeleton's
        (KERNEL, failure("block_edges", 1), 4),  # there is no other
        (KERNEL, failure("something_else"), None),
    ],
)
def test_a_task_is_next_if_the_line_of_the_failure_is_its_own(
    diff_lab: Lab, text: str, case: Case, number: int | None
) -> None:
    assert next_one(diff_lab, text, case) == number


@pytest.mark.parametrize(
    ("text", "cause", "number"),
    [
        (KERNEL, cause(READ), 4),
        (KERNEL, cause(LOAD), 2),
        (KERNEL, cause(LAUNCH), 1),  # though no pattern says so
        (KERNEL, cause(1), None),
        (KERNEL, cause(LAUNCH, "guard missing"), None),
        (KERNEL, cause(LOAD, "guard missing"), 2),
    ],
)
def test_a_cause_names_the_task_that_has_its_line(
    diff_lab: Lab, text: str, cause: Cause, number: int | None
) -> None:
    assert next_one(diff_lab, text, failure("out_of_bounds", STORE), cause) == number


def test_a_barrier_that_is_missing_stays_the_task_of_barriers(diff_lab: Lab) -> None:
    text = KERNEL.replace("__syncthreads();", "")
    case = failure("data_race", LOAD, READ)
    assert next_one(diff_lab, text, case, cause(LOAD, "barrier missing")) == 3


@pytest.mark.parametrize("name", ["nbody", "reduction"])
def test_too_few_bytes_of_shared_memory_are_the_task_of_the_launch(name: str) -> None:
    the_lab = lab.load(name)
    text = the_lab.reference.read_text()
    launch = next(i for i, line in enumerate(text.splitlines(), 1) if "<<<" in line)
    case = failure("shared_out_of_bounds", 1, test=name)
    message = replace(case.messages[0], variant="dynamic")
    told = next_one(the_lab, text, replace(case, messages=[message]))
    assert told == next_one(the_lab, text, failure("something_else", launch, test=name))


def test_a_line_where_a_call_failed_does_not_rank_the_tasks(diff_lab: Lab) -> None:
    place = Place(READ, says="fails here")
    case = Case("diff", False, [Message("out_of_bounds", "out_of_bounds", places=(place,))])
    assert aimed(diff_lab, KERNEL, case) == [2, 4]


NBODY = """\
__shared__ float4 tile[block];
for (int first = 0; first < n; first += block) {
  tile[tx] = position[first + tx];
  __syncthreads();  // first
  for (int k = 0; k < block; ++k) add(&sum, body, tile[k]);
  __syncthreads();  // second
}
next_velocity[i] = moving;
nbody_kernel<<<blocks, block>>>(position, velocity);
"""


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (NBODY, [6, 3, 5]),  # both lines are those of the store
        (NBODY.replace("__syncthreads();  // first", ""), [3, 6, 5]),
        (NBODY.replace("__syncthreads();  // second", ""), [5, 6, 3]),
        (NBODY.replace("__syncthreads();", ""), [3, 5, 6]),
        (NBODY.replace("__shared__", ""), [2, 6, 3, 5]),  # what a thread stores no other sees
        (NBODY.replace("tile[tx]", "if (i >= n) return; tile[tx]"), [2, 6, 3, 5]),
    ],
)
def test_of_two_barriers_the_one_that_is_missing_comes_first(text: str, numbers: list[int]) -> None:
    assert aimed(lab.load("nbody"), text, failure("data_race", 8, 8)) == numbers


def test_without_expressions_the_todos_that_are_left_count(diff_lab: Lab) -> None:
    tasks = tuple(replace(task, code=()) for task in diff_lab.tasks)
    plain = replace(diff_lab, tasks=tasks)
    assert aimed(plain, "// TODO 3: wait\n", failure("never_written")) == [3]
    assert aimed(plain, "", failure("never_written")) == [4]
    assert aimed(plain, "// TODO 4: store\n", failure("order", LOAD)) == [4, 3]


def test_tests_of_one_function_name_its_task() -> None:
    derivatives = lab.load("derivatives")
    text = derivatives.reference.read_text()
    of_z = failure("other_axis", test="derivative_z is right")
    assert aimed(derivatives, text, of_z)[0] == 7
    assert 7 not in aimed(derivatives, text, of_z, failure("period", test="derivative_y is right"))


COALESCED = """\
__shared__ float tile[block][block + 1];
if (r < rows && c < columns) tile[y][x] = in[r * columns + c];
__syncthreads();
if (q < columns && s < rows) out[q * rows + s] = tile[x][y];
transpose_kernel<<<grid, dim3(block, block)>>>(in, out, rows, columns);
"""


@pytest.mark.parametrize(("line", "first"), [(2, 2), (4, 4)])
def test_a_line_that_only_the_sentence_names_tells_the_task(line: int, first: int) -> None:
    says = f"4.50 sector bytes. Most of it comes from mine.cu:{line} `code` (88%)."
    case = Case("memory", False, [Message(says, "sector_excess")])
    assert aimed(lab.load("transpose"), COALESCED, case)[0] == first


@pytest.mark.parametrize(
    ("threads", "number"),
    [
        ("dim3(block, block)", 2),
        ("threads", 2),
        ("dim3(block)", 1),
        ("block", 1),
        ("block, block", 1),  # the last one is the size of shared memory
    ],
)
def test_a_row_of_threads_for_a_tile_is_a_matter_of_the_launch(threads: str, number: int) -> None:
    text = COALESCED.replace("dim3(block, block)", threads)
    case = failure("uninitialized_read", 2)
    assert aimed(lab.load("transpose"), text, case)[0] == number
    if threads == "threads":
        text = f"dim3 threads(block);\n{text}"
        assert aimed(lab.load("transpose"), text, case)[0] == 1


WHOLE = (REPO / "solutions" / "first_kernel" / "first_kernel.cu").read_text()


@pytest.mark.parametrize(
    ("pattern", "function", "text", "task"),
    [
        ("launch_failed", "saxpy", WHOLE, 1),
        ("launch_failed", "saxpy_clamped", WHOLE, 3),
        ("out_of_bounds", "saxpy", WHOLE, 2),
        ("out_of_bounds", "saxpy_clamped", WHOLE, 3),
        ("out_of_bounds", "saxpy_from_host", WHOLE, 4),
        ("uninitialized_array", "saxpy_from_host", WHOLE, 4),
        ("not_copied_back", "saxpy_from_host", WHOLE, 5),
        ("not_copied_back", "saxpy_from_host", "// TODO 4: copy", 4),
        ("host_pointer", "saxpy_from_host", WHOLE, 5),
        ("host_pointer", "saxpy_from_host", "saxpy(x, y, out, a, n);\n// TODO 6: check", 4),
        ("copy_to_host", "saxpy_from_host", WHOLE, 5),
        ("copy_to_device", "saxpy_from_host", WHOLE, 5),
        (
            "copy_to_device",
            "saxpy_from_host",
            WHOLE.replace("d_x, x, bytes, cudaMemcpyHostToDevice", "d_x, x, bytes, wrong"),
            4,
        ),
    ],
)
def test_a_task_is_about_the_function_that_fails(
    pattern: str, function: str, text: str, task: int
) -> None:
    case = failure(pattern, test=f"{function} is right at every size")
    # saxpy_from_host may call saxpy, so it fails with it.
    other = failure("error_ignored", test="saxpy_from_host returns the error")
    assert aimed(lab.load("first_kernel"), text, case, other)[0] == task


def test_an_undone_task_whose_function_fails_comes_before_later_ones() -> None:
    first_kernel = lab.load("first_kernel")
    text = first_kernel.pristine.read_text()
    text = text.replace("// TODO 1: Launch", "saxpy_kernel<<<1, n>>>(x, y, out, a, n);  // Launch")
    text = text.replace("// TODO 2: Compute the index i of", "if (i < n) out[i] = x[i];  // of")
    clamped = failure("never_written", test="saxpy_clamped is right at every size")
    lost = Message("x", "not_copied_back", element="out[0]")
    from_host = Case("saxpy_from_host is right at every size", False, [lost])
    for cases in ((clamped, from_host), (from_host, clamped)):
        assert aimed(first_kernel, text, *cases)[0] == 3
    assert aimed(first_kernel, text, from_host)[0] == 4
    # What is done may be wrong, whatever is left before it.
    later = WHOLE.replace("clamped_kernel<<<", "// TODO 3: clamped_kernel(")
    outside = failure("out_of_bounds", test="saxpy_from_host is right at every size")
    assert aimed(first_kernel, later, outside, clamped)[0] == 4


def test_every_test_of_first_kernel_is_about_the_tasks_of_one_function() -> None:
    judge = (REPO / "tests" / "labs" / "first_kernel" / "judge.cpp").read_text()
    tests = re.findall(r'^TEST_CASE\("([^"]+)", "\[(?!show)', judge, re.MULTILINE)
    tasks = lab.load("first_kernel").tasks
    numbers = {test: [task.number for task in tasks if task.tests in test] for test in tests}
    assert len(tests) >= 14
    assert {tuple(one) for one in numbers.values()} == {(1, 2), (3,), (4, 5, 6)}, numbers


# A lab, a step of its ladder, what it lacks, how it then fails, and the task that is next.
UNBEGUN = [
    ("reduction", "03_sequential", "if (t == 0) out[blockIdx.x] = tile[0];", 4),
    ("scan", "02_two_buffers", "tile[from][t] = i < n ? in[i] : 0;", 1),
    ("histogram", "02_block", "atomicAdd(&bins[in[i]], 1u);", 3),
    ("histogram", "02_block", "atomicAdd(&counts[v], bins[v]);", 4),
    ("derivatives", "03_large_pencils", "derivative_kernel<<<", 2),
]


@pytest.mark.parametrize(("name", "step", "lacks", "number"), UNBEGUN)
def test_what_is_missing_is_next_with_and_without_its_comment(
    name: str, step: str, lacks: str, number: int
) -> None:
    the_lab = lab.load(name)
    whole = the_lab.step(step).read_text()
    assert lacks in whole
    patterns = {"reduction": "uninitialized_read", "scan": "uninitialized_read"}
    variant = "global" if name == "reduction" else ""
    message = Message("x", patterns.get(name, "never_written"), variant=variant)
    case = Case("a test", False, [message])
    for comment in (f"// TODO {number}: do it\n", "// TODO 9: make it faster\n"):
        text = whole.replace(lacks, "") + comment
        assert next_one(the_lab, text, case) == number


def test_a_task_that_is_not_begun_is_next_though_a_later_one_fails() -> None:
    scan = lab.load("scan")
    whole = scan.step("02_two_buffers").read_text()
    begun, loop = whole.split("  for (int distance", 1)
    without = begun + loop.split("\n  }\n", 1)[1]
    assert next_one(scan, without + "// TODO 2: scan\n", failure("begins_anew")) == 2
    assert next_one(scan, without, failure("begins_anew")) == 2
    assert next_one(scan, whole, failure("begins_anew")) != 2
    # A comment that stayed tells nothing once the code is there, and later tasks can wait.
    assert next_one(scan, whole + "// TODO 2: scan\n", failure("begins_anew")) == 4
    assert next_one(scan, whole + "// TODO 6: shuffles\n", failure("begins_anew")) == 4
