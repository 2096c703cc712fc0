"""Versions of packages, what pyproject.toml asks for, and what requirements.lock pins."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support import REPO
from tilelab.base import locked, package_index, requirements
from tilelab.maintain import lock


@pytest.mark.parametrize(
    ("requirement", "version", "met"),
    [
        ("typer>=0.12", "0.7.0", False),
        ("typer>=0.12", "0.12", True),
        ("typer>=0.12", "0.12.5", True),
        ("typer>=0.12", "1.0rc1", True),
        ("typer>=0.12.0", "0.12", True),
        ("pygments>=2.14", "2.14.0+dfsg", True),
        ("pyyaml>=6", "5.4.1", False),
        ("ruff==0.17.6", "0.17.6", True),
        ("ruff==0.17.6", "0.17.7", False),
        ("ruff==0.17.6", "1.0", False),
        ("x==2", "2.0.0", True),
    ],
)
def test_a_version_is_compared_number_by_number(requirement: str, version: str, met: bool) -> None:
    assert requirements.is_met(requirement, version) is met


def test_what_is_missing_is_named_with_what_there_is() -> None:
    wanted = ["pytest>=7", "pytest>=1000", "no-such-package>=1"]
    too_old, missing = requirements.unmet(wanted)
    assert re.fullmatch(r"pytest>=1000 \(found [\d.]+\)", too_old)
    assert missing == "no-such-package>=1 (found none)"


def test_an_interpreter_says_whether_it_has_everything(tmp_path: Path) -> None:
    command = [sys.executable, str(REPO / "grading/tilelab/base/requirements.py"), "test"]
    environment = {"PYTHONPATH": str(REPO / "grading")}
    says = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert says.returncode == 0, says.stderr
    path, *folders = says.stdout.strip().split(":")
    assert Path(path).samefile(sys.executable)
    assert folders and all(Path(folder).is_dir() for folder in folders)
    # Half a package: its version is there, its module is not.
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich" / "__init__.py").write_text("import no_such_module\n")
    environment["PYTHONPATH"] += f":{tmp_path}"
    says = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert says.returncode == 1
    assert "no_such_module" in says.stderr


def test_everything_that_is_imported_is_declared() -> None:
    ours = {path.stem for path in (REPO / "grading" / "tilelab").iterdir()} | {"tilelab"}
    pattern = re.compile(r"^\s*(?:from|import) ([a-z_]\w*)", re.MULTILINE | re.IGNORECASE)
    files = (REPO / "grading" / "tilelab").rglob("*.py")
    imported = {name for path in files for name in pattern.findall(_code(path))}
    foreign = {name for name in imported - ours if name not in sys.stdlib_module_names}
    names = map(requirements.name_of, requirements.declared("run"))
    assert foreign == set(map(requirements.module_of, names))


def _code(path: Path) -> str:
    """A file without its texts, in which words may look like imports."""
    return re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("group", lock.GROUPS)
def test_the_lock_is_of_this_pyproject(group: str) -> None:
    wanted = requirements.declared(group)
    assert locked.requirements(group) == wanted, "run ./tilelab lock"
    pinned = locked.versions(group)
    for one in wanted:
        versions = pinned[requirements.name_of(one)]
        assert all(requirements.is_met(one, version) for version in versions), one


def test_every_group_is_locked_and_nothing_else() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())
    assert sorted(["run", *project["dependency-groups"]]) == sorted(lock.GROUPS)


def test_everything_has_hashes_and_no_address() -> None:
    text = locked.LOCK.read_text()
    assert "://" not in text
    for group in lock.GROUPS:
        blocks = re.split(r"\n(?=\S)", locked.text(group).strip())
        assert len(blocks) >= len(requirements.declared(group))
        for block in blocks:
            assert re.fullmatch(
                r"[\w.-]+==[\w.]+( ; [^\\]+?)?( \\\n    --hash=sha256:[0-9a-f]{64})+", block
            ), block


def test_groups_are_joined_without_repetition() -> None:
    both = locked.text("test", "plots")
    assert both.count("packaging==") == 1
    assert len(re.findall(r"^numpy==", both, re.MULTILINE)) == 2  # one for an older Python


@pytest.mark.parametrize(
    ("wheel", "kept"),
    [
        ("a-1-py3-none-any.whl", True),
        ("a-1-cp312-cp312-manylinux_2_17_aarch64.manylinux2014_aarch64.whl", True),
        ("a-1-cp39-abi3-manylinux_2_28_x86_64.whl", True),
        ("a-1-py2.py3-none-manylinux1_x86_64.whl", True),
        ("a-1-cp312-cp312-musllinux_1_2_x86_64.whl", False),
        ("a-1-cp314-cp314t-manylinux_2_17_x86_64.whl", False),
        ("a-1-pp311-pypy311_pp73-manylinux_2_17_x86_64.whl", False),
        ("a-1-cp312-cp312-manylinux_2_17_s390x.whl", False),
        ("a-1-cp312-cp312-win_amd64.whl", False),
    ],
)
def test_hashes_are_for_our_systems(wheel: str, kept: bool) -> None:
    assert lock._is_for_us(wheel) is kept


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        ("ERROR: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES ...", "the files that arrived are not"),
        ("NewConnectionError(...)\nERROR: ... (from versions: none)", "there is no connection"),
        ("ERROR: No matching distribution (from versions: none)", "what answers as the package"),
        ("SSLError(CERTIFICATE_VERIFY_FAILED)", "the package index has an"),
        ("notice\nERROR: something else\n\n", "ERROR: something else"),
        ("", "without a message"),
    ],
)
def test_pip_s_troubles_have_a_cause(says: str, cause: str) -> None:
    assert package_index.problem(says).startswith(cause)
