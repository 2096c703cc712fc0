"""The cases of the labs: that each has one line at fault, and that the judge agrees."""

from __future__ import annotations

import operator
from collections import Counter
from pathlib import Path

import pytest

from support import PRESENTED_LABS
from tilelab.base.errors import UserError
from tilelab.estimate import gpus
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.profiling import profile
from tilelab.tutor import counts, detective
from tilelab.tutor.detective import DetectiveCase

CASES = {
    f"{name}/{one.name}": (lab.load(name), one)
    for name in PRESENTED_LABS
    for one in detective.load(lab.load(name))
}
_BETTER = {
    "bytes_per_thread": operator.gt,
    "occupancy": operator.gt,
    "tile_loads_per_pair": operator.lt,
}


def _judged() -> list[object]:
    return [
        pytest.param(name, id=name, marks=(pytest.mark.judges(lab=the_lab.name),))
        for name, (the_lab, _) in CASES.items()
    ]


def test_each_lab_has_two_cases_and_each_kind_of_fault_is_there() -> None:
    assert Counter(the_lab.name for the_lab, _ in CASES.values()) == dict.fromkeys(
        PRESENTED_LABS, 2
    )
    kinds = Counter(one.kind for _, one in CASES.values())
    assert set(kinds) == {"correctness", "safety", "memory", "speed"}
    assert min(kinds.values()) >= 3


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_a_file_that_does_not_name_its_fault(name: str) -> None:
    the_lab, case = CASES[name]
    text = detective.source_of(case, the_lab).read_text()
    assert text.startswith(
        f"// One line of this file is at fault: `./tilelab detective {the_lab.name} {case.name}`.\n"
    )
    lines = text.split("\n")
    assert all(lines[line - 1].strip() for line in case.lines)
    assert case.fixed != lines[case.lines[0] - 1].strip()
    assert len(set(case.choices)) == len(case.choices) == 4
    assert case.why not in text and case.choices[case.answer - 1] not in text


def _short(path: Path, the_lab: Lab, session: Session) -> set[str]:
    """The criteria that do not get all points."""
    result = submission.grade(path, the_lab, session)
    assert result.verdict == "graded", result.messages
    return {one.name for one in result.criteria if one.falls_short}


def _metric(path: Path, the_lab: Lab, session: Session, case: DetectiveCase) -> float:
    calls = profile.profile_file(path, the_lab, session, gpus.DEFAULT).calls
    found = counts.find(case.metric, calls)
    assert found is not None
    return found.value(calls)


@pytest.mark.drawn(pool="cases", count=1)
@pytest.mark.parametrize("name", _judged())
def test_the_line_is_at_fault_and_nothing_else(
    name: str, emulator: Session, tmp_path: Path
) -> None:
    the_lab, case = CASES[name]
    path = detective.source_of(case, the_lab)
    lines = path.read_text().split("\n")
    lines[case.lines[0] - 1] = case.fixed
    fixed = tmp_path / f"{the_lab.name}.cu"
    fixed.write_text("\n".join(lines))
    before, after = (_short(one, the_lab, emulator) for one in (path, fixed))
    if case.kind == "speed":
        values = [_metric(one, the_lab, emulator, case) for one in (fixed, path)]
        assert before <= {"speed", "memory"} and after <= before
        assert _BETTER[case.metric](*values)
        return
    assert case.kind in before and case.kind not in after
    assert after <= {"memory"} and "correctness" not in after and "safety" not in after
    if case.kind == "memory":
        assert before == {"memory"}


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    the_lab = lab.load("diff")
    with pytest.raises(UserError, match=r"there is no case 'borowed'\. Did you mean borrowed\?"):
        detective.named(detective.load(the_lab), "borowed")
