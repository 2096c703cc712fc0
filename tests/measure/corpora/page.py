"""The page of results: docs/results/coverage.md."""

from __future__ import annotations

import collections
import datetime
import os
import re
from collections.abc import Mapping, Sequence

import page_checked
import page_endings
import sgemm
from endings import Reason
from outcomes import Outcome, counted
from programs import uses_only_the_runtime
from tilelab.backends import nvidia
from verdicts import Judged
from words import cell

# The errors that mean the same, by the first match. Others stay as the compiler wrote them.
_CLASSES = (
    (r"^(?:cublas|cufft|cusparse|cusolver|nvtx|nvml|npp)", "a library: {}"),
    (r"^(?:thrust|cub)\b", "a library: {}"),
    (r"^thrust/", "a library: thrust"),
    (r"^(?:nvcuda|mma)", "tensor cores"),
    (r"inline assembly", "inline PTX"),
    (r"[Gg]raphics", "OpenGL's buffers"),
    (r"\bCU[a-z]", "the driver API"),
)


def text(
    outcomes: Sequence[Outcome],
    judged: Sequence[Judged],
    reasons: Mapping[str, Reason],
    seconds: float,
) -> str:
    """The whole page. Programs ran if they had some seconds to."""
    left_out = [one.name for one in outcomes if one.is_left_out]
    outcomes = [one for one in outcomes if not one.is_left_out]
    accepted = counted(outcomes)
    lines = [
        "# Programs from elsewhere on the emulator",
        "",
        f"Written by `./tilelab measure corpora DIR...` on {datetime.date.today()}, on a",
        f"machine with {os.cpu_count()} cores and nvcc {nvidia.nvcc_version()}. Each program was"
        " compiled unmodified, as",
        "`./tilelab run` does it. Only programs that nvcc accepts count. A program whose library",
        "neither nvcc nor the emulator finds on this machine, like OpenGL's, has only to compile:",
        f"there are {sum(not one.is_linked for one in accepted)}. HeCBench is large: every ninth of"
        " its folders `src/*-cuda`, by name.",
        "",
        *_table(outcomes),
        *_sgemm(outcomes),
        *_versions(outcomes),
        *(["", f"Left out, for lack of time: {', '.join(sorted(left_out))}."] if left_out else []),
        "",
        "## Why programs did not compile",
        "",
        "| programs | what they need |",
        "| --: | --- |",
    ]
    whys = collections.Counter(_class(one.compiler_says) for one in accepted if one.compiler_says)
    lines += [f"| {count} | {cell(reason)} |" for reason, count in whys.most_common()]
    if seconds:
        lines += page_checked.lines(accepted, judged, seconds)
        lines += page_endings.lines(accepted, reasons, seconds)
    lines += ["", "## Each program that did not compile", ""]
    for name in sorted({one.program.collection for one in accepted}):
        lines += _failures(name, [one for one in accepted if one.program.collection == name])
    return "\n".join(lines).rstrip() + "\n"


def _versions(outcomes: Sequence[Outcome]) -> list[str]:
    """Which version of the emulator each program was measured with, if there are several."""
    by_version: dict[str, list[str]] = {}
    for one in outcomes:
        if one.version:
            by_version.setdefault(one.version, []).append(one.name)
    if len(by_version) < 2:
        return []
    most, *others = sorted(by_version.items(), key=lambda item: -len(item[1]))
    text = [
        "",
        f"{len(most[1])} programs were measured with version {most[0][:8]} of the emulator,",
    ]
    for version, names in others:
        text += [f"{len(names)} with version {version[:8]}:"]
        text += [", ".join(sorted(names)) + "."]
    return text


def _sgemm(outcomes: Sequence[Outcome]) -> list[str]:
    """The last line of our host program, which says how many kernels are right."""
    for one in outcomes:
        if one.program.name == sgemm.NAME and one.fast is not None:
            said = one.fast.last_line
            return [
                "",
                f"**SGEMM_CUDA's kernels, unmodified: {said}**, compared with the host's product.",
                "Their own program needs cuBLAS: `tests/measure/corpora/sgemm.cu` includes them.",
            ]
    return []


def _table(outcomes: Sequence[Outcome]) -> list[str]:
    lines = [
        "| collection | programs | accepted by nvcc | compiled | share |",
        "| --- | --: | --: | --: | --: |",
    ]
    outcomes = [one for one in outcomes if one.program.name != sgemm.NAME]
    names = sorted({one.program.collection for one in outcomes})
    for name in names:
        lines.append(_row(name, [one for one in outcomes if one.program.collection == name]))
    samples = [one for one in outcomes if one.program.collection == "cuda-samples"]
    others = [one for one in outcomes if one.program.collection != "cuda-samples"]
    if samples:
        alone = [one for one in samples if uses_only_the_runtime(one.program)]
        lines.append(_row("all but cuda-samples", others))
        lines.append(_row("cuda-samples with the runtime API alone", alone))
    lines.append(_row("all", outcomes))
    if samples:
        lines += [
            "",
            "The runtime API alone: no file of the program's folder includes a header of a library",
            "or of graphics, or calls the driver API or NVRTC.",
        ]
    return lines


def _row(name: str, chosen: Sequence[Outcome]) -> str:
    accepted = [one for one in chosen if not one.nvcc_says]
    compiled = sum(not one.compiler_says for one in accepted)
    share = f"{100 * compiled / len(accepted):.0f} %" if accepted else "-"
    return f"| {name} | {len(chosen)} | {len(accepted)} | {compiled} | {share} |"


def _failures(name: str, counted: Sequence[Outcome]) -> list[str]:
    by_class: dict[str, list[str]] = {}
    for one in counted:
        if one.compiler_says:
            by_class.setdefault(_class(one.compiler_says), []).append(one.program.name)
    lines = [f"**{name}**", ""] if by_class else []
    for reason, programs in sorted(by_class.items(), key=lambda item: -len(item[1])):
        lines.append(f"- {cell(reason)}: {', '.join(programs)}")
    return [*lines, ""] if lines else []


def _class(reason: str) -> str:
    for pattern, name in _CLASSES:
        if re.search(pattern, reason):
            return name.format(re.split(r"[A-Z_:/ ]", reason, maxsplit=1)[0])
    return reason.split(" is not supported by the emulator")[0]
