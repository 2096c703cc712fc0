"""Which of a lab's own files a text is."""

from __future__ import annotations

import time

import pytest

from tilelab.model.lab import Lab
from tilelab.similar.public import public_file

BASELINE = "labs/diff/baseline.cu"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("  ", "\t"),
        (";\n", "; // right\n"),
        ("const int", "const/**/int"),
        ("#include", "  #  include"),
    ],
)
def test_comments_and_white_space_do_not_count(text: str, other: str, diff_lab: Lab) -> None:
    baseline = diff_lab.baseline.read_text()
    assert text in baseline
    assert public_file(baseline.replace(text, other), diff_lab) == BASELINE


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ('"diff.h"', "<diff.h>"),
        ("const int", "constint"),
        ("const int i", "const int at"),
    ],
)
def test_everything_else_counts(text: str, other: str, diff_lab: Lab) -> None:
    baseline = diff_lab.baseline.read_text()
    assert text in baseline
    assert public_file(baseline.replace(text, other), diff_lab) == ""


@pytest.mark.parametrize("piece", ["/* ", "// \\\n", '"', "\n"])
def test_no_text_keeps_a_class_waiting(piece: str, diff_lab: Lab) -> None:
    text = piece * (256 * 1024 // len(piece))
    begin = time.process_time()
    assert public_file(text, diff_lab) == ""
    assert time.process_time() - begin < 10
