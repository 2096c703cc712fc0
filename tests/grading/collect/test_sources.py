"""Each kind of download gives the same class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import downloads
from tilelab.collect import roster
from tilelab.collect.choosing import Policy
from tilelab.collect.folder_names import Folders
from tilelab.collect.gathering import Gathered, Gatherer
from tilelab.score import course, lab


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
        "zed@uni.edu",
        (AMBER, BASIL),
    ),
    Download("GitHub Classroom", lambda at: downloads.clones(at / "in"), "zed", (AMBER, BASIL)),
]


def gather(source: Path, at: Path, policy: Policy = "last") -> Gathered:
    (at / "roster.csv").write_text(downloads.ROSTER)
    (at / "course.toml").write_text(downloads.COURSE)
    people = roster.load(at / "roster.csv")
    labs = [lab.load(name) for name in lab.all_labs()]
    gatherer = Gatherer(
        labs, course.load(at / "course.toml"), people, Folders(one.key for one in people.students)
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
    assert found.left["clover"] == ["Diff.txt"]
    assert len(found.refused) == 1 and found.refused[0].endswith("is a link")


def test_canvas_marks_what_is_late_and_knows_no_times(tmp_path: Path) -> None:
    found = gather(downloads.zip_of(tmp_path / "in.zip", downloads.CANVAS), tmp_path)
    late = [one.found.student for one in found.choices if one.found.marked_late]
    assert late == ["basil"]


def test_a_clone_s_configuration_runs_nothing(tmp_path: Path) -> None:
    gather(downloads.clones(tmp_path / "in"), tmp_path)
    assert not (tmp_path / "ran").exists()
