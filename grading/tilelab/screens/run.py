"""Prints what was found in a program."""

from __future__ import annotations

import signal

from rich.console import Console
from rich.markup import escape

from tilelab.base.text import one_line
from tilelab.model.program import Ending, Report
from tilelab.model.program_estimate import EstimatedProgram
from tilelab.programs.running import Ended
from tilelab.screens.profile import show_launches
from tilelab.screens.program_estimate import lines_of, show_conclusion

_MOST = 20


def show_findings(console: Console, ended: Ended, *, warned: bool, counts_alone: bool) -> None:
    """Prints a line for each finding: mistakes first, then notes, and how much was looked at.

    `warned` says whether the compiler had something to say.
    """
    report = ended.report
    if report is None:
        console.print("tilelab: the program ended without a report of what was found")
        return
    findings = report.findings
    for one in sorted(findings, key=lambda one: one.note)[:_MOST]:
        console.print(f"tilelab: {one_line(one.text)}", markup=False)
    if len(findings) > _MOST:
        console.print(f"tilelab: {len(findings) - _MOST} more findings")
    if said := _conclusion(ended, report, warned, counts_alone):
        console.print(f"tilelab: {said}", markup=False)


def _conclusion(ended: Ended, report: Report, warned: bool, counts_alone: bool) -> str:
    """What a run without findings shows, or one that was cut off; "" if the findings say it all."""
    if ended.is_cut_off:
        until_then = "" if report.findings else ", and no mistake was found until then"
        return f"the program {_how(ended.status, report.ending)} {_when(report.ending)}{until_then}"
    if report.findings:
        return ""
    if not report.ending.launches:
        return "this process ran no kernel, so there was nothing to look at"
    if counts_alone:
        return "accesses were counted, and data races not looked for: --checked does that"
    return "nothing else was found" if warned else "no mistakes found"


def _how(status: int, ending: Ending) -> str:
    if ending.by == "TileLab":
        return "was stopped by TileLab"
    if ending.by not in ("", "unknown"):
        return f"ended itself with {ending.by}"
    try:
        return f"was stopped by {signal.Signals(status - 128).name}"
    except ValueError:
        return f"ended with status {status}"


def _when(ending: Ending) -> str:
    if ending.during:
        return f"during launch {ending.launches}, of {one_line(ending.during)}"
    launches = ending.launches
    return "after 1 kernel launch" if launches == 1 else f"after {launches} kernel launches"


def show_counts(console: Console, report: Report | None, estimated: EstimatedProgram | str) -> None:
    """Prints what the launches did with memory, and what they would take on a GPU.

    A sentence says why that is not known.
    """
    launches = report.launches if report else ()
    if isinstance(estimated, str):
        show_launches(console, launches, None)
        console.print(escape(f"There are no estimated times: {estimated}."), style="dim")
    else:
        show_launches(console, launches, None, lambda launch: lines_of(launch, estimated))
        show_conclusion(console, estimated)
