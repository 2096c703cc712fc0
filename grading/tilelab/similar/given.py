"""The code of a lab that all students were given, and that says nothing about who copied."""

from __future__ import annotations

import re

from tilelab.model.lab import Lab
from tilelab.similar.tokens import Passage, passages, tokens

# Code in a handout is indented, and a longer piece of code in a hint has lines of its own.
_CODE = re.compile(r"(?:^(?: {4}|\t).*\n?)+", re.MULTILINE)


def given(lab: Lab) -> set[Passage]:
    """The passages of the skeleton, the baseline, worked examples, cases, the handout, the hints
    and our solutions, which are public. The files with mistakes are answers of students'.
    """
    files = [lab.pristine, *lab.given]
    files += [path for path in lab.solutions.rglob("*.cu") if path.parent.name != "mistakes"]
    texts = [path.read_text(encoding="utf-8") for path in files]
    texts += _CODE.findall(lab.handout.read_text(encoding="utf-8"))
    texts += [hint for task in lab.handout_tasks for hint in task.hints]
    return {passage for text in texts for passage in passages(tokens(text))}
