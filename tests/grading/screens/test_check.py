"""The verdict on one screen: what typical mistakes look like at 80 x 24."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from support import PRESENTED_LABS
from tilelab.labs import lab
from tilelab.model.case import Case, Message, Place
from tilelab.model.evidence import Errors, Printed
from tilelab.model.result import CriterionResult, Result, Rung
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.screens.check import show_check
from tilelab.screens.layout import source_lines

pytestmark = pytest.mark.drawn(pool="screens of check", count=6)

DIFF = lab.load("diff")

KERNEL = """#include "diff.h"
#include <cstdio>
namespace {
constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i < n) out[i] = i == 0 ? tile[0] : tile[tx] - (tx > 0 ? tile[tx - 1] : in[i - 1]);
}
}  // namespace
"""

LAUNCH = "diff_kernel<<<(n + block - 1) / block, block>>>"

RIGHT = f"""{KERNEL}
void diff(const int* in, int* out, int n) {{
  if (n > 0) {LAUNCH}(in, out, n);
}}
"""

OWN_ARRAY = f"""{KERNEL}
void diff(const int* in, int* out, int n) {{
  if (n == 0) return;
  int *mine, *result;
  cudaMalloc(&mine, n * sizeof(int));
  cudaMalloc(&result, n * sizeof(int));
  cudaMemcpy(mine, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  {LAUNCH}(mine, result, n);
  cudaMemcpy(out, result, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(mine);
  cudaFree(result);
}}
"""

COPY_IN = "cudaMemcpy(mine, in, n * sizeof(int), cudaMemcpyDeviceToDevice);"

HOST_LOOP = """#include "diff.h"
#include <vector>

void diff(const int* in, int* out, int n) {
  std::vector<int> a(n), b(n);
  cudaMemcpy(a.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) b[i] = i == 0 ? a[0] : a[i] - a[i - 1];
  cudaMemcpy(out, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
"""


@dataclass(frozen=True)
class Mistake:
    """A wrong program, how its first failure begins, and what else the screen has to say."""

    text: str
    first: str
    says: tuple[str, ...] = ()


def changed(old: str, new: str, text: str = RIGHT) -> str:
    assert old in text
    return text.replace(old, new)


MISTAKES = {
    "one barrier is missing": Mistake(
        changed("  __syncthreads();\n", ""),
        "Data race: two threads use tile[0]",
        ("mine.cu:10", "Hint: Put a __syncthreads()"),
    ),
    "the tile is too small": Mistake(
        changed("tile[block]", "tile[32]"),
        "Out of bounds: block (0,0,0), thread (32,0,0) writes tile[32], but tile has 32",
        ("mine.cu:10", "^~~~ block (0,0,0), thread (32,0,0) writes tile[32]"),
    ),
    "dynamic shared memory without its size": Mistake(
        changed("__shared__ int tile[block]", "extern __shared__ int tile[]"),
        "Out of bounds: ",
        ("0 bytes of dynamic shared memory (the third argument between <<< and >>>)",),
    ),
    "too much dynamic shared memory": Mistake(
        changed(", block>>>", ", block, 100000>>>"),
        "Failed launch of diff_kernel: cudaErrorInvalidValue. A block may have 48128",
        ("mine.cu:17", "^~~ this launch"),
    ),
    "no __shared__": Mistake(
        changed("__shared__ int tile", "int tile"),
        "Wrong result for n = ",
        ("is a __shared__ missing?",),
    ),
    "a block of 2048 threads": Mistake(
        changed("block = 256", "block = 2048"),
        "Failed launch of diff_kernel: cudaErrorInvalidConfiguration. A block of 2048 x 1 x 1",
        (
            "it may have 1024 threads in all. (n",
            "mine.cu:17",
            "Hint: A launch needs at least one block",
        ),
    ),
    "a launch for an empty row": Mistake(
        changed("if (n > 0) ", ""),
        "diff failed with cudaErrorInvalidConfiguration",
        ("The grid has no block: a launch needs at least one block",),
    ),
    "<= for <": Mistake(
        changed("if (i < n) out", "if (i <= n) out"),
        "Out of bounds: block (0,0,0), thread (1,0,0) writes out[1], but out has 1 element",
        ("mine.cu:12", "Hint: Compute the index in this line for the first and the last"),
    ),
    "the wrong neighbor": Mistake(
        changed("tile[tx - 1] : in[i - 1]", "tile[tx - 1] : 0"),
        "Wrong result for n = ",
        ("these are the edges of blocks or tiles", "expected ", "got "),
    ),
    "operands swapped": Mistake(
        changed("tile[tx] - (tx > 0 ? tile[tx - 1]", "-tile[tx] + (tx > 0 ? tile[tx - 1]"),
        "Wrong result for n = 2: out is wrong at 1 of 2 elements. Every element but the first",
    ),
    "nothing is written": Mistake(
        changed("if (i < n) out[i] =", "const int d ="),
        "Wrong result for n = 1: out is wrong at 1 of 1 element. No element was written.",
        ("got      nothing (it was not written)",),
    ),
    "a part of the tile is never filled": Mistake(
        changed("if (i < n) tile", "if (i < n && tx < 16) tile"),
        "Uninitialized read: a thread reads tile[",
    ),
    "an array of one's own is never filled": Mistake(
        changed(COPY_IN, "", OWN_ARRAY),
        "Uninitialized read: a thread reads memory from cudaMalloc() that nothing was",
        ("mine.cu:10",),
    ),
    "a copy in the wrong direction": Mistake(
        changed("DeviceToDevice", "HostToDevice", OWN_ARRAY),
        "diff failed with cudaErrorInvalidValue",
        ("The source of a copy is device memory, but its direction is cudaMemcpyHostToDevice",),
    ),
    "elements for bytes": Mistake(
        changed("n * sizeof(int)", "n", OWN_ARRAY),
        "Out of bounds: block (0,0,0), thread (0,0,0) reads mine[0], but mine has 1 byte.",
    ),
    "a block that is too deep": Mistake(
        changed("block>>>", "dim3(1, 1, 65)>>>"),
        "Failed launch of diff_kernel: cudaErrorInvalidConfiguration. A block of 1 x 1 x 65",
        ("is too large: it may have 64 along z.",),
    ),
    "a host pointer": Mistake(
        changed("cudaMalloc(&result, n * sizeof(int))", "result = new int[n]", OWN_ARRAY),
        "Host pointer: block (0,0,0), thread (0,0,0) writes host memory",
        ("mine.cu:12",),
    ),
    "a loop on the host": Mistake(
        HOST_LOOP, "diff: out[0] was written last by host code", ("written by a kernel",)
    ),
    "too much is printed": Mistake(
        changed("if (i < n) out", 'printf("%d\\n", i);\n  if (i < n - 1) out'),
        "Wrong result for n = ",
        ("Your program printed in diff(int[", "more lines ...]"),
    ),
}


def screen(
    result: Result, width: int = 80, everything: bool = False, praise: bool = True
) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False, soft_wrap=True, emoji=False)
    show_check(console, DIFF, Path("mine.cu"), result, 7, everything, praise=praise)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def words(lines: list[str]) -> set[str]:
    """The words of a screen, without carets, gutters and marks of what was left out."""
    text = re.sub(r"^Also: (line \d+: )?", "", "\n".join(lines), flags=re.MULTILINE)
    return {word for word in text.split() if not re.search(r"^[\^~|…]+$|…$", word)}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_fits_on_a_screen(name: str, emulator: Session, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    path = tmp_path / "mine.cu"
    path.write_text(mistake.text)
    result = submission.grade(path, DIFF, emulator)
    lines = screen(result)
    assert len(lines) <= 20, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert words(lines) <= words(screen(result, 100, True)), "a word is broken"
    said = " ".join(" ".join(lines).split())
    first = " ".join(" ".join(lines[3:]).split())
    assert first.startswith(mistake.first), "\n".join(lines)
    for sentence in mistake.says:
        assert " ".join(sentence.split()) in said, "\n".join(lines)


def failing(*messages: Message, printed: tuple[Printed, ...] = ()) -> Result:
    cases = tuple(Case(f"test {i}", False, [one]) for i, one in enumerate(messages))
    row = CriterionResult("correctness", "fail", 0, 40, [one.text for one in messages], cases=cases)
    source = "one\n  two(three);\n"
    return Result("", "diff", "graded", 0, 40, criteria=[row], printed=printed, source=source)


def test_a_caret_is_under_the_word() -> None:
    lines = screen(failing(Message("It fails.", places=(Place(2, "three", "here"),))))
    assert lines[5:7] == ["    2 | two(three);", "      |     ^~~~~ here"]


def test_a_mark_far_to_the_right_is_shown() -> None:
    for length in range(1, 200):
        source = f"{'a + ' * length}three{' + b' * 30};"
        lines = [one.plain for one in source_lines([source], Place(1, "three", "here"), 80)]
        mark = lines[1].index("^")
        assert lines[0][mark : mark + 5] == "three"
        assert lines[1][mark : mark + 6] in ("^~~~~", "^~~~~ ")
        assert max(map(len, lines)) <= 80
        assert "here" in lines[1] + lines[-1]


def test_a_variant_has_a_hint_of_its_own_or_none() -> None:
    lab = replace(DIFF, hints={"race": "Use a barrier.", "race_global": "Whose is it?"})
    for variant, hint in (("", "Use a barrier."), ("global", "Whose is it?"), ("other", "")):
        assert lab.hint("race", variant) == hint


def test_no_line_breaks_within_an_input() -> None:
    # At any length of what comes before.
    for length in range(55, 80):
        lines = screen(failing(Message("x", "y", summary="x" * length, inputs=("twice", "n = 1"))))
        assert any("n = 1)" in line for line in lines)
        assert "\N{NO-BREAK SPACE}" not in "".join(lines)


def test_what_says_its_function_names_it_once() -> None:
    message = Message("x", "y", summary="saxpy failed.", inputs=("saxpy", "n = 1"))
    assert screen(failing(message))[3] == "saxpy failed. (n = 1)"


def test_what_does_not_fit_is_left_to_all() -> None:
    result = failing(*(Message(f"Failure {i}.", f"pattern {i}") for i in range(40)))
    short, long = screen(result), screen(result, everything=True)
    assert len(short) == 20
    assert short[-2] == "25 more: --all"
    assert "Failure 39." in long and "Failure 39." not in short


def test_output_is_that_of_the_first_failing_test() -> None:
    printed = (Printed("test 9", "diff(1)", "no"), Printed("test 0", "diff(2)", "1\n2\n3\n4\n"))
    lines = screen(failing(Message("It fails.", "x"), printed=printed))
    assert lines[4:8] == ["Your program printed in diff(2):", "1", "[... 2 more lines ...]", "4"]


def test_further_failures_have_two_lines_where_there_is_room() -> None:
    long = f"saxpy returned cudaSuccess, but something in it failed{' to copy' * 6}: {'why ' * 15}"
    says = [f"{long}{i}" for i in range(2)]
    lines = screen(failing(*(Message(one, one) for one in ("It fails.", *says))))
    assert [line for line in lines if line.startswith("Also: saxpy")] == [lines[4]]
    assert lines[5].startswith("  copy to ") and lines[5].endswith(" …")
    short = screen(failing(*(Message(f"{i} {long}", f"{i}") for i in range(12))))
    assert [line[-1] for line in short if line.startswith("Also: ")] == ["…"] * 11


def test_what_reads_as_the_first_failure_is_there_once() -> None:
    place = (Place(2, "a", "fails here"),)
    said = [Message("It failed.", pattern, places=place) for pattern in ("one", "another")]
    lines = screen(failing(*said, Message("Else.", "third", places=place)))
    assert [line for line in lines if "It failed." in line] == ["It failed."]
    assert "Also: line 2: Else." in lines


def skipped(line: int, block: int) -> Message:
    return Message(
        f"Warning: 255 of 256 threads of block ({block},0,0) skip the __syncthreads() in "
        f"diff_kernel at mine.cu:{line} and end: let every thread of the block reach the barrier."
    )


def test_notes_that_say_the_same_of_a_line_are_one_whole_sentence() -> None:
    notes = [skipped(18, 0), skipped(18, 0), skipped(18, 1), skipped(25, 7), skipped(18, 11)]
    cases = tuple(Case(f"test {i}", True, [one]) for i, one in enumerate(notes))
    row = CriterionResult("safety", "pass", 40, 40, cases=cases)
    said = " ".join(" ".join(screen(Result("", "diff", "graded", 40, 40, criteria=[row]))).split())
    assert f"safety: {notes[0].text} (2 more like this: --all)" in said
    assert f"safety: {notes[3].text} To repeat" in said
    assert said.count("Warning") == 2


def test_notes_name_the_students_own_file() -> None:
    note = "Warning: 1 of 2 threads skip the __syncthreads() in diff_kernel at diff.cu:18 and end."
    row = CriterionResult("safety", "pass", 1, 1, cases=(Case("a", True, [Message(note)]),))
    own = note.replace("diff.cu", "mine.cu")
    result = Result("", "diff", "graded", 1, 1, criteria=[row])
    assert own in " ".join(" ".join(screen(result)).split())
    every = replace(result, criteria=[replace(row, messages=[note])])
    assert own in " ".join(" ".join(screen(every, everything=True)).split())


def test_failures_name_the_students_own_file() -> None:
    most = "All of it comes from diff.cu:11 `out[i] = in[i];` (100%)."
    result = failing(Message(most), Message(f"Slow. {most}"))
    for everything in (False, True):
        said = screen(result, everything=everything)
        assert "mine.cu:11" in said[3], "\n".join(said)
        assert not any("diff.cu" in line for line in said), "\n".join(said)


def test_praise_can_wait_for_an_estimate() -> None:
    row = CriterionResult("correctness", "pass", 40, 40)
    result = Result("", "diff", "graded", 40, 40, criteria=[row])
    said = " ".join(screen(result, praise=False))
    assert "Every test passes." in said
    assert "Well done" not in said
    assert "Next lab" not in said


def test_success_says_what_was_learned_and_what_comes_next() -> None:
    row = CriterionResult("correctness", "pass", 40, 40)
    result = Result("", "diff", "graded", 40, 40, criteria=[row])
    said = " ".join(screen(result))
    assert "Well done! Every test passes." in said
    assert "What you learned: " + DIFF.learned in said
    labs = lab.course()
    following = labs[[one.name for one in labs].index("diff") + 1]
    assert f"Next lab: {following.title}. Read labs/{following.name}/README.md" in said


def test_a_right_kernel_shows_its_times_and_its_rounding_errors() -> None:
    slow = "1.01 times as fast as the baseline."
    figures = "0.4 ms per launch, 650 GB/s: 85% of the GPU's peak, measured with its own copy."
    cases = (Case("speed", False, [Message(slow, "slow")]),)
    speed = CriterionResult("speed", "partial", 3, 30, [slow, figures], cases=cases)
    errors = (Errors("df", 4096, 1.25e-8, 9.5e-8),)
    lines = screen(Result("", "diff", "graded", 3, 30, criteria=[speed], errors=errors))
    assert lines[3] == slow
    assert lines[4] == "Errors of df: RMS 1.2e-08, largest 9.5e-08 (over 4096 elements)"
    assert " ".join(" ".join(lines[5:7]).split()) == f"speed: {figures}"


def test_a_timed_kernel_is_shown_on_the_ladder() -> None:
    rungs = (Rung(1.0, "baseline"), Rung(1.3, "your kernel", True), Rung(1.6, "reference"))
    row = CriterionResult("speed", "pass", 30, 30, ladder=rungs)
    lines = screen(Result("", "diff", "graded", 30, 30, criteria=[row]))
    begin = lines.index("Times as fast as the baseline:")
    assert lines[begin + 1 : begin + 4] == [
        "    1.00  baseline",
        ">   1.30  your kernel",
        "    1.60  reference",
    ]


def test_an_error_of_the_compiler_has_its_line() -> None:
    messages = ["diff.cu:2:3: error: 'two' was not declared", "diff.cu:1: error: more"]
    result = Result(
        "", "diff", "compile_error", 0, 40, messages=messages, source="one\ntwo(three);\n"
    )
    lines = screen(result)
    assert lines[0] == "Adjacent difference   does not compile   mine.cu"
    assert lines[2:4] == ["mine.cu:2: error: 'two' was not declared", "    2 | two(three);"]
    assert "mine.cu:1: error: more" in lines
    more = [f"diff.cu:{i}: error: again" for i in range(40)]
    many = screen(replace(result, messages=[*messages, *more]))
    assert len(many) == 20
    assert many[-1].endswith("more: --all")


@pytest.mark.parametrize(("found", "marked"), [("}", ")"), ("m", "m")])
def test_what_is_missing_where_a_line_ends_is_marked_there(found: str, marked: str) -> None:
    messages = [f"diff.cu:1: error: expected ';' before '{found}' token"]
    source = f"run(m, {'a + ' * 30}b)\n}}\n"
    lines = screen(Result("", "diff", "compile_error", 0, 40, messages=messages, source=source))
    assert len(lines[3]) <= 80
    assert lines[3][lines[4].index("^")] == marked


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_every_lab_says_what_it_taught(name: str) -> None:
    learned = lab.load(name).learned
    assert 40 < len(learned) < 300


def test_a_wrong_value_has_its_store_unless_a_finding_says_more() -> None:
    store = Place(2, "three", "thread (3,0,0) stores out[3]")
    wrong = Message("", "", "out is wrong.", element="out[3]", expected="1", got="2", store=store)
    lines = screen(failing(wrong))
    assert lines[6:-1] == [
        "  got      2",
        "  mine.cu:2",
        "    2 | two(three);",
        f"      |     ^~~~~ {store.says}",
    ]
    race = Place(1, "one", "thread (3,0,0) writes tile[3]")
    assert store.says not in "".join(screen(failing(replace(wrong, places=(race,)))))
