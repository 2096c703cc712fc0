"""Which files may be handed in, and how they are normalized."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

import pytest

from tilelab.base.errors import Rejected
from tilelab.labs import lab
from tilelab.pipeline import intake, submission
from tilelab.pipeline.harness.session import Session

HOW = (
    "save it as UTF-8 (in VS Code, click the encoding in the status bar; elsewhere, look for it "
    "in Save As)."
)


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
        (
            "a\n\0".encode("utf-16"),
            "diff.cu has a NUL byte in line 2: it is not a UTF-8 text file.",
        ),
        ("a".encode("utf-32"), "diff.cu has a NUL byte in line 1: it is not a UTF-8 text file."),
        ("a".encode("utf-16") + b"a", f"diff.cu has bytes in line 1 that are not UTF-8: {HOW}"),
        (b"a\n\0", "diff.cu has a NUL byte in line 2: it is not a UTF-8 text file."),
        (b"a\nint gr\xfcn;\n", f"diff.cu has bytes in line 2 that are not UTF-8: {HOW}"),
        (b"int n = '\xe9';\n", f"diff.cu has bytes in line 1 that are not UTF-8: {HOW}"),
        (b"int a;\n\xa0int b;\n", f"diff.cu has bytes in line 2 that are not UTF-8: {HOW}"),
        (
            "// \u80fd\nint a;\n".encode("shift_jis"),
            f"diff.cu has bytes in line 1 that are not UTF-8: {HOW}",
        ),
        (b'"\x94\\" n;\n', f"diff.cu has bytes in line 1 that are not UTF-8: {HOW}"),
        (
            b"\x7fELF\x02\x01\x01\0\xff\xfe\n",
            "diff.cu is a binary file: hand in the text of your kernels.",
        ),
        (b"a" * (256 * 1024 + 1), "diff.cu is larger than 256 KiB, which is the limit."),
    ],
)
def test_bad_text_is_rejected_with_a_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(data)
    assert rejection(path) == sentence
    found = submission.examine(path, lab.load("diff"), Session([], seed=1))
    is_read = len(data) <= intake.MAX_BYTES
    assert found.sha256 == (hashlib.sha256(data).hexdigest() if is_read else None)


@pytest.mark.parametrize(
    ("text", "encoding", "read_as"),
    [
        ("// Gr\u00fc\u00dfe\nint a;\n", "latin-1", "Latin-1"),
        ("int a = 1'000; /* \u00e9t\u00e9 */\n", "latin-1", "Latin-1"),
        (
            'const char* text = "gro\u00df\\n";  // \u20ac \u2013 it\u2019s\n',
            "cp1252",
            "Windows-1252",
        ),
        (
            'const char* text = R"x(\u00e4 "\u00f6" // )x", quote = \'"\'; // \u00fc\n',
            "cp1252",
            "Latin-1",
        ),
        ("// two \u00e4 \\\n lines \u00e4\nint a;\n", "latin-1", "Latin-1"),
        ("int a;\n// \u4f60\u597d\n", "utf-16", "UTF-16"),
        ("\ufeffint gr\u00fcn;\r\n", "utf-16-be", "UTF-16"),
    ],
)
def test_comments_in_another_encoding_are_read_and_reported(
    text: str, encoding: str, read_as: str, tmp_path: Path
) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(text.encode(encoding))
    source = intake.read(path)
    assert source.text == text.lstrip("\ufeff").replace("\r", "")
    assert source.note == f"diff.cu is not UTF-8, so it is read as {read_as}: {HOW}"
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "koi8-r"])
def test_comments_in_any_encoding_leave_the_code_as_it_is(encoding: str, tmp_path: Path) -> None:
    text = "int a; /* \u0431 */\nint b;\n"
    path = tmp_path / "diff.cu"
    path.write_bytes(text.encode(encoding))
    source = intake.read(path)
    assert source.note and source.text.startswith("int a; /* ")
    assert source.text.endswith(" */\nint b;\n")


def test_what_was_converted_is_said_after_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "diff.cu"
    path.write_bytes(b'// Gr\xfc\xdfe\nvoid diff() { asm("ret;"); }\n')
    found = submission.examine(path, lab.load("diff"), Session([], seed=1))
    assert found.verdict == "rejected" and len(found.messages) == 2
    assert found.messages[1] == f"diff.cu is not UTF-8, so it is read as Latin-1: {HOW}"
    assert found.source.startswith("// Gr\u00fc\u00dfe\n")


@pytest.mark.parametrize("piece", ["/*", '"', "'", 'R"(', 'R"x(', "//", "1'", "\\"])
def test_a_hostile_text_is_decoded_at_once(piece: str) -> None:
    data = (piece * (intake.MAX_BYTES // len(piece))).encode() + b"\xff"
    begin = time.process_time()
    with contextlib.suppress(Rejected):
        intake.normalize(data, "diff.cu")
    assert time.process_time() - begin < 1


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
