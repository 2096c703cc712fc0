"""What is not clear is asked with the option that answers it, and not asked again."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

import downloads
from downloads import FIRST, SECOND
from tilelab.base.errors import UserError
from tilelab.collect import report, writing
from tilelab.collect.decisions import Decisions, parse
from tilelab.collect.folder_names import Folders
from tilelab.collect.gathering import Gatherer
from tilelab.collect.report import Report
from tilelab.collect.roster.people import Roster
from tilelab.labs import lab
from tilelab.model.course import Assignment, Course
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import read_notes

LABS = [lab.load(name) for name in ("diff", "nbody")]
COURSE = Course(assignments={"diff": Assignment(), "nbody": Assignment()})
ROSTER = [
    Student("amber", "Amber Stone", id="0042"),
    Student("basil", "Basil Umber"),
    Student("kim1", "Kim Lee", "kim@uni.edu", "1"),
    Student("kim2", "Kim Lee", id="2"),
]


class Class:
    """A class that is collected from one download after another."""

    def __init__(self, at: Path, roster: list[Student] = ROSTER) -> None:
        self.at = at
        self.folder = at / "class"
        self.roster = Roster()
        for one in roster:
            self.roster.add(one, {"id": one.id, "email": one.email, "name": one.name})
        self._count = 0

    def collect(self, files: dict[str, str | bytes], *takes: str) -> Report:
        self._count += 1
        source = downloads.zip_of(self.at / "in.zip", files)
        work = self.at / f"copies {self._count}"
        work.mkdir()
        keys = [one.key for one in self.roster.students]
        decisions = Decisions(
            [parse(text, ["diff", "nbody"]) for text in takes],
            read_notes(self.folder).decisions,
        )
        folders = Folders(keys, writing.folders_in(self.folder))
        gatherer = Gatherer(LABS, COURSE, self.roster, folders, decisions)
        gatherer.read(source, work)
        found = gatherer.result("last")
        decisions.assert_sound([source], [*keys, *found.strangers])
        changes, collected = writing.write(
            self.folder, found.choices, self.roster.students, decisions.noted()
        )
        return report.make(found, changes, collected, COURSE, [], self.folder)

    def text(self, student: str, name: str = "diff") -> str:
        return (self.folder / student / f"{name}.cu").read_text()


@pytest.fixture
def class_(tmp_path: Path) -> Class:
    return Class(tmp_path)


def asked(made: Report) -> dict[str, list[str]]:
    """The questions, and what a shell makes of the options that answer them."""
    answers = {one.line: [shlex.split(text)[-1] for text in one.answers] for one in made.questions}
    assert all(text.startswith(("--take", "rm ")) for one in made.questions for text in one.answers)
    return answers


def test_only_the_lab_at_hand_is_missed_and_in_one_line(class_: Class) -> None:
    made = class_.collect({"amber/diff.cu": FIRST})
    assert made.missing == ["no file to judge (3): basil, kim1, kim2"]
    assert made.labs == ["diff"] and made.questions == []
    made = class_.collect({"basil/nbody.cu": SECOND})
    assert made.missing == ["no nbody.cu (1): amber", "no file to judge (2): kim1, kim2"]
    assert made.labs == ["diff", "nbody"]


def test_a_file_of_another_lab_and_a_skeleton_put_no_lab_at_hand(class_: Class) -> None:
    skeleton = LABS[1].pristine.read_text()
    files = {f"s{number}/diff.cu": FIRST for number in range(11)}
    made = class_.collect({**files, "amber/nbody.cu": FIRST, "basil/nbody.cu": skeleton})
    assert made.missing == ["no diff.cu (2): amber, basil", "no file to judge (2): kim1, kim2"]


@pytest.mark.parametrize("name", ["helper.cu", "diff_helper.cu"])
def test_a_later_file_with_another_name_replaces_none_and_is_asked_about(
    name: str, class_: Class
) -> None:
    class_.collect({"amber/diff.cu": FIRST})
    made = class_.collect({f"amber/{name}": SECOND})
    assert class_.text("amber") == FIRST
    assert (made.replaced, made.guessed) == ([], [])
    ((line, (taken, nothing)),) = asked(made).items()
    assert line == (
        f"amber: the class has diff.cu under its own name, so amber/{name} is not taken"
    )
    assert class_.collect({f"amber/{name}": SECOND}, nothing).questions == []
    assert class_.text("amber") == FIRST
    assert class_.collect({f"amber/{name}": SECOND}, taken).questions == []
    assert class_.text("amber") == SECOND
    class_.collect({"amber/diff.cu": FIRST})
    assert class_.text("amber") == FIRST


def test_a_later_skeleton_replaces_no_work_and_gives_way_to_any(class_: Class) -> None:
    skeleton = LABS[0].pristine.read_text()
    class_.collect({"amber/diff.cu": FIRST, "basil/diff.cu": skeleton})
    made = class_.collect({"amber/diff.cu": skeleton, "basil/kernel.cu": SECOND})
    assert (class_.text("amber"), class_.text("basil")) == (FIRST, SECOND)
    assert (made.skeletons, made.questions) == ([], [])
    assert made.replaced == ["basil/diff.cu: replaced"]


@pytest.mark.parametrize("name", ["diff.cu.txt", "Diff.txt", "lab/my code.cpp", "diff.cpp"])
def test_a_text_under_another_name_is_asked_for_and_taken(name: str, class_: Class) -> None:
    files: dict[str, str | bytes] = {"amber/diff.cu": FIRST, f"basil/{name}": SECOND}
    made = class_.collect(files)
    line = f"basil: no diff.cu, but {name.rpartition('/')[2]}"
    taken, nothing = asked(made)[line]
    assert (taken, nothing) == (f"basil/{name}=basil/diff", f"basil/{name}=")
    assert class_.collect(files, taken).questions == []
    assert class_.text("basil") == SECOND
    again = class_.collect(files)
    assert again.questions == [] and again.replaced == []
    # The next file of this name may be for another lab.
    (class_.folder / "basil" / "diff.cu").unlink()
    assert line in asked(class_.collect({**files, f"basil/{name}": SECOND + "//\n"}))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("report.docx", b"PK"),
        ("diff.pdf", b"%PDF"),
        ("lab.zip", downloads.zip_bytes({})),
    ],
)
def test_what_is_no_program_is_asked_for_until_it_counts_as_nothing(
    name: str, content: bytes, class_: Class
) -> None:
    files = {"amber/diff.cu": FIRST, f"basil/{name}": content}
    made = class_.collect(files)
    line = f"basil: no diff.cu, but {name}, which is no program: ask for the file"
    assert asked(made) == {line: [f"basil/{name}="]}
    made = class_.collect(files, f"basil/{name}=")
    assert made.questions == []
    assert made.missing == ["no file to judge (3): basil, kim1, kim2"]
    assert class_.collect(files).questions == []


def test_an_empty_zip_named_like_a_student_is_that_student_s(class_: Class) -> None:
    made = class_.collect({"amber/diff.cu": FIRST, "basil.zip": downloads.zip_bytes({})})
    assert list(asked(made)) == [
        "basil: no diff.cu, but basil.zip, which is no program: ask for the file"
    ]


def test_of_two_files_any_can_be_taken(class_: Class) -> None:
    files: dict[str, str | bytes] = {"amber/diff.cu": FIRST, "amber/old/diff.cu": SECOND}
    made = class_.collect(files)
    answers = asked(made)[
        "amber: amber/diff.cu is taken for diff, not amber/old/diff.cu, which differs"
    ]
    assert answers == ["amber/diff.cu=amber/diff", "amber/old/diff.cu=amber/diff"]
    for taken, text in zip(answers, (FIRST, SECOND), strict=True):
        assert class_.collect(files, taken).questions == []
        assert class_.text("amber") == text


def test_a_kernel_of_no_lab_and_a_file_of_nobody_are_asked_for(class_: Class) -> None:
    files: dict[str, str | bytes] = {"amber/a.cu": "int a;", "b.cu": SECOND, "basil/diff.cu": FIRST}
    answers = asked(class_.collect(files))
    assert (
        answers["amber: amber/a.cu: nothing says which lab it is for"][0] == "amber/a.cu=amber/LAB"
    )
    assert answers["b.cu belongs to no student"][0] == "b.cu=STUDENT/diff"
    class_.collect({"kim1/diff.cu": FIRST, **files}, "b.cu=kim1/diff")
    assert class_.text("kim1") == SECOND
    made = class_.collect(files, "amber/a.cu=amber/nbody", "b.cu=kim1/diff")
    assert made.questions == []
    assert (class_.text("amber", "nbody"), class_.text("kim1")) == ("int a;", SECOND)


@pytest.mark.parametrize("name", ["zed", "a=b", "$(touch x)", "it's", "-rf", "n\x07l\n"])
def test_what_is_asked_of_a_stranger_can_be_answered(name: str, class_: Class) -> None:
    files = {f"{name}/diff.cu.txt": FIRST, "amber/diff.cu": FIRST}
    made = class_.collect(files)
    ((taken, _),) = asked(made).values()
    taken = taken.removeprefix("--take=")
    assert class_.collect(files, taken).questions == []
    assert class_.collect(files).questions == []


def test_one_student_cannot_bury_the_questions_of_others(class_: Class) -> None:
    files = {f"amber/{number}/diff.cu": f"int a{number};" for number in range(500)}
    files |= {f"basil/{number}.cu": f"int a{number};" for number in range(500)}
    files |= {f"{number}.cu": "int a;" for number in range(500)}
    made = class_.collect({**files, "kim1/x.cu": "int a;"})
    assert len(made.questions) == 34
    assert "kim1: kim1/x.cu: nothing says which lab it is for" in asked(made)
    assert "amber: 489 more files like these" in asked(made)


def test_files_under_other_names_are_a_line_for_all(class_: Class) -> None:
    files = {"amber/main.cu": FIRST, "basil/lab/main.cu": SECOND, "kim1/my_diff.cu": FIRST}
    made = class_.collect(files)
    assert made.questions == []
    assert made.guessed == [
        "diff, because it defines its functions (2): amber (main.cu), basil (main.cu)",
        "diff, because its name has that word (1): kim1 (my_diff.cu)",
    ]
    made = class_.collect(files, "amber/main.cu=amber/nbody")
    assert asked(made) == {
        "amber/diff.cu: taken before, and not now. Remove it": [
            str(class_.folder / "amber" / "diff.cu")
        ]
    }
    # What another download of this name had is no less there.
    assert class_.collect({"amber/main.cu": SECOND, "basil/nbody.cu": FIRST}).questions == []
    assert class_.text("amber", "nbody") == FIRST
    assert made.guessed[0] == "diff, because it defines its functions (1): basil (main.cu)"


def test_namesakes_of_the_roster_are_asked_for(class_: Class) -> None:
    one = "Kim Lee_7_assignsubmission_file_/diff.cu"
    files: dict[str, str | bytes] = {one: FIRST, one.replace("7", "8"): SECOND}
    made = class_.collect(files)
    line = "Kim Lee_7 may be kim1 (id 1, kim@uni.edu) or kim2 (id 2)"
    assert asked(made)[line] == ["Kim Lee_7=kim1", "Kim Lee_7=kim2"]
    assert sorted(made.strangers) == ["Kim Lee_7", "Kim Lee_8"]
    made = class_.collect(files, "Kim Lee_7=kim2", "Kim Lee_8=kim1")
    assert (class_.text("kim2"), class_.text("kim1")) == (FIRST, SECOND)
    # Nothing is deleted, so a person has to.
    left = asked(made)["Kim Lee_7/diff.cu: taken before, and not now. Remove it"]
    assert left == [str(class_.folder / "Kim Lee_7")]
    for option in (option for one in made.questions for option in one.answers):
        assert option.startswith("rm -r ")
        shutil.rmtree(shlex.split(option)[-1])
    made = class_.collect(files)
    assert (made.questions, made.strangers) == ([], [])


def test_namesakes_of_a_download_are_asked_for(class_: Class) -> None:
    files: dict[str, str | bytes] = {
        "Amber Stone_7_assignsubmission_file_/diff.cu": FIRST,
        "amber stone_8_assignsubmission_file_/diff.cu": SECOND,
        "Basil Umber_9_assignsubmission_file_/diff.cu": FIRST,
    }
    made = class_.collect(files)
    answers = asked(made)
    assert answers["Amber Stone_7 may be amber (id 0042), and so may amber stone_8"] == [
        "Amber Stone_7=amber"
    ]
    assert len(answers) == 2 and not (class_.folder / "amber").exists()
    made = class_.collect(files, "Amber Stone_7=amber")
    assert class_.text("amber") == FIRST
    assert "amber stone_8 may be amber (id 0042), and so may Amber Stone_7" in asked(made)


def test_a_namesake_of_somebody_who_is_known_for_sure_is_asked_for(class_: Class) -> None:
    made = class_.collect({"0042/diff.cu": FIRST, "Amber Stone/diff.cu": SECOND})
    assert class_.text("amber") == FIRST and class_.text("Amber Stone") == SECOND
    assert list(asked(made)) == ["Amber Stone may be amber (id 0042), and so may 0042"]


@pytest.mark.parametrize(
    ("take", "why"),
    [
        ("basil/x.txt", "--take is WHAT=STUDENT/LAB"),
        ("=basil", "--take is WHAT=STUDENT/LAB"),
        ("basil/x.txt=/diff", "--take is WHAT=STUDENT/LAB"),
        ("basil/x.txt=basil/dif", "there is no lab dif. Did you mean diff?"),
        ("basil/x.txt=bsil/diff", "there is no student bsil. Did you mean basil?"),
        ("basil/y.txt=basil/diff", "there is no such file or student in"),
        ("basil/x.txt=basil", "name the lab, too"),
        ("basil/x.pdf=basil/diff", "is not one that can be taken"),
    ],
)
def test_an_answer_that_cannot_be_is_one_line(take: str, why: str, class_: Class) -> None:
    files = {"amber/diff.cu": FIRST, "basil/x.txt": "x", "basil/x.pdf": "x"}
    with pytest.raises(UserError) as caught:
        class_.collect(files, take)
    assert why in str(caught.value) and "\n" not in str(caught.value)
    assert not class_.folder.exists()
