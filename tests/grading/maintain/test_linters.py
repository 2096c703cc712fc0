"""What a linter reports. The tools themselves run in `./tilelab lint`."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from tilelab.commands.maintainer import lint
from tilelab.maintain import linters
from tilelab.maintain.linters import LINTERS, Linter


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that pins the package `tool`."""
    monkeypatch.setattr(linters, "declared", lambda _: ["tool==1.2"])
    monkeypatch.setattr(linters, "REPO", tmp_path)
    monkeypatch.setattr(metadata, "version", lambda _: "1.2")
    return tmp_path


def saying(code: str) -> Linter:
    return Linter("it", "tool", ("-c", code))


def test_every_linter_is_pinned() -> None:
    pins = linters._pinned()
    assert {one.package for one in LINTERS} == set(pins)
    assert all(version for version in pins.values())


def test_silence_is_success_and_anything_else_is_shown(repo: Path) -> None:
    assert saying("print('fine')").complaints() is None
    assert saying("print('line 3'); raise SystemExit(1)").complaints() == "line 3"
    assert saying("raise SystemExit(2)").complaints() == "exit status 2"


def test_a_formatter_gets_our_own_sources(repo: Path) -> None:
    for name in ("labs/x/x.cu", "common/a.h", "build/b.cpp", "grading/sample_class/ada/x.cu"):
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).touch()
    assert linters._cpp_files() == ["common/a.h", "labs/x/x.cu"]
    told = Linter("it", "tool", ("-c", "import sys; sys.exit(sys.argv[1])"), linters._cpp_files)
    assert told.complaints() == "common/a.h"


def test_a_tool_that_is_not_there_is_named(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> str:
        raise metadata.PackageNotFoundError

    assert saying("").missing() is None
    monkeypatch.setattr(metadata, "version", lambda _: "1.3")
    assert (saying("").missing() or "").startswith("needs tool 1.2, but found 1.3.")
    monkeypatch.setattr(metadata, "version", absent)
    said = saying("").missing() or ""
    assert "needs tool 1.2, but found none." in said
    assert f"{sys.executable} -m pip install tool==1.2" in said


def test_the_command_names_what_failed(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = saying(""), Linter("other", "tool", ("-c", "raise SystemExit('a.cu:100: no')"))
    monkeypatch.setattr(lint, "LINTERS", (good, bad))
    with pytest.raises(lint.typer.Exit) as ended:
        lint.lint()
    assert ended.value.exit_code == 1
    assert capsys.readouterr().out == ("it: passed\nother: failed\na.cu:100: no\nFailed: other.\n")
    monkeypatch.setattr(lint, "LINTERS", (good,))
    with pytest.raises(lint.typer.Exit) as ended:
        lint.lint()
    assert ended.value.exit_code == 0
