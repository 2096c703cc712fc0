"""The record: what is written stays, whoever dies next."""

from __future__ import annotations

import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.base.errors import InfraError, UserError
from tilelab.model.case import Case, Message, Place
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.grade import Grade
from tilelab.model.measurement import Interval, Measurement, Timing, Work
from tilelab.model.result import CriterionResult, Result, Rung
from tilelab.model.student import Student
from tilelab.record import archive, store
from tilelab.record.fingerprint import Inputs
from tilelab.record.store import Entry, Store

INPUTS = Inputs("ab", "lab", "harness", "tools", 2**63 - 1)
MACHINE = {"backend": "emulator", "gpu": None}
FAILURE = Message(
    "text \u2028", "tail", "sum", ("n = 2",), (Place(3, "out", "writes"),), "out[1]", "1", "2"
)
RUN = Measurement(
    rounds=9,
    discarded=0,
    sm_mhz=1980,
    clock="judge",
    work=Work(3, 0, 1.5),
    timings={"a": Timing(ms=1.5, device_ms=1, cold_ms=2, speedup=Interval(1, 1.5, 2))},
)
FOUND = Evidence(
    "graded",
    "ab",
    ("a message",),
    {
        "correctness": CriterionEvidence((Case("right", False, [FAILURE]), Case("also", True, []))),
        "speed": CriterionEvidence((Case("fast", True, [Message("note")]),), {"speed": RUN}),
        "memory": CriterionEvidence(not_run="needs a checked build."),
    },
    "the text",
)


def entry(student: str, score: float | None, evidence: str | None = None) -> Entry:
    ladder = (Rung(1.0, "baseline"), Rung(1.5, "your kernel", is_own=True))
    row = CriterionResult("correctness", "partial", score or 0, 60, ["why"], ladder=ladder)
    result = Result(student, "diff", "graded", score, 100, "ab", [row], ["m"])
    return Entry(Grade(result, "2027-03-01T00:00:00+00:00", 1, 0.1), evidence)


@pytest.fixture
def record(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_evidence_comes_back(record: Store, tmp_path: Path) -> None:
    assert not record.has(INPUTS.key)
    record.keep("diff", INPUTS, FOUND, MACHINE, 1.5)
    record.close()
    again = Store.existing(tmp_path)
    assert again.evidence(INPUTS.key) == FOUND
    assert again.inputs(INPUTS.key) == INPUTS
    assert again.machines() == [MACHINE] and again.seconds() == {INPUTS.key: 1.5}


def test_the_last_grade_counts(record: Store) -> None:
    record.write([entry("amber", 50), entry("basil", None)])
    record.write([entry("amber", 60)])
    assert record.entry("amber", "diff") == entry("amber", 60)
    assert record.entry("amber", "nbody") is None
    assert [(one.result.student, one.score) for one in record.grades()] == [
        ("amber", 54),
        ("basil", None),
    ]
    assert (record.labs(), record.graded_students()) == (["diff"], {"amber", "basil"})


def test_all_grades_are_written_or_none(record: Store) -> None:
    broken = entry("basil", 1, evidence="no such key")
    with pytest.raises(UserError, match="FOREIGN KEY"):
        record.write([entry("amber", 1), broken])
    assert record.grades() == []


def test_what_a_person_added_outlives_a_regrade_and_can_be_taken_back(record: Store) -> None:
    record.write([entry("amber", 50)])
    record.adjust("amber", "diff", 5, "a good idea", "ada")
    record.write([entry("amber", 60)])
    (grade,) = record.grades()
    assert grade.adjustment and grade.adjustment.comment == "a good idea"
    assert grade.score == 59
    record.adjust("amber", "diff", None, "a mistake", "ada")
    assert record.grades()[0].adjustment is None


def test_a_release_is_for_one_file(record: Store) -> None:
    record.release("amber", "diff", "ab")
    assert record.is_released("amber", "diff", "ab")
    assert not record.is_released("amber", "diff", "cd")


def test_the_roster_is_updated(record: Store) -> None:
    record.enroll([Student("0042", "Amber")])
    record.enroll([Student("0042", "Amber Stone", "a@b.org", "0042")])
    assert record.students() == {"0042": Student("0042", "Amber Stone", "a@b.org", "0042")}


def test_another_record_tells_sections_that_this_one_does_not_know(
    record: Store, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Store(tmp_path / "other")
    record.enroll([Student("a", "Amber"), Student("b", section="A", group="red")])
    other.enroll(
        [Student("a", "Other", section="B", group="blue"), Student("b", section="C", group="red")]
    )
    record.take_people(other)
    assert list(record.students().values()) == [
        Student("a", "Amber", section="B", group="blue"),
        Student("b", section="A", group="red"),
    ]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_two_programs_may_take_over_an_older_record_at_once(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = sqlite3.connect(tmp_path / "record.sqlite")
    for name in ("schema.sql", "schema_2.sql", "schema_3.sql")[:version]:
        database.executescript((Path(store.__file__).parent / name).read_text())
    database.execute(
        "INSERT INTO student (key, name, email, id) VALUES ('amber', 'Amber', '', '1')"
    )
    database.execute(f"PRAGMA user_version = {version}")
    database.commit()
    database.close()
    Store(tmp_path).close()
    # The other one has looked before this one was done.
    now = Store._version
    seen = iter([version])
    monkeypatch.setattr(Store, "_version", lambda self: next(seen, None) or now(self))
    assert Store(tmp_path).students() == {"amber": Student("amber", "Amber", "", "1")}


def test_one_grader_at_a_time(tmp_path: Path) -> None:
    def begin() -> None:
        with store.alone(tmp_path):
            pass

    with store.alone(tmp_path), pytest.raises(UserError, match="another grader"):
        begin()
    begin()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no such folder"), store.alone(tmp_path / "no"):
        pass


def test_threads_share_a_record(record: Store) -> None:
    def write(number: int) -> None:
        inputs = dataclasses.replace(INPUTS, seed=number)
        record.keep("diff", inputs, FOUND, MACHINE, 0)
        record.write([entry(f"student{number}", 1, inputs.key)])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(record.grades()) == len(record.seconds()) == 20


WRITER = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_store import MACHINE, INPUTS, FOUND, entry, dataclasses
from tilelab.record.store import Store
record = Store(Path(sys.argv[1]))
for number in range(10**6):
    inputs = dataclasses.replace(INPUTS, seed=number)
    record.keep("diff", inputs, FOUND, MACHINE, 0)
    record.write([entry(f"student{number}", 1, inputs.key)])
    print(number, flush=True)
"""


def test_what_was_written_survives_a_kill(tmp_path: Path) -> None:
    for wanted in (0, 3, 17):
        folder = tmp_path / str(wanted)
        folder.mkdir()
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), str(Path(__file__).parent), *sys.path],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout
        for line in writer.stdout:
            if int(line) == wanted:
                os.kill(writer.pid, signal.SIGKILL)
                break
        rest = writer.communicate()[0].split()
        told = int(rest[-1]) if rest else wanted
        found = [one.result.student for one in Store.existing(folder).grades()]
        assert {f"student{number}" for number in range(told + 1)} <= set(found)


def test_without_a_record(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has no record\.sqlite: name the folder"):
        Store.existing(tmp_path)


def test_a_damaged_record_is_one_line(tmp_path: Path) -> None:
    (tmp_path / store.NAME).write_text("no database at all, but long enough to be one" * 100)
    with pytest.raises(UserError, match=r"record\.sqlite is damaged .* move it away"):
        Store.existing(tmp_path)


def test_a_record_of_another_version(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / store.NAME)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(UserError, match="another version of TileLab"):
        Store.existing(tmp_path)


def test_a_record_that_cannot_be_written_is_the_machine_s_fault(record: Store) -> None:
    record._database.execute("PRAGMA query_only = ON")
    with pytest.raises(InfraError, match="readonly"):
        record.write([entry("amber", 1)])


def test_a_result_comes_back_as_results_json_has_it() -> None:
    result = entry("amber", 50).grade.result
    assert archive.bare(replace(result, source="text")) == result


def test_numbers_and_members_are_kept_as_the_judge_wrote_them() -> None:
    run = (
        '{"rounds": 9, "discarded": 0, "sm_mhz": 1980, "clock": "judge", '
        '"work": {"n": 3, "operations": 0, "bytes": 1.5}, "timings": {"a": {"ms": 1.5, '
        '"device_ms": 1, "cold_ms": 2, "speedup": [1, 1.5, 2]}}}'
    )
    text = archive.evidence_text(FOUND)
    assert f'"times": {{"speed": {run}}}' in text
    assert archive.evidence_text(archive.evidence_of(text)) == text
