"""The second stage: what the text of a submission may say, and that all compilers read the same."""

from __future__ import annotations

from tilelab.base.errors import Rejected
from tilelab.model.lab import Lab
from tilelab.pipeline.records.stages import Inspected, Source
from tilelab.pipeline.texts import rules
from tilelab.pipeline.texts.tokens import parse


def inspect(source: Source, lab: Lab) -> Inspected:
    """Reads the text as it is written. preprocess.check() reads it as compilers do.

    Raises Rejected with a sentence for each rule that the text breaks.
    """
    tokens = parse(source.text)
    if problems := rules.check(tokens, lab.name):
        raise Rejected(*problems)
    return Inspected(lab, source.text, tokens)
