"""Goes through all sources: whose is which file, for which lab, and which attempt counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect import asking, recognizing
from tilelab.collect.attempts import Attempt
from tilelab.collect.choosing import Choice, Found, Policy, choose
from tilelab.collect.decisions import Decisions
from tilelab.collect.folder_names import Folders
from tilelab.collect.identifying import Identified, identify
from tilelab.collect.members import MAX_MEMBERS, Member
from tilelab.collect.naming import is_skeleton, meant
from tilelab.collect.questions import Left, Question, about_choice, about_kernel, about_stray, few
from tilelab.collect.roster.people import Roster
from tilelab.collect.sorting import Doubt, Sorted, sort
from tilelab.model.course import Course
from tilelab.model.grade import Asked
from tilelab.model.lab import Lab
from tilelab.pipeline import intake
from tilelab.pipeline.class_folder import Decision

_MOST_STRANGERS = 2000


@dataclass
class Gathered:
    """What was found. Names are folders of students; the lines are about what was not clear.

    `left` has the files of each student that are for no lab; `strangers` are not in the roster.
    `seen` are all files, by the source that is noted of them. `asked` is what students ask about
    their grades, `questions` what the instructor is asked.
    """

    choices: list[Choice] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    strangers: set[str] = field(default_factory=set)
    students: set[str] = field(default_factory=set)
    left: dict[str, list[Left]] = field(default_factory=lambda: defaultdict(list))
    seen: dict[str, list[Member]] = field(default_factory=lambda: defaultdict(list))
    asked: list[Asked] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Gatherer:
    """Collects from one source after the other."""

    def __init__(
        self,
        labs: Sequence[Lab],
        course: Course,
        roster: Roster,
        folders: Folders,
        decisions: Decisions,
    ):
        self._labs = labs
        self._by_name = {lab.name: lab for lab in labs}
        self._course = course
        self._roster = roster
        self._folders = folders
        self._decisions = decisions
        self._found: dict[tuple[str, str], list[Found]] = defaultdict(list)
        self._count = 0
        self._gathered = Gathered()

    def read(self, path: Path, work: Path) -> None:
        """Reads a source, with its files in `work`, which must stay. Raises UserError."""
        self._count += 1
        source = recognizing.read(path, self._labs, self._course.time_zone, work, self._roster)
        name = one_line(path.resolve().name)
        gathered = self._gathered
        gathered.kinds.append(f"{name}: {source.kind}")
        gathered.refused += [f"{name}: {line}" for line in source.refused]
        gathered.unsure += [f"{name}: {line}" for line in source.remarks]
        self._take_loose(source.loose, name)
        identified = identify(source.attempts, self._roster, self._decisions)
        _assert_plausible(identified, name)
        gathered.questions += identified.questions
        for member in source.loose + [one for it in source.attempts for one in it.files]:
            gathered.seen[f"{name}: {member.shown}"] += member.versions
        # In the order of names, so that the folders of two who differ only in case do not depend on
        # how an archive was packed. Attempts of one student keep their order.
        ordered = sorted(source.attempts, key=lambda one: one.students[0].own)
        for number, attempt in enumerate(ordered):
            known = [self._roster.time(student) for student in attempt.students]
            timed = replace(attempt, when=attempt.when or next(filter(None, known), None))
            if students := self._students(attempt, identified):
                self._take(students, timed, number, name)

    def result(self, policy: Policy) -> Gathered:
        """One file for each student and lab."""
        gathered = self._gathered
        doubts: dict[Doubt, str] = {}
        for (student, _), several in sorted(self._found.items()):
            choice = choose(several, self._course, policy)
            gathered.choices.append(choice)
            if choice.remark:
                gathered.unsure.append(choice.remark)
            if choice.doubt:  # whoever of a group is asked, it holds for all
                doubts.setdefault(choice.doubt, student)
        gathered.questions += [about_choice(student, one) for one, student in doubts.items()]
        return gathered

    def _students(self, attempt: Attempt, identified: Identified) -> list[str]:
        keys = []
        for identity in attempt.students:
            own = identity.own
            if own in identified.nobody:
                continue
            key = identified.keys.get(own)
            if key is None and (members := self._roster.in_group(own)):
                keys += members  # a repository of a group has its name
                continue
            if key is None:
                key = self._folders.named(own)
                self._gathered.strangers.add(key)
            keys.append(key)
        self._gathered.students.update(keys)
        return list(dict.fromkeys(keys))

    def _take(self, students: list[str], attempt: Attempt, number: int, name: str) -> None:
        """Takes the files that were decided, and sorts the others."""
        decided: set[tuple[str, str]] = set()
        others = []
        for member in attempt.files:
            decision = self._decisions.of_file(member)
            if member.is_question:
                self._hear(member, decision, students, attempt)
                continue
            if decision is None:
                others.append(member)
                continue
            # A group hands in one file for all.
            whose = students if decision.student in students else [decision.student]
            for student in whose if decision.student else []:
                place = (self._count, number, 0)
                self._note(student, decision.lab, member, attempt, name, place)
                decided.add((student, decision.lab))
        found = sort(others, self._labs)
        left = self._left(found.others)
        for student in students:
            for one in found.files:
                lab, by = one.guess.lab, one.guess.by
                if (student, lab) not in decided:
                    place = (self._count, number, one.guess.copy)
                    self._note(student, lab, one.member, attempt, name, place, by)
            self._gathered.left[student] += left
        # Whoever of a group it is said of, it holds for all.
        self._ask(students[0], found, decided)

    def _hear(
        self,
        member: Member,
        decision: Decision | None,
        students: Sequence[str],
        attempt: Attempt,
    ) -> None:
        """Takes what students ask about their grades."""
        if decision and not decision.student:
            return
        labs = [lab.name for lab in self._labs]
        when = member.when or attempt.when
        at = when.isoformat() if when else None
        for student in [decision.student] if decision else students:
            found = asking.read(member, student, labs, at, decision.lab if decision else "")
            self._gathered.asked += found.asked
            self._gathered.unsure += found.unsure
            self._gathered.questions += found.questions

    def _left(self, members: Sequence[Member]) -> list[Left]:
        """What the files may be that are no kernels. As with kernels, no more is looked into."""
        left, room = [], intake.MAX_BYTES
        for member in members:
            left.append(Left(member, meant(member, self._labs, room)))
            room = max(0, room - len(member.data()))
        return left

    def _ask(self, student: str, found: Sorted, decided: set[tuple[str, str]]) -> None:
        doubts = [one for one in found.doubts if (student, one.lab) not in decided]
        questions = [about_choice(student, one) for one in doubts]
        questions += [about_kernel(student, member) for member in found.kernels]
        self._gathered.questions += few(questions, f"{student}: ")

    def _take_loose(self, loose: Sequence[Member], name: str) -> None:
        unknown = []
        # After all attempts of the source, because a person says that these count.
        for number, member in enumerate(loose, MAX_MEMBERS):
            if not (decision := self._decisions.of_file(member)):
                unknown.append(member)
            elif member.is_question:
                self._hear(member, decision, [], Attempt((), ()))
            elif decision.student:
                place = (self._count, number, 0)
                self._note(decision.student, decision.lab, member, Attempt((), ()), name, place)
                self._gathered.students.add(decision.student)
        questions = [about_stray(one) for one in self._left(unknown)]
        self._gathered.questions += few(questions, f"{name}: ")

    def _note(
        self,
        student: str,
        lab: str,
        member: Member,
        attempt: Attempt,
        name: str,
        place: tuple[int, int, int],
        by: str = "answer",
    ) -> None:
        """Notes all versions of a file. An answer may say that even a skeleton counts."""
        self._found[student, lab] += [
            Found(
                student,
                lab,
                version,
                f"{name}: {version.shown}",
                place,
                version.when or attempt.when,
                attempt.before,
                attempt.marked_late,
                by != "answer" and is_skeleton(version, self._by_name[lab]),
                by,
            )
            for version in member.versions
        ]


def _assert_plausible(identified: Identified, name: str) -> None:
    """Refuses to make folders for thousands whom nobody has named."""
    count = len(identified.strangers)
    if count > _MOST_STRANGERS:
        raise UserError(
            f"{name} has files of {count:,} students who are in no roster, and "
            f"{_MOST_STRANGERS:,} are the most: if they are yours, name them in a roster"
        )
