"""Which lab a file is for."""

from __future__ import annotations

from pathlib import Path

import pytest

import downloads
from tilelab.collect.members import Member
from tilelab.collect.naming import guess
from tilelab.collect.sorting import sort
from tilelab.labs import lab

LABS = lab.course()


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
        assert found.remarks == ["diff.cu is taken for diff, not old/diff.cu, which differs"]


def test_two_equal_files_are_no_question(tmp_path: Path) -> None:
    files = [member(name, downloads.FIRST, tmp_path) for name in ("diff.cu", "old/diff.cu")]
    assert sort(files, LABS).remarks == []


def test_a_file_counts_before_the_skeleton_beside_it(tmp_path: Path) -> None:
    skeleton = next(one for one in LABS if one.name == "diff").pristine.read_text()
    files = [
        member("diff.cu", skeleton, tmp_path),
        member("diff_final.cu", downloads.FIRST, tmp_path),
    ]
    found = sort(files, LABS)
    assert [one.member.shown for one in found.files] == ["diff_final.cu"]
    assert found.remarks == ["diff_final.cu is taken for diff: its name has that word"]


def test_a_skeleton_stays_one(tmp_path: Path) -> None:
    skeleton = next(one for one in LABS if one.name == "diff").pristine.read_text()
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
    assert (found.remarks, found.kernels, found.others) == ([], [], ["README.md"])


def test_what_is_left_over_is_named(tmp_path: Path) -> None:
    files = [member("helper.cu", "int x;", tmp_path), member("Diff.txt", "", tmp_path)]
    found = sort(files, LABS)
    assert (found.kernels, found.others) == (["helper.cu"], ["Diff.txt"])
