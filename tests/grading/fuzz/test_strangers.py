"""Whatever a stranger sends, a reader takes it, or refuses it with its own exception."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import example, given
from mutations import a_tar, a_zip, damaged

import school
from tilelab.base import process
from tilelab.base.errors import InfraError, Rejected, UserError
from tilelab.collect import roster
from tilelab.collect.members import Refused, Spool
from tilelab.collect.trees import read_source
from tilelab.estimate import cubin, ptxas, sass
from tilelab.exports import delimited
from tilelab.labs import course
from tilelab.pipeline import intake
from tilelab.pipeline.estimating import recording
from tilelab.pipeline.judge import events
from tilelab.pipeline.objects import elf
from tilelab.pipeline.texts import tokens

EVENTS = b"""{"type": "begin", "version": 1}
{"type": "tests", "count": 1}
{"type": "message", "test": "t", "kind": "failure", "text": "wrong", "places": [{"line": 3}]}
{"type": "test", "name": "t", "result": "failed"}
{"type": "metric", "call": "f(1)", "metric": "m", "unit": "u", "value": 1.5}
{"type": "end"}
"""
RECORDING = b"""{"type": "begin", "version": 1}
{"type": "variables", "address": 4096, "bytes": 512}
{"type": "array", "address": 65536, "bytes": 64, "contents": "bits"}
{"type": "launch", "function": 9, "kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], \
"dynamic_shared_bytes": 0, "arguments": ["0000010000000000", "07"]}
{"type": "read"}
{"type": "end"}
"""
COURSE = f"{school.COURSE}[extensions.ada]\ndiff = 2027-03-08T23:59:00\n".encode()
ROSTER = """student,name,email,id,submitted
ada,Ada Lovelace,ada@example.edu,1,2027-03-01 10:00
ben,"Bj\u00f6rn, Ben",ben@example.edu,2,
""".encode()
GRADEBOOK = b"""Student,ID,SIS Login ID,Section,diff (12)
Points Possible,,,,100
"Lovelace, Ada",1,ada,A,
"""
SOURCE = b"""#include "diff.h"
#define N 3 \\
  + 4
__global__ void k(int *x) { x[threadIdx.x] = R"(a)"[0] + 'a'; } // end
void diff(int *x) { k<<<1, N>>>(x); /* a
comment */ }
"""
SASS = b"""\t.headerflags @"EF_CUDA_SM90"
//--------------------- .text.k --------------------------
        .section .text.k,"ax",@progbits
k:
.text.k:
\t//## File "/x/diff.cu", line 3
        /*0000*/  LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/  @P0 BRA `(.L_x_0) ;
"""
PTXAS = b"""ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 64 bytes smem
"""


@contextmanager
def file_with(data: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def refuses(read: Callable[[], object], *refusals: type[Exception]) -> None:
    """Reads. A refusal is one line."""
    try:
        read()
    except refusals as error:
        assert "\n" not in str(error).strip()


def compiled() -> bytes:
    source = "int x = 3; int f(int y) { return x + y; } int main() { return f(2); }"
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        path = Path(folder, "a.o")
        command = ["g++", "-x", "c++", "-c", "-", "-o", str(path)]
        subprocess.run(command, input=source.encode(), check=True)
        return path.read_bytes()


OBJECT = compiled()


@given(damaged(a_zip()))
def test_zip(data: bytes) -> None:
    _read_archive(data, "class.zip")


@given(damaged(a_tar("w"), a_tar("w:gz"), a_tar("w:xz"), a_tar("w:bz2")))
def test_tar(data: bytes) -> None:
    _read_archive(data, "class.tar")


def _read_archive(data: bytes, name: str) -> None:
    with file_with(data, name) as path, tempfile.TemporaryDirectory() as spool:
        refuses(lambda: read_source(path, Spool(Path(spool))), Refused, UserError)
        written = [one for one in path.parent.iterdir() if one != path]
        assert not written


@given(damaged(ROSTER, ROSTER.decode().encode("utf-16")))
def test_roster(data: bytes) -> None:
    with file_with(data, "roster.csv") as path:
        refuses(lambda: roster.load(path), UserError)


@given(damaged(GRADEBOOK, GRADEBOOK.decode().encode("utf-16"), GRADEBOOK.replace(b",", b"\t")))
def test_gradebook(data: bytes) -> None:
    with file_with(data, "grades.csv") as path:
        refuses(lambda: delimited.read(path), UserError)


@given(damaged(GRADEBOOK))
def test_a_gradebook_that_is_not_changed_stays_the_same(data: bytes) -> None:
    with file_with(data, "grades.csv") as path:
        try:
            found = delimited.read(path)
        except UserError:
            return
        assert found.filled({}) == data


@given(damaged(COURSE))
def test_course(data: bytes) -> None:
    with file_with(data, "course.toml") as path:
        refuses(lambda: course.load(path), UserError)


@given(damaged(SOURCE))
def test_submission(data: bytes) -> None:
    try:
        text = intake.normalize(data, "diff.cu")
    except Rejected:
        return
    tokens.parse(text)


@given(damaged(EVENTS))
def test_events(data: bytes) -> None:
    with file_with(data, "events.jsonl") as path:
        refuses(lambda: events.read(path, process.Finished(0, "", False)), InfraError)


@given(damaged(RECORDING))
def test_recording(data: bytes) -> None:
    refuses(lambda: recording.read(data.decode("utf-8", "replace")), UserError)


# An offset that no C integer holds.
FAR = OBJECT[:40] + b"\xff" * 8 + OBJECT[48:]


@given(damaged(OBJECT))
@example(FAR)
def test_object(data: bytes) -> None:
    with file_with(data, "a.o") as path:
        refuses(lambda: elf.read(path), ValueError)
        refuses(lambda: elf.functions(path), ValueError)


@given(damaged(OBJECT))
@example(FAR)
def test_cubin(data: bytes) -> None:
    refuses(lambda: cubin.parameters(data), ValueError)


@given(damaged(SASS))
def test_machine_code(data: bytes) -> None:
    sass.read(data.decode("utf-8", "replace"), lambda path: path.endswith("diff.cu"))


@given(damaged(PTXAS))
def test_resources(data: bytes) -> None:
    ptxas.read(data.decode("utf-8", "replace"))
