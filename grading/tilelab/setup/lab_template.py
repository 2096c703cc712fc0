"""Writes the files of a new lab from templates/lab, which has a small working lab."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.pipeline import intake
from tilelab.pipeline.object import symbols

TEMPLATES = Path(__file__).resolve().parents[1] / "templates" / "lab"

_PLACEHOLDER = "LAB_NAME"
_CHECKSUM = "SKELETON_SHA256"
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


def make(name: str, repo: Path = REPO) -> list[Path]:
    """Writes the files of a lab and returns their paths in `repo`. Raises UserError."""
    _assert_usable(name, repo)
    made = []
    try:
        for place, text in _files(name):
            (repo / place).parent.mkdir(parents=True, exist_ok=True)
            with (repo / place).open("x", encoding="utf-8") as file:
                file.write(text)
            made.append(place)
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from error
    return made


def _files(name: str) -> Iterator[tuple[Path, str]]:
    """The path of each file in the repository, and its text."""
    for template in sorted(path for path in TEMPLATES.rglob("*") if path.is_file()):
        place = Path(str(template.relative_to(TEMPLATES)).replace(_PLACEHOLDER, name))
        text = _filled(template, name)
        yield place, text
        if place == Path("labs", name, f"{name}.cu"):
            yield place.with_name(".skeleton.cu"), text


def _filled(template: Path, name: str) -> str:
    text = template.read_text(encoding="utf-8").replace(_PLACEHOLDER, name)
    if _CHECKSUM not in text:
        return text
    skeleton = TEMPLATES / "labs" / _PLACEHOLDER / f"{_PLACEHOLDER}.cu"
    return text.replace(_CHECKSUM, intake.checksum(_filled(skeleton, name)))


def _assert_usable(name: str, repo: Path) -> None:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UserError(
            f"'{name}' cannot be a lab's name: use up to {_LONGEST} lower-case letters, digits and "
            "single _, and begin with a letter"
        )
    if name in _TAKEN or _CUDA_TYPE.fullmatch(name) or symbols.is_taken(name):
        raise UserError(
            f"'{name}' cannot be a lab's name: it means something else here, in C++ or in CUDA"
        )
    for place in (f"labs/{name}", f"solutions/{name}", f"tests/labs/{name}"):
        if (repo / place).exists():
            raise UserError(f"{place} already exists: choose another name")
