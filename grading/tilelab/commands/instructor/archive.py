"""`tilelab archive`: packs a course without the names of its students."""

from __future__ import annotations

import io
import re
import tarfile
import typing
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import work_folder, write_atomically
from tilelab.base.text import counted
from tilelab.commands import record_files
from tilelab.commands.console import console, working
from tilelab.labs import lab
from tilelab.model.evidence import Verdict
from tilelab.model.lab import Lab
from tilelab.model.result import Status
from tilelab.pipeline.texts import tokens
from tilelab.record import packing, store
from tilelab.record.pseudonyms import Pseudonyms
from tilelab.record.store import Store
from tilelab.similar.words import WORDS

_ENDING = ".tar.gz"

_README = """\
Grades of a course and the files behind them, packed by `./tilelab archive`.

Students have numbers that were drawn by lot, and nobody has kept whose they are.
record.sqlite holds the grades that counted and the texts that were graded;
results.json and gradebook.csv hold the grades. Unpacked, this folder works with
`./tilelab report --out`, `./tilelab export --out` and `./tilelab similar --earlier`.
It is not for grading again: checksums are replaced.

Comments in students' files are removed if they have a name, an address or an id of
the roster, or a part of such a name, with accents or without. In code, these are
replaced, unless they are words of the labs or of C++, or English words of two
letters. Files may still name people whom the roster does not know, or hint at who
wrote them. Read them before you publish any.
"""


def archive(
    path: Annotated[Path, typer.Argument(metavar="FILE.tar.gz", help="A new file.")],
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
) -> None:
    """Packs grades and files without names of students."""
    if not path.name.endswith(_ENDING) or path.name == _ENDING:
        raise UserError(f"{path}: name a file that ends in {_ENDING}")
    if path.exists() or path.is_symlink():
        raise UserError(f"{path} is there already: name a new file")
    if not path.parent.is_dir():
        raise UserError(f"{path.parent}: there is no such folder")
    record = Store.existing(out)
    graded = record.labs()
    if not graded:
        raise UserError(f"{out} has no grades to pack")
    labs = [one for one in lab.course() if one.name in graded]
    with working("Packing"), work_folder() as folder:
        names = Pseudonyms(packing.people(record), _words(labs))
        packed = packing.copy(record, folder, names)
        record_files.export(packed, folder)
        packed.close()
        (folder / "README.txt").write_text(_README, encoding="utf-8")
        files = [folder / name for name in ("README.txt", store.NAME, *record_files.EXPORTS)]
        content = _packed(files, path.name.removesuffix(_ENDING))
    write_atomically(path, content)
    console.print(
        f"Wrote {path}: {counted(len(names.of), 'student')} without their names.", markup=False
    )
    console.print("Files may still name somebody: README.txt in it says what was removed.")


def _packed(files: list[Path], folder: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for path in files:
            about = tarfile.TarInfo(f"{folder}/{path.name}")
            about.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(about, file)
    return packed.getvalue()


def _words(labs: list[Lab]) -> set[str]:
    """What code has to call things, and what results call them."""
    words = {*WORDS, *typing.get_args(Verdict), *typing.get_args(Status)}
    for one in labs:
        words |= {one.name, *(criterion.name for criterion in one.criteria), *one.hints}
        folder = one.skeleton.parent
        for path in (*folder.glob("*.cu"), *folder.glob("*.h"), *one.solutions.rglob("*.cu")):
            words.add(path.stem)
            text = path.read_text(encoding="utf-8")
            words |= {token.text for token in tokens.parse(text).code if token.kind == "name"}
    return {word for word in words if re.search(r"\w", word)}
