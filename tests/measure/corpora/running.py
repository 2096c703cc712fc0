"""Runs a program for some seconds, and reads what it says of its results."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from outcomes import (
    ENDED_WITH_ERROR,
    NO_CHECK,
    RIGHT,
    STOPPED,
    TOO_SLOW,
    WAIVED,
    WRONG,
    Finding,
    Run,
    kind_of,
)
from programs import Program, text_of
from tilelab.base import process
from tilelab.model.program import Finding as Described
from tilelab.programs import running
from tilelab.programs.running import Watch
from tilelab.programs.tools import Tools

_PASSED = re.compile(r"\bpass(?:ed)?\b|\bmatch(?:es)?\b|\bsuccess|\bcorrect\b", re.IGNORECASE)
_FAILED = re.compile(
    r"(?<!\b0 )\b(?:fail|failed|failure)\b(?! as expected)"
    r"|\b(?:not|n't) match|\bmismatch|\bincorrect|\bnot correct",
    re.IGNORECASE,
)
_OURS = re.compile(r"^tilelab: (.*)", re.MULTILINE)
_WAIVED = 2  # what NVIDIA's samples return where a machine lacks something
_ABORTED = 128 + 6
_OUT_OF_TIME = (124, 137)  # what timeout(1) returns
_STUCK_AFTER = 60.0
_TO_REPORT = 15  # seconds that a checked program has to write its report when its time is up
_KEPT = 1 << 20
_INPUTS = Path(__file__).with_name("inputs")


def run(made: Path, program: Program, tool: Tools, seconds: float, *, checked: bool) -> Run:
    """Runs the program in its own folder, with the arguments that its authors give it."""
    report = made.with_name("report")
    environment = running.environment(Watch(_STUCK_AFTER, checked), report, tool)
    begin = time.monotonic()
    finished = process.run(
        [*_limited(seconds), made, *arguments_of(program)],
        seconds=seconds + 2 * _TO_REPORT,
        cwd=program.folder,
        env=environment,
        keep=_KEPT,
    )
    took = time.monotonic() - begin
    sentences = _OURS.findall(finished.output)
    printed = [one for one in finished.output.splitlines() if one and not _OURS.match(one)]
    findings = None
    if checked and report.exists():
        findings = tuple(map(_finding, running.described(made, report, tool).findings))
    ending = TOO_SLOW if finished.timed_out else _ending(finished.status, finished.output)
    last_line = printed[-1].strip()[:200] if printed else ""
    sentence = sentences[-1] if sentences else ""
    return Run(ending, round(took, 1), last_line, sentence, findings)


def _limited(seconds: float) -> list[str]:
    """What to put before a program that is told to end after so many seconds, and then ended."""
    dies_with_timeout = ["setpriv", "--pdeathsig", "KILL", "--"]
    return ["timeout", f"--kill-after={_TO_REPORT}", f"{seconds:g}", *dies_with_timeout]


def _ending(status: int, output: str) -> str:
    if status in _OUT_OF_TIME:
        return TOO_SLOW
    if status == _ABORTED and _OURS.search(output):
        return STOPPED
    if _FAILED.search(output):
        return WRONG
    if status == _WAIVED:
        return WAIVED
    if status != 0:
        return ENDED_WITH_ERROR
    return RIGHT if _PASSED.search(output) else NO_CHECK


def _finding(described: Described) -> Finding:
    text = described.text
    lines = tuple(f"{Path(one.file).name}:{one.line}" for one in described.places)
    return Finding(kind_of(text), lines, text, described.note)


@cache
def _given() -> Mapping[str, list[str]]:
    path = Path(__file__).with_name("arguments.toml")
    given: Mapping[str, list[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return given


def arguments_of(program: Program) -> list[str]:
    """Ours, if there are some; otherwise those of the Makefile next to the program."""
    if (given := _given().get(f"{program.collection}/{program.name}")) is not None:
        return [word.replace("INPUTS", str(_INPUTS)) for word in given]
    makefile = program.folder / "Makefile"
    if not makefile.is_file():
        return []
    match = re.search(
        r"^run:.*\n\t(?:\$\(LAUNCHER\)\s*)?\./\$\(program\)(.*)$",
        text_of(makefile),
        re.M,
    )
    words = match[1].split() if match else []
    return [] if any(re.search(r"[$|<>;&`]", word) for word in words) else words
