"""The first stage: reads a file into a clean text of known size, encoding and line ends."""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import stat
from pathlib import Path

from tilelab.base.errors import Rejected
from tilelab.pipeline.intake.decoding import Undecodable, decode
from tilelab.pipeline.records.stages import Source

MAX_BYTES = 256 * 1024

_OF_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_ADVICE = (
    "save it as UTF-8 (in VS Code, click the encoding in the status bar; elsewhere, look for it "
    "in Save As)"
)


def read(path: Path) -> Source:
    """Reads and normalizes a submission.

    Raises Rejected with a sentence, and FileNotFoundError if nothing was handed in.
    """
    data = _read_bytes(path)
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        text, note = _normalized(data, path.name)
    except Rejected as error:
        raise Rejected(*error.messages, sha256=sha256) from error
    return Source(text, sha256, note)


def of(text: str) -> Source:
    """A text that nobody handed in."""
    return Source(text, hashlib.sha256(text.encode()).hexdigest())


def normalize(data: bytes, name: str) -> str:
    """Makes UTF-8 without byte order mark, with LF line ends and a final newline.

    Raises Rejected.
    """
    return _normalized(data, name)[0]


def _normalized(data: bytes, name: str) -> tuple[str, str]:
    """The normalized text, and a note if its encoding is another one."""
    try:
        text, encoding = decode(data)
    except Undecodable as error:
        if b"\0" in data and not data.startswith(_OF_UTF_16):
            raise Rejected(f"{name} is a binary file: hand in the text of your kernels.") from error
        raise Rejected(
            f"{name} has bytes in line {_line(data, error.offset)} that are not UTF-8: {_ADVICE}."
        ) from error
    if (nul := text.find("\0")) >= 0:
        line = text.count("\n", 0, nul) + 1
        raise Rejected(f"{name} has a NUL byte in line {line}: it is not a UTF-8 text file.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Rejected(f"{name} is empty.")
    note = f"{name} is not UTF-8, so it is read as {encoding}: {_ADVICE}." if encoding else ""
    return text if text.endswith("\n") else text + "\n", note


def _read_bytes(path: Path) -> bytes:
    # O_NONBLOCK, because opening a FIFO would wait for a writer that never comes.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Rejected(f"{path.name} is a symbolic link: hand in the file itself.") from error
        if error.errno == errno.ENXIO:
            raise Rejected(
                f"{path.name} is not a regular file: hand in one CUDA source file."
            ) from error
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise Rejected(f"{path.name} is {kind}: hand in one CUDA source file.")
        data = b""
        while len(data) <= MAX_BYTES and (chunk := os.read(descriptor, MAX_BYTES + 1 - len(data))):
            data += chunk
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise Rejected(f"{path.name} is larger than {MAX_BYTES // 1024} KiB, which is the limit.")
    return data


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
