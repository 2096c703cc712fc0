"""The compile jail and its limits, tried from inside."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from support import REPO, needs_bubblewrap
from tilelab import backends
from tilelab.backends.emulator import Emulator
from tilelab.base import process
from tilelab.pipeline.harness.session import Session
from tilelab.sandbox import jail, seccomp


def inside(work: Path, script: str, *readable: Path) -> process.Finished:
    return jail.run_compiler(["/bin/sh", "-c", script], work, readable)


@needs_bubblewrap
def test_the_jail_shows_no_file_of_ours(work: Path) -> None:
    for path in (
        REPO,
        Path.home(),
        Path("/etc/passwd"),
        Path("/var"),
        Path("/root"),
        Path("/home"),
    ):
        finished = inside(work, f"test -e {path}")
        assert finished.status == 1, f"{path}: {finished.output}"
    assert "passwd" not in inside(work, "ls /etc").output


@needs_bubblewrap
def test_the_jail_shows_what_it_is_given_and_nothing_beside(work: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "diff.h").write_text("contract")
    (tmp_path / "secret").write_text("secret")
    assert inside(work, f"cat {given}/diff.h", given).output == "contract"
    assert inside(work, f"ls {tmp_path}", given).output.split() == ["given", "work"]
    assert inside(work, f"touch {given}/new", given).status != 0


@needs_bubblewrap
def test_the_jail_is_read_only_but_for_the_work_folder(work: Path) -> None:
    for path in ("/new", "/tmp", "/usr/new", "/dev/new", "/etc/new", "/proc/new"):
        assert inside(work, f"mkdir {path}").status != 0, path
    assert inside(work, "echo here > here; mktemp").status == 0
    assert (work / "here").read_text() == "here\n"
    assert not Path("/new").exists()


@needs_bubblewrap
def test_the_jail_has_no_network_and_no_environment(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "x")
    assert "SECRET" not in inside(work, "env").output
    devices = inside(work, "cat /proc/net/dev").output
    assert [line.split(":")[0].strip() for line in devices.splitlines()[2:]] in ([], ["lo"])


@needs_bubblewrap
def test_the_jail_shows_no_process_of_ours(work: Path) -> None:
    finished = inside(work, "ls -d /proc/[0-9]*")
    assert finished.status == 0
    assert len(finished.output.split()) <= 4


@needs_bubblewrap
def test_a_worker_sees_itself_and_can_write_nowhere(tmp_path: Path) -> None:
    worker = Path(os.path.realpath(tmp_path)) / "a" / "worker"
    other = Path(os.path.realpath(tmp_path)) / "b" / "worker"
    for path in (worker, other):
        path.parent.mkdir()
        path.write_text("")
    words = jail.run_jail(worker, Path("/usr/bin/env"), [], backends.named("emulator"))

    def run(*argv: str) -> int:
        return process.run([*words, *argv], seconds=20).status

    # The jail has no /bin/sh, so the loader starts the program that looks around.
    loader = next(Path("/lib64").glob("ld-linux*"))
    assert run("/usr/bin/env") == 0
    assert run(str(loader), "--verify", "/usr/bin/env") == 0
    assert run(str(loader), "--verify", str(worker)) != 127
    for hidden in (other, REPO / "tilelab", Path("/usr/bin/gcc"), Path("/etc/passwd")):
        outcome = process.run([*words, str(loader), str(hidden)], seconds=20)
        assert "No such file" in outcome.output or "cannot open" in outcome.output, hidden
    bound = [words[i + 2] for i, word in enumerate(words) if word in ("--bind", "--tmpfs")]
    assert bound == []


def test_memory_is_limited(work: Path) -> None:
    script = "a='x'; while :; do a=$a$a; done"
    finished = inside(work, script)
    assert finished.status != 0 and not finished.timed_out


@needs_bubblewrap
def test_an_endless_include_meets_the_memory_limit(work: Path) -> None:
    (work / "a.cpp").write_text('#include "/dev/zero"\n')
    start = time.monotonic()
    finished = jail.run_compiler(["g++", "-c", "a.cpp"], work, [])
    assert jail.explain_limit(finished) == "Compiling needed more than 4096 MiB of memory."
    assert time.monotonic() - start < 60


def test_a_giant_array_meets_the_file_size_limit(work: Path) -> None:
    (work / "a.cpp").write_text("char a[1u << 31] = {1};\n")
    finished = jail.run_compiler(["g++", "-c", "a.cpp"], work, [])
    assert jail.explain_limit(finished) == "The compiled file would be larger than 256 MiB."


def test_processor_time_is_limited(work: Path) -> None:
    finished = jail.run_compiler(["sh", "-c", "while :; do :; done"], work, [], cpu_seconds=1)
    assert "processor time" in (jail.explain_limit(finished) or "")


@pytest.mark.parametrize(
    ("finished", "sentence"),
    [
        (process.Finished(-9, "", True), "Compiling took longer than 600 s and was stopped."),
        (
            process.Finished(-signal.SIGXCPU, "", False),
            "Compiling used more than 60 s of processor time.",
        ),
        (process.Finished(0, "out of memory", False), None),
        (process.Finished(1, "diff.cu:3: error: no", False), None),
    ],
)
def test_limits_become_sentences(finished: process.Finished, sentence: str | None) -> None:
    assert jail.explain_limit(finished) == sentence


@needs_bubblewrap
def test_a_repository_inside_the_system_is_hidden(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside_usr = Path("/usr/share")
    monkeypatch.setattr(jail, "REPO", inside_usr)
    assert inside(work, f"ls {inside_usr}; touch {inside_usr}/new").output.count("\n") == 1
    given = inside_usr / "zoneinfo" if (inside_usr / "zoneinfo").exists() else inside_usr / "man"
    assert inside(work, f"ls {inside_usr}", given).output.split() == [given.name]


CONFINED = """
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
int main() {
  std::printf("%d %d %d %d ", open("new", O_CREAT | O_WRONLY, 0600), open("/dev/null", O_WRONLY),
              open("/etc/passwd", O_RDONLY), std::getenv("HOME") != nullptr);
  std::printf("%s\\n", std::getenv("GIVEN"));
  std::fflush(stdout);
  if (*std::getenv("GIVEN") == 'f') fork();
  if (*std::getenv("GIVEN") == 's') socket(AF_INET, SOCK_STREAM, 0);
}
"""


@needs_bubblewrap
@pytest.mark.parametrize(
    ("given", "status"), [("nothing", 0), ("fork", -signal.SIGSYS), ("socket", -signal.SIGSYS)]
)
def test_a_confined_program_can_only_compute(
    given: str, status: int, work: Path, emulator: Session
) -> None:
    confine = emulator.toolchains[0].confine
    if not seccomp.works(confine):
        pytest.skip("this system cannot filter system calls")
    source, program = work / "program.cpp", work / "program"
    source.write_text(CONFINED)
    assert process.run(["g++", source, "-o", program], seconds=60).status == 0
    finished = jail.run_confined(
        program, confine, Emulator(), {"GIVEN": given}, cpu_seconds=5, addresses=0, keep=1000
    )
    assert finished.output.startswith(f"-1 -1 -1 0 {given}")
    assert finished.status in (status, 128 - status)
    assert not (work / "new").exists()
