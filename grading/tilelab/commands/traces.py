"""The traces that a student leaves in a folder with results, outside of the record."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.exports import leaderboard
from tilelab.labs.lab import all_labs
from tilelab.model.student import Student
from tilelab.record import store
from tilelab.report import sending
from tilelab.similar import page

# What `export` writes about a class, by the beginnings of names, and about one student.
_OF_CLASS = ("canvas-", "moodle-", "blackboard-", "gradebook-", "junit.xml", "junit-")
_OF_ONE = ("gradescope.json", "github.txt")

# Shorter ones are in every file.
_SHORTEST = 3

_LARGEST = 64 * 1024 * 1024


class Traces:
    """Finds and removes what TileLab wrote about a student in `out`, and similarity in `pages`."""

    def __init__(self, out: Path, student: Student, feedback: str, pages: Sequence[Path]) -> None:
        """`feedback` is the name of the student's folder there."""
        self._out = out
        self._student = student
        self._feedback = out / sending.FOLDER / feedback
        self._pages = [out, *pages]
        first, _, last = student.name.rpartition(" ")
        known = (student.key, student.name, f"{last}, {first}", *student.labels)
        words = [rf"{re.escape(word)}(?!\w)" for word in known if len(word) >= _SHORTEST]
        # As in amber/diff.cu, and in a cell of a table.
        words.append(rf"{re.escape(student.key)}(?=[/\",;\t])")
        self._words = re.compile(rf"(?<!\w)(?:{'|'.join(words)})", re.IGNORECASE)

    def assert_idle(self) -> None:
        """Raises UserError if a cluster has files of the student, which jobs still read."""
        for path in self._out.glob("cluster/batches/*.json"):
            if self._is_in(path):
                raise UserError(
                    f"{path} names the student, and its jobs may still run: let `grade` finish, "
                    f"or cancel them and delete {self._out / 'cluster'}"
                )

    def remove(self) -> list[Path]:
        """Removes them, and says which files are gone or changed."""
        gone = [path for path in self._found() if path.is_file()]
        for path in gone:
            path.unlink()
        if self._feedback.is_dir() and not any(self._feedback.iterdir()):
            self._feedback.rmdir()
        board = self._out / "leaderboard.csv"
        if board.is_file():
            leaderboard.leave_out(board, self._student.key)
        return gone

    def left(self) -> list[Path]:
        """Files in `out` that still name the student, and all in the student's own folder.

        So are those that cannot be read, or are too large for that.
        """
        files = sorted(path for path in self._out.rglob("*") if path.is_file())
        return [
            path
            for path in files
            if path.name != store.NAME
            and (path.is_relative_to(self._feedback) or self._is_in(path))
        ]

    def are_in(self, text: str) -> bool:
        return self._words.search(text) is not None

    def _found(self) -> Iterator[Path]:
        for name in (*all_labs(), "index"):
            yield from (self._feedback / f"{name}{suffix}" for suffix in (".html", ".md"))
        yield self._feedback / sending.QUESTION
        for folder in self._pages:
            for path in sorted(folder.rglob("*-*.html")):
                if path.is_file() and page.is_about(_text(path) or "", self._student.key):
                    yield path
        yield from (self._out / name for name in _OF_ONE)
        yield from self._naming(path for path in self._out.iterdir() if _is_export(path))
        yield from self._naming(self._out.glob("cluster/logs/*"))
        yield from self._evidence()

    def _naming(self, paths: Iterable[Path]) -> Iterator[Path]:
        return (path for path in sorted(paths) if path.is_file() and self._is_in(path))

    def _evidence(self) -> Iterator[Path]:
        """What a node found out and no grader has taken in: its text may be anybody's."""
        yield from sorted(self._out.glob("cluster/evidence/*.json"))

    def _is_in(self, path: Path) -> bool:
        text = _text(path)
        return text is None or self.are_in(text)


def _is_export(path: Path) -> bool:
    return path.name.startswith((*_OF_CLASS, "grader.log"))


def _text(path: Path) -> str | None:
    """A file of any encoding, so that names of plain letters are found. None if it is too much."""
    try:
        if path.stat().st_size > _LARGEST:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8", "replace")
