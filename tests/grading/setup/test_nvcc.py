"""Set-up downloads nvcc, and a machine that cannot get it goes on without."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import REPO
from tilelab.backends import nvidia
from tilelab.base.repository import MARKER, STATE
from tilelab.setup import nvcc

FIND_TARGET = """
for word; do case $before in --target) target=$word ;; esac; before=$word; done
mkdir -p "$target"
"""
PIP = (
    FIND_TARGET
    + """
mkdir -p "$target/nvidia/cu13/bin" "$target/nvidia/cu13/lib"
touch "$target/nvidia/cu13/lib/libcudart.so.13"
printf '#!/bin/sh\\n{nvcc}\\n' >"$target/nvidia/cu13/bin/nvcc"
chmod +x "$target/nvidia/cu13/bin/nvcc"
"""
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where set-up puts nvcc, on a machine that has none."""
    where = tmp_path / "build" / "nvcc"
    monkeypatch.setattr(nvidia, "WHEELS", where)
    monkeypatch.setattr(nvidia, "nvcc", lambda: None)
    monkeypatch.setattr(nvcc, "ASKED", where / "asked")
    monkeypatch.delenv("TILELAB_NVCC", raising=False)
    return where


def pretend_pip(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    path = folder / "pip"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(nvcc, "_pip", lambda work: [str(path)])


def test_it_is_downloaded_once_and_size_and_license_are_said(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pretend_pip(monkeypatch, tmp_path, PIP.format(nvcc="exit 0"))
    nvcc.main()
    assert (folder / "nvidia" / "cu13" / "bin" / "nvcc").exists()
    assert (folder / "nvidia" / "cu13" / "lib64" / "libcudart.so").exists()
    assert (folder / "asked").exists()
    said = capsys.readouterr().err
    for words in ("140 MB", "docs.nvidia.com/cuda/eula", "TILELAB_NVCC=none declines"):
        assert words in said
    assert "continuing without" not in said


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'ERROR: no network' >&2; exit 1", "pip could not download it (ERROR: no network)"),
        (PIP.format(nvcc="echo no cicc; exit 1"), "it does not work on this system (no cicc)"),
        (FIND_TARGET, "its packages hold no nvcc"),
    ],
)
def test_a_machine_that_cannot_get_it_goes_on_and_says_so(
    script: str,
    why: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pretend_pip(monkeypatch, tmp_path, script)
    nvcc.main()
    said = capsys.readouterr().err
    assert f"continuing without nvcc: {why}. `./tilelab doctor` tries again." in said
    assert {path.name for path in folder.iterdir()} == {"asked", MARKER}
    assert not folder.with_name("nvcc.new").exists()


def test_it_can_be_declined(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TILELAB_NVCC", "none")
    nvcc.main()
    assert capsys.readouterr().err == ""
    assert not folder.exists()


def test_what_we_did_not_make_stays(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pretend_pip(monkeypatch, tmp_path, PIP.format(nvcc="exit 0"))
    for one in (folder, folder.with_name("nvcc.new")):
        one.mkdir(parents=True)
        (one / "mine").touch()
        nvcc.main()
        assert f"TileLab did not make {one}, so it will not touch it." in capsys.readouterr().err
        assert (one / "mine").exists()
        (one / "mine").rename(tmp_path / "mine")


def test_an_interrupted_download_is_removed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_pip(monkeypatch, tmp_path, PIP.format(nvcc="exit 0"))
    half = folder.with_name("nvcc.new")
    (half / "nvidia").mkdir(parents=True)
    (half / MARKER).touch()
    (half / "nvidia" / "half").touch()
    nvcc.main()
    assert (folder / "nvidia" / "cu13" / "bin" / "nvcc").exists()
    assert not (folder / "nvidia" / "half").exists()
    assert not half.exists()


@pytest.mark.parametrize(
    ("says", "is_used"), [("release 13.0, V13.0.88", True), ("release 11.8, V11.8.89", False)]
)
def test_an_nvcc_without_cpp20_is_passed_over(
    says: str, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "nvcc"
    path.write_text(f"#!/bin/sh\necho 'Cuda compilation tools, {says}'\n")
    path.chmod(0o755)
    monkeypatch.setattr(nvidia, "_candidates", lambda: iter([path]))
    monkeypatch.delenv("TILELAB_NVCC", raising=False)
    nvidia.nvcc.cache_clear()
    try:
        assert (nvidia.nvcc() == path) is is_used
    finally:
        nvidia.nvcc.cache_clear()


def test_the_launcher_s_note_is_where_the_launcher_looks() -> None:
    assert f'"$state/{nvcc.ASKED.relative_to(STATE)}"' in (REPO / "tilelab").read_text()


def test_the_jail_shows_a_toolkit_and_no_user_s_folder(tmp_path: Path) -> None:
    compiler = tmp_path / "bin" / "nvcc"
    assert nvidia.installation(compiler) == []
    (tmp_path / "nvvm").mkdir()
    assert nvidia.installation(compiler) == [tmp_path]
    assert nvidia.installation(REPO / "bin" / "nvcc") == []
