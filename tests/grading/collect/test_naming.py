"""Which lab a file is for."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

import downloads
import support
from tilelab.collect.members import Member
from tilelab.collect.naming import guess
from tilelab.collect.sorting import sort
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import intake
from tilelab.setup import lab_template
from tilelab.setup.lab_choices import Choices

LABS = lab.course()
DIFF = next(one for one in LABS if one.name == "diff")


def member(path: str, text: str, at: Path) -> Member:
    copy = at / path.replace("/", "_")
    copy.write_text(text)
    return Member(tuple(path.split("/")), copy)


@pytest.mark.parametrize(
    ("name", "expected", "copy"),
    [
        ("diff.cu", "diff", 0),
        ("Diff.CU", "diff", 0),
        ("diff.cu.cu", "diff", 0),
        ("diff-1.cu", "diff", 1),
        ("diff (12).cu", "diff", 12),
        ("diff(2).cu", "diff", 2),
        ("diff - Copy.cu", "diff", 1),
        ("diff - Copy (3).cu", "diff", 3),
        ("diff copy 2.cu", "diff", 2),
        ("nearest_neighbor.cu", "nearest_neighbor", 0),
        ("NearestNeighbor.cu", "nearest_neighbor", 0),
        ("nearest-neighbor-2.cu", "nearest_neighbor", 2),
        ("first kernel.cu", "first_kernel", 0),
    ],
)
def test_the_name_says_which_lab(name: str, expected: str, copy: int, tmp_path: Path) -> None:
    found = guess(member(name, "", tmp_path), LABS)
    assert found is not None
    assert (found.lab, found.by, found.copy) == (expected, "name", copy)


@pytest.mark.parametrize("name", ["diff_final.cu", "amber_diff.cu", "lab1-diff-v2.cu"])
def test_a_word_of_the_name_will_do(name: str, tmp_path: Path) -> None:
    found = guess(member(name, "", tmp_path), LABS)
    assert found is not None and (found.lab, found.by) == ("diff", "word")


@pytest.mark.parametrize("name", ["different.cu", "diff_nbody.cu", "kernel.cu", "mydiff.cu"])
def test_what_is_not_clear_is_not_guessed(name: str, tmp_path: Path) -> None:
    assert guess(member(name, "int x;", tmp_path), LABS) is None


def test_the_function_says_which_lab(tmp_path: Path) -> None:
    found = guess(member("kernel.cu", downloads.FIRST, tmp_path), LABS)
    assert found is not None and (found.lab, found.by) == ("diff", "function")


@pytest.mark.parametrize("one", LABS, ids=lambda one: one.name)
def test_the_functions_of_every_lab_are_known(one: Lab, tmp_path: Path) -> None:
    for path in (one.pristine, support.REPO / "solutions" / one.name / f"{one.name}.cu"):
        found = guess(member("main.cu", path.read_text(), tmp_path), LABS)
        assert found is not None and (found.lab, found.by) == (one.name, "function")


def test_the_functions_of_a_new_lab_are_known(tmp_path: Path) -> None:
    choices = Choices("Triples", 1, "float", {"correctness": 50, "safety": 20, "memory": 30})
    lab_template.make("triple", choices, tmp_path)
    new = lab.load("triple", tmp_path)
    found = guess(member("main.cu", new.skeleton.read_text(), tmp_path), [*LABS, new])
    assert found is not None and found.lab == "triple"


def asking(listed: str, at: Path) -> list[Lab]:
    """The labs, and one whose header says this."""
    (at / "labs" / "own").mkdir(parents=True)
    (at / "labs" / "own" / "own.h").write_text(listed)
    return [*LABS, replace(LABS[0], name="own", repo=at)]


OWN = (
    "#define TILELAB_LAB_FUNCTIONS(EACH) \\\n"
    "  EACH(first, in, inout(a)) /* and */ \\\n  EACH(work)\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "double first(const float* in, float* a) { return 0; }",
        "struct Pair first(const float* in, std::pair<int, int>* a) {}",
        "std::array<int, (2 > 1)> *first(int in, int a)\n{\n}",
        'extern "C" {\nint first(int in, int a) {}\n}',
        'extern "C" int first(int in, int a) noexcept {}',
        "[[nodiscard]] __attribute__((noinline)) int first(int in, int a) {}",
        "__host__ __device__ auto first(int in, int a) -> int {}",
        "template <typename T = int>\nT first(const T* in, T* a) {}",
        "EXPORTED(int) first(int in, int a) {}",
        "int first(int in, int a = 3) try {} catch (...) {}",
        "int table[] = {1, 2}; struct S { int x{}; }; namespace n { int k; }\nvoid work(void) {}",
        "constexpr char brace = '{'; const char* text = R\"(})\"; // {\nvoid work() {}",
        "#define BEGIN {\nvoid work() {}",
        "void wo\\\nrk() {}",
    ],
)
def test_a_function_may_be_written_in_many_ways(text: str, tmp_path: Path) -> None:
    found = guess(member("main.cu", text, tmp_path), asking(OWN, tmp_path))
    assert found is not None and found.lab == "own"


@pytest.mark.parametrize(
    "text",
    [
        "int first(int in, int a);",
        "int second() { return first(1, 2); }",
        "int first(int other) {}",
        "static void work() {}",
        "__global__ void work() {}",
        "__device__ void work() {}",
        "namespace mine { void work() {} }",
        "namespace { void work() {} }",
        "struct S { void work() {} };",
        "void S::work() {}",
        'const char* text = "void work() {}";',
        "#define WORK void work() {}",
        "auto lambda = [] { work(); };",
        "}}}}) void work() ;{",
    ],
)
def test_what_the_judge_could_not_call_says_nothing(text: str, tmp_path: Path) -> None:
    assert guess(member("main.cu", text, tmp_path), asking(OWN, tmp_path)) is None


def test_a_helper_named_like_a_lab_s_function_does_not_count(tmp_path: Path) -> None:
    text = (LABS[0].pristine).read_text() + "float sum(const float* in, int n) { return 0; }\n"
    found = guess(member("main.cu", text, tmp_path), LABS)
    assert found is not None and found.lab == LABS[0].name


@pytest.mark.parametrize(
    "piece",
    ["{", "namespace a {", "= {}", "a ("],
)
def test_a_hostile_text_is_read_within_a_second(piece: str, tmp_path: Path) -> None:
    one = member("main.cu", piece * (intake.MAX_BYTES // len(piece)), tmp_path)
    begin = time.process_time()
    assert guess(one, LABS) is None
    assert time.process_time() - begin < 5  # on a machine that does much else


@pytest.mark.parametrize(
    "text",
    [
        "// void diff(const int* in, int* out, int n) {\n",
        "void diff(const int* in, int* out, int n);\n",
        downloads.FIRST + "void nearest_neighbor(const float3* p, int* o, int n) {}\n",
    ],
)
def test_a_comment_or_two_labs_say_nothing(text: str, tmp_path: Path) -> None:
    assert guess(member("kernel.cu", text, tmp_path), LABS) is None


def test_the_baseline_is_never_taken_for_a_submission(tmp_path: Path) -> None:
    assert guess(member("baseline.cu", downloads.FIRST, tmp_path), LABS) is None


def test_of_two_files_for_a_lab_one_is_taken_and_said(tmp_path: Path) -> None:
    files = [
        member("old/diff.cu", downloads.FIRST, tmp_path),
        member("diff.cu", downloads.SECOND, tmp_path),
    ]
    for order in (files, files[::-1]):
        found = sort(order, LABS)
        assert [one.member.shown for one in found.files] == ["diff.cu"]
        (doubt,) = found.doubts
        assert doubt.remark == "diff.cu is taken for diff, not old/diff.cu, which differs"
        assert [one.shown for one in doubt.choices] == ["diff.cu", "old/diff.cu"]


@pytest.mark.parametrize("backup", ["diff copy.cu", "diff - Copy (2).cu", "old/diff_copy.cu"])
def test_the_original_counts_before_a_copy_that_a_person_made(backup: str, tmp_path: Path) -> None:
    files = [
        member("diff.cu", downloads.FIRST, tmp_path),
        member(backup, downloads.SECOND, tmp_path),
    ]
    found = sort(files, LABS)
    assert [one.member.shown for one in found.files] == ["diff.cu"]
    (doubt,) = found.doubts
    assert doubt.remark == f"diff.cu is taken for diff, not {backup}, which differs"
    assert [one.member.shown for one in sort(files[1:], LABS).files] == [backup]


def test_two_equal_files_are_no_question(tmp_path: Path) -> None:
    files = [member(name, downloads.FIRST, tmp_path) for name in ("diff.cu", "old/diff.cu")]
    assert sort(files, LABS).doubts == []


def test_a_file_counts_before_the_skeleton_beside_it(tmp_path: Path) -> None:
    skeleton = DIFF.pristine.read_text()
    files = [
        member("diff.cu", skeleton, tmp_path),
        member("diff_final.cu", downloads.FIRST, tmp_path),
    ]
    found = sort(files, LABS)
    assert [one.member.shown for one in found.files] == ["diff_final.cu"]
    assert [one.guess.by for one in found.files] == ["word"]


def test_a_skeleton_stays_one(tmp_path: Path) -> None:
    skeleton = DIFF.pristine.read_text()
    found = sort([member("diff.cu", skeleton, tmp_path)], LABS)
    assert [one.is_skeleton for one in found.files] == [True]


def test_of_a_copy_of_the_course_only_the_labs_count(tmp_path: Path) -> None:
    paths = [
        "gpu/labs/diff/diff.cu",
        "gpu/labs/diff/baseline.cu",
        "gpu/labs/derivatives/derivative_x.cu",
        "gpu/solutions/diff/diff.cu",
        "gpu/tests/common/kernel.cu",
        "gpu/README.md",
    ]
    files = [member(path, f"// {path}\n", tmp_path) for path in paths]
    found = sort(files, LABS)
    assert [one.member.shown for one in found.files] == ["gpu/labs/diff/diff.cu"]
    assert (found.doubts, found.kernels, [one.name for one in found.others]) == (
        [],
        [],
        ["README.md"],
    )


@pytest.mark.parametrize("at", ["gpu/labs/diff", "labs/diff", "diff", "old/diff"])
def test_what_a_lab_s_folder_holds_beside_the_skeleton_is_nobody_s(at: str, tmp_path: Path) -> None:
    files = [
        member(f"{at}/diff.cu", DIFF.pristine.read_text(), tmp_path),
        member(f"{at}/baseline.cu", DIFF.baseline.read_text(), tmp_path),
        member(f"{at}/cases/borrowed.cu", downloads.FIRST, tmp_path),
        member(f"{at}/cases/diff_of_mine.cu", downloads.SECOND, tmp_path),
    ]
    found = sort(files, LABS)
    assert [one.member.shown for one in found.files] == [f"{at}/diff.cu"]
    assert (found.doubts, found.kernels, found.others) == ([], [], [])


@pytest.mark.parametrize(
    "given", [path for one in LABS for path in one.given], ids=lambda it: it.name
)
def test_what_all_students_got_is_nobody_s_wherever_it_lies(given: Path, tmp_path: Path) -> None:
    text = given.read_text().replace("\n", "\r\n")
    files = [member(name, text, tmp_path) for name in (given.name, "mine/kernel.cu")]
    found = sort(files, LABS)
    assert (found.files, found.doubts, found.kernels, found.others) == ([], [], [], [])


def test_a_file_with_the_name_of_a_lab_is_handed_in_whatever_it_holds(tmp_path: Path) -> None:
    found = sort([member("diff.cu", DIFF.baseline.read_text(), tmp_path)], LABS)
    assert [one.member.shown for one in found.files] == ["diff.cu"]


def test_no_more_of_an_attempt_is_read_than_a_submission_may_have(tmp_path: Path) -> None:
    text = downloads.FIRST + " " * (intake.MAX_BYTES * 3 // 4)
    files = [member(f"{number}.cu", text, tmp_path) for number in range(3)]
    assert [one.name for one in sort(files, LABS).kernels] == ["1.cu", "2.cu"]


def test_what_is_left_over_is_named(tmp_path: Path) -> None:
    files = [member("helper.cu", "int x;", tmp_path), member("Diff.txt", "", tmp_path)]
    found = sort(files, LABS)
    assert [one.name for one in (*found.kernels, *found.others)] == ["helper.cu", "Diff.txt"]
