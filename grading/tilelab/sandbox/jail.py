"""Two sandboxes: one to compile a submission in, one to run it in.

Compiling is an attack surface too. `#include` and `.incbin` read any file that the compiler can
read, and one line of source can take gigabytes of memory or make an object file of that size.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tilelab.backends.base import Backend
from tilelab.base import process, system
from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO

MIB = 1024 * 1024

# The processor time is what limits a compiler. On a busy machine it can take much longer.
COMPILE_SECONDS = 600
COMPILE_CPU_SECONDS = 60
COMPILE_MEMORY = 4096 * MIB
COMPILE_FILE_SIZE = 256 * MIB

_COMPILERS = ["/usr"]
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_UNSHARED = ("--unshare-all", "--die-with-parent", "--new-session")
# Programs need these to find shared libraries and alternatives. All of it is public.
_ETC = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")

_OUT_OF_MEMORY = re.compile(
    r"virtual memory exhausted|out of memory|cannot allocate memory|bad_alloc|memory exhausted",
    re.IGNORECASE,
)
_FILE_TOO_LARGE = re.compile(r"file too large|file size limit exceeded|SIGXFSZ", re.IGNORECASE)
_CPU_TIME = re.compile(r"cpu time limit exceeded|SIGXCPU", re.IGNORECASE)


@functools.cache
def bubblewrap() -> str | None:
    """The path of bubblewrap if it works here, which is tried once per process."""
    found = shutil.which("bwrap")
    if found is None:
        return None
    try:
        tried = process.run([found, *_compile_view(()), "--", "true"], seconds=120, env={})
    except OSError:
        return None
    # A real path, because the judge starts it without a PATH.
    return os.path.realpath(found) if tried.status == 0 else None


def name() -> str:
    """The name of the sandbox, for records."""
    program = bubblewrap()
    return f"bubblewrap {system.version(program)}" if program else "unsandboxed"


def run_compiler(
    argv: Sequence[str],
    work: Path,
    readable: Iterable[Path],
    *,
    memory: int = COMPILE_MEMORY,
    cpu_seconds: int = COMPILE_CPU_SECONDS,
    in_background: bool = False,
) -> process.Finished:
    """Runs a compiler, or another tool that reads what a submission became, under limits.

    It can write to `work` and read `readable` and the system. In the background it leaves
    processors to what somebody waits for. Raises InfraError if the tool or prlimit is missing.
    """
    limits, tool = shutil.which("prlimit"), shutil.which(argv[0])
    if limits is None:
        raise InfraError("prlimit is missing: install util-linux.")
    if tool is None:
        raise InfraError(f"{argv[0]} is missing.")
    command = [
        *(("nice", "-n", "5") if in_background else ()),
        limits,
        f"--as={memory}",
        f"--fsize={COMPILE_FILE_SIZE}",
        # The first limit sends SIGXCPU, which tells what happened, the second one SIGKILL.
        f"--cpu={cpu_seconds}:{cpu_seconds + 5}",
        "--core=0",
        "--",
    ]
    environment = {
        # nvcc, which is outside /usr/bin, finds its own programs through the PATH.
        "PATH": f"{Path(tool).parent}:/usr/bin:/bin",
        "TMPDIR": str(work),
        "HOME": str(work),
        "LC_ALL": "C.UTF-8",
    }
    if program := bubblewrap():
        command += [program, *_compile_view(readable), "--bind", str(work), str(work)]
        command += [*_sealed(_COMPILERS), "--chdir", str(work), "--"]
    return process.run(
        [*command, tool, *argv[1:]],
        seconds=COMPILE_SECONDS,
        env=environment,
        cwd=work,
        keep=64 * 1024,
    )


def explain_limit(finished: process.Finished) -> str | None:
    """A sentence if a limit ended the compiler, to replace its 'internal compiler error'."""
    if finished.timed_out:
        return f"Compiling took longer than {COMPILE_SECONDS} s and was stopped."
    if finished.status == 0:
        return None
    if finished.status in (-signal.SIGXCPU, 128 + signal.SIGXCPU) or _CPU_TIME.search(
        finished.output
    ):
        return f"Compiling used more than {COMPILE_CPU_SECONDS} s of processor time."
    if _FILE_TOO_LARGE.search(finished.output):
        return f"The compiled file would be larger than {COMPILE_FILE_SIZE // MIB} MiB."
    if _OUT_OF_MEMORY.search(finished.output):
        return f"Compiling needed more than {COMPILE_MEMORY // MIB} MiB of memory."
    return None


def run_jail(worker: Path, confine: Path, readable: Iterable[Path], backend: Backend) -> list[str]:
    """The command line that the judge puts before `confine WORKER`. Empty without a sandbox.

    The worker sees itself, confine and the system's libraries, and cannot write anywhere. The judge
    chooses the environment, so it is passed on unchanged.
    """
    program = bubblewrap()
    if program is None:
        return []
    # A driver's libraries can be anywhere below /usr.
    folders = ["/usr"] if backend.needs_gpu else ["/usr/lib", "/usr/lib32", "/usr/lib64"]
    libraries = [Path(path) for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if path]
    argv = [program, *_UNSHARED, *_bind_system(folders), *_bind(libraries)]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    if backend.needs_gpu:
        argv += [*_bind(readable), *_devices(backend.device_files())]
    argv += _bind((worker, confine))
    return [*argv, *_sealed(folders), "--"]


def run_confined(
    program: Path,
    confine: Path,
    backend: Backend,
    environment: Mapping[str, str],
    *,
    cpu_seconds: int,
    addresses: int,
    keep: int,
) -> process.Finished:
    """Runs a program that holds a submission as a judge runs a worker: it can write no file.

    `addresses` are bytes of address space that it reserves and does not use.

    Raises InfraError if prlimit is missing.
    """
    limits = shutil.which("prlimit")
    if limits is None:
        raise InfraError("prlimit is missing: install util-linux.")
    command = [
        limits,
        f"--as={COMPILE_MEMORY + addresses}",
        f"--cpu={cpu_seconds}",
        "--core=0",
        "--",
    ]
    command += [*run_jail(program, confine, (), backend), str(confine), str(program)]
    return process.run(command, seconds=COMPILE_SECONDS, env=environment, keep=keep)


def _compile_view(readable: Iterable[Path]) -> list[str]:
    options = [*_UNSHARED, *_bind_system(_COMPILERS)]
    return [*options, "--proc", "/proc", "--dev", "/dev", *_bind(readable)]


def _bind_system(folders: list[str]) -> list[str]:
    options = _bind(Path(path) for path in folders)
    for path in _SYSTEM:
        # Links into /usr on most systems today, folders on others.
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        else:
            options += _bind((Path(path),))
    options += _bind(Path(path) for path in _ETC)
    if _holds_us(folders):
        options += ["--tmpfs", str(REPO)]
    return options


def _holds_us(folders: list[str]) -> bool:
    """Whether the repository, which has the solutions, is in a folder that the jail shows."""
    return any(REPO.is_relative_to(path) for path in folders)


def _sealed(folders: list[str]) -> list[str]:
    """Makes read-only what bubblewrap itself had to write to. These options come last."""
    places = ["/dev", "/", *([str(REPO)] if _holds_us(folders) else [])]
    return [word for place in places for word in ("--remount-ro", place)]


def _bind(paths: Iterable[Path]) -> list[str]:
    return [word for path in paths for word in ("--ro-bind-try", str(path), str(path))]


def _devices(files: Iterable[Path]) -> list[str]:
    # Without /sys the driver does not initialize (error 304). Without device nodes it is error 100.
    options = _bind((Path("/sys"),))
    for file in files:
        options += ["--dev-bind", str(file), str(file)]
    return options
