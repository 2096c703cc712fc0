"""Inputs that strangers might send: valid ones with damage, and noise."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Sequence

from hypothesis import strategies as st

_INTERESTING = [
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x7f",
    b"..",
    b"/",
    b"\n",
    b'"',
    b"\xef\xbb\xbf",
]

_piece = st.one_of(st.sampled_from(_INTERESTING), st.binary(max_size=8))
# Where, how much goes, and what comes.
_edit = st.tuples(st.floats(0, 1), st.integers(0, 9), _piece)


def _edited(pair: tuple[bytes, Sequence[tuple[float, int, bytes]]]) -> bytes:
    data, edits = pair
    for share, gone, piece in edits:
        at = int(share * len(data))
        data = data[:at] + piece + data[at + gone :]
    return data


def damaged(*samples: bytes) -> st.SearchStrategy[bytes]:
    """One of the samples after a few edits, or noise."""
    edited = st.tuples(st.sampled_from(samples), st.lists(_edit, max_size=6)).map(_edited)
    return st.one_of(edited, st.binary(max_size=200))


def a_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ada/diff.cu", "__global__ void f() {}\n")
        archive.writestr("ben/diff.cu", "int main() {}\n" * 9)
    return file.getvalue()


def a_tar(mode: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name in ("ada/diff.cu", "ben/diff.cu"):
            info = tarfile.TarInfo(name)
            info.size = 9
            archive.addfile(info, io.BytesIO(b"int x;\n\n\n"))
    return file.getvalue()
