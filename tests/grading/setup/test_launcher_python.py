"""The launcher's Python environment: made, kept, and healed after whatever went wrong."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import typer

from launched import System, needs_namespaces
from tilelab.base import locked
from tilelab.base.repository import MARKER

pytestmark = pytest.mark.drawn(pool="Python environments", count=3)

NO_NETWORK = (
    "print('WARNING: Retrying after connection broken by NewConnectionError(...)')\n"
    "print('ERROR: No matching distribution found for jinja2==3.1.6')\nsys.exit(1)\n"
)


@pytest.fixture
def system(tmp_path: Path) -> System:
    system = System(tmp_path)
    system.bare_python()
    return system


def assert_works(system: System) -> None:
    """This start works, and the next one has nothing left to do."""
    started = system.run("list")
    assert started.returncode == 0, started.stderr
    second = system.run("list")
    assert (second.returncode, second.stderr) == (0, "")


def test_it_is_made_from_locked_packages_once(system: System) -> None:
    result = system.run("list")
    assert result.stderr == (
        f"tilelab: making a Python environment in {system.environment}\n"
        "tilelab: downloading Python packages from PyPI\n"
    )
    assert_works(system)
    assert system.pip_calls == [locked.text("run")]


def test_the_user_s_variables_are_not_the_launcher_s(system: System) -> None:
    names = "python scope folders noted found full question wanted agreed unchanged ready state"
    result = system.run("list", env=dict.fromkeys(names.split(), "broken"))
    assert result.returncode == 0, result.stderr
    assert "Your labs" in result.stdout
    assert len(system.pip_calls) == 1


def test_packages_that_are_too_old_are_not_used(system: System, tmp_path: Path) -> None:
    # As on Debian 12, whose python3-typer is 0.7: importing it works, using it does not.
    old = tmp_path / "old"
    (old / "typer").mkdir(parents=True)
    (old / "typer" / "__init__.py").write_text("def Typer(): pass\n")
    (old / "typer-0.7.0.dist-info").mkdir()
    (old / "typer-0.7.0.dist-info" / "METADATA").write_text("Name: typer\nVersion: 0.7.0\n")
    made = subprocess.check_output(
        [sys.executable, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], text=True
    ).strip()
    debian = tmp_path / "debian"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", debian], check=True)
    packages = "".join(f"{path}\n" for path in sys.path if path.endswith("-packages"))
    site = debian / "lib" / f"python{made}" / "site-packages"
    (site / "all.pth").write_text(f"{old}\n{packages}")
    system.script("python3.12", f'exec "{debian}/bin/python" "$@"')
    assert_works(system)
    assert len(system.pip_calls) == 1
    # It is used once its packages are new enough.
    (site / "all.pth").write_text(packages)
    shutil.rmtree(system.environment)
    result = system.run("list")
    assert f"using {debian}/bin/python, which has all Python packages" in result.stderr
    assert len(system.pip_calls) == 1


def test_packages_that_do_not_fit_each_other_are_not_used(system: System) -> None:
    # As an old typer with a new click: the versions would do, but no command starts.
    assert_works(system)
    mixed = installed(system) / "typer"
    shutil.copytree(Path(typer.__file__).parent, mixed)
    with (mixed / "__init__.py").open("a") as file:
        file.write("def Typer(*_, **__): raise TypeError('mixed')\n")
    assert_works(system)
    assert len(system.pip_calls) == 2


def installed(system: System) -> Path:
    (found,) = system.environment.glob("lib/python*/site-packages")
    return found


def test_a_package_that_was_removed_comes_back(system: System) -> None:
    assert_works(system)
    (installed(system) / "packages.pth").unlink()
    result = system.run("list")
    assert result.returncode == 0
    assert "Python or its packages have changed on this system. Preparing them again" in (
        result.stderr
    )
    assert_works(system)


def test_a_package_that_was_changed_is_looked_at_again(system: System) -> None:
    assert_works(system)
    (installed(system) / "another.dist-info").mkdir()
    assert_works(system)
    assert len(system.pip_calls) == 1
    downgraded = installed(system) / "typer-0.7.0.dist-info"
    downgraded.mkdir()
    (downgraded / "METADATA").write_text("Name: typer\nVersion: 0.7.0\n")
    assert_works(system)
    assert len(system.pip_calls) == 2


def test_a_damaged_package_is_installed_anew_at_the_next_start(system: System) -> None:
    assert_works(system)
    # No folder of packages changes, so the launcher cannot know.
    (installed(system) / "packages.pth").write_text("")
    result = system.run("list")
    assert result.returncode == 3
    assert "a Python package is damaged (No module named 'typer')" in result.stderr
    assert result.stderr.endswith(": run this command again, which installs it anew\n")
    assert result.stderr.count("\n") == 1
    assert_works(system)
    assert len(system.pip_calls) == 2


def test_a_new_dependency_can_be_locked_before_it_is_installed(system: System) -> None:
    assert_works(system)
    project = system.repo / "pyproject.toml"
    text = project.read_text()
    project.write_text(text.replace('  "rich>=13",\n', '  "rich>=13",\n  "no_such_package>=1",\n'))
    system.pip_answers("sys.exit(1)")
    result = system.run("lock")
    assert "pip could not install uv" in result.stderr
    assert system.pip_calls[1:] == [locked.text("lock")]


def test_damage_that_only_one_command_meets_is_repaired_as_well(system: System) -> None:
    assert_works(system)
    (installed(system) / "yaml").mkdir()
    (installed(system) / "yaml" / "__init__.py").touch()
    assert_works(system)
    result = system.run("docs")
    assert result.returncode == 3
    assert "a Python package is damaged (cannot import name 'safe_load'" in result.stderr
    assert_works(system)
    assert len(system.pip_calls) == 2
    assert not (installed(system) / "yaml").exists()


@pytest.mark.parametrize("gone", ["", "bin", "bin/python", "lib"])
def test_a_half_deleted_environment_is_made_again(system: System, gone: str) -> None:
    assert_works(system)
    path = system.environment / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert_works(system)


@pytest.mark.parametrize("left", [[], [MARKER], [MARKER, "lib/half"], [MARKER, "ready.new"]])
def test_it_does_not_matter_where_a_start_was_interrupted(system: System, left: list[str]) -> None:
    system.environment.mkdir(parents=True)
    for name in left:
        (system.environment / name).parent.mkdir(exist_ok=True)
        (system.environment / name).touch()
    assert_works(system)
    assert not (system.environment / "lib" / "half").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_start_that_is_killed_while_it_downloads(system: System, number: int) -> None:
    # The launcher cannot know that everything is there but for the last file.
    half = "open(os.path.join(os.path.dirname(os.path.dirname(__file__)), 'half'), 'w')\n"
    system.pip_installs(and_then=f"{half}time.sleep(60)\n")
    child = subprocess.Popen(
        [system.repo / "tilelab", "list"],
        env=system.env,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + 60
    while not list(system.environment.glob("lib/*/site-packages/half")):
        assert time.monotonic() < end
        time.sleep(0.02)
    os.killpg(child.pid, number)
    child.wait(timeout=60)
    system.pip_installs()
    assert_works(system)
    assert not list(system.environment.glob("lib/*/site-packages/half"))


def test_starts_at_the_same_time_take_turns(system: System) -> None:
    system.pip_installs(and_then="time.sleep(1)\n")
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: system.run("list"), range(3)))
    assert [one.returncode for one in results] == [0, 0, 0]
    waited = "another start of tilelab is preparing this copy; waiting for it\n"
    assert sum(waited in one.stderr for one in results) == 2
    assert len(system.pip_calls) == 1


def test_without_a_network_it_says_so_in_one_line(system: System) -> None:
    system.pip_answers(NO_NETWORK)
    result = system.run("list")
    assert result.returncode == 1
    assert result.stderr.splitlines()[2:] == [
        "tilelab: pip could not download the packages: there is no connection to the package "
        "index. Connect to a network that reaches PyPI, then try again"
    ]
    system.pip_installs()
    assert_works(system)


def test_a_download_that_fails_leaves_what_worked(system: System) -> None:
    system.pip_installs(without="hypothesis")
    assert_works(system)
    system.pip_answers(NO_NETWORK)
    assert system.run("test", "--nonsense").returncode == 1
    second = system.run("list")
    assert (second.returncode, second.stderr) == (0, "")


def test_packages_that_do_not_work_are_named(system: System) -> None:
    system.pip_answers("")
    result = system.run("list")
    assert result.returncode == 1
    assert "the packages were installed, but do not work: " in result.stderr
    assert "typer>=0.12.4 (found none)" in result.stderr.splitlines()[-1]


@needs_namespaces
def test_a_full_disk_is_one_line_and_the_next_start_works(system: System) -> None:
    system.pip_answers(
        "folder = os.path.dirname(os.path.dirname(__file__))\n"
        "open(os.path.join(folder, 'big'), 'wb').write(bytes(8 << 20))\n"
    )
    build = system.repo / "build"
    build.mkdir()
    small = ["bwrap", "--dev-bind", "/", "/", "--size", str(4 << 20), "--tmpfs", build, "--"]
    result = subprocess.run(
        [*small, system.repo / "tilelab", "list"], env=system.env, capture_output=True, text=True
    )
    assert result.returncode == 3
    assert result.stderr.splitlines()[2:] == [
        f"tilelab: cannot write to {system.repo}: its disk is full. Make room, or set "
        "XDG_CACHE_HOME to a folder of yours."
    ]
    system.pip_installs()
    assert_works(system)
