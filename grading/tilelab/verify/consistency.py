"""Checks that the texts of a lab agree. Each problem is one line that names the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import checksum
from tilelab.model.lab import Lab
from tilelab.pipeline import intake
from tilelab.pipeline.harness import needs
from tilelab.tutor import aim, quiz, speed
from tilelab.tutor.code import Code, code_of
from tilelab.tutor.counts import METRICS
from tilelab.tutor.predict import predictions
from tilelab.verify import mistakes

LONGEST_HANDOUT = 1200  # words: about what a student reads at one sitting

_NOT_COUNTED = re.compile(
    r"^ {4}[^\n]*|^```.*?^```|<details>.*?</details>", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"\S*\w\S*")
_TASK = re.compile(r"^(\d+)\. \*\*(.+?)\*\*", re.MULTILINE)


def problems(lab: Lab) -> list[str]:
    absent = [path for path in _needed(lab) if not path.is_file()]
    if absent:
        return [f"{_name(path, lab)} is missing" for path in absent]
    if not_text := unreadable(lab):
        return not_text
    return [
        *_points(lab),
        *_skeleton(lab),
        *_length(lab),
        *_tasks(lab),
        *_patterns(lab),
        *_code(lab),
        *_metrics(lab),
        *_estimated(lab),
        *_use(lab),
        *_steps(lab),
        *_quiz(lab),
        *_predictions(lab),
        *_mistakes(lab),
        *_heads(lab),
    ]


def unreadable(lab: Lab) -> list[str]:
    """What keeps somebody from reading a file of the lab, a line for each file."""
    files = [*_needed(lab), *lab.ladder, *lab.challengers, *mistakes.paths(lab)]
    return [why for path in files if path.exists() and (why := _no_text(path, lab))]


def _no_text(path: Path, lab: Lab) -> str | None:
    name = _name(path, lab)
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"{name} has bytes in line {line} that are not UTF-8: save it as UTF-8"
    except OSError as error:
        return f"{name}: {error.strerror}"
    if "\0" in text or not text.strip():
        return f"{name} is empty or has a NUL byte: it is no text"
    return None


def _needed(lab: Lab) -> list[Path]:
    judge = lab.repo / "tests" / "labs" / lab.name / "judge.cpp"
    return [lab.header, lab.skeleton, lab.pristine, lab.baseline, lab.handout, lab.reference, judge]


def _name(path: Path, lab: Lab) -> str:
    return str(path.relative_to(lab.repo))


def _points(lab: Lab) -> Iterator[str]:
    if lab.max_points != 100:
        yield f"labs/{lab.name}/lab.toml: the points add up to {lab.max_points:g}, not 100"


def _skeleton(lab: Lab) -> Iterator[str]:
    if lab.skeleton_sha256 != checksum(intake.read(lab.skeleton).text):
        ours, kept = _name(lab.skeleton, lab), _name(lab.pristine, lab)
        yield (
            f"{ours} is not the skeleton that `reset` restores. If students are to start with it: "
            f"cp {ours} {kept}"
        )


def _length(lab: Lab) -> Iterator[str]:
    text = _NOT_COUNTED.sub("", lab.handout.read_text(encoding="utf-8"))
    words = len(_WORD.findall(text))
    if words > LONGEST_HANDOUT:
        yield (
            f"{_name(lab.handout, lab)} has {words:,} words besides code and folded answers, and "
            f"a lesson has at most {LONGEST_HANDOUT:,}: move the rest to labs/{lab.name}/FURTHER.md"
        )


def _tasks(lab: Lab) -> Iterator[str]:
    numbers = [task.number for task in lab.tasks]
    if not numbers:
        yield f"labs/{lab.name}/lab.toml has no [[tasks]]"
    found = sorted(aim.todos(lab.skeleton.read_text(encoding="utf-8")))
    if found != numbers:
        yield (
            f"{_name(lab.skeleton, lab)} has the TODOs {_list(found)}, "
            f"but lab.toml has the tasks {_list(numbers)}"
        )
    listed = _handed_out(lab)
    if [number for number, _ in listed] != list(range(1, len(listed) + 1)):
        numbered = _list([number for number, _ in listed])
        yield f"{_name(lab.handout, lab)} numbers its tasks {numbered}"
    # The handout continues with tasks that have no TODO.
    titles = dict(listed)
    for task in lab.handout_tasks:
        if (title := titles.get(task.number, "missing")) != task.title:
            yield (
                f"{_name(lab.handout, lab)}: task {task.number} is '{title}', "
                f"but lab.toml calls it '{task.title}'"
            )


def _handed_out(lab: Lab) -> list[tuple[int, str]]:
    """Number and title of each task in the handout's section `## Tasks`."""
    text = lab.handout.read_text(encoding="utf-8")
    section = re.search(r"^## Tasks\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    found = _TASK.findall(section[1] if section else "")
    return [(int(number), title.rstrip(".")) for number, title in found]


def _patterns(lab: Lab) -> Iterator[str]:
    where = f"labs/{lab.name}/lab.toml"
    for task in lab.tasks:
        for pattern in task.patterns:
            if pattern not in lab.hints:
                yield f"{where}: task {task.number} names '{pattern}', which has no hint"
    known = _judges_words(lab)
    named = dict.fromkeys([*lab.hints, *(p for task in lab.tasks for p in task.patterns)])
    for pattern in named:
        if not _is_known(pattern, known):
            yield f"{where}: no test uses the pattern '{pattern}'"


def _is_known(pattern: str, words: str) -> bool:
    """Whether quoted words have the pattern, or a pattern and a variant of it."""
    if f'"{pattern}"' in words:
        return True
    parts = pattern.split("_")
    pairs = (("_".join(parts[:i]), "_".join(parts[i:])) for i in range(1, len(parts)))
    return any(f'"{base}"' in words and f'"{variant}"' in words for base, variant in pairs)


def _code(lab: Lab) -> Iterator[str]:
    """Checks that the skeleton has no task's code, and that at least one other file has it."""
    where = f"labs/{lab.name}/lab.toml"
    skeleton = _code_of(lab.skeleton)
    left = [pattern for task in lab.tasks for pattern in task.code]
    skeleton.look_for(left)
    for path in [lab.reference, *lab.ladder, *mistakes.paths(lab)]:
        code = _code_of(path)
        code.look_for(left)
        if slow := next(filter(code.is_slow, left), None):
            yield f"{where}: looking for the code '{slow}' takes more than a second: simplify it"
            return
        left = [pattern for pattern in left if not code.has(pattern)]
    for task in lab.tasks:
        if task.code and skeleton.has(task.code[0]):
            yield f"{where}: the skeleton already has the code of task {task.number}"
        for pattern in task.code:
            if pattern in left:
                yield f"{where}: no file has the code '{pattern}' of task {task.number}"
    for one in lab.handout_tasks:
        for hint in one.hints:
            if skeleton.shows(hint):
                yield f"{where}: task {one.number} has a hint whose code is in the skeleton: {hint}"


def _code_of(path: Path) -> Code:
    return code_of(path.read_text(encoding="utf-8"))


def _metrics(lab: Lab) -> Iterator[str]:
    own = _reports_of(lab)
    for task in lab.speed:
        metric = task.metric
        if metric and metric not in METRICS and f'"{metric}"' not in own:
            yield (
                f"labs/{lab.name}/lab.toml: task {task.number} goes by '{metric}'; "
                f"the metrics are {', '.join(METRICS)}, and those of tests/labs/{lab.name}"
            )


def _reports_of(lab: Lab) -> str:
    """The sources that name the metrics that the lab's tests report."""
    return _text_of(*_tests_of(lab), lab.repo / "common" / "judge" / "traffic" / "traffic.cpp")


def _predictions(lab: Lab) -> Iterator[str]:
    yield from predictions.problems(lab, METRICS, _reports_of(lab))


def _estimated(lab: Lab) -> Iterator[str]:
    """Points for an estimated time need a test of the results at that size."""
    if lab.estimate is not None and '"[estimated]"' not in _text_of(*_tests_of(lab)):
        yield (
            f"tests/labs/{lab.name}: no test has the tag [estimated], so kernels that store wrong "
            "results where their time is estimated get points for it"
        )


def _use(lab: Lab) -> Iterator[str]:
    """The reference solution has nothing left to do."""
    task = speed.next_task(lab, _code_of(lab.reference), [])
    if task is not None:
        yield (
            f"labs/{lab.name}/lab.toml: the hints of task {task.number} would come for the "
            f"reference solution too: it lacks '{task.unless}'"
        )


def _judges_words(lab: Lab) -> str:
    """The sources that name patterns: of what is found in memory, the list of kinds does."""
    kinds = lab.repo / "common" / "report" / "finding_kinds.cpp"
    return _text_of(*(lab.repo / "common" / "judge").rglob("*.*"), kinds, *_tests_of(lab))


def _tests_of(lab: Lab) -> Iterator[Path]:
    return (lab.repo / "tests" / "labs" / lab.name).glob("*.*")


def _text_of(*files: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def _steps(lab: Lab) -> Iterator[str]:
    for criterion in lab.criteria:
        for step in criterion.curve.ladder if criterion.curve else ():
            if not lab.step(step).is_file():
                yield (
                    f"labs/{lab.name}/lab.toml: criteria.{criterion.name}.ladder names '{step}', "
                    f"but there is no {_name(lab.step(step), lab)}"
                )


def _heads(lab: Lab) -> Iterator[str]:
    for path in [lab.reference, *lab.ladder, *lab.challengers, *mistakes.paths(lab)]:
        try:
            needs.capability(path)
        except UserError as error:
            yield str(error)


def _quiz(lab: Lab) -> Iterator[str]:
    try:
        questions = quiz.load(lab)
    except UserError as error:
        yield str(error)
        return
    handout = _words(lab.handout.read_text(encoding="utf-8"))
    for number, question in enumerate(questions, 1):
        if _words(question.ask) not in handout:
            yield (
                f"{_name(quiz.path_of(lab), lab)}: question {number} is not in the handout word "
                "for word"
            )


def _words(text: str) -> str:
    return " ".join(text.split())


def _mistakes(lab: Lab) -> Iterator[str]:
    found = mistakes.paths(lab)
    if len(found) < mistakes.ENOUGH:
        yield (
            f"solutions/{lab.name}/mistakes has {len(found)} mistakes; "
            f"a lab needs at least {mistakes.ENOUGH}"
        )
    for path in found:
        try:
            mistakes.read(path)
        except UserError as error:
            yield str(error).replace(str(path), _name(path, lab))


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
