"""Building the harness with a CMake that only notes what it is asked, and sharing it."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support import REPO, unbuilt
from tilelab.base import repository
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness import building, sharing, toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own as own_workers

Prepare = Callable[[Sequence[str] | None], Toolchain]

CONFIGURE = "--fresh --preset emulator"
TARGETS = ["harness_diff", "harness_nbody"]
HARNESS = "--target harness_diff harness_nbody -- -k 0"

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
        for module in (building, repository):
            monkeypatch.setattr(module, "BUILD", tmp_path / "build")
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
    building.build_harness("emulator", TARGETS)
    assert fake.asked == [CONFIGURE, HARNESS]
    building.build_harness("emulator", TARGETS)
    assert fake.asked == [HARNESS]


@pytest.mark.parametrize("name", ["toolchain.json", "CMakeCache.txt"])
@pytest.mark.parametrize("text", [None, "", '{"schema": '])
def test_a_file_that_was_cut_off_is_made_again(fake: Fake, name: str, text: str | None) -> None:
    building.build_harness("emulator", TARGETS)
    if text is None:
        (fake.folder / name).unlink()
    else:
        (fake.folder / name).write_text(text)
    assert fake.asked
    building.build_harness("emulator", TARGETS)
    assert fake.asked == [CONFIGURE, HARNESS]


def test_a_build_that_fails_starts_over_once(fake: Fake) -> None:
    building.build_harness("emulator", TARGETS)
    assert fake.asked
    # As with half a build.ninja.
    fake.then(f"test -e {fake.folder}/again || {{ touch {fake.folder}/again; exit 1; }}")
    assert building.build_harness("emulator", TARGETS) == frozenset()
    assert fake.asked == [HARNESS, CONFIGURE, HARNESS]
    fake.then("exit 1")
    with pytest.raises(InfraError, match=r"building the harness failed: .*emulator\.log says why"):
        building.build_harness("emulator", TARGETS)


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
    assert building.build_harness("emulator", TARGETS) == {"nbody"}
    # What the lab's author has to fix needs no second configuration.
    assert fake.asked == [CONFIGURE, HARNESS]
    assert building.build_harness("emulator", TARGETS) == {"nbody"}
    assert fake.asked == [HARNESS]


NBODY = "tests/labs/nbody"
COMPILER = f"""[1/9] Building CXX object tests/labs/CMakeFiles/judge_diff.dir/diff/judge.cpp.o
{REPO}/tests/labs/diff/judge.cpp:1:2: warning: not an error: at all
FAILED: [code=1] {NBODY}/CMakeFiles/judge_nbody.dir/nbody/judge.cpp.o
/usr/bin/c++ -Werror: -c {REPO}/{NBODY}/judge.cpp
{REPO}/{NBODY}/judge.cpp: In function 'void test()':
{REPO}/{NBODY}/judge.cpp:30:5: error: 'total_counts' was not declared in this scope
   30 |     total_counts(1);
../../{NBODY}/judge.cpp:40:8:   required from here
/usr/include/c++/12/tuple:1357:25: error: static assertion failed: tuple index must be in range
{REPO}/common/judge/calls/call.h:9:1: error: static assertion failed: \x1b[2J
[2/9] Building CXX object common/worker/CMakeFiles/dispatch_diff.dir/dispatch.cpp.o
x.cpp:1:1: error: of a step that went on
FAILED: bin/judge_nbody
: && /usr/bin/c++ -o bin/judge_nbody
judge.cpp:(.text+0x1): undefined reference to `sums(int)'
ninja: build stopped: cannot make progress due to previous errors.
"""


def test_what_the_compiler_says_of_a_lab_s_tests(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "output").write_text(COMPILER)
    fake.then(f"cat {tmp_path}/output; exit 1")
    assert building.build_harness("emulator", TARGETS) == {"nbody"}
    assert building.errors_of("emulator", "nbody") == [
        f"{NBODY}/judge.cpp:30:5: error: 'total_counts' was not declared in this scope",
        f"{NBODY}/judge.cpp:40:8:   required from here",
        "common/judge/calls/call.h:9:1: error: static assertion failed: \\x1b[2J",
        "judge.cpp:(.text+0x1): undefined reference to `sums(int)'",
    ]
    assert building.errors_of("emulator", "diff") == []


def test_a_lab_s_tests_are_told_in_a_few_lines(fake: Fake, tmp_path: Path) -> None:
    errors = "".join(f"judge.cpp:{line}:1: error: {'x' * 999}\n" * 2 for line in range(99))
    (tmp_path / "output").write_text(f"FAILED: bin/judge_nbody\nc++\n{errors}")
    fake.then(f"cat {tmp_path}/output; exit 1")
    building.build_harness("emulator", TARGETS)
    told = building.errors_of("emulator", "nbody")
    assert [line[:13] for line in told] == [f"judge.cpp:{line}:1" for line in range(8)]
    assert all(len(line) == 300 for line in told)


@pytest.mark.parametrize("line", ["common/judge/events.cpp.o", "bin/judge_test", "bin/judge_nolab"])
def test_what_all_labs_need_has_to_compile(fake: Fake, line: str) -> None:
    fake.then(f"echo 'FAILED: bin/judge_nbody'; echo 'FAILED: {line}'; exit 1")
    with pytest.raises(InfraError):
        building.build_harness("emulator", TARGETS)


def test_a_target_has_to_be_built_whole(fake: Fake) -> None:
    fake.then("echo 'FAILED: bin/judge_nbody'; exit 1")
    with pytest.raises(InfraError):
        building.build("emulator", "all")


def test_a_judge_left_from_before_is_not_asked(tmp_path: Path) -> None:
    tool = dataclasses.replace(unbuilt("emulator", tmp_path), broken=frozenset({"nbody"}))
    tool.judge_program("diff")
    with pytest.raises(InfraError, match="the tests of nbody do not compile, so no file"):
        tool.judge_program("nbody")


def test_a_contract_that_does_not_compile_is_not_blamed_on_a_submission(tmp_path: Path) -> None:
    tool = dataclasses.replace(unbuilt("emulator", tmp_path), broken=frozenset({"diff"}))
    file = tmp_path / "diff.cu"
    file.write_text('#include "diff.h"\n')
    found = submission.examine(file, lab.load("diff"), Session([tool], seed=1))
    assert found.verdict == "infra_error"
    assert "the tests of diff do not compile, so no file for it" in found.messages[0]


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
    assert not sharing.is_up_to_date(folder, TARGETS)
    sharing.note(folder, TARGETS)
    # What students edit is no part of it.
    (sources / "labs" / "diff" / "diff.cu").write_text("mine")
    assert sharing.is_up_to_date(folder, TARGETS)
    (sources / "labs" / "diff" / "diff.h").write_text("another contract")
    assert not sharing.is_up_to_date(folder, TARGETS)
    sharing.note(folder, TARGETS)
    sharing.forget(folder)
    assert not sharing.is_up_to_date(folder, TARGETS)


def test_another_lab_leaves_what_is_shared_as_it_is(sources: Path) -> None:
    folder = sources / "build"
    sharing.note(folder, ["harness_diff", "estimator"])
    for name in ("labs/blur/blur.h", "labs/blur/lab.toml", "tests/labs/blur/judge.cpp"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(name)
    assert sharing.is_up_to_date(folder, ["harness_diff", "estimator"])
    assert not sharing.is_up_to_date(folder, ["harness_blur"])
    sharing.note(folder, ["harness_blur"], sharing.forget(folder))
    (sources / "tests" / "labs" / "blur" / "judge.cpp").write_text("another test")
    assert sharing.is_up_to_date(folder, ["harness_diff"])
    assert not sharing.is_up_to_date(folder, ["harness_blur"])
    sharing.note(folder, [], sharing.forget(folder))
    assert "blur" not in (folder / "built_from").read_text()


def test_each_build_adds_to_what_is_shared(sources: Path) -> None:
    folder = sources / "build"
    sharing.note(folder, ["harness_diff"])
    assert sharing.is_up_to_date(folder, ["harness_diff"])
    assert not sharing.is_up_to_date(folder, TARGETS)
    sharing.note(folder, ["harness_nbody"], sharing.forget(folder))
    assert sharing.is_up_to_date(folder, TARGETS)
    # What was built from other sources is no longer up to date.
    before = sharing.forget(folder)
    (sources / "CMakeLists.txt").write_text("another build")
    sharing.note(folder, ["harness_nbody"], before)
    assert sharing.is_up_to_date(folder, ["harness_nbody"])
    assert not sharing.is_up_to_date(folder, ["harness_diff"])


def test_a_copy_with_other_times_is_up_to_date(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing.note(sources / "build", TARGETS)
    shutil.copytree(sources, tmp_path / "copy", copy_function=shutil.copyfile)
    monkeypatch.setattr(sharing, "REPO", tmp_path / "copy")
    assert sharing.is_up_to_date(tmp_path / "copy" / "build", TARGETS)


def test_the_owner_s_harness_is_used_only_if_it_is_whole(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    building.build_harness("emulator", TARGETS)
    used: list[Path] = []
    monkeypatch.setattr(toolchain, "REPO", tmp_path)
    monkeypatch.setattr(toolchain, "IS_SHARED", True)
    for module in (building, repository):
        monkeypatch.setattr(module, "BUILD", tmp_path / "own")

    def load(preset: str, folder: Path) -> Toolchain:
        used.append(folder)
        return unbuilt(preset, folder)

    monkeypatch.setattr(toolchain, "load", load)
    owners = tmp_path / "build" / "emulator"
    own = fake.folder = tmp_path / "own" / "emulator"
    fake.then("exit 0")
    sharing.note(owners, ["harness_diff"])
    toolchain.prepare("emulator", ["diff"], estimates=False)
    assert used == [owners]
    # The owner has built neither the other lab nor the estimator.
    toolchain.prepare("emulator", ["diff", "nbody"], estimates=False)
    toolchain.prepare("emulator", ["diff"], estimates=True)
    assert used == [owners, own, own]
    sharing.forget(owners)
    toolchain.prepare("emulator", ["diff"], estimates=False)
    assert used == [owners, own, own, own]


@pytest.fixture
def prepare(fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    """Prepares labs in the fake's folder."""
    monkeypatch.setattr(building, "BUILD", tmp_path / "build")
    monkeypatch.setattr(toolchain, "load", unbuilt)
    return lambda labs: toolchain.prepare("emulator", labs, estimates=False)


def test_only_the_chosen_labs_are_built(fake: Fake, prepare: Prepare) -> None:
    prepare(["diff"])
    assert fake.asked == [CONFIGURE, "--target harness_diff -- -k 0"]
    assert sharing.is_up_to_date(fake.folder, ["harness_diff"])
    assert not sharing.is_up_to_date(fake.folder, ["harness_nbody"])
    prepare(["nbody"])
    assert fake.asked == ["--target harness_nbody -- -k 0"]
    assert sharing.is_up_to_date(fake.folder, TARGETS)
    prepare(None)
    assert set(TARGETS) <= set(fake.asked[0].split())


def test_a_lab_needs_no_other_lab_and_no_estimator(emulator: Session) -> None:
    folder = emulator.toolchains[0].folder
    words = ["ninja", "-C", str(folder), "-t", "commands", "harness_diff"]
    commands = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    made = {Path(path).name for path in re.findall(r" -o (\S+)", commands)}
    assert {"judge_diff", "confine", "launch_rewriter"} <= made
    assert made.isdisjoint({"judge_nbody", "estimator", "describe_report"})
    assert "dispatch_diff.o" in commands and "dispatch_nbody.o" not in commands


def test_a_broken_lab_is_not_shared_but_the_others_are(fake: Fake, prepare: Prepare) -> None:
    fake.then("echo 'FAILED: bin/judge_nbody'; exit 1")
    assert prepare(["diff", "nbody"]).broken == {"nbody"}
    assert sharing.is_up_to_date(fake.folder, ["harness_diff"])
    assert not sharing.is_up_to_date(fake.folder, ["harness_nbody"])


def test_a_build_that_fails_shares_nothing(fake: Fake, prepare: Prepare) -> None:
    prepare(["diff"])
    fake.then("exit 1")
    with pytest.raises(InfraError):
        prepare(["diff"])
    assert not sharing.is_up_to_date(fake.folder, ["harness_diff"])


def test_it_tells_how_many_steps_are_done(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINJA_STATUS", "a user's own")
    fake.then(
        'test "$NINJA_STATUS" = "[%f/%t] " || exit 1; '
        'echo "[0/2] Re-checking globbed directories..."; echo "[1/30] one"; '
        'printf "[3/30] thr"; sleep 0.3; echo ee'
    )
    told: list[tuple[int, int]] = []
    building.build_harness("emulator", TARGETS, lambda *steps: told.append(steps))
    assert told[-1] == (3, 30)
    assert {total for _, total in told} == {30}


def test_it_tells_nothing_if_there_is_nothing_to_do(fake: Fake) -> None:
    fake.then('echo "[0/2] Re-checking globbed directories..."; echo "ninja: no work to do."')
    told: list[tuple[int, int]] = []
    building.build_harness("emulator", TARGETS, lambda *steps: told.append(steps))
    assert told == []


@pytest.mark.parametrize(
    ("noted", "is_whole"), [("5", True), ("6", False), ("", False), ("x", False)]
)
def test_a_worker_that_was_cut_off_is_built_again(
    noted: str, is_whole: bool, tmp_path: Path
) -> None:
    worker, finished = tmp_path / "worker", tmp_path / "finished"
    worker.write_text("12345")
    finished.write_text(noted)
    assert own_workers._is_whole(worker, finished) is is_whole
    finished.unlink()
    assert not own_workers._is_whole(worker, finished)
