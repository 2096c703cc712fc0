"""An instructor's course: labs, points, deadlines, late policy."""

from __future__ import annotations

import datetime
from pathlib import Path

from msgspec import Struct

_DAY = datetime.timedelta(days=1)


class Late(Struct, frozen=True):
    """What a late file loses: `share_per_day` of its points for each day that has begun.

    After `most_days` it gets none. Within `grace` after the deadline nothing is lost.
    """

    share_per_day: float = 0.0
    most_days: int = 0
    grace: datetime.timedelta = datetime.timedelta()


class Assignment(Struct, frozen=True):
    """A lab of the course: its points per criterion, where they differ, and its deadline.

    A criterion with 0 points is left out. If there is a `total`, all points are scaled to it.
    """

    points: dict[str, float] = {}
    deadline: datetime.datetime | None = None
    total: float | None = None


class RubricItem(Struct, frozen=True):
    """What graders often say, and the points that it gives, or takes if they are negative."""

    text: str
    points: float = 0.0


class Course(Struct, frozen=True):
    """A course. `assignments` has a lab each, in the order of the file.

    `extensions` has the later deadlines of single students, by student and lab. `rosters` are CSV
    files with a row per student. `submitted` is when files were handed in, where a person knows
    that better than a learning system. Times that say no zone are those of `time_zone`, in which
    people read times, too. `rubric` has what graders may refer to. `path` is the file that says
    all this.
    """

    title: str = ""
    time_zone: datetime.tzinfo | None = None
    assignments: dict[str, Assignment] = {}
    late: Late | None = None  # None: a late file loses nothing
    extensions: dict[tuple[str, str], datetime.datetime] = {}
    rosters: tuple[Path, ...] = ()
    submitted: dict[tuple[str, str], datetime.datetime] = {}
    path: Path | None = None
    rubric: dict[str, RubricItem] = {}

    def deadline(self, student: str, name: str) -> datetime.datetime | None:
        """When the student has to hand in this lab, if there is a deadline."""
        assignment = self.assignments.get(name, Assignment())
        return self.extensions.get((student, name), assignment.deadline)

    def days_late(self, student: str, name: str, submitted: datetime.datetime | None) -> int:
        """How many days after the deadline and its grace have begun, 0 for a file in time.

        Each ends at the time of day of the first on the clocks of the course, even where it has 23
        or 25 hours.
        """
        deadline = self.deadline(student, name)
        if deadline is None or submitted is None:
            return 0
        grace = self.late.grace if self.late else datetime.timedelta()
        end = deadline + grace
        if submitted <= end:
            return 0
        return max(1, -((self._shown(end) - self._shown(submitted)) // _DAY))

    def _shown(self, moment: datetime.datetime) -> datetime.datetime:
        """What the clocks of the course show then."""
        return moment.astimezone(self.time_zone or datetime.UTC).replace(tzinfo=None)

    def lost_share(self, days: int) -> float:
        """The share of its points that a file loses that is this many days late."""
        if self.late is None or days == 0:
            return 0.0
        return 1.0 if days > self.late.most_days else min(1.0, days * self.late.share_per_day)
