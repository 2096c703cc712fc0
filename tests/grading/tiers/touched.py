"""What a change can break: labs, and folders of tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

import imports

REPO = Path(__file__).resolve().parents[3]
PACKAGE = PurePosixPath("grading/tilelab")
TESTS = PurePosixPath("tests/grading")
INTEGRITY = "tests/integrity"

# What every submission is made and judged by, and the tests that show it.
JUDGING_ROOMS = frozenset(("pipeline", "verify", "screens", "picture", "tutor", "sandbox"))

# What the rooms of common/ are for, if not for judging submissions. A room that is new is.
ROOMS_OF_COMMON: Mapping[str, frozenset[str]] = {
    ".clang-tidy": frozenset(),
    "estimator": frozenset(("estimate", "pipeline", "programs")),
    "microbenchmarks": frozenset(("maintain",)),
    "peaks": frozenset(("bench",)),
    "program": frozenset(("programs",)),
    "standalone.cmake": frozenset(("programs",)),
    "wheel": frozenset(("publish",)),
}
# What else the rooms are for that judging depends on.
_ALSO_OF_COMMON: Mapping[str, frozenset[str]] = {
    "costs": frozenset(("estimate",)),
    "schema": frozenset(("estimate", "maintain", "model")),
}
# Every program of these is one of the emulator, too.
_PROGRAMS = frozenset(("programs",))

# Rooms on which the verdict on a file depends.
_JUDGE_FILES = frozenset(
    ("backends", "labs", "model", "pipeline", "sandbox", "score", "tutor", "verify")
)

# What the launcher and the build begin with.
BEGINNING_ROOMS = frozenset(("commands", "setup", "publish", "semester"))

# What the sample class is graded by.
SAMPLE_CLASS_ROOMS = frozenset(("commands", "pipeline", "record", "report"))


@dataclass(frozen=True)
class Touched:
    """Labs whose files have to be judged, and folders whose tests have to run."""

    labs: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def __or__(self, other: Touched) -> Touched:
        return Touched(self.labs | other.labs, self.folders | other.folders)


@dataclass(frozen=True)
class Course:
    """The labs and the rooms of a repository, and its modules with those that import them."""

    labs: frozenset[str]
    tested: frozenset[str]  # rooms that have a folder in tests/grading
    importers: Mapping[str, frozenset[str]]
    helpers: Mapping[str, frozenset[str]]  # modules in tests/grading, and the folders that use them

    def touched(self, paths: Iterable[str]) -> Touched:
        """What a change of these files can break. Of what is not known here, everything."""
        found = Touched()
        for path in paths:
            found |= self._by(PurePosixPath(path))
        return found

    @cached_property
    def everything(self) -> Touched:
        return Touched(self.labs, self._folders(self.tested) | {INTEGRITY})

    @cached_property
    def _judging(self) -> Touched:
        return Touched(self.labs, self._folders(JUDGING_ROOMS) | {INTEGRITY})

    def _by(self, path: PurePosixPath) -> Touched:
        if str(path) in _OF_THE_BEGINNING:
            return Touched(folders=self._folders(BEGINNING_ROOMS))
        if path.parts[0] == "docs" or (path.suffix == ".md" and path.parts[0] != "tests"):
            # Tests type what the pages in common/ say.
            rooms = _PROGRAMS if path.parts[0] == "common" else frozenset()
            return Touched(folders=self._folders({"site"} | rooms))
        for folder, of_folder in _FOLDERS:
            if path.is_relative_to(folder):
                return of_folder(self, path, path.parts[len(PurePosixPath(folder).parts) :])
        if path.parts[0] in _OF_NOTHING:
            return Touched()
        return self.everything

    def _of_a_lab(self, _: PurePosixPath, inside: tuple[str, ...]) -> Touched:
        """A lab's folder. What lies next to those is for all labs."""
        return Touched(frozenset(inside[:1])) if len(inside) > 1 else self._judging

    def _of_common(self, _: PurePosixPath, inside: tuple[str, ...]) -> Touched:
        if (rooms_of_tests := ROOMS_OF_COMMON.get(inside[0])) is not None:
            return Touched(folders=self._folders(rooms_of_tests))
        others = _PROGRAMS | _ALSO_OF_COMMON.get(inside[0], frozenset())
        return self._judging | Touched(folders=self._folders(others))

    def _of_the_package(self, path: PurePosixPath, _: tuple[str, ...]) -> Touched:
        modules = self._with_importers(str(path))
        names = {_room(module) for module in modules} - {""}
        if not names:  # tilelab/app.py, for example
            return Touched(folders=self._folders({"commands"}))
        found = Touched(folders=self._folders(names))
        if _room(str(path)) in _JUDGE_FILES:
            found |= self._judging
        return found

    def _of_the_tests(self, path: PurePosixPath, inside: tuple[str, ...]) -> Touched:
        if len(inside) > 1:
            return Touched(folders=frozenset((str(TESTS / inside[0]),)))
        return Touched(folders=self.helpers.get(path.stem, self.everything.folders))

    def _of_the_sample_class(self, _: PurePosixPath, __: tuple[str, ...]) -> Touched:
        return Touched(folders=self._folders(SAMPLE_CLASS_ROOMS))

    def _of_integrity(self, _: PurePosixPath, __: tuple[str, ...]) -> Touched:
        return Touched(folders=frozenset((INTEGRITY,)))

    def _of_nothing(self, _: PurePosixPath, __: tuple[str, ...]) -> Touched:
        """What only tests of the first tier, CTest's among them, have to do with."""
        return Touched()

    def _folders(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(str(TESTS / name) for name in self.tested.intersection(names))

    def _with_importers(self, module: str) -> set[str]:
        found, waiting = {module}, [module]
        while waiting:
            new = self.importers.get(waiting.pop(), frozenset()) - found
            found |= new
            waiting += new
        return found


_OF_THE_BEGINNING = frozenset(
    ("tilelab", "CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "requirements.lock")
)

# What people, editors and linters read.
_OF_NOTHING = frozenset(
    (".ci", ".clang-format", ".clangd", ".codespellrc", ".gitignore", ".mypy.ini", ".ruff.toml")
) | {".devcontainer", ".github", ".pre-commit-config.yaml", ".vscode", "LICENSE"}

_ByFolder = Callable[[Course, PurePosixPath, tuple[str, ...]], Touched]
_FOLDERS: tuple[tuple[str, _ByFolder], ...] = (
    ("labs", Course._of_a_lab),
    ("solutions", Course._of_a_lab),
    ("tests/labs", Course._of_a_lab),
    ("common", Course._of_common),
    ("grading/tilelab", Course._of_the_package),
    ("grading/sample_class", Course._of_the_sample_class),
    ("tests/grading", Course._of_the_tests),
    (INTEGRITY, Course._of_integrity),
    ("tests/common", Course._of_nothing),
    ("tests/measure", Course._of_nothing),
)


def course(repo: Path = REPO) -> Course:
    """Reads a repository."""
    importers: dict[str, set[str]] = {}
    for importer, imported in imports.edges(repo):
        importers.setdefault(str(imported), set()).add(str(importer))
    tests = repo / TESTS
    return Course(
        labs=frozenset(path.parent.name for path in repo.glob("labs/*/lab.toml")),
        tested=frozenset(path.parent.name for path in tests.glob("*/test_*.py")),
        importers={name: frozenset(some) for name, some in importers.items()},
        helpers=_helpers(tests, repo),
    )


def _helpers(tests: Path, repo: Path) -> Mapping[str, frozenset[str]]:
    """The modules that lie in the folder of tests, and the folders with tests that import them."""
    names = {path.stem for path in tests.glob("*.py")}
    users: dict[str, set[str]] = {name: set() for name in names}
    for path in [*tests.glob("**/*.py"), *(repo / INTEGRITY).glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        used = names.intersection(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
        for name in used:
            users[name].add(path.stem if path.parent == tests else _folder(path, repo))
    return {
        name: frozenset(_places(name, users))
        for name in names
        if users[name]  # the others are used without being imported, as conftest.py is
    }


def _places(name: str, users: Mapping[str, set[str]]) -> set[str]:
    """The folders that use a helper, also by way of another one."""
    seen, waiting = {name}, [name]
    while waiting:
        new = users.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return {one for one in seen if "/" in one}


def _folder(path: Path, repo: Path) -> str:
    """tests/integrity, or the folder of a room in tests/grading."""
    parts = path.relative_to(repo).parts
    return "/".join(parts[:2] if parts[1] == "integrity" else parts[:3])


def _room(module: str) -> str:
    parts = PurePosixPath(module).relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""
