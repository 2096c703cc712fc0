"""predictions.toml: what it may contain, and what its mistakes are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.model.lab import Criterion, Lab
from tilelab.tutor.predict import predictions
from tilelab.tutor.predict.predictions import Counted, Faster, Prediction, Removed

GOOD = """
[[counted]]
id = "loads"
ask = "How many?"
metric = "loads_per_element"
tolerance = 0.5
says = "it makes {}"
low = "More."
right = "Yes."
high = "Less."
[[removed]]
id = "barrier"
ask = "Without line {line}?"
statement = "__syncthreads();"
place = "last"
choices = [
  { text = "nothing", fails = [], says = "No." },
  { text = "a race", fails = ["safety"], says = "Yes." },
]
[[faster]]
id = "tile"
when = "passed"
ask = "Which?"
gpu = "H200"
problem = "n = 9"
right = "So it is."
wrong = "No."
choices = [{ text = "a", kernel = "baseline", ms = 2 }, { text = "b", kernel = "02", ms = 1.5 }]
"""


def lab_with(tmp_path: Path, text: str) -> Lab:
    path = tmp_path / "labs" / "diff" / "predictions.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return Lab("diff", "x", (Criterion("correctness", 100),), repo=tmp_path)


def load(tmp_path: Path, text: str) -> Sequence[Prediction]:
    return predictions.load(lab_with(tmp_path, text))


def test_all_fields(tmp_path: Path) -> None:
    counted, removed, faster = load(tmp_path, GOOD)
    assert isinstance(counted, Counted) and counted.tolerance == 0.5
    assert isinstance(removed, Removed) and removed.choices[1].fails == ("safety",)
    assert isinstance(faster, Faster) and faster.answer.text == "b"


@pytest.mark.parametrize(
    ("given", "means"), [(1.4, "More."), (1.5, "Yes."), (2.5, "Yes."), (2.6, "Less.")]
)
def test_what_an_answer_means(tmp_path: Path, given: float, means: str) -> None:
    counted = load(tmp_path, GOOD)[0]
    assert isinstance(counted, Counted) and counted.means(given, 2.0) == means


def test_an_answer_may_be_as_round_as_what_is_shown(tmp_path: Path) -> None:
    counted = load(tmp_path, GOOD.replace("tolerance = 0.5", ""))[0]
    assert isinstance(counted, Counted) and counted.accepts(1.01, 1.0078)
    assert not counted.accepts(1.02, 1.0078)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('ask = "How many?"', "", "counted[1].ask is missing: it must be a non-empty string"),
        ("tolerance = 0.5", "slack = 1", "unknown key counted[1].slack; expected one of id, ask"),
        ("tolerance = 0.5", "tolerance = -1", "counted[1].tolerance must be a number that is not"),
        ('when = "passed"', 'when = "soon"', 'faster[1].when must be "right" or "passed"'),
        ('place = "last"', 'place = "second"', 'removed[1].place must be "first" or "last"'),
        ("ms = 2 ", "ms = 0 ", "faster[1].choices[1].ms must be a number greater than 0"),
        ('says = "it makes {}"', 'says = "many"', "loads: says must have one {}"),
        ('id = "tile"', 'id = "loads"', "two predictions have the id loads"),
        ('id = "tile"', 'id = "A tile"', "use lower-case letters"),
        ("[[faster]]", "[[fast]]", "unknown key fast; expected one of counted, removed, faster"),
        (GOOD, "[[counted", "labs/diff/predictions.toml: "),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert sentence in str(caught.value)
    assert "labs/diff/predictions.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lab_may_have_none(tmp_path: Path) -> None:
    assert predictions.load(Lab("diff", "x", (), repo=tmp_path)) == ()


def test_verify_names_what_does_not_exist(tmp_path: Path) -> None:
    lab = lab_with(tmp_path, GOOD.replace('when = "passed"', 'tests = "diff is"'))
    metric, criterion, test = predictions.problems(lab, ["bytes_per_load"], "")
    assert "loads counts 'loads_per_element'; the metrics are bytes_per_load" in metric
    assert "barrier names the criterion 'safety'" in criterion
    assert "tile waits for 'diff is', which is in no test's name" in test
    judge = 'TEST_CASE("diff is right") "loads_per_element"'
    assert [*predictions.problems(lab, [], judge)] == [criterion]
