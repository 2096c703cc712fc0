"""Copies are found however they are disguised, and independent answers are not accused."""

from __future__ import annotations

import itertools
import random
import re
import string
import time
from pathlib import Path
from typing import Any

import pytest

from support import SAMPLE_CLASS
from tilelab.labs import lab
from tilelab.similar import candidates, shown
from tilelab.similar import pairs as module
from tilelab.similar.given import given
from tilelab.similar.pairs import Alike, Same, compare
from tilelab.similar.tokens import Passage, passages, tokens

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


def of_files(*paths: Path) -> set[Passage]:
    return {one for path in paths for one in passages(tokens(path.read_text()))}


# Without the solution, which MINE is nearly.
HANDED = of_files(NBODY.pristine, NBODY.baseline)


def found(sources: dict[str, str], known: set[Passage] = HANDED) -> list[Alike]:
    return compare(sources, known, DEFAULT).pairs


def renamed(source: str) -> str:
    words = "position velocity mass softening block tile own other force i j n".split()
    for number, word in enumerate(words):
        source = re.sub(rf"\b{word}\b", f"x{number}", source)
    return source


def test_renamed_and_reformatted_copies_are_one_text() -> None:
    bare = re.sub(r"//.*", "", renamed(MINE)).replace("{", "\n{\n  ")
    files = {"ada": MINE, "bob": bare, "eve": "int other;\n" * 20}
    likeness = compare(files, HANDED, DEFAULT)
    assert likeness.groups == [Same(["ada", "bob"], to_the_letter=False)]
    assert likeness.pairs == [] and not likeness.is_short
    (group,) = compare({"ada": MINE, "bob": MINE}, HANDED, DEFAULT).groups
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
        files = {"ada": path.read_text(), "bob": path.read_text() + "\nint x;\n"}
        assert found(files, given(NBODY)) == []


@pytest.mark.parametrize("path", [NBODY.solutions / "nbody.cu", *NBODY.ladder[-3:]])
def test_public_solutions_do_not_count(path: Path) -> None:
    files = {"ada": path.read_text(), "bob": path.read_text() + "\nint x;\n"}
    assert found(files) != []
    likeness = compare(files, given(NBODY), DEFAULT)
    assert likeness.pairs == likeness.groups == [] and likeness.silent == ["ada", "bob"]


def test_answers_with_mistakes_count() -> None:
    path = next(
        path
        for path in sorted(NBODY.solutions.glob("mistakes/*.cu"))
        if len(of_files(path) - given(NBODY)) > 50
    )
    text = path.read_text()
    (pair,) = found({"ada": text, "bob": text + "\nint x;\n"}, given(NBODY))
    assert pair.share > 0.9


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
    assert found({name: INDEPENDENT[name] for name in pair}, given(DIFF)) == []


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
    copy = (NBODY.solutions / "ladder" / "07_bare_root.cu").read_text()
    (pair,) = found({"ada": MINE, "bob": copy})
    assert pair.share > 0.9 and pair.lines[0] and max(pair.lines[1]) <= copy.count("\n")


# --- large classes and hostile files --------------------------------------------------------------


def random_code(seed: int, count: int) -> str:
    """This many statements, of which hardly one is like another."""
    chosen = random.Random(seed)
    operators = "+-*/%&|^"
    return "".join(
        f"x[{chosen.randrange(10**6)}] = {chosen.choice(string.ascii_letters)}"
        f"{chosen.choice(operators)}{chosen.randrange(10**6)};\n"
        for _ in range(count)
    )


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collects how many pairs are compared. A file of 100 or so meets as few as one of 1,000."""
    monkeypatch.setattr(candidates, "NEAR", 5)
    monkeypatch.setattr(candidates, "MOST", 10)
    counts: list[int] = []
    real = candidates.candidates

    def counting(*arguments: Any) -> set[tuple[str, str]]:
        pairs = real(*arguments)
        counts.append(len(pairs))
        return pairs

    monkeypatch.setattr(module, "candidates", counting)
    return counts


def assert_bounded(compared: list[int], files: int) -> None:
    assert sum(compared) <= files * candidates.MOST < files * (files - 1) / 4


def test_a_class_of_one_ring_is_found_with_few_comparisons(compared: list[int]) -> None:
    """Everybody has copied, so that all that they have in common could be taken for given."""
    own = random_code(0, 60)
    ring = {f"s{number}": own + random_code(number + 1, 2) for number in range(130)}
    likeness = compare(ring, set(), DEFAULT)
    assert_bounded(compared, len(ring))
    named = {student for pair in likeness.pairs for student in pair.students} | set(likeness.also)
    assert named == set(ring)
    assert len(likeness.pairs) == shown.MOST and likeness.more > len(ring)


def test_a_large_ring_hides_no_other_pair() -> None:
    files = {f"s{number}": random_code(0, 60) + f"int x{number}[{number}];" for number in range(60)}
    text = random_code(1, 60)
    files |= {"ada": text, "bob": text.replace("+", "-", 3)}
    likeness = compare(files, set(), DEFAULT)
    assert likeness.more
    assert ("ada", "bob") in [pair.students for pair in likeness.pairs]


def test_a_pair_is_found_where_all_files_have_half_in_common(compared: list[int]) -> None:
    common = random_code(0, 40)
    files = {f"s{number}": common + random_code(number, 40) for number in range(1, 100)}
    files["thief"] = files["s7"].replace("[", "[2*", 3)
    likeness = compare(files, set(), DEFAULT)
    assert_bounded(compared, len(files))
    assert [pair.students for pair in likeness.pairs] == [("s7", "thief")]


def test_one_passage_in_all_files_makes_no_pairs_of_them(compared: list[int]) -> None:
    """Half of the files repeat it very often."""
    passage = "for (int i = 0; i < n; ++i) sum += in[i] * in[i + 1];\n"
    files = {
        f"s{number}": passage * (1 + 200 * (number % 2)) + random_code(number, 40)
        for number in range(60)
    }
    assert compare(files, set(), DEFAULT).pairs == []
    assert_bounded(compared, len(files))


def test_a_file_that_has_parts_of_everybody_is_not_everybody(compared: list[int]) -> None:
    texts = {f"s{number}": random_code(number, 40) for number in range(99)}
    everything = "".join(text[: len(text) // 2] for text in texts.values())
    likeness = compare({**texts, "hoarder": everything}, set(), DEFAULT)
    assert likeness.pairs == [] and sum(compared) <= 100 * candidates.MOST


@pytest.mark.drawn(pool="texts that take long", count=1)
@pytest.mark.parametrize("piece", ["\n", "a ", "&", '"', "/*", "int f(", "#if 0\n", "a<", "\\\n"])
def test_no_text_takes_long(piece: str) -> None:
    """Pygments takes hours for some of these."""
    text = piece * (256 * 1024 // len(piece))
    started = time.process_time()
    compare({"ada": text, "bob": text + "x"}, set(), DEFAULT)
    assert time.process_time() - started < 60


# --- earlier years --------------------------------------------------------------------------------


def test_earlier_files_are_compared_with_this_years_only() -> None:
    text, other = random_code(0, 60), random_code(1, 60)
    now = {"ada": text + "int x;", "eve": random_code(2, 60)}
    earlier = {"2026/bob": text, "2026/fay": other, "2025/gil": other + "int x;"}
    likeness = compare(now, set(), DEFAULT, earlier)
    assert [pair.students for pair in likeness.pairs] == [("ada", "2026/bob")]
    assert likeness.files == 2


def test_the_same_text_in_an_earlier_year_is_a_group() -> None:
    text, other = random_code(0, 60), random_code(1, 60)
    earlier = {"2026/bob": text, "2026/fay": other, "2025/gil": other}
    likeness = compare({"ada": text}, set(), DEFAULT, earlier)
    assert likeness.groups == [Same(["ada", "2026/bob"], to_the_letter=True)]


def test_earlier_files_that_are_the_same_are_a_group_if_a_pair_has_one() -> None:
    text = random_code(0, 60)
    earlier = {"2026/bob": text, "2025/gil": text}
    likeness = compare({"ada": text + "int x;"}, set(), DEFAULT, earlier)
    assert [pair.students for pair in likeness.pairs] == [("ada", "2026/bob")]
    assert likeness.groups == [Same(["2026/bob", "2025/gil"], to_the_letter=True)]


def test_many_earlier_copies_do_not_hide_this_years(compared: list[int]) -> None:
    text = random_code(0, 60)
    earlier = {f"2026/s{number}": text + f"int x[{number}];" for number in range(120)}
    now = {name: text + random_code(seed, 3) for name, seed in (("ada", 7), ("bob", 8))}
    found = compare(now, set(), DEFAULT, earlier)
    named = {student for pair in found.pairs for student in pair.students} | set(found.also)
    assert {"ada", "bob"} <= named
    assert all({"ada", "bob"} & set(pair.students) for pair in found.pairs)
    assert_bounded(compared, len(earlier) + len(now))
