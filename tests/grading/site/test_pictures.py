"""The pictures of terminals and of kernels show what the commands give."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import markdown_files
import typed
from browser import needs_chromium
from chromium import chromium
from support import PRESENTED_LABS, REPO
from tilelab.labs import lab

FIGURES = REPO / "docs" / "figures" / "show"


def words_of(picture: Path) -> str:
    """The lines of a picture of a terminal."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))
    return "".join(unescape(text) for text in texts).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.usefixtures("emulator")
def test_the_pictures_of_check_and_watch_show_the_screen(tmp_path: Path) -> None:
    mistake = lab.load("diff").solutions / "mistakes" / "missing_barrier.cu"
    (tmp_path / "diff.cu").write_text(mistake.read_text())
    words = ["check", "diff", "diff.cu", "--seed", "7"]
    printed = typed.run(*words, cwd=tmp_path, env=typed.environment(columns=80)).stdout
    check, watch = (
        "".join(words_of(REPO / "docs" / name).split())
        for name in ("check.svg", "screens/watch.svg")
    )
    # The first line names this machine, and the last lines change with progress.
    first_failure = printed.split("\n\n")[1].splitlines()[:8]
    assert "diff.cu:" in "".join(first_failure)
    for line in first_failure:
        assert "".join(line.split()) in check, "draw it again: ./tilelab measure screens"
        assert "".join(line.split()) in watch, "draw it again: ./tilelab measure screens"


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_every_handout_shows_a_kernel_at_work(name: str) -> None:
    handout = lab.load(name).handout
    text = handout.read_text(encoding="utf-8")
    shown = [one.target for one in markdown_files.links(text, handout) if one.is_image]
    assert FIGURES / f"{name}.png" in shown
    assert (FIGURES / f"{name}-dark.png").is_file()
    assert f"\n    ./tilelab show {name}" in text


def test_no_two_handouts_have_the_same_figure() -> None:
    figures = [
        one.target.read_bytes()
        for each in lab.course()
        for one in markdown_files.links(each.handout.read_text(encoding="utf-8"), each.handout)
        if one.is_image
    ]
    assert len(figures) == len(set(figures)) >= 2 * len(PRESENTED_LABS)


@needs_chromium
@pytest.mark.usefixtures("emulator")
@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_the_picture_of_a_kernel_says_what_its_page_says(name: str) -> None:
    pillow = pytest.importorskip("PIL.Image")
    import figures  # which needs Pillow

    shots = [(shot, figures.page_of(name, shot.file)) for shot in figures.FIGURES[name]]
    with chromium() as browser:
        words = figures.words_of(browser, shots)
    for is_dark in (False, True):
        kept = pillow.open(figures.path_of(name, is_dark)).text["Description"]
        assert kept == words, "draw it again: ./tilelab measure screens"
