"""Building the harness with a CMake that only notes what it is asked, and sharing it."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from support import REPO, unbuilt
from tilelab.base.errors import InfraError
from tilelab.pipeline import toolchain, workers
from tilelab.pipeline.harness import building, sharing

CONFIGURE = "--fresh --preset emulator"
HARNESS = "--target harness -- -k 0"

# What `cmake --preset` leaves behind, and what ends each later start.
CMAKE = """#!/bin/sh
echo "$*" >>{log}
case $* in *--preset*)
  mkdir -p {folder}
  echo '{{}}' >{folder}/toolchain.json
  echo 'CMAKE_HOME_DIRECTORY:INTERNAL={repo}' >{folder}/CMakeCache.txt ;;
*) {then} ;;
esac
"""


class Fake:
    """A repository's build folder, and a cmake that builds it."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = tmp_path / "build" / "emulator"
        self._log, self._bin = tmp_path / "log", tmp_path / "bin"
        self._bin.mkdir()
        monkeypatch.setattr(building, "BUILD", tmp_path / "build")
        monkeypatch.setenv("PATH", f"{self._bin}:/usr/bin:/bin")
        self.folder.parent.mkdir()
        self.then("exit 0")

    def then(self, script: str) -> None:
        """What building does from now on."""
        text = CMAKE.format(log=self._log, folder=self.folder, repo=REPO, then=script)
        (self._bin / "cmake").write_text(text)
        (self._bin / "cmake").chmod(0o755)

    @property
    def asked(self) -> list[str]:
        """What cmake was asked since the last time."""
        lines = self._log.read_text().splitlines()
        self._log.unlink()
        return [
            line.replace(f" -B {self.folder}", "").split(f"{self.folder} ")[-1] for line in lines
        ]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    return Fake(tmp_path, monkeypatch)


def test_it_is_configured_once(fake: Fake) -> None:
    building.build_harness("emulator")
    assert fake.asked == [CONFIGURE, HARNESS]
    building.build_harness("emulator")
    assert fake.asked == [HARNESS]


@pytest.mark.parametrize("name", ["toolchain.json", "CMakeCache.txt"])
@pytest.mark.parametrize("text", [None, "", '{"schema": '])
def test_a_file_that_was_cut_off_is_made_again(fake: Fake, name: str, text: str | None) -> None:
    building.build_harness("emulator")
    if text is None:
        (fake.folder / name).unlink()
    else:
        (fake.folder / name).write_text(text)
    assert fake.asked
    building.build_harness("emulator")
    assert fake.asked == [CONFIGURE, HARNESS]


def test_a_build_that_fails_starts_over_once(fake: Fake) -> None:
    building.build_harness("emulator")
    assert fake.asked
    # As with half a build.ninja.
    fake.then(f"test -e {fake.folder}/again || {{ touch {fake.folder}/again; exit 1; }}")
    assert building.build_harness("emulator") == frozenset()
    assert fake.asked == [HARNESS, CONFIGURE, HARNESS]
    fake.then("exit 1")
    with pytest.raises(InfraError, match=r"building the harness failed: .*emulator\.log says why"):
        building.build_harness("emulator")


@pytest.mark.parametrize(
    "line",
    [
        "tests/labs/CMakeFiles/judge_nbody.dir/nbody/judge.cpp.o ",
        "[code=1] bin/judge_nbody ",
        "common/worker/CMakeFiles/dispatch_nbody.dir/dispatch.cpp.o ",
        "lib/dispatch_nbody.o",
    ],
)
def test_a_lab_that_does_not_compile_leaves_the_others_alone(fake: Fake, line: str) -> None:
    fake.then(f"echo 'FAILED: {line}'; exit 1")
    assert building.build_harness("emulator") == {"nbody"}
    # What the lab's author has to mend needs no second configuration.
    assert fake.asked == [CONFIGURE, HARNESS]
    assert building.build_harness("emulator") == {"nbody"}
    assert fake.asked == [HARNESS]


@pytest.mark.parametrize("line", ["common/judge/events.cpp.o", "bin/judge_test", "bin/judge_nolab"])
def test_what_all_labs_need_has_to_compile(fake: Fake, line: str) -> None:
    fake.then(f"echo 'FAILED: bin/judge_nbody'; echo 'FAILED: {line}'; exit 1")
    with pytest.raises(InfraError):
        building.build_harness("emulator")


def test_a_target_has_to_be_built_whole(fake: Fake) -> None:
    fake.then("echo 'FAILED: bin/judge_nbody'; exit 1")
    with pytest.raises(InfraError):
        building.build("emulator", "all")


def test_a_judge_left_from_before_is_not_asked(tmp_path: Path) -> None:
    tool = dataclasses.replace(unbuilt("emulator", tmp_path), broken=frozenset({"nbody"}))
    tool.judge_program("diff")
    with pytest.raises(InfraError, match="the tests of nbody do not compile"):
        tool.judge_program("nbody")


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository, with a build folder."""
    repo = tmp_path / "repo"
    for name in (
        "CMakeLists.txt",
        "common/judge/main.cpp",
        "labs/diff/diff.h",
        "labs/diff/diff.cu",
    ):
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (repo / "build").mkdir()
    monkeypatch.setattr(sharing, "REPO", repo)
    return repo


def test_a_harness_is_shared_until_its_sources_change(sources: Path) -> None:
    folder = sources / "build"
    assert not sharing.is_up_to_date(folder)
    sharing.note(folder)
    # What students edit is no part of it.
    (sources / "labs" / "diff" / "diff.cu").write_text("mine")
    assert sharing.is_up_to_date(folder)
    (sources / "labs" / "diff" / "diff.h").write_text("another contract")
    assert not sharing.is_up_to_date(folder)
    sharing.note(folder)
    sharing.forget(folder)
    assert not sharing.is_up_to_date(folder)


def test_a_copy_with_other_times_is_up_to_date(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing.note(sources / "build")
    shutil.copytree(sources, tmp_path / "copy", copy_function=shutil.copyfile)
    monkeypatch.setattr(sharing, "REPO", tmp_path / "copy")
    assert sharing.is_up_to_date(tmp_path / "copy" / "build")


def test_the_owner_s_harness_is_used_only_if_it_is_whole(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    building.build_harness("emulator")
    used: list[Path] = []
    monkeypatch.setattr(toolchain, "REPO", tmp_path)
    monkeypatch.setattr(toolchain, "IS_SHARED", True)
    monkeypatch.setattr(toolchain, "BUILD", tmp_path / "own")
    monkeypatch.setattr(building, "BUILD", tmp_path / "own")

    def load(preset: str, folder: Path) -> toolchain.Toolchain:
        used.append(folder)
        return unbuilt(preset, folder)

    monkeypatch.setattr(toolchain, "load", load)
    owners = tmp_path / "build" / "emulator"
    sharing.note(owners)
    toolchain.prepare("emulator")
    assert used == [owners]
    sharing.forget(owners)
    fake.folder = tmp_path / "own" / "emulator"
    fake.then("exit 0")
    toolchain.prepare("emulator")
    assert used == [owners, fake.folder]


@pytest.mark.parametrize(
    ("noted", "is_whole"), [("5", True), ("6", False), ("", False), ("x", False)]
)
def test_a_worker_that_was_cut_off_is_built_again(
    noted: str, is_whole: bool, tmp_path: Path
) -> None:
    worker, finished = tmp_path / "worker", tmp_path / "finished"
    worker.write_text("12345")
    finished.write_text(noted)
    assert workers._is_whole(worker, finished) is is_whole
    finished.unlink()
    assert not workers._is_whole(worker, finished)
