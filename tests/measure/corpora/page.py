"""The page of results: docs/results/coverage.md."""

from __future__ import annotations

import collections
import datetime
import re
from collections.abc import Sequence

from corpora.outcomes import NO_CHECK, RIGHT, TOO_SLOW, Outcome
from corpora.programs import uses_only_the_runtime

from tilelab.backends import nvidia

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


def text(outcomes: Sequence[Outcome], seconds: float) -> str:
    """The whole page. Programs ran if they had some seconds to."""
    counted = [one for one in outcomes if not one.nvcc_says]
    lines = [
        "# Programs from elsewhere on the emulator",
        "",
        f"Written by `python3 tests/measure/corpus.py DIR...` on {datetime.date.today()}, with",
        f"nvcc {nvidia.nvcc_version()}. Each program was compiled unmodified, as `./tilelab run`"
        " does it.",
        "Only programs that nvcc accepts count. A program whose library neither nvcc nor the",
        "emulator finds on this machine, like OpenGL's, has only to compile: there are"
        f" {sum(not one.is_linked for one in counted)}.",
        "",
        *_table(outcomes),
    ]
    lines += ["", "## Why programs did not compile", "", "| programs | what they need |"]
    lines += ["| --: | --- |"]
    reasons = collections.Counter(_class(one.compiler_says) for one in counted if one.compiler_says)
    lines += [f"| {count} | {_cell(reason)} |" for reason, count in reasons.most_common()]
    if seconds:
        lines += _endings(counted, seconds)
    lines += ["", "## Each program that did not compile", ""]
    for name in sorted({one.program.collection for one in counted}):
        lines += _failures(name, [one for one in counted if one.program.collection == name])
    return "\n".join(lines).rstrip() + "\n"


def _table(outcomes: Sequence[Outcome]) -> list[str]:
    lines = [
        "| collection | programs | accepted by nvcc | compiled | share |",
        "| --- | --: | --: | --: | --: |",
    ]
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


def _endings(counted: Sequence[Outcome], seconds: float) -> list[str]:
    lines = ["", "## How programs ended", ""]
    lines += [
        f"Each had {seconds:g} s, in the fast build, next to another program. What is wrong",
        "may be so on a GPU, too: an exercise to finish, or an input that is not there. Or it",
        "counts on the threads of a warp to keep in step without `__syncwarp()`, which CUDA",
        "does not promise: here they do not, and `--checked` calls it a data race.",
    ]
    lines += ["", "| programs | ending |", "| --: | --- |"]
    endings = collections.Counter(one.ending for one in counted if one.ending)
    lines += [f"| {count} | {ending} |" for ending, count in endings.most_common()]
    for ending in sorted(set(endings) - {RIGHT}):
        names = sorted(_name(one) for one in counted if one.ending == ending)
        if ending not in (NO_CHECK, TOO_SLOW):
            lines += ["", f"{ending[0].upper()}{ending[1:]}: {', '.join(names)}."]
    return lines


def _failures(name: str, counted: Sequence[Outcome]) -> list[str]:
    by_class: dict[str, list[str]] = {}
    for one in counted:
        if one.compiler_says:
            by_class.setdefault(_class(one.compiler_says), []).append(one.program.name)
    lines = [f"**{name}**", ""] if by_class else []
    for reason, programs in sorted(by_class.items(), key=lambda item: -len(item[1])):
        lines.append(f"- {_cell(reason)}: {', '.join(programs)}")
    return [*lines, ""] if lines else []


def _class(reason: str) -> str:
    for pattern, name in _CLASSES:
        if re.search(pattern, reason):
            return name.format(re.split(r"[A-Z_:/ ]", reason, maxsplit=1)[0])
    return reason.split(" is not supported by the emulator")[0]


def _name(outcome: Outcome) -> str:
    return f"{outcome.program.collection}/{outcome.program.name}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
