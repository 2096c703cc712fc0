"""The first stage: reads a file into a clean text of known size, encoding and line ends."""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import stat
from pathlib import Path

from tilelab.base.errors import Rejected
from tilelab.pipeline.records.stages import Source

MAX_BYTES = 256 * 1024


def read(path: Path) -> Source:
    """Reads and normalizes a submission.

    Raises Rejected with a sentence, and FileNotFoundError if nothing was handed in.
    """
    data = _read_bytes(path)
    return Source(normalize(data, path.name), hashlib.sha256(data).hexdigest())


def of(text: str) -> Source:
    """A text that nobody handed in."""
    return Source(text, hashlib.sha256(text.encode()).hexdigest())


def normalize(data: bytes, name: str) -> str:
    """Makes UTF-8 without byte order mark, with LF line ends and a final newline.

    Raises Rejected.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Rejected(f"{name} is encoded as UTF-16: save it as UTF-8.")
    if (nul := data.find(b"\0")) >= 0:
        raise Rejected(
            f"{name} has a NUL byte in line {_line(data, nul)}: it is not a UTF-8 text file."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Rejected(
            f"{name} has bytes in line {_line(data, error.start)} that are not UTF-8: "
            "save it as UTF-8."
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Rejected(f"{name} is empty.")
    return text if text.endswith("\n") else text + "\n"


def checksum(text: str) -> str:
    """The SHA-256 of a normalized text. Spaces at the ends of lines do not count."""
    lines = (line.rstrip() for line in text.rstrip().split("\n"))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


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
