"""How programs ended in the fast build: a part of docs/results/coverage.md."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence

from endings import AT_FAULT, Reason
from outcomes import NO_CHECK, RIGHT, TOO_SLOW, Outcome
from words import capitalized, cell


def lines(accepted: Sequence[Outcome], reasons: Mapping[str, Reason], seconds: float) -> list[str]:
    ran = [(one, one.fast) for one in accepted if one.fast is not None]
    endings = collections.Counter(run.ending for _, run in ran)
    text = [
        "",
        "## How programs ended",
        "",
        f"Each of {len(ran)} programs had {seconds:g} s in the fast build, next to another one.",
        "",
        "| programs | ending |",
        "| --: | --- |",
    ]
    text += [f"| {count} | {ending} |" for ending, count in endings.most_common()]
    bad = [(one, run) for one, run in ran if run.ending not in (RIGHT, NO_CHECK, TOO_SLOW)]
    text += ["", "At fault where a program ended badly, by a person who looked:", ""]
    text += ["| programs | at fault |", "| --: | --- |"]
    blamed = collections.Counter(_at_fault(one, reasons) for one, _ in bad)
    text += [f"| {count} | {cell(who)} |" for who, count in blamed.most_common()]
    for ending in sorted({run.ending for _, run in bad}):
        text += ["", f"**{capitalized(ending)}**", ""]
        for one in sorted((one for one, run in bad if run.ending == ending), key=_name):
            reason = reasons.get(one.name)
            why = f"{AT_FAULT[reason.at_fault].split(':')[0]}. {reason.why}" if reason else "?"
            text.append(f"- {one.name}: {cell(why) if reason else 'nobody has looked'}")
    slow = sorted(one.name for one, run in ran if run.ending == TOO_SLOW)
    return [*text, "", f"Programs that need more time: {', '.join(slow)}."] if slow else text


def _name(outcome: Outcome) -> str:
    return outcome.name


def _at_fault(outcome: Outcome, reasons: Mapping[str, Reason]) -> str:
    reason = reasons.get(outcome.name)
    return AT_FAULT[reason.at_fault] if reason else "nobody has looked"
