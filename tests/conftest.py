"""Chooses which tests run, in which order, and how long each may take."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import plan
import touched
from plan import Plan, Subject

REPO = Path(__file__).resolve().parents[1]

_LONG_SECONDS = 3600
# What a long test takes on a quiet machine at most, so it does not start later than that.
_LONG_TAKES = 480

# Of what neither the first tier nor a change asks for, one test in this many runs with a change.
_ROTATION = 10

_REASONS = pytest.StashKey[dict[str, str]]()
_COUNT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--first-tier", type=int, metavar="SEED", help="run the first tier only")
    group.addoption("--preset", action="append", default=[], help="one that the first tier uses")
    group.addoption("--changed", metavar="FILE", help="a list of changed files, as JSON")
    group.addoption("--until", type=float, help="when to leave out what is not of the first tier")


@pytest.hookimpl(trylast=True)  # after -m and -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(_LONG_SECONDS))
    # Long tests first: at the end, one process would work on one while the others wait.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    chosen = _plan(config)
    if chosen is None:
        return
    reasons = dict(chosen.reasons([subject(item) for item in items]))
    config.stash[_REASONS] = reasons
    config.stash[_COUNT] = len(items)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in reasons])
    # What may be left out comes last.
    items[:] = sorted(
        (item for item in items if item.nodeid in reasons),
        key=lambda item: plan.REASONS.index(reasons[item.nodeid]),
    )


def _plan(config: pytest.Config) -> Plan | None:
    seed: int | None = config.getoption("--first-tier")
    if seed is None:
        return None
    presets = frozenset(config.getoption("--preset")) or frozenset((plan.PRESET,))
    listed: str | None = config.getoption("--changed")
    if listed is None:
        return Plan(seed, presets)
    paths: Sequence[str] = json.loads(Path(listed).read_text(encoding="utf-8"))
    found = touched.course().touched(paths) if paths else touched.Touched()
    return Plan(seed, presets, found.folders, found.labs, _ROTATION)


def subject(item: pytest.Item) -> Subject:
    """What the marks of a test say about it."""
    return Subject(
        name=item.nodeid,
        folder=_folder(item.path),
        thorough=item.get_closest_marker("thorough") is not None,
        pool=_argument(item, "drawn", "pool"),
        count=_argument(item, "drawn", "count") or 1,
        lab=_argument(item, "judges", "lab"),
        preset=_preset(item),
    )


def _preset(item: pytest.Item) -> str:
    named: str | None = _argument(item, "preset", "name")
    return named or ("cuda" if item.get_closest_marker("gpu") else plan.PRESET)


def _argument(item: pytest.Item, mark: str, name: str) -> Any:
    found = item.get_closest_marker(mark)
    if found and found.args:
        raise pytest.UsageError(f"{item.nodeid}: the arguments of the mark {mark} need their names")
    return found.kwargs.get(name) if found else None


def _folder(path: Path) -> str:
    """The folder of a room's tests: tests/grading/ROOM, or tests/integrity."""
    parts = path.relative_to(REPO).parent.parts
    return "/".join(parts[:3] if parts[1] == "grading" else parts[:2])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    until: float | None = item.config.getoption("--until")
    reason = item.config.stash.get(_REASONS, {}).get(item.nodeid)
    takes = _LONG_TAKES if item.get_closest_marker("long") else 0
    if until is not None and reason in plan.WHILE_TIME and time.time() + takes > until:
        pytest.skip(f"{plan.LEFT_OUT}: there was no time for {reason}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says with --collect-only how many tests there are for each reason."""
    reasons = config.stash.get(_REASONS, None)
    if reasons is None or not config.getoption("--collect-only"):
        return
    counts = Counter(reasons.values())
    parts = [f"{counts[reason]} of {reason}" for reason in plan.REASONS if counts[reason]]
    left = config.stash[_COUNT] - len(reasons)
    terminalreporter.write_line(f"Python: {', '.join(parts)}. Not chosen: {left}.")
