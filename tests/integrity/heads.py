"""What must become of the submissions in this folder, which the head of each file says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.result import Result

FOLDER = Path(__file__).resolve().parent
FILES = sorted(FOLDER.glob("*/*.cu"))
KEYS = ("Lab", "Verdict", "Earns", "Says", "Needs")


@dataclass(frozen=True)
class Fixture:
    """A submission, and what must become of it."""

    path: Path
    lab: Lab
    verdict: str
    earns: str
    says: list[str]
    needs: str


def read(path: Path) -> Fixture:
    """Reads the head of a fixture."""
    found: dict[str, list[str]] = {key: [] for key in KEYS}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.startswith("//"):
            break
        key, colon, value = line.removeprefix("// ").partition(": ")
        if colon and key in KEYS:
            found[key].append(value.strip())
    assert found["Lab"] and found["Verdict"] and found["Earns"], f"{path} lacks lines in its head"
    needs = found["Needs"][0] if found["Needs"] else ""
    assert needs in ("", "gpu", "emulator", "nvcc"), path
    return Fixture(
        path,
        lab.load(found["Lab"][0]),
        found["Verdict"][0],
        found["Earns"][0],
        found["Says"],
        needs,
    )


def problem(fixture: Fixture, result: Result) -> str | None:
    """What is wrong with a result, None if nothing is."""
    said = result.messages + [text for row in result.criteria for text in row.messages]
    if result.verdict != fixture.verdict:
        return f"the verdict is {result.verdict}: {said}"
    if missing := [text for text in fixture.says if not any(text in one for one in said)]:
        return f"nothing says {missing}: {said}"
    measured = {row.name: row.points for row in result.criteria if row.status != "not_run"}
    if fixture.earns == "everything":
        measured = {name: measured[name] for name in measured if name not in timed(fixture.lab)}
    expected = points(fixture, measured)
    if measured != expected:
        return f"it earns {measured} instead of {expected}: {said}"
    return None


def timed(of: Lab) -> list[str]:
    """The criteria whose points depend on how fast an honest file is."""
    return [one.name for one in of.criteria if one.curve is not None]


def points(fixture: Fixture, measured: dict[str, float]) -> dict[str, float]:
    """The points that a fixture should get for each criterion that was measured."""
    if fixture.earns == "everything":
        return {one.name: one.points for one in fixture.lab.criteria if one.name in measured}
    earned = dict.fromkeys(measured, 0.0)
    if fixture.earns != "nothing":
        for item in fixture.earns.split(", "):
            name, amount = item.rsplit(" ", 1)
            if name in measured:
                earned[name] = float(amount)
    return earned
