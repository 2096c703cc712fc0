"""What becomes of a grade that is new: written at once, or shown to a person before."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass, field

from tilelab.labs import lab as labs
from tilelab.model.grade import Grade
from tilelab.record import fingerprint
from tilelab.record.store import Entry, Store

_EXAMINED = "examined again"


@dataclass(frozen=True)
class Change:
    """A grade that would change although the student's file has not, and what else has."""

    before: Grade
    after: Entry
    why: list[str]


@dataclass
class Outcome:
    """Writes grades of new files, and keeps the others for a person to agree on.

    `updates` are grades with the same points for other reasons. They wait with the changes, so that
    a regrade counts as a whole or not at all. `kept` says which grades stay, because there is
    nothing to put in their place.
    """

    store: Store
    changes: list[Change] = field(default_factory=list)
    updates: list[Entry] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def settle(self, after: Entry, *, examined: bool = False) -> None:
        """May be called from any thread. `examined` says whether the file was, just now."""
        result = after.grade.result
        before = self.store.entry(result.student, result.lab)
        with self._lock:
            if before is None or _is_nothing(before.grade):
                self._write(before, after)
            elif _is_nothing(after.grade):
                self.kept.append(_why_kept(after.grade))
            elif before.grade.result.sha256 != result.sha256:
                self._write(before, after)
            elif before.grade.score != after.grade.score:
                self.changes.append(Change(before.grade, after, self._why(before, after, examined)))
            elif before != after:
                self.updates.append(after)

    def accept(self) -> None:
        """Writes what waits."""
        self.store.write([*(change.after for change in self.changes), *self.updates])

    def _write(self, before: Entry | None, after: Entry) -> None:
        if before != after:
            self.store.write([after])

    def _why(self, before: Entry, after: Entry, examined: bool) -> list[str]:
        if before.evidence == after.evidence:
            return [_EXAMINED if examined else "points, deadline or release"]
        if before.evidence is None or after.evidence is None:
            return ["the machine"]
        was, now = self.store.inputs(before.evidence), self.store.inputs(after.evidence)
        differing = was.differences(now)
        if was.lab != now.lab and _has_other_criteria(before.grade.result.lab, was.lab, now.lab):
            its = fingerprint.CALLED["lab"]
            differing = [fingerprint.OTHER_CRITERIA if one == its else one for one in differing]
        return differing or [_EXAMINED]


@functools.cache
def _has_other_criteria(lab: str, before: str, after: str) -> bool:
    """Whether a lab differs between two fingerprints, of which one is today's, in that alone."""
    whole = labs.load(lab)
    return all(fingerprint.is_of_other_criteria(whole, one) for one in (before, after))


def _is_nothing(grade: Grade) -> bool:
    """Whether there was no file, or the machine kept it from being graded."""
    return grade.result.verdict in ("missing", "infra_error")


def _why_kept(grade: Grade) -> str:
    name = f"{grade.result.student}/{grade.result.lab}.cu"
    if grade.result.verdict == "missing":
        return f"{name} is gone; the record keeps its grade"
    return f"{name} could not be graded again; the record keeps its grade"
