"""Writes the files of a new lab from templates/lab, which has a small working lab."""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.base.text import one_line
from tilelab.pipeline.objects import symbols
from tilelab.setup.lab_choices import Choices

TEMPLATES = Path(__file__).resolve().parents[1] / "templates" / "lab"

# Conditions are lines that clang-format takes for comments: "//% if speed".
_ENVIRONMENT = jinja2.Environment(
    line_statement_prefix="//%",
    trim_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
    variable_start_string="{{{",  # never used: C++ has {{
    variable_end_string="}}}",
)
_WARP = 32
_SECTOR_BYTES = 32
_BASELINE_SHARE = 32  # the elements of a thread in baseline.cu
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST = 32

# The name becomes a function's name, and NAME.cu is in one folder with baseline.cu.
_TAKEN = frozenset(
    "alignas alignof and and_eq asm auto baseline bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class co_await co_return co_yield compl concept const const_cast consteval "
    "constexpr constinit continue decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long main mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires return short signed sizeof static static_assert static_cast std "
    "struct switch template test this thread_local throw tilelab true try typedef typeid typename "
    "union unsigned using virtual void volatile wchar_t while xor xor_eq".split()
)
_CUDA_TYPE = re.compile(r"(u?(char|short|int|long|longlong)|float|double|dim)\d+")


@dataclass(frozen=True)
class _Kind:
    """An element type: its size, the type of 16 bytes of it, and values of it in C++."""

    size: int
    vector: str
    factor: str
    drawn: str


_KINDS = {
    "float": _Kind(4, "float4", "-1.25f", "random.real(1, 2)"),
    "double": _Kind(8, "double2", "-1.25", "random.real(1, 2)"),
    "int": _Kind(4, "int4", "-3", "1 + static_cast<int>(random.below(1000))"),
}


def make(name: str, choices: Choices, repo: Path = REPO) -> list[Path]:
    """Writes the files of a lab and returns their paths in `repo`. Raises UserError.

    Whatever stops it, nothing is left behind.
    """
    assert_usable(name, repo)
    texts = dict(_files(name, choices))
    folders: list[Path] = []
    try:
        for folder in _folders(name, repo):
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir()  # fails if it exists by now: that one is not ours
            folders.append(folder)
        for place, text in texts.items():
            (repo / place).parent.mkdir(parents=True, exist_ok=True)
            (repo / place).write_text(text, encoding="utf-8")
    except BaseException as error:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise UserError(f"{error.filename}: {error.strerror}") from error
        raise
    return list(texts)


def _folders(name: str, repo: Path) -> list[Path]:
    return [repo / place / name for place in ("labs", "solutions", "tests/labs")]


def _files(name: str, choices: Choices) -> Iterator[tuple[Path, str]]:
    """The path of each file in the repository, and its text."""
    words = _words(name, choices)
    for template in sorted(path for path in TEMPLATES.rglob("*") if path.is_file()):
        place = Path(_put(str(template.relative_to(TEMPLATES)), words))
        text = _filled(template, choices, words)
        yield place, text
        if place == Path("labs", name, f"{name}.cu"):
            yield place.with_name(".skeleton.cu"), text


def _filled(template: Path, choices: Choices, words: dict[str, str]) -> str:
    text = _ENVIRONMENT.from_string(template.read_text(encoding="utf-8")).render(
        speed=choices.is_timed, order=choices.order != math.inf
    )
    return _put(text, words)


def _put(text: str, words: dict[str, str]) -> str:
    """Replaces all words at once, so that none is found in what another one stands for."""
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _words(name: str, choices: Choices) -> dict[str, str]:
    """What each word in capitals of a template stands for."""
    kind = _KINDS[choices.element]
    return {
        "LAB_NAME": name,
        "LAB_TITLE": choices.title,
        "COURSE_ORDER": f"{choices.order:.15g}",
        "ELEMENT_BYTES": str(kind.size),
        "ELEMENT": choices.element,
        "VECTOR_TYPE": kind.vector,
        "FACTOR_VALUE": kind.factor,
        "DRAWN_VALUE": kind.drawn,
        "BYTES_APART": str(_BASELINE_SHARE * kind.size),
        "BYTES_PER_WARP": str(_WARP * kind.size),
        "SECTORS": str(_WARP * kind.size // _SECTOR_BYTES),
        **{f"POINTS_{key.upper()}": str(points) for key, points in choices.points.items()},
    }


def assert_usable(name: str, repo: Path = REPO) -> None:
    """Raises UserError if a lab cannot have this name, or if it has one already."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UserError(
            f"'{one_line(name)}' cannot be a lab's name: use up to {_LONGEST} lower-case letters, "
            "digits and single _, and begin with a letter"
        )
    if name in _TAKEN or _CUDA_TYPE.fullmatch(name) or symbols.is_taken(name):
        raise UserError(
            f"'{name}' cannot be a lab's name: it means something else here, in C++ or in CUDA"
        )
    for folder in _folders(name, repo):
        if os.path.lexists(folder):
            raise UserError(f"{folder.relative_to(repo)} already exists: choose another name")
