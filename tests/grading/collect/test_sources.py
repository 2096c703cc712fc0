"""Each kind of download gives the same class."""

from __future__ import annotations

import datetime
import shutil
import time
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import downloads
from tilelab.base.errors import UserError
from tilelab.collect import roster
from tilelab.collect.choosing import Policy
from tilelab.collect.decisions import Decisions
from tilelab.collect.folder_names import Folders
from tilelab.collect.gathering import Gathered, Gatherer
from tilelab.labs import course, lab


@dataclass(frozen=True)
class Download:
    """A download. `times` are those of amber and basil, in UTC."""

    kind: str
    make: Callable[[Path], Path]
    stranger: str
    times: tuple[str | None, str | None] = (None, None)
    attempts: tuple[int, int] = (2, 2)
    refused: str = "is a link"


AMBER, BASIL = "2027-03-01T22:58:00", "2027-03-02T07:00:00"
DOWNLOADS = [
    Download("folder", lambda at: downloads.folder_of(at / "in", downloads.PLAIN), "zed"),
    Download("folder", lambda at: downloads.zip_of(at / "in.zip", downloads.PLAIN), "zed"),
    Download("folder", lambda at: downloads.tar_of(at / "in.tgz", downloads.PLAIN), "zed"),
    Download(
        "Canvas", lambda at: downloads.zip_of(at / "in.zip", downloads.CANVAS), "zinczed_4799"
    ),
    Download(
        "Moodle", lambda at: downloads.zip_of(at / "in.zip", downloads.MOODLE), "Zed Zinc_10026"
    ),
    Download(
        "Blackboard",
        lambda at: downloads.zip_of(at / "in.zip", downloads.BLACKBOARD),
        "zed",
        (AMBER, BASIL),
    ),
    Download(
        "Gradescope",
        lambda at: downloads.zip_of(at / "in.zip", downloads.GRADESCOPE),
        "0077",
        (AMBER, BASIL),
    ),
    Download("clones", lambda at: downloads.clones(at / "in"), "zed", (AMBER, BASIL)),
]


WORKSHEET = (
    'Identifier,"Full name","Email address","Last modified (submission)"\n'
    '"Participant 10023","Amber Stone",amber@uni.edu,"Monday, 1 March 2027, 11:58 PM"\n'
)


def gather(
    source: Path, at: Path, policy: Policy = "last", worksheet: str = downloads.ROSTER
) -> Gathered:
    (at / "roster.csv").write_text(worksheet)
    (at / "course.toml").write_text(downloads.COURSE)
    people = roster.load(at / "roster.csv", zoneinfo.ZoneInfo("Europe/Berlin"))
    labs = [lab.load(name) for name in lab.all_labs()]
    gatherer = Gatherer(
        labs,
        course.load(at / "course.toml"),
        people,
        Folders(one.key for one in people.students),
        Decisions(),
    )
    work = at / "copies"
    work.mkdir()
    gatherer.read(source, work)
    return gatherer.result(policy)


@pytest.mark.parametrize("download", DOWNLOADS, ids=lambda one: one.kind)
def test_a_download_becomes_a_class(download: Download, tmp_path: Path) -> None:
    source = download.make(tmp_path)
    found = gather(source, tmp_path)
    assert found.kinds == [f"{source.name}: {download.kind}"]
    chosen = {choice.found.student: choice for choice in found.choices}
    assert {name: one.found.member.data().decode() for name, one in chosen.items()} == {
        "amber": downloads.SECOND,
        "basil": downloads.LATE,
        download.stranger: downloads.STRANGE,
    }
    assert {one.found.lab for one in chosen.values()} == {"diff"}
    amber = chosen["amber"]
    assert (amber.attempt, amber.attempts) == download.attempts
    times = tuple(chosen[name].found.when for name in ("amber", "basil"))
    assert tuple(one and one.isoformat()[:19] for one in times) == download.times
    assert found.strangers >= {download.stranger}
    assert found.left["clover"][-1].member.name == "Diff.txt"
    assert len(found.refused) == 1 and found.refused[0].endswith("is a link")


def test_canvas_marks_what_is_late_and_knows_no_times(tmp_path: Path) -> None:
    found = gather(downloads.zip_of(tmp_path / "in.zip", downloads.CANVAS), tmp_path)
    late = [one.found.student for one in found.choices if one.found.marked_late]
    assert late == ["basil"]


def test_a_clone_s_configuration_runs_nothing(tmp_path: Path) -> None:
    gather(downloads.clones(tmp_path / "in"), tmp_path)
    assert not (tmp_path / "ran").exists()


def test_moodle_s_worksheet_says_when_its_files_were_handed_in(tmp_path: Path) -> None:
    source = downloads.zip_of(tmp_path / "in.zip", downloads.MOODLE)
    found = gather(source, tmp_path, worksheet=WORKSHEET)
    times = {one.found.student: one.found.when for one in found.choices}
    amber = times["amber@uni.edu"]
    assert amber and amber.isoformat() == "2027-03-01T22:58:00+00:00"
    assert found.strangers == {"Basil Umber_10024", "Clover Jade_10025", "Zed Zinc_10026"}


def test_a_group_of_gradescope_shares_its_file(tmp_path: Path) -> None:
    two = "  - :name: Dill Slate\n    :sid: '0045'\n  :created_at"
    text = str(downloads.GRADESCOPE["assignment_77_export/submission_metadata.yml"])
    files = {
        **downloads.GRADESCOPE,
        "assignment_77_export/submission_metadata.yml": text.replace("  :created_at", two, 1),
    }
    found = gather(downloads.zip_of(tmp_path / "in.zip", files), tmp_path)
    shared = {one.found.student: one.found.member.data() for one in found.choices}
    assert shared["amber"] == shared["dill"]


@pytest.mark.parametrize(
    "text", ["- [", "just words", "!!python/object/apply:os.system [touch ran]", "a: *b"]
)
def test_metadata_that_cannot_be_read_is_one_line(text: str, tmp_path: Path) -> None:
    files = {**downloads.GRADESCOPE, "assignment_77_export/submission_metadata.yml": text}
    with pytest.raises(UserError, match=r"says nothing of any submission.*unpack it") as caught:
        gather(downloads.zip_of(tmp_path / "in.zip", files), tmp_path)
    assert "\n" not in str(caught.value) and not Path("ran").exists()


@pytest.mark.parametrize(
    "broken",
    [
        "  :submitters:\n  - &1\n    :name: Zed\n  - &1\n    :name: Zed\n",
        "  :submitters: *nobody\n",
        "  a: [\n",
        "  a: " + "[" * 100_000 + "\n",
        "  ? [a, b]\n  : {c: d, ? {e: f} : g}\n",
        "  a: \x01\n",
    ],
)
def test_a_broken_part_of_the_metadata_costs_only_that_part(broken: str, tmp_path: Path) -> None:
    about = "assignment_77_export/submission_metadata.yml"
    text = str(downloads.GRADESCOPE[about]) + f"submission_5:\n{broken}"
    extra = {about: text, "assignment_77_export/submission_5/diff.cu": downloads.FIRST}
    found = gather(
        downloads.zip_of(tmp_path / "in.zip", {**downloads.GRADESCOPE, **extra}), tmp_path
    )
    assert [one.found.student for one in found.choices] == ["0077", "amber", "basil"]
    (line,) = [one for one in found.refused if "submission_metadata" in one]
    assert "submission_5: submission_metadata.yml, line 34, cannot be read" in line
    assert [one.line for one in found.questions] == [
        "assignment_77_export/submission_5/diff.cu belongs to no student"
    ]


def test_anchors_that_return_in_another_part_are_read(tmp_path: Path) -> None:
    about = "assignment_77_export/submission_metadata.yml"
    text = str(downloads.GRADESCOPE[about]).replace("  - :name", "  - &1\n    :name")
    found = gather(
        downloads.zip_of(tmp_path / "in.zip", {**downloads.GRADESCOPE, about: text}), tmp_path
    )
    assert [one.found.student for one in found.choices] == ["0077", "amber", "basil"]
    assert len(found.refused) == 1


def test_metadata_that_grows_by_its_aliases_is_read_at_once(tmp_path: Path) -> None:
    about = "assignment_77_export/submission_metadata.yml"
    lists = ["  a0: &a0 [x, x, x, x, x, x, x, x, x]\n"]
    lists += [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)]
    text = str(downloads.GRADESCOPE[about]) + "submission_5:\n" + "".join(lists)
    text += "  :submitters: \n  - :name: *a29\n    :sid: *a29\n"
    found = gather(
        downloads.zip_of(tmp_path / "in.zip", {**downloads.GRADESCOPE, about: text}), tmp_path
    )
    assert "in.zip: submission_5: submission_metadata.yml does not say whose it is" in found.refused


def test_an_archive_may_be_of_one_student_who_has_folders(tmp_path: Path) -> None:
    files = {f"Amber Stone/{name}/{name}.cu": downloads.FIRST for name in ("diff", "nbody")}
    found = gather(downloads.zip_of(tmp_path / "in.zip", files), tmp_path)
    assert {(one.found.student, one.found.lab) for one in found.choices} == {
        ("amber", "diff"),
        ("amber", "nbody"),
    }


@pytest.mark.parametrize("folder", ["", "amber/"])
def test_ten_thousand_folders_are_one_line_at_once(folder: str, tmp_path: Path) -> None:
    files = {f"{folder}{number}/diff.cu": "" for number in range(10_000)}
    source = downloads.zip_of(tmp_path / "in.zip", files)
    begin = time.process_time()
    with pytest.raises(UserError, match=r"in.zip has 10,000 folders side by side: if each"):
        gather(source, tmp_path)
    assert time.process_time() - begin < 1


def test_thousands_of_strangers_are_one_line(tmp_path: Path) -> None:
    files = {f"class/{number}/diff.cu": "" for number in range(2001)}
    with pytest.raises(UserError, match=r"2,001 students who are in no roster") as caught:
        gather(downloads.zip_of(tmp_path / "in.zip", files), tmp_path)
    assert "\n" not in str(caught.value)


def test_anonymous_students_of_canvas_are_told_apart(tmp_path: Path) -> None:
    source = downloads.folder_of(
        tmp_path / "in",
        {
            "anon_x7Kf2_9_diff.cu": downloads.FIRST,
            "LATE_anon_y8Lg3_10_diff_2.cu": downloads.FIRST,
        },
    )
    found = gather(source, tmp_path)
    assert [(one.found.student, one.found.marked_late) for one in found.choices] == [
        ("anon_x7Kf2", False),
        ("anon_y8Lg3", True),
    ]


def test_one_clone_is_a_source(tmp_path: Path) -> None:
    found = gather(downloads.clones(tmp_path / "in") / "gpu-lab-amber", tmp_path)
    assert [one.found.student for one in found.choices] == ["amber"]


def test_what_lies_beside_clones_is_listed(tmp_path: Path) -> None:
    source = downloads.clones(tmp_path / "in")
    downloads.folder_of(source / "gpu-lab-dill", {"diff.cu": downloads.FIRST})
    found = gather(source, tmp_path)
    assert "in: gpu-lab-dill: is no clone, as the others here" in found.refused


def test_an_attempt_of_a_clone_is_a_commit(tmp_path: Path) -> None:
    source = downloads.clones(tmp_path / "in")
    (source / "gpu-lab-amber" / "labs" / "diff" / "diff.cu").write_text("not committed")
    found = gather(source, tmp_path)
    assert found.choices[0].found.member.data().decode() == downloads.SECOND


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("labs/diff/diff.cu", "labs/diff/try.cu"),
        ("labs/diff/diff.cu", "labs/diff/diff_old.cu"),
        ("diff.cu", "old/diff.cu"),
    ],
)
def test_in_a_clone_the_name_and_the_folder_count_before_the_time(
    own: str, other: str, tmp_path: Path
) -> None:
    commits = [
        ("2027-02-27T08:00:00 +0000", {own: downloads.FIRST}),
        ("2027-02-28T08:00:00 +0000", {own: downloads.SECOND}),
        ("2027-03-05T08:00:00 +0000", {other: downloads.LATE}),
    ]
    source = downloads.clone_of(tmp_path / "gpu-lab-amber", commits)
    found = gather(source, tmp_path)
    (choice,) = found.choices
    assert choice.found.source == f"gpu-lab-amber: gpu-lab-amber/{own}"
    assert choice.found.when == datetime.datetime(2027, 2, 28, 8, tzinfo=datetime.UTC)
    assert (choice.attempt, choice.attempts) == (2, 2)
    (question,) = found.questions
    assert question.line == (
        f"amber: gpu-lab-amber/{own} is taken for diff, not gpu-lab-amber/{other}, which differs"
    )


@pytest.mark.parametrize("odd", [":(glob)x.cu", ":!diff.cu", "[a-z].cu", ":(top,icase)X/DIFF.CU"])
def test_a_name_that_git_takes_for_a_pattern_is_that_of_a_file(odd: str, tmp_path: Path) -> None:
    commits = [("2027-03-01T08:00:00 +0000", {"diff.cu": downloads.FIRST, odd: downloads.LATE})]
    found = gather(downloads.clone_of(tmp_path / "gpu-lab-amber", commits), tmp_path)
    (choice,) = found.choices
    assert choice.found.source == "gpu-lab-amber: gpu-lab-amber/diff.cu"


def test_a_name_counts_before_a_later_submission_that_says_less(tmp_path: Path) -> None:
    about = "assignment_77_export/submission_metadata.yml"
    text = str(downloads.GRADESCOPE[about])
    amber, basil = text.index("submission_1"), text.index("submission_2")
    later = text[amber:basil].replace("submission_1", "submission_9").replace("03-01", "03-09")
    helper = {"assignment_77_export/submission_9/helper.cu": downloads.LATE}
    files = {**downloads.GRADESCOPE, about: text + later, **helper}
    found = gather(downloads.zip_of(tmp_path / "in.zip", files), tmp_path)
    chosen = next(one.found for one in found.choices if one.found.student == "amber")
    assert chosen.member.data().decode() == downloads.SECOND
    assert found.questions[-1].line.endswith("submission_9/helper.cu, which came later")


def test_a_clone_that_is_broken_does_not_stop_the_others(tmp_path: Path) -> None:
    source = downloads.clones(tmp_path / "in")
    shutil.rmtree(source / "gpu-lab-basil" / ".git" / "objects")
    (source / "gpu-lab-clover" / ".git" / "HEAD").write_text("ref: refs/heads/../../../HEAD")
    found = gather(source, tmp_path)
    assert [one.found.student for one in found.choices] == ["amber", "zed"]
    assert found.refused[:2] == [
        "in: gpu-lab-basil: is no repository that can be read",
        "in: gpu-lab-clover: has no commit",
    ]
