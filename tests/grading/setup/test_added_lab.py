"""Labs that somebody adds pass the tests that look at every lab, with nothing else changed.

One is as `new-lab` writes it, one has as little as `verify` allows. The tests run in a copy of the
repository, without those that need a build: test_lab_template.py builds and verifies new labs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import REPO
from tilelab.base.repository import BUILD

NAME = "a_name_of_two_and_thirty_letters"
TITLE = "A title with all the sixty characters that a title can have"

# Files with tests of every lab.
TESTS = """
bench/test_bench.py bench/test_handouts.py collect/test_naming.py collect/test_sources.py
commands/test_course.py pipeline/texts/test_doubles.py labs/test_lab.py screens/test_check.py
screens/test_course.py similar/test_pairs.py site/test_docs.py site/test_glossary.py
site/test_pictures.py tutor/test_hint.py tutor/test_mistakes.py tutor/test_speed.py
verify/test_lab_files.py verify/test_slots.py test_rooms.py
""".split()

# Tests that ask for one of these take minutes.
BUILDS = """
BUILDS = {"emulator", "cuda", "pair", "commands"}

def pytest_collection_modifyitems(items):
    items[:] = [one for one in items if not BUILDS & set(one.fixturenames)]
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The repository without builds and without what somebody made there."""
    repo = tmp_path / "repo"
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, kept.stdout.split("\0")):
        if (REPO / name).is_file():
            (repo / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPO / name, repo / name)
    (tmp_path / "without_builds.py").write_text(BUILDS)
    return repo


def run(repo: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", *arguments],
        cwd=repo,
        env={**os.environ, "PYTHONPATH": f"{repo / 'grading'}:{repo.parent}", "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def make_plain(repo: Path) -> None:
    """Takes away what a lab may do without, and adds what no other lab has."""
    folder, solutions = repo / "labs" / NAME, repo / "solutions" / NAME
    shutil.rmtree(solutions / "ladder")
    edit(folder / "lab.toml", r"^learned = .*\n", "")
    edit(folder / "README.md", r"\[coalesced\]\(\S+\)", "coalesced")
    edit(folder / "README.md", r"^Files: ", "It takes 0.1234 ms, and counts 77 times fewer.\n\n")
    edit(solutions / f"{NAME}.cu", r"^#include", "#include <algorithm>\n\n#include")
    edit(solutions / "mistakes" / "strided.cu", r"^// Task: 2\n", "")


def edit(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text(), count=1, flags=re.MULTILINE)
    assert count == 1, (path, pattern)
    path.write_text(text)


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_added_labs_pass_the_tests_that_look_at_every_lab(copy: Path) -> None:
    answers = ["--after", "first", "--no-speed", "--element", "double", "--title", TITLE]
    for arguments in (["row_sum"], [NAME, *answers]):
        made = run(copy, "tilelab", "new-lab", *arguments)
        assert made.returncode == 0, made.stderr
    make_plain(copy)
    if (BUILD / "docs-tools").is_dir():  # which nobody wants to download once more
        (copy / "build").mkdir(exist_ok=True)
        (copy / "build" / "docs-tools").symlink_to(BUILD / "docs-tools")
    paths = [f"tests/grading/{name}" for name in TESTS]
    tested = run(copy, "pytest", "-q", "-p", "without_builds", "-p", "no:cacheprovider", *paths)
    assert tested.returncode == 0, tested.stdout
    assert int(re.findall(r"(\d+) passed", tested.stdout)[0]) > 300
