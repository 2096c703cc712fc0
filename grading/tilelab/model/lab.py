"""A lab: criteria, points, limits, hints. Much of it is what lab.toml holds."""

from __future__ import annotations

import functools
import math
import re
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from tilelab.base.fields import Finite, Positive, Text, Texts, Whole
from tilelab.base.repository import REPO

Hints = Annotated[
    tuple[Text, Text, Text],
    Meta(description="must have three strings: a nudge, an explanation, nearly the code"),
]
Need = Literal["gpu", "checked"]

# The folder of a lab in which the detective's cases are.
CASES = "cases"


class SpeedCurve(Struct, frozen=True):
    """Points begin at the speedup `start`, and are full at `full` times the reference's speedup.

    `ladder` are the steps of the lesson, NN_name, which are timed alongside a submission. `half` is
    the one that gets half of the points, if any; see score.scale.
    """

    start: float
    full: float
    ladder: tuple[str, ...] = ()
    half: str = ""


class Criterion(Struct, frozen=True):
    """A criterion is graded by the judge's tests with the tag `[name]`.

    If it needs "checked", its tests get workers of the checked build, which are observed. If it is
    `estimated`, an estimated time gives its points where no GPU measures one.
    """

    name: str
    points: float
    needs: Need | None = None
    curve: SpeedCurve | None = None
    after: tuple[str, ...] = ()  # criteria that must be passed first
    estimated: bool = False


class TaskTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The task of a TODO in the skeleton, as lab.toml describes it.

    `hints` are a nudge, an explanation, and nearly the code. `patterns` are the ids of the failures
    that this task can cause. `code` are regular expressions that find its lines in a file without
    comments and white space; the task is done where the first one is found. `undone` are further
    patterns, which point to the task only until it is done. Only failures of tests that have
    `tests` in their names point to the task, and if all tests that fail have it, this task comes
    first.
    """

    title: Text
    hints: Hints
    patterns: Texts = ()
    code: Texts = ()
    undone: Texts = ()
    tests: Text = ""


class Task(TaskTable, frozen=True, kw_only=True):
    """A task of the handout, with the number of its TODO."""

    number: int


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """When a kernel could be faster: while a metric is below or above a limit, or code is missing.

    `metric` is a name of tutor.counts, `unless` a regular expression like those of a task.
    """

    metric: Text = ""
    below: Finite = -math.inf
    above: Finite = math.inf
    unless: Text = ""


class SpeedTask(Condition, frozen=True, kw_only=True):
    """A task of the handout that makes a right kernel faster, and when there is a use for it."""

    number: Whole = field(name="task")
    title: Text
    hints: Hints


HandoutTask = Task | SpeedTask


class Estimate(Struct, frozen=True, forbid_unknown_fields=True):
    """What a time is estimated for: calls of the lab's functions, in C++, and what to call them.

    Arguments that are arrays are written as common/emulator/recording.h declares them. All threads
    together need `instructions` of FP32 arithmetic at least, 0 if memory is the limit.
    """

    problem: Text
    calls: Annotated[
        tuple[Text, ...], Meta(min_length=1, description="must have at least one call")
    ]
    instructions: Annotated[float, Meta(ge=0)] = 0


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`seconds` limits each call of the submission, `memory_mib` each process.

    The arrays of a call may begin at any multiple of `alignment` bytes, as the contract says.
    `turns_inputs` says whether the elements of each input may come in any order: a call then has
    another one before it in the same arrays. `reads_back` says whether host code may copy arrays
    from the device to the host, and `skipped_barriers_fail` whether a barrier that some threads
    skip, because they have ended, costs points of safety.
    """

    seconds: Positive = 5.0
    memory_mib: Whole = 2048
    alignment: Literal[1, 2, 4, 8, 16] = 16
    turns_inputs: bool = False
    reads_back: bool = False
    skipped_barriers_fail: bool = False


def hint_key(pattern: str, variant: str) -> str:
    """The name under which a lab keeps the hint for a pattern, or for a variant of it."""
    return f"{pattern}_{variant}" if variant else pattern


class Lab(Limits, frozen=True):
    """One lab.

    `skeleton_sha256` is text.checksum() of the skeleton as students get it. They edit the file
    itself.
    """

    name: str
    title: str
    criteria: tuple[Criterion, ...]
    order: float = math.inf  # its place in the course; labs without one come last
    hints: dict[str, str] = {}
    tasks: tuple[Task, ...] = ()
    speed: tuple[SpeedTask, ...] = ()
    skeleton_sha256: str = ""
    estimate: Estimate | None = None
    learned: str = ""  # what a student who passes has learned, in a sentence or two
    repo: Path = REPO

    def hint(self, pattern: str, variant: str = "") -> str:
        """The hint for failures of a pattern, or of a variant that its hint does not fit."""
        return self.hints.get(hint_key(pattern, variant), "")

    @property
    def max_points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    def handout_tasks(self) -> list[HandoutTask]:
        return [*self.tasks, *self.speed]

    @property
    def is_estimated(self) -> bool:
        """Whether estimated times give points."""
        return any(criterion.estimated for criterion in self.criteria)

    @property
    def is_timed(self) -> bool:
        """Whether speed counts. A lab without it has no ladder's times and no challenge either."""
        return any(criterion.curve for criterion in self.criteria)

    @property
    def handout(self) -> Path:
        return self.repo / "labs" / self.name / "README.md"

    @property
    def header(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.h"

    @property
    def skeleton(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.cu"

    @property
    def pristine(self) -> Path:
        """The skeleton as students get it, which nobody edits."""
        return self.skeleton.with_name(".skeleton.cu")

    @property
    def given(self) -> tuple[Path, ...]:
        """The kernels that students get and do not edit: baseline, worked examples, cases."""
        return _given(self.skeleton, self.pristine)

    @property
    def solutions(self) -> Path:
        return self.repo / "solutions" / self.name

    @property
    def ladder(self) -> list[Path]:
        """The ladder steps, NN_name.cu, sorted by number."""
        return sorted((self.solutions / "ladder").glob("*.cu"), key=_step)

    def step(self, name: str) -> Path:
        """A step of the ladder, by its name without ".cu"."""
        return self.solutions / "ladder" / f"{name}.cu"

    @property
    def challengers(self) -> list[Path]:
        """Our own entries for the lab's challenge."""
        return sorted((self.solutions / "challenge").glob("*.cu"))

    @property
    def baseline(self) -> Path:
        return self.repo / "labs" / self.name / "baseline.cu"

    @property
    def reference(self) -> Path:
        """The reference solution, which a copy for students lacks."""
        return self.solutions / f"{self.name}.cu"

    @property
    def figures(self) -> Path:
        """What the reference solution moves, in a copy that lacks the solution itself."""
        return self.repo / "labs" / self.name / "reference" / "figures.txt"


@functools.cache  # `collect` asks for each of a class's submissions
def _given(skeleton: Path, pristine: Path) -> tuple[Path, ...]:
    folder = skeleton.parent
    kernels = {*folder.glob("*.cu"), *folder.glob(f"{CASES}/*.cu")}
    return tuple(sorted(kernels - {skeleton, pristine}))


def _step(path: Path) -> tuple[int, str]:
    number = re.match(r"\d+", path.stem)
    return (int(number[0]) if number else 0, path.stem)
