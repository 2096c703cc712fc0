"""Makes the questions about a file: works out more than enough, and chooses ten."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.model.lab import Lab
from tilelab.model.questions.viva import Question, Viva
from tilelab.pipeline import intake
from tilelab.pipeline.harness.session import Session
from tilelab.repairs.code import Code, all_of, parse, says
from tilelab.viva import accesses, evidence, launches, mutants, threads, trying

COUNT = 10

# The labs' own files have 1,000 to 10,000 bytes. In a long one, the syntax tree can be so deep that
# to look through it takes minutes.
_MOST_BYTES = 20_000

# Of the ten, about as many are about mutants, and about launches and requests.
_OF_MUTANTS = 4
_OF_LAUNCHES = 3


def ask(path: Path, lab: Lab, session: Session) -> Viva:
    """Ten questions about a file, or as many as can be worked out.

    The numbers in them are drawn by the file's content and the session's seed.
    Raises Rejected, CompileError, UserError or InfraError.
    """
    source = intake.read(path)
    if len(source.text.encode()) > _MOST_BYTES:
        raise UserError(
            f"{one_line(str(path))}: questions are worked out about files of {_MOST_BYTES:,} bytes "
            "at most"
        )
    draw = random.Random(f"{source.sha256} {session.seed}")
    found = evidence.of(path, lab, session, draw)
    code, file = parse(source.text), f"{lab.name}.cu"
    of_threads: list[Question] = []
    if found.picture is not None:
        for seen in accesses.of(found.picture.own, file):
            of_threads += threads.questions(seen, _shared_copies(code), draw)
    of_launches = list(launches.questions(found.calls, code, file, draw))
    of_mutants = list(trying.questions(found, code, list(mutants.of(code)), draw))
    questions = _chosen(of_launches, of_threads, of_mutants, draw)
    if not questions:
        raise UserError(
            f"{one_line(str(path))}: there is nothing to ask yet, because no kernel of it could be "
            "watched to its end"
        )
    return Viva(lab.name, lab.title, path.name, source.text, session.seed, tuple(questions))


def _shared_copies(code: Code) -> set[int]:
    """The lines where threads copy together: which of them copies what is not for them to say."""
    calls = (one for one in all_of(code.root, "call_expression") if "memcpy" in says(one))
    return {line for one in calls for line in range(one.start_point[0] + 1, one.end_point[0] + 2)}


def _chosen(
    of_launches: Sequence[Question],
    of_threads: Sequence[Question],
    of_mutants: Sequence[Question],
    draw: random.Random,
) -> list[Question]:
    """Ten, from what is easy to what is hard."""
    hard = _mixed(of_mutants, _OF_MUTANTS, draw)
    easy = _mixed(of_launches, _OF_LAUNCHES, draw)
    middle = _mixed(of_threads, COUNT - len(hard) - len(easy), draw)
    lacking = COUNT - len(hard) - len(easy) - len(middle)
    for pool, chosen in ((of_mutants, hard), (of_launches, easy)):
        more = [one for one in pool if one not in chosen]
        added = _mixed(more, lacking, draw)
        chosen += added
        lacking -= len(added)
    return [*easy, *middle, *hard]


def _mixed(pool: Sequence[Question], count: int, draw: random.Random) -> list[Question]:
    """This many of them: of different kinds and lines, as far as there are any."""
    left = draw.sample(pool, len(pool))
    chosen: list[Question] = []
    while left and len(chosen) < count:
        kinds, lines = [one.kind for one in chosen], [one.line for one in chosen]
        best = min(left, key=lambda one: (kinds.count(one.kind), lines.count(one.line)))
        left.remove(best)
        chosen.append(best)
    return chosen
