"""What students get back."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from made_grades import COUNTED, RACE, SOURCE, WRONG, counted, failing, keep, timed
from synthetic_class import passed
from tilelab.base.errors import UserError
from tilelab.commands.instructor.feedback import feedback
from tilelab.model.case import Message
from tilelab.model.evidence import Evidence, infra_error
from tilelab.model.student import Student
from tilelab.record.store import Store
from tilelab.score.failures import SKIPPED

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`[a](javascript:b)\u202e"


class Page(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(re.sub("<style>.*?</style>", "<style></style>", text, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@pytest.fixture
def record(tmp_path: Path) -> Store:
    return Store(tmp_path)


def sent(folder: Path, student: str = "amber", lab: str = "diff") -> tuple[Page, str]:
    """The page and the Markdown that a student got."""
    own = folder / "feedback" / student
    page = (own / f"{lab}.html").read_text(encoding="utf-8")
    return Page(page), (own / f"{lab}.md").read_text(encoding="utf-8")


def test_findings_are_at_their_lines(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", failing("safety", RACE))
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert "2out[i] = s[tx] - s[tx - 1];thread (1,0,0) reads s[0]" in page.text
    assert [tag for tag, _ in page.tags].count("mark") == 2
    assert ("a", {"href": "#line-2"}) in page.tags
    assert ("li", {"id": "line-2", "class": "found"}) in page.tags
    lines = text.splitlines()
    place = lines.index("   2 | out[i] = s[tx] - s[tx - 1];")
    assert lines[place + 1 : place + 3] == [
        f"     | {'^' * len('out[i] = s[tx] - s[tx - 1];')}",
        "     | thread (1,0,0) reads s[0]",
    ]


def test_failures_show_inputs_expected_and_got(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", failing("correctness", WRONG))
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert "out is wrong at 1 of 2 elements. out[1] expected3 got4 With n = 2" in page.text
    assert "`out[1]`: expected `3`, got `4`" in text
    assert "✗ failed the test that fails" in page.text
    assert "✓ passed test 1" in page.text
    assert "◐ partly passed" in page.text and "30 / 40" in page.text


def test_failures_that_differ_in_their_inputs_are_one(record: Store, tmp_path: Path) -> None:
    many = [Message(f"bad (n = {i})", "all_wrong", "bad", (f"n = {i}",)) for i in range(20)]
    keep(record, "amber", failing("correctness", *many))
    feedback(out=tmp_path)
    page, _ = sent(tmp_path)
    assert "With n = 0; n = 1; n = 2;" in page.text
    assert "n = 11; and 8 more" in page.text
    assert page.text.count("bad") == 2  # what to fix, and the test


def test_a_test_that_was_skipped_says_why(record: Store, tmp_path: Path) -> None:
    why = "the sum was not tested: its parts are not right yet."
    keep(record, "amber", failing("correctness", Message(why, SKIPPED, why)))
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert why in page.text and why in text
    assert "It failed." not in page.text + text


def test_a_lab_that_left_the_course_is_named(
    record: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(record, "amber", passed(1))
    feedback(out=tmp_path)
    assert "Not in the course" not in capsys.readouterr().out
    record.configure("labs", "nbody")
    feedback(out=tmp_path)
    assert "Not in the course, so in no total" in capsys.readouterr().out


def test_hints_come_only_if_they_are_wanted(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", failing("safety", RACE))
    feedback(out=tmp_path)
    assert "Hint" not in sent(tmp_path)[0].text
    feedback(out=tmp_path, hints=True)
    page, text = sent(tmp_path)
    assert "Hint: Put a __syncthreads() between" in page.text
    assert "Hint: Put a \\_\\_syncthreads() between" in text


def test_points_that_count_are_explained(record: Store, tmp_path: Path) -> None:
    late = {"submitted": "2027-03-03T10:00:00+00:00", "days_late": 2, "lost_share": 0.2}
    keep(record, "amber", passed(1), **late)
    record.adjust("amber", "diff", 3.5, f"Good talk {EVIL}", "teacher")
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert "59.5 / 70" in page.text
    for line in ("Tests70", "2 days late: 20% less-14", "This counts59.5"):
        assert line in page.text.replace(" Tests", "Tests")
    assert "Added by a person: Good talk" in page.text and "+3.5" in page.text
    assert "teacher" not in page.text + text
    assert "speed (30 points) was not run: these points are neither lost nor earned." in page.text
    assert "- 2 days late: 20% less: -14" in text
    assert "2027-03-03 10:00 UTC (2 days late)" in page.text


@pytest.mark.parametrize(
    ("deadline", "days", "grace", "shown"),
    [
        ("2027-03-03T09:50:00Z", 0, 15, "(within the grace period)"),
        ("2027-03-03T10:00:00Z", 0, 15, "10:00 UTC"),
        ("2027-03-02T09:50:00Z", 2, 0, "(2 days late)"),
    ],
)
def test_a_time_stands_beside_the_deadline_that_it_was_graded_with(
    record: Store, tmp_path: Path, deadline: str, days: int, grace: int, shown: str
) -> None:
    keep(record, "amber", passed(1), submitted="2027-03-03T10:00:00+00:00", days_late=days)
    course = tmp_path / "course.toml"
    late = f"[late]\npercent_per_day = 10\nmost_days = 3\ngrace_minutes = {grace}\n"
    course.write_text(f"{late}[labs.diff]\ndeadline = {deadline}\n")
    feedback(out=tmp_path, course_file=course)
    text = sent(tmp_path)[1]
    handed = next(line for line in text.splitlines() if "Handed in" in line)
    assert handed.endswith(shown) and ("grace" in handed) == ("grace" in shown)
    assert f"Due: {deadline[:10]}" in text
    course.write_text("[labs.diff]\ndeadline = 2027-02-01T00:00:00Z\n")  # not graded with it
    feedback(out=tmp_path, course_file=course)
    assert "Due" not in sent(tmp_path)[1]


def test_lateness_may_cost_nothing(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", passed(0.5), days_late=1)
    keep(record, "basil", passed(0), days_late=1, lost_share=0.1)
    feedback(out=tmp_path)
    assert "- 1 day late: nothing less: 0" in sent(tmp_path)[1]
    assert "- 1 day late: 10% less: 0" in sent(tmp_path, "basil")[1]


def test_memory_is_a_table(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", counted())
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert "global loads per element1.012.001.01it loads each element about once" in page.text
    assert "| global loads per element | 1.01 | 2.00 | 1.01 |" in text
    assert COUNTED.text in page.text


def test_speed_has_its_interval_and_the_ladder(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", timed(1.5))
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert "1.50 times as fast as the baseline (95% interval 1.50 to 1.50)." in page.text
    assert re.search(r"ladder step 02_tile *1\.30", page.text)
    ladder = re.findall(r"^\| (?:\*\*)?([a-z][\w \\]+?)(?:\*\*)? \| [\d.]+ \|$", text, re.MULTILINE)
    assert ladder[:2] == ["baseline", "half of the points"]
    assert ladder[-3:] == ["your kernel", "all points", "reference solution"]


@pytest.mark.parametrize(
    ("evidence", "says"),
    [
        (
            Evidence("missing", messages=("There is no diff.cu.",)),
            "none was handed in, or none that could",
        ),
        (Evidence("rejected", messages=("diff.cu:2: asm is not allowed.",)), "it breaks a rule"),
        (Evidence("compile_error", messages=("diff.cu:2: error: no ;",)), "does not compile"),
        (infra_error("the disk is full."), "Nobody is to blame"),
    ],
)
def test_other_verdicts_say_what_happened(
    record: Store, tmp_path: Path, evidence: Evidence, says: str
) -> None:
    keep(record, "amber", evidence)
    feedback(out=tmp_path)
    page, text = sent(tmp_path)
    assert says in page.text and says in text
    assert evidence.messages[0] in page.text and evidence.messages[0] in text
    if evidence.verdict in ("rejected", "compile_error"):
        assert ("li", {"id": "line-2", "class": "found"}) in page.tags
    assert ("not graded" in page.text) == (evidence.verdict == "infra_error")


def test_hostile_text_stays_text(record: Store, tmp_path: Path) -> None:
    evil = Message(EVIL, "all_wrong", EVIL, (EVIL,), element=EVIL, expected=EVIL, got=EVIL)
    keep(record, EVIL, failing("correctness", evil), source=f"// {EVIL}\n")
    record.enroll([Student(EVIL, EVIL)])
    feedback(out=tmp_path)
    (folder,) = (tmp_path / "feedback").iterdir()
    raw = (folder / "diff.html").read_text(encoding="utf-8")
    page = Page(raw)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "iframe", "form"})
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert {attrs["href"] for tag, attrs in page.tags if tag == "a"} <= {"#line-1"}
    assert "\u202e" not in raw + (folder / "diff.md").read_text(encoding="utf-8")
    assert "alert(1)" in page.text
    policy = next(attrs["content"] for tag, attrs in page.tags if "http-equiv" in attrs)
    assert policy and "default-src 'none'" in policy and "script-src" not in policy


def test_an_index_joins_several_labs(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", passed(1))
    keep(record, "basil", passed(1))
    missing = Evidence("missing", messages=("There is no nbody.cu.",))
    keep(record, "amber", missing, lab="nbody")
    feedback(out=tmp_path)
    index = Page((tmp_path / "feedback" / "amber" / "index.html").read_text(encoding="utf-8"))
    assert [attrs["href"] for tag, attrs in index.tags if tag == "a"] == ["diff.html", "nbody.html"]
    assert not (tmp_path / "feedback" / "basil" / "index.html").exists()


def test_only_who_and_what_was_asked_for(record: Store, tmp_path: Path) -> None:
    for student in ("amber", "basil"):
        for lab in ("diff", "nbody"):
            keep(record, student, Evidence("missing"), lab=lab)
    feedback(out=tmp_path, students=["basil"], labs="nbody")
    written = sorted(path.name for path in (tmp_path / "feedback").rglob("*") if path.is_file())
    assert written == ["nbody.html", "nbody.md", "question.md"]
    with pytest.raises(UserError, match="--student clover"):
        feedback(out=tmp_path, students=["clover"])
    with pytest.raises(UserError, match="--lab nobody"):
        feedback(out=tmp_path, labs="nobody")


def test_lines_are_those_of_the_compiler(record: Store, tmp_path: Path) -> None:
    # A form feed and a line separator end no line of C++.
    keep(record, "amber", failing("safety", RACE), source=f"s[0] = '\x0c\u2028';\r\n{SOURCE}")
    feedback(out=tmp_path)
    page, _ = sent(tmp_path)
    assert [attrs["id"] for tag, attrs in page.tags if tag == "li" and "id" in attrs] == [
        f"line-{number}" for number in (1, 2, 3)
    ]
