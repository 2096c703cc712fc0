"""Tables of measured times, for the results page and for the labs' pages, from a results file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tilelab.base.fields import Number
from tilelab.base.repository import REPO
from tilelab.bench import gains, results_file
from tilelab.bench.results_file import Timed
from tilelab.model.measurement import Measurement
from tilelab.score import measurement

_BLOCK = re.compile(r"(<!-- measured: (\w+), (\w+) -->\n).*?(<!-- end of measured -->)", re.S)
_HOW = """\
`time` is the median time of one launch of each of the lab's functions, over rounds in which all
kernels take turns. It is taken between device events, or by the judge's own clock, which also sees
a message and a download per batch. [`+-`](../glossary.md#plus-minus) is half the 95% interval of
the ratio to the baseline. [`cold`](../glossary.md#cold) is a launch alone, with nothing in the L2
cache. The [peak](../glossary.md#peak) is measured in the same rounds: the GPU's own copy of as many
bytes, a kernel that only reads as many, or multiply-adds for as many instructions, as the problem
needs at least. Other programs are timed one by one. `./tilelab bench` measures all of it.
"""
_ROOFLINE = """\
## All labs

A [roofline](../glossary.md#roofline): operations per second, over operations per byte that the
problem has to move at least. The roofs are what the run measured: the GPU's own copy, and its
multiply-adds, each of which is two operations. Operations are those of the problem's formula, so a
kernel that avoids some of them may be above the roof.
"""

_CLOCK = {"device": "time", "judge": "time, judge's clock"}
_PEAK = {"bytes": "GPU's own copy", "reads": "GPU's reads", "instructions": "GPU's multiply-adds"}


def write(results: Path, repo: Path = REPO) -> list[Path]:
    """Writes a results file's page and the tables of other pages. Returns what it wrote."""
    texts = {results.with_suffix(".md"): page(results)}
    for path in sorted(repo.glob("labs/*/*.md")):
        text = path.read_text(encoding="utf-8")
        if _BLOCK.search(text):
            texts[path] = with_tables(text, results.parent)
    course = repo / "docs" / "course.md"
    if course.exists():
        texts[course] = gains.with_gains(course.read_text(encoding="utf-8"), results.parent)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)


def with_tables(text: str, results: Path) -> str:
    """A lab's page with its blocks <!-- measured: GPU, LAB --> filled in from that results file."""

    def fill(match: re.Match[str]) -> str:
        begin, gpu, lab, end = match.groups()
        one = results_file.load(results / f"{gpu}.json").get(lab)
        return f"{begin}\n{_lab(one)}\n{_machine(one)}\n\n{end}" if one else match[0]

    return _BLOCK.sub(fill, text)


def page(results: Path) -> str:
    """The Markdown page of a results file."""
    labs = results_file.load(results)
    gpu = next(iter(labs.values())).machine["gpu"]
    lines = [f"# Times on an {gpu}", "", _HOW]
    if roofline := _picture(results, "roofline", "Operations per second"):
        lines += [_ROOFLINE, *roofline]
    for name, one in labs.items():
        lines += [f"## {name}", "", *_picture(results, name, "Shares of the peak")]
        lines += [_lab(one), _machine(one), ""]
        lines += _picture(results, f"{name}_n", "Time against n")
    return "\n".join(lines)


def _picture(results: Path, of: str, says: str) -> list[str]:
    """The lines that show a plot, none if it was never drawn."""
    path = results_file.plot(results, of)
    return [f"![{says}]({path.parent.name}/{path.name})", ""] if path.exists() else []


def _lab(one: Timed) -> str:
    tables = [
        _problem(title, measurement.of(one.problems, title), one.peers.get(title, {}))
        for title in one.problems
    ]
    alone = [title for title in one.peers if title not in one.problems]
    return "\n".join(tables + [_others(title, one.peers[title]) for title in alone])


def _problem(title: str, found: Measurement, peers: Mapping[str, Number]) -> str:
    base = "reference" if results_file.is_challenge(title) else "baseline"
    lines = [
        f"| {title} | {_CLOCK[found.clock]} | +- | cold | over {base} | of {peak(found)} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    shown = {name: base if name == "baseline" else name for name in found.timings}
    lines += [_row(name, shown[name], found) for name in sorted(found.timings, key=place)]
    lines += [_peer(name, ms, found) for name, ms in sorted(peers.items())]
    if found.peak:
        lines.append(f"| *the peak* | {found.peak.ms:.4f} ms | | | | 100% |")
    return "\n".join([*lines, ""])


def _row(name: str, shown: str, found: Measurement) -> str:
    timing = found.timings[name]
    spread = 50 * (timing.speedup.high - timing.speedup.low) / timing.speedup.value
    share = timing.share_of_peak
    cells = [
        f"`{shown}`",
        f"{found.milliseconds(name):.4f} ms",
        f"{spread:.2f}%",
        f"{timing.cold_ms:.4f} ms",
        f"{timing.speedup.value:.2f}",
        f"{100 * share.value:.1f}%" if share else "",
    ]
    return f"| {' | '.join(cells)} |"


def _peer(name: str, ms: float, found: Measurement) -> str:
    over = found.milliseconds("baseline") / ms
    share = f"{100 * found.peak.ms / ms:.1f}%" if found.peak else ""
    return f"| {name} | {ms:.4f} ms | | | {over:.2f} | {share} |"


def _others(title: str, times: Mapping[str, Number]) -> str:
    """A table of kernels that are not submissions, so that no problem of the judge has them."""
    rows = [f"| {name} | {ms:.4f} ms |" for name, ms in times.items()]
    return "\n".join([f"| {title} | time |", "| --- | ---: |", *rows, ""])


def _machine(one: Timed) -> str:
    host = one.machine
    problems = [measurement.of(one.problems, title) for title in one.problems]
    clock = [f"SM clock up to {max(found.sm_mhz for found in problems)} MHz"] if problems else []
    about = [host["gpu"], f"driver {host['driver']}", host["compiler"], *clock, one.date]
    return f"{', '.join(map(str, about))}."


def peak(found: Measurement) -> str:
    """The name of the peak that shares refer to."""
    return _PEAK[found.peak.of] if found.peak else "peak"


def place(name: str) -> tuple[int, int, str]:
    """A sort key: the baseline first, then the ladder steps by number, the reference last."""
    number = re.match(r"\d+", name)
    order = {"baseline": 0, "reference": 2}.get(name, 1)
    return (order, int(number[0]) if number else 0, name)
