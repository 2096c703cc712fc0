"""A real Slurm of one node: munged, slurmctld and slurmd, started without root's configuration."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
_SECONDS = 60

_CONFIGURATION = """\
ClusterName=tilelab
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
MaxArraySize={largest_array}
MinJobAge=10
KillWait=5
PluginDir={plugins}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=60 State=UP OverSubscribe=NO
"""


class CannotStart(Exception):
    """This machine cannot run the daemons. The text says why."""


def missing() -> str | None:
    """The first program of Slurm that this machine lacks."""
    return next((name for name in PROGRAMS if _program(name) is None), None)


@contextlib.contextmanager
def running(folder: Path, *, largest_array: int = 1001, cpus: int = 2) -> Iterator[dict[str, str]]:
    """Starts the daemons and yields the environment for Slurm's commands.

    The path of `folder` must be short, because that of a socket must. All processes end with the
    context. Raises CannotStart.
    """
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o400)
    folder.chmod(0o755)
    configuration = folder / "slurm.conf"
    configuration.write_text(
        _CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0],
            user=pwd.getpwuid(os.getuid()).pw_name,
            folder=folder,
            controller=_free_port(),
            node=_free_port(),
            largest_array=largest_array,
            cpus=cpus,
            plugins=_plugins(),
        )
    )
    environment = {**os.environ, "SLURM_CONF": str(configuration)}
    with contextlib.ExitStack() as daemons:
        munge = [
            *("--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket"),
            *(f"--pid-file={folder}/munge.pid", f"--seed-file={folder}/munge.seed"),
        ]
        daemons.enter_context(_daemon("munged", munge, folder, environment))
        _until(lambda: (folder / "munge.socket").exists(), folder, "munged")
        daemons.enter_context(_daemon("slurmctld", ["-D"], folder, environment))
        daemons.enter_context(_daemon("slurmd", ["-D"], folder, environment))
        _until(lambda: _is_idle(environment), folder, "slurmctld")
        yield environment
        _empty_queue(environment)


@contextlib.contextmanager
def _daemon(
    name: str, arguments: Sequence[str], folder: Path, environment: dict[str, str]
) -> Iterator[None]:
    program = _program(name)
    assert program
    with (folder / f"{name}.out").open("wb") as output:
        started = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    try:
        yield
    finally:
        started.terminate()
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def _plugins() -> Path:
    found = next(iter(sorted(Path("/usr").glob("lib*/**/auth_munge.so"))), None)
    if found is None:
        raise CannotStart("Slurm's plugin for munge is not installed")
    return found.parent


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _is_idle(environment: dict[str, str]) -> bool:
    answer = subprocess.run(
        ["sinfo", "--noheader", "--format=%t"], env=environment, capture_output=True, text=True
    )
    return answer.stdout.strip() == "idle"


def _empty_queue(environment: dict[str, str]) -> None:
    """Ends what a failed test left behind, because a job would outlive its daemon."""
    user = pwd.getpwuid(os.getuid()).pw_name
    subprocess.run(["scancel", "--user", user], env=environment, check=False)
    ending = time.monotonic() + _SECONDS
    while time.monotonic() < ending and not _is_idle(environment):
        time.sleep(0.5)


def _until(is_so: Callable[[], bool], folder: Path, daemon: str) -> None:
    ending = time.monotonic() + _SECONDS
    while not is_so():
        if time.monotonic() > ending:
            said = (folder / f"{daemon}.out").read_text(errors="replace").splitlines()[-3:]
            raise CannotStart(f"{daemon}: {' '.join(said)}")
        time.sleep(0.2)
