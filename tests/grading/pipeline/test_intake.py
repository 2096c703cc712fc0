"""Which files may be handed in, and how they are normalized."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tilelab.base.errors import Rejected
from tilelab.pipeline import intake


def rejection(path: Path) -> str:
    with pytest.raises(Rejected) as caught:
        intake.read(path)
    (message,) = caught.value.messages
    return message


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"int a;\n", "int a;\n"),
        (b"int a;", "int a;\n"),
        (b"\xef\xbb\xbfint a;\n", "int a;\n"),
        (b"a\r\nb\rc\r\n", "a\nb\nc\n"),
        ("// Grüße\n".encode(), "// Grüße\n"),
    ],
)
def test_text_is_normalized(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(data)
    source = intake.read(path)
    assert source.text == text
    assert source.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "diff.cu is empty."),
        (b"\xef\xbb\xbf \r\n\t\n", "diff.cu is empty."),
        ("int a;\n".encode("utf-16"), "diff.cu is encoded as UTF-16: save it as UTF-8."),
        (b"a\n\0", "diff.cu has a NUL byte in line 2: it is not a UTF-8 text file."),
        (
            b"a\nb\n// Gr\xfc\xdfe\n",
            "diff.cu has bytes in line 3 that are not UTF-8: save it as UTF-8.",
        ),
        (b"a" * (256 * 1024 + 1), "diff.cu is larger than 256 KiB, which is the limit."),
    ],
)
def test_bad_text_is_rejected_with_a_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(data)
    assert rejection(path) == sentence


def test_the_largest_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(b"/" * (256 * 1024))
    assert len(intake.read(path).text) == 256 * 1024 + 1


def test_what_is_no_regular_file_is_rejected(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    path = tmp_path / "diff.cu"

    path.symlink_to(secret)
    assert "symbolic link" in rejection(path)
    path.unlink()

    os.mkfifo(path)  # must not wait for a writer
    assert "not a regular file" in rejection(path)
    path.unlink()

    path.mkdir()
    assert "a folder" in rejection(path)

    assert "not a regular file" in rejection(Path("/dev/zero"))


def test_an_absent_file_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        intake.read(tmp_path / "diff.cu")
