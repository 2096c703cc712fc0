"""What the checked build found, and whether it is right: a part of docs/results/coverage.md."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from outcomes import TOO_SLOW, Outcome
from verdicts import Judged, findings_of
from words import cell

_MOST_LINES = 4


def lines(accepted: Sequence[Outcome], judged: Sequence[Judged], seconds: float) -> list[str]:
    names = sorted({one.program.collection for one in accepted})
    started = [one for one in accepted if one.checked is not None or one.checked_compiler_says]
    samples = [one for one in started if findings_of(one) or _has_report(one)]
    wrong = [one for one in judged if one.verdict and not one.verdict.right]
    right = [one for one in judged if one.verdict and one.verdict.right]
    open_ones = [one for one in judged if one.verdict is None]
    text = [
        "",
        "## What the checked build found",
        "",
        f"Each had {2 * seconds:g} s in the checked build. What was found until then counts for a"
        " program that",
        "was cut off, too. A person has read the program for each finding, and says in",
        "`tests/measure/corpora/verdicts.toml` whether the program has this defect. A verdict is",
        "wrong if it has not, if the emulator cannot run a correct program, or if a defect that we",
        "know of was missed. Notes, such as two threads that write the same value, do not count.",
        "",
        "| collection | ran checked | of these cut off | with findings | all right"
        " | a wrong verdict | not judged |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    for name in names:
        text.append(_row(name, [one for one in samples if one.program.collection == name], judged))
    text.append(_row("all", samples, judged))
    ended = [one for one in samples if not _is_cut_off(one)]
    programs = {one.program for one in wrong}
    share = f"{100 * len(programs) / len(ended):.1f} %" if ended else "-"
    text += [
        "",
        f"**Programs with a wrong verdict: {len(programs)}**, which is {share} of the {len(ended)}"
        " that ran to their end.",
        *_without_report([one for one in started if one not in samples]),
        *_not_run([one for one in accepted if one.fast is not None and one not in started]),
    ]
    if wrong:
        text += ["", "### Wrong verdicts", "", *_entries(wrong)]
    if right:
        text += ["", "### Defects of published programs", "", *_entries(right)]
    if open_ones:
        text += ["", "### Not judged", ""]
        for name, some in itertools.groupby(_sorted(open_ones), lambda one: one.program):
            kinds = sorted({one.finding.kind for one in some})
            text.append(f"- {name}: {', '.join(kinds)}")
    return text


def _has_report(outcome: Outcome) -> bool:
    return outcome.checked is not None and outcome.checked.findings is not None


def _without_report(outcomes: Sequence[Outcome]) -> list[str]:
    names = ", ".join(sorted(one.name for one in outcomes))
    return [f"Cut off before they could report, and counted nowhere: {names}."] if names else []


def _not_run(outcomes: Sequence[Outcome]) -> list[str]:
    names = ", ".join(sorted(one.name for one in outcomes))
    return ["", f"Not run checked, for lack of time: {names}."] if names else []


def _is_cut_off(outcome: Outcome) -> bool:
    return outcome.checked is not None and outcome.checked.ending == TOO_SLOW


def _row(name: str, chosen: Sequence[Outcome], judged: Sequence[Judged]) -> str:
    names = {one.name for one in chosen}
    mine = [one for one in judged if one.program in names]
    found = {one.program for one in mine}
    wrong = {one.program for one in mine if one.verdict and not one.verdict.right}
    unjudged = {one.program for one in mine if one.verdict is None} - wrong
    cut_off = sum(map(_is_cut_off, chosen))
    numbers = [
        len(chosen),
        cut_off,
        len(found),
        len(found - wrong - unjudged),
        len(wrong),
    ]
    return f"| {name} | {' | '.join(map(str, numbers))} | {len(unjudged)} |"


def _sorted(judged: Iterable[Judged]) -> list[Judged]:
    return sorted(judged, key=lambda one: (one.program, one.finding.kind, one.finding.lines))


def _entries(judged: Sequence[Judged]) -> list[str]:
    """A line for each entry of verdicts.toml that was used, with the lines that were found."""
    text = []
    groups: dict[tuple[str, str, str], list[Judged]] = {}
    for one in _sorted(judged):
        assert one.verdict is not None
        groups.setdefault((one.program, one.finding.kind, one.verdict.why), []).append(one)
    for (program, kind, why), some in groups.items():
        places = list(dict.fromkeys(line for one in some for line in one.finding.lines))
        shown = ", ".join(places[:_MOST_LINES]) + (", ..." if len(places) > _MOST_LINES else "")
        text.append(f"- {program}: {kind}{f' ({shown})' if shown else ''}. {cell(why)}")
    return text
