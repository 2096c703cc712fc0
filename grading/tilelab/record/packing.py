"""Copies a record without the names of students."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade, Remark
from tilelab.model.student import Student
from tilelab.record import archive
from tilelab.record.fingerprint import Inputs
from tilelab.record.pseudonyms import Pseudonyms
from tilelab.record.store import Entry, Store


@dataclass(frozen=True)
class _Plain(Inputs):
    """What evidence depends on, of which only the text and the seed are told.

    Checksums are left out: any digits can be in them, such as those of an id.
    """

    @property
    def key(self) -> str:
        return f"evidence of {self.submission}"


def people(record: Store) -> list[Student]:
    """Everybody whom the record knows, with what the roster says."""
    known = record.students()
    return [known.get(key, Student(key)) for key in sorted(record.people())]


def copy(record: Store, folder: Path, names: Pseudonyms) -> Store:
    """Writes the grades that count, and what was found out, into a new record in a folder."""
    packed = Store(folder)
    for name in ("seed", "title", "time_zone", "labs"):
        if value := record.setting(name):
            packed.configure(name, value)
    packer = _Packer(record, packed, names)
    for entry in record.each_adjusted():
        packer.take(entry)
    return packed


class _Packer:
    def __init__(self, record: Store, packed: Store, names: Pseudonyms) -> None:
        self._record, self._packed, self._names = record, packed, names
        self._texts: dict[str, str] = {}  # what texts are called there, by checksum
        self._kept: dict[str, str] = {}  # what evidence is called there, by key

    def take(self, entry: Entry) -> None:
        grade, result = entry.grade, entry.grade.result
        key = self._evidence(entry.evidence) if entry.evidence else None
        student = self._names.of[result.student]
        data = self._names.data(json.loads(archive.result_text(result)))
        data |= {"student": student, "sha256": self._text(result.sha256)}
        plain = archive.result_of(json.dumps(data))
        self._packed.write([Entry(_without_hand(replace(grade, result=plain)), key)])
        if grade.adjustment:
            comment = self._names.text(grade.adjustment.comment)
            points = grade.adjustment.points
            self._packed.adjust(student, result.lab, points, comment, "an instructor")
        self._packed.remark(
            (student, result.lab, plain.sha256 or "", self._plain(number, one))
            for number, one in enumerate(grade.remarks, 1)
        )
        if self._record.is_released(result.student, result.lab, result.sha256):
            self._packed.release(student, result.lab, plain.sha256 or "")

    def _evidence(self, key: str) -> str:
        if key not in self._kept:
            found, inputs = self._record.evidence(key), self._record.inputs(key)
            name = self._text(found.sha256) or "no text"
            plain = _Plain(f"{name}, number {len(self._kept) + 1}", "", "", "", inputs.seed)
            self._packed.keep(
                self._record.lab_of(key),
                plain,
                self._found(found, name),
                self._names.data(self._record.machine_of(key)),
                self._record.seconds_of(key),
            )
            self._kept[key] = plain.key
        return self._kept[key]

    def _found(self, found: Evidence, name: str) -> Evidence:
        data = self._names.data(json.loads(archive.evidence_text(found)))
        plain = archive.evidence_of(json.dumps(data))
        return replace(plain, sha256=name, source=self._names.source(found.source))

    def _plain(self, number: int, remark: Remark) -> Remark:
        by = f"an instructor, remark {number}"  # several may be about one line
        return replace(remark, text=self._names.text(remark.text), by=by, at="")

    def _text(self, sha256: str | None) -> str | None:
        if sha256 is None:
            return None
        return self._texts.setdefault(sha256, f"text {len(self._texts) + 1}")


def _without_hand(grade: Grade) -> Grade:
    return replace(grade, adjustment=None, remarks=())
