"""Copies are found however they are disguised, and independent answers are not accused."""

from __future__ import annotations

import itertools
import re

import pytest

from support import REPO, SAMPLE_CLASS
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.similar.given import given
from tilelab.similar.pairs import Alike, Same, compare
from tilelab.similar.tokens import passages, tokens

DEFAULT = 0.8
DIFF = lab.load("diff")
MINE = (SAMPLE_CLASS / "amber" / "nbody.cu").read_text()
NBODY = lab.load("nbody")

# Answers to the small lab as students write them who started from its skeleton.
HEAD = DIFF.pristine.read_text().partition("  // TODO 2")[0]
CALL = "}\n\n}  // namespace\n\nvoid diff(const int* in, int* out, int n) {\n"
INDEPENDENT = {
    "cases": HEAD
    + """  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i < n) {
    if (i == 0) {
      out[0] = tile[0];
    } else if (tx == 0) {
      out[i] = tile[0] - in[i - 1];
    } else {
      out[i] = tile[tx] - tile[tx - 1];
    }
  }
"""
    + CALL
    + """  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  diff_kernel<<<grid, block>>>(in, out, n);
}
""",
    "conditional": HEAD
    + """  if (i < n) {
    tile[tx] = in[i];
  }
  __syncthreads();
  if (i >= n) return;
  const int left = tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[tx] - left;
"""
    + CALL
    + "  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);\n}\n",
    "variable": HEAD
    + """  int own = 0;
  if (i < n) {
    own = in[i];
    tile[tx] = own;
  }
  __syncthreads();
  int before;
  if (i == 0) before = 0;
  else if (tx == 0) before = in[i - 1];
  else before = tile[tx - 1];
  if (i < n) out[i] = own - before;
"""
    + CALL
    + """  int blocks = n / block;
  if (n % block != 0) blocks++;
  if (blocks > 0) {
    diff_kernel<<<blocks, block>>>(in, out, n);
  }
}
""",
}


def found(sources: dict[str, str], the_lab: Lab = NBODY) -> list[Alike]:
    return compare(sources, given(the_lab), DEFAULT).pairs


def renamed(source: str) -> str:
    words = "position velocity mass softening block tile own other force i j n".split()
    for number, word in enumerate(words):
        source = re.sub(rf"\b{word}\b", f"x{number}", source)
    return source


def test_renamed_and_reformatted_copies_are_one_text() -> None:
    bare = re.sub(r"//.*", "", renamed(MINE)).replace("{", "\n{\n  ")
    files = {"ada": MINE, "bob": bare, "eve": "int other;\n" * 20}
    likeness = compare(files, given(NBODY), DEFAULT)
    assert likeness.groups == [Same(["ada", "bob"], to_the_letter=False)]
    assert likeness.pairs == [] and not likeness.is_short
    (group,) = compare({"ada": MINE, "bob": MINE}, given(NBODY), DEFAULT).groups
    assert group.to_the_letter


def functions(source: str) -> list[str]:
    return re.split(r"(?=^__(?:global|device)__)", source, flags=re.MULTILINE)


def test_reordered_functions_are_found() -> None:
    head, *rest = functions(MINE)
    body, end = rest[-1].split("\n}  // namespace", 1)
    assert len(rest) > 1
    moved = head + "".join([body + "\n", *rest[:-1]]) + "\n}  // namespace" + end
    (pair,) = found({"ada": MINE, "bob": renamed(moved)})
    assert pair.students == ("ada", "bob") and pair.share >= 0.85


def test_a_copy_within_more_code_is_found() -> None:
    extra = "__global__ void more(float* x, int n) {\n" + "  x[n] += 2.0f * x[n - 1];\n" * 9 + "}\n"
    (pair,) = found({"ada": MINE, "bob": extra + MINE})
    assert pair.share >= DEFAULT
    copied = {number for number in pair.lines[1] if number <= extra.count("\n")}
    assert not copied


def test_what_everybody_was_given_does_not_count() -> None:
    for path in (NBODY.pristine, NBODY.baseline):
        assert found({"ada": path.read_text(), "bob": path.read_text() + "\nint x;\n"}) == []


def test_code_of_the_hints_and_the_handout_is_given() -> None:
    hint = max((hint for task in NBODY.tasks for hint in task.hints), key=len)
    derivatives = lab.load("derivatives")
    lines = derivatives.handout.read_text().splitlines(keepends=True)
    code = "".join(line for line in lines if line.startswith("    "))
    for text, the_lab in ((hint, NBODY), (code, derivatives)):
        own = set(passages(tokens(text)))
        assert len(own & given(the_lab)) > len(own) / 2


@pytest.mark.parametrize("pair", list(itertools.combinations(INDEPENDENT, 2)))
def test_independent_answers_to_the_small_lab_are_not_accused(pair: tuple[str, str]) -> None:
    assert found({name: INDEPENDENT[name] for name in pair}, DIFF) == []


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_sample_class_is_not_accused(name: str) -> None:
    files = {path.parent.name: path.read_text() for path in SAMPLE_CLASS.glob(f"*/{name}.cu")}
    likeness = compare(files, given(lab.load(name)), DEFAULT)
    assert (likeness.pairs, likeness.groups) == ([], [])


def test_a_ring_is_found_however_large() -> None:
    ring = {f"s{number}": MINE + f"float more{number}[{number}];\n" for number in range(6)}
    assert len(found(ring)) == 15


def test_a_short_lab_is_known() -> None:
    assert compare(INDEPENDENT, given(DIFF), DEFAULT).is_short


def test_a_step_further_is_nearly_a_copy() -> None:
    copy = (REPO / "solutions" / "nbody" / "ladder" / "07_bare_root.cu").read_text()
    (pair,) = found({"ada": MINE, "bob": copy})
    assert pair.share > 0.9 and pair.lines[0] and max(pair.lines[1]) <= copy.count("\n")
