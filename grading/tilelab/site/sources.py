"""Writes pages about source files, in Markdown: the comment at a file's head, then its code."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilelab.model.lab import Lab

_KEY = re.compile(r"([A-Z][a-z]+): (.*)")
_LABEL = re.compile(r"(Reference solution|Step \d+[^:.]*)[:.] ")
_CODE_SPAN = re.compile(r"(`[^`]*`)")
_MARKUP = re.compile(r"([\\*_<>\[\]|#&~])")

_ABOUT_THE_LADDER = "The ladder goes from the simple kernel to the fastest one that we know."


@dataclass(frozen=True)
class Source:
    """A file: the prose at its head, the `Key: value` lines there, and its code."""

    path: Path
    prose: str
    keys: dict[str, str]
    code: str

    @property
    def listing(self) -> str:
        return f"~~~~cuda\n{self.code}\n~~~~\n"

    @property
    def is_step(self) -> bool:
        return self.path.parent.name == "ladder"

    @property
    def name(self) -> str:
        """Its place in the course: "Step 2: tile", "Challenge: tree", "Reference solution"."""
        words = self.path.stem.replace("_", " ")
        if self.path.parent.name == self.path.stem:
            return "Reference solution"
        if self.is_step:
            number, _, rest = words.partition(" ")
            return f"Step {int(number)}: {rest}"
        return f"{self.path.parent.name.capitalize()}: {words.lstrip('0123456789 ')}"

    @property
    def summary(self) -> str:
        """The first sentence of its prose, without the "Step 2:" that the name says already."""
        prose = _LABEL.sub("", " ".join(self.prose.split()))
        sentence = re.split(r"(?<=[.:]) ", prose, maxsplit=1)[0].rstrip(":")
        return sentence[0].upper() + sentence[1:] if sentence.split(" ")[0].isalpha() else sentence


def read(path: Path) -> Source:
    lines = path.read_text(encoding="utf-8").split("\n")
    end = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    prose: list[str] = []
    keys: dict[str, str] = {}
    for line in lines[:end]:
        words = line.removeprefix("//").removeprefix(" ")
        if match := _KEY.fullmatch(words):
            keys.setdefault(match[1], match[2])
        else:
            prose.append(_as_markdown(words))
    return Source(path, "\n".join(prose).strip(), keys, "\n".join(lines[end:]).strip("\n"))


def files_for_students(lab: Lab) -> list[Path]:
    """The skeleton first, then its contract, the baseline and worked examples."""
    others = sorted(lab.skeleton.parent.glob("*.cu"))
    return [lab.skeleton, lab.header, *(path for path in others if path != lab.skeleton)]


def solutions(lab: Lab) -> list[Source]:
    """The reference solution, the steps of the ladder, and what goes beyond."""
    beyond = sorted(lab.solutions.glob("*/*.cu"))
    beyond = [path for path in beyond if path.parent.name not in ("ladder", "mistakes")]
    return [read(path) for path in (lab.reference, *lab.ladder, *beyond)]


def name_of_files(lab: Lab) -> str:
    return "Skeleton and baseline" if lab.baseline.is_file() else "Skeleton"


def name_of_solutions(lab: Lab) -> str:
    return "Ladder and solutions" if lab.ladder else "Solution"


def files(lab: Lab) -> str:
    """The page with the files that a student starts from."""
    lines = [
        f"# {lab.name}: {name_of_files(lab).lower()}",
        "",
        f"What is in `labs/{lab.name}`. You edit `{lab.skeleton.name}`; the"
        f" [handout]({_to(lab.skeleton, lab.handout)}) explains the tasks, and"
        f" `./tilelab check {lab.name}` tests your file.",
        "",
    ]
    for path in files_for_students(lab):
        source = read(path)
        lines += [f"## {path.name}", "", source.prose, "", source.listing]
    return "\n".join(lines)


def overview(lab: Lab) -> str:
    """The page that lists a lab's solutions."""
    here = lab.solutions / "README.md"
    lines = [
        f"# {lab.name}: {name_of_solutions(lab).lower()}",
        "",
        "**This page gives the solution away.** Try"
        f" [the lab]({_to(here, lab.handout)}) first: `./tilelab check {lab.name}`.",
        "",
        "The reference solution is what a very good student hands in. "
        + _ABOUT_THE_LADDER * bool(lab.ladder),
        "",
        "| file | what it does |",
        "| --- | --- |",
    ]
    for source in solutions(lab):
        lines.append(f"| [{source.name}]({_to(here, source.path)}) | {source.summary} |")
    return "\n".join([*lines, ""])


def solution(lab: Lab, source: Source) -> str:
    """The page of one solution."""
    lines = [f"# {lab.name}: {source.name[0].lower()}{source.name[1:]}", "", source.prose, ""]
    if "Slots" in source.keys:
        lines += [f"Instructions issued: {_as_markdown(source.keys['Slots'])}.", ""]
    if "Misses" in source.keys:
        lines += [f"It loses points for {source.keys['Misses']}.", ""]
    if "Needs" in source.keys:
        lines += [f"It needs {source.keys['Needs']}.", ""]
    lines += [source.listing, *_way(lab, source)]
    return "\n".join(lines)


def mistakes(lab: Lab) -> str:
    """The page of a lab's typical mistakes."""
    lines = [
        f"# {lab.name}: typical mistakes",
        "",
        "Each is a submission with one thing wrong, and what the tests say about it.",
        "",
    ]
    for path in sorted((lab.solutions / "mistakes").glob("*.cu")):
        source = read(path)
        lines += [f"## {path.stem.replace('_', ' ')}", "", source.prose, ""]
        if "Test" in source.keys:
            said = f": {_as_markdown(source.keys['Says'])}" if "Says" in source.keys else ""
            lines += [f"> *{_as_markdown(source.keys['Test'])}* fails{said}", ""]
        lines += ["<details><summary>Code</summary>", "", source.listing, "</details>", ""]
    return "\n".join(lines)


def _way(lab: Lab, source: Source) -> Iterator[str]:
    """Links to the neighbors on the ladder."""
    steps = [read(path) for path in lab.ladder]
    if source not in steps:
        return
    at = steps.index(source)
    around = [
        f"[{arrow[0]}{step.name}{arrow[1]}]({step.path.name})"
        for arrow, step in (
            *((("← ", ""), step) for step in steps[at - 1 : at]),
            *((("", " →"), step) for step in steps[at + 1 : at + 2]),
        )
    ]
    yield " · ".join(around) + "\n"


def _to(here: Path, there: Path) -> str:
    return os.path.relpath(there, here.parent)


def _as_markdown(words: str) -> str:
    """The words of a comment, which may hold code spans and lists but no other markup."""
    return "".join(
        part if part.startswith("`") else _MARKUP.sub(r"\\\1", part)
        for part in _CODE_SPAN.split(words)
    )
