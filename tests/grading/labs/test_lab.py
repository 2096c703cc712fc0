"""Reading lab.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.model.lab import Criterion, Lab, SpeedCurve

GOOD = """
title = "Adjacent difference"
order = 2
[limits]
seconds = 2.5
memory_mib = 512
reads_back = true
skipped_barriers_fail = true
[criteria.correctness]
points = 60
[criteria.speed]
points = 40
needs = "gpu"
from = 1.05
full = 0.9
ladder = ["02_tile", "03_more"]
half = "03_more"
[hints]
never_written = "Launch the kernel."
[[tasks]]
title = "Launch"
hints = ["who runs?", "a launch starts threads", "kernel<<<blocks, 256>>>(...)"]
patterns = ["never_written"]
code = ['<<<']
[[speed]]
task = 5
title = "Move more"
metric = "bytes_per_load"
below = 8
unless = "int4"
hints = ["how many?", "four", "int4"]
[[speed]]
task = 6
title = "Move less"
metric = "bytes_per_load"
above = 16
hints = ["how many?", "four", "int4"]
"""


def load(tmp_path: Path, text: str) -> Lab:
    folder = tmp_path / "labs" / "diff"
    folder.mkdir(parents=True)
    (folder / "lab.toml").write_text(text)
    return lab.load("diff", tmp_path)


def test_all_fields(tmp_path: Path) -> None:
    loaded = load(tmp_path, GOOD)
    assert (loaded.title, loaded.seconds, loaded.memory_mib) == ("Adjacent difference", 2.5, 512)
    assert loaded.reads_back and loaded.skipped_barriers_fail
    correctness, speed = loaded.criteria
    assert correctness == Criterion("correctness", 60)
    curve = SpeedCurve(1.05, 0.9, ladder=("02_tile", "03_more"), half="03_more")
    assert speed == Criterion("speed", 40, "gpu", curve)
    assert loaded.order == 2
    assert loaded.max_points == 100
    assert loaded.hints == {"never_written": "Launch the kernel."}
    (task,) = loaded.tasks
    assert (task.number, task.title, task.patterns) == (1, "Launch", ("never_written",))
    assert task.hints[0] == "who runs?" and task.code == ("<<<",)
    more, less = loaded.speed
    assert (more.number, more.title, more.hints) == (5, "Move more", ("how many?", "four", "int4"))
    assert (more.metric, more.below, more.unless) == ("bytes_per_load", 8, "int4")
    assert (less.metric, less.above, less.unless) == ("bytes_per_load", 16, "")


def test_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path, 'title = "x"\n[criteria.correctness]\npoints = 1\n')
    assert (loaded.seconds, loaded.memory_mib, loaded.hints) == (5.0, 2048, {})
    assert not loaded.reads_back and not loaded.skipped_barriers_fail


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "Adjacent difference"', "", "title is missing: it must be a non-empty string"),
        ('title = "Adjacent difference"', "title = 3", "title must be a non-empty string"),
        (
            "seconds = 2.5",
            "second = 2.5",
            "unknown key limits.second; expected one of seconds, memory_mib",
        ),
        ("order = 2", "order = 'first'", "order must be a number"),
        ("seconds = 2.5", "seconds = '2'", "limits.seconds must be a number greater than 0"),
        ("seconds = 2.5", "seconds = inf", "limits.seconds must be a number greater than 0"),
        ("reads_back = true", "reads_back = 1", "limits.reads_back must be true or false"),
        ("memory_mib = 512", "memory_mib = 0.5", "limits.memory_mib must be a whole number"),
        (
            "points = 60",
            "points = true",
            "criteria.correctness.points must be a number",
        ),
        (
            "points = 60",
            "points = -1",
            "criteria.correctness.points must be a number",
        ),
        ("points = 60", "point = 60", "unknown key criteria.correctness.point"),
        (
            'needs = "gpu"',
            'after = ["x"]',
            "criteria.speed.after: there is no untimed criterion 'x'",
        ),
        ('needs = "gpu"', "after = 3", "criteria.speed.after must be a list of strings"),
        ('needs = "gpu"', 'needs = "tpu"', 'criteria.speed.needs must be "gpu" or'),
        (
            'half = "03_more"',
            'half = "04"',
            "half must be one of the steps in criteria.speed.ladder",
        ),
        ("from = 1.05\nfull = 0.9", "", "criteria.speed.from and criteria.speed.full need"),
        ("from = 1.05", "", "criteria.speed.from and criteria.speed.full need each other"),
        ("[criteria.speed]", "[criteria.Speed]", "criteria.Speed: use lower-case letters"),
        ("[hints]", "[hint]", "unknown key hint;"),
        ("Launch the kernel.", "", "hints.never_written must be a non-empty string"),
        ('"who runs?", ', "", "tasks[1].hints must have three"),
        ('["never_written"]', '"never_written"', "tasks[1].patterns must be a list of strings"),
        ('title = "Launch"', "", "tasks[1].title is missing: it must be a non-empty string"),
        ("[[tasks]]", "[tasks]", "tasks must be an array of tables: [[tasks]]"),
        ("['<<<']", "'<<<'", "tasks[1].code must be a list of strings"),
        ("['<<<']", "['(']", "tasks[1].code: '(' is not a regular expression: missing )"),
        ("['<<<']", "['[[a]']", "'[[a]' is not a regular expression: possible nested set at posi"),
        ('"int4"', '"[a--b]"', "speed[1].unless: '[a--b]' is not a regular expression: possible"),
        ("['<<<']", "['a{99999999999}']", "expression: the repetition number is too large"),
        ("['<<<']", "['(?a)(?u)']", "'(?a)(?u)' is not a regular expression: ASCII and UNICODE"),
        ("['<<<']", f"['{'(' * 9999}']", "…' is not a regular expression: it has too many"),
        ("['<<<']", r'["a\n(b"]', r"tasks[1].code: 'a\n(b' is not a regular expression: missing"),
        ("task = 5", "task = 5.5", "speed[1].task must be a whole number"),
        ("below = 8\n", "", "speed[1].metric and speed[1].below or speed[1].above need each other"),
        ('metric = "bytes_per_load"\nabove', "above", "speed[2].metric and speed[2].below or"),
        ('metric = "bytes_per_load"\nabove = 16\n', "", "speed[2] needs a metric or unless"),
        ("below = 8", "below = '8'", "speed[1].below must be a number"),
        ('unless = "int4"', 'unless = "*"', "speed[1].unless: '*' is not a regular expression"),
        ('"how many?", "four"', '"how many?"', "speed[1].hints must have three"),
        ("[limits]", "[limits", "labs/diff/lab.toml: "),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert sentence in str(caught.value)
    assert "labs/diff/lab.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


ESTIMATE = '[estimate]\nproblem = "64 numbers"\ncalls = ["diff(bits(256), zeros(256), 64)"]\n'
ASKED = 'half = "03_more"\nafter = ["correctness"]\nestimated = "points"'
ESTIMATED = GOOD.replace('half = "03_more"', ASKED) + ESTIMATE


def test_an_estimate_gives_points_if_the_lab_says_so(tmp_path: Path) -> None:
    assert load(tmp_path / "asked", ESTIMATED).criteria[1].estimated
    said = ESTIMATED.replace('"points"', '"none"')
    assert not load(tmp_path / "declined", said).criteria[1].estimated


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"points"', '"yes"', 'criteria.speed.estimated must be "none" or "points"'),
        ('"points"', "true", 'criteria.speed.estimated must be "none" or "points"'),
        ('after = ["correctness"]', "", "criteria.speed.estimated needs criteria.speed.after"),
        (
            "points = 60",
            'points = 60\nestimated = "points"',
            "criteria.correctness.estimated is for",
        ),
        (ESTIMATE, "", "criteria.speed.estimated needs the table [estimate]"),
    ],
)
def test_an_estimate_that_cannot_give_points_is_one_clear_line(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    assert old in ESTIMATED
    with pytest.raises(UserError) as caught:
        load(tmp_path, ESTIMATED.replace(old, new))
    assert sentence in str(caught.value) and "lab.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_criteria_are_needed(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"at least one \[criteria.NAME\]"):
        load(tmp_path, 'title = "x"\n')


def test_the_course_has_an_order_and_labs_without_a_place_come_last(tmp_path: Path) -> None:
    text = 'title = "x"\n{}\n[criteria.correctness]\npoints = 1\n'
    for name, order in (("a", ""), ("b", "order = 2"), ("c", "order = 1.5")):
        (tmp_path / "labs" / name).mkdir(parents=True)
        (tmp_path / "labs" / name / "lab.toml").write_text(text.format(order))
    assert [one.name for one in lab.course(tmp_path)] == ["c", "b", "a"]


@pytest.mark.parametrize("name", ["nope", "../labs/diff", "Diff", "", "diff\n", "."])
def test_unknown_labs_are_listed(name: str) -> None:
    with pytest.raises(UserError, match=r"the labs are: .*diff"):
        lab.load(name)


def test_the_labs_of_this_repository_load() -> None:
    for name in lab.all_labs():
        loaded = lab.load(name)
        assert loaded.max_points == 100
        assert loaded.header.is_file() and loaded.skeleton.is_file()
        assert loaded.baseline.is_file() and loaded.reference.is_file()
