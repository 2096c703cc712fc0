"""The page for comments: click a line, write, save, and let `comment` read what was saved."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from browser import needs_chromium
from chromium import Chromium, Screen
from made_grades import keep
from synthetic_class import passed
from tilelab.commands.instructor.comment import comment
from tilelab.record.store import Store

pytestmark = needs_chromium

EVIL = "</script><img src=x onerror=document.title='evil'>"
COURSE = f"""
[rubric.naming]
text = "Names say what a thing is for."
points = -1.5
[rubric.evil]
text = "{EVIL}"
"""


@pytest.fixture
def page(browser: Chromium, tmp_path: Path) -> Chromium:
    """The page, opened from disk."""
    record = Store(tmp_path)
    keep(record, "amber", passed(1), source="one\n\n\tthree\n")
    keep(record, EVIL, passed(1), source=f"// {EVIL}\n")
    (tmp_path / "course.toml").write_text(COURSE)
    comment(out=tmp_path, page=tmp_path / "page.html", course_file=tmp_path / "course.toml")
    browser.open((tmp_path / "page.html").as_uri(), Screen(1180, 780))
    browser.download_to(tmp_path)
    return browser


def say(page: Chromium, line: int, text: str, *, item: str = "", points: str = "") -> None:
    values = {"text": text, "item": item, "points": points}
    if line:
        page.run(f"document.querySelectorAll('#source li:has(code) button')[{line} - 1].click()")
    else:
        page.run("document.getElementById('whole').click()")
    for name, value in values.items():
        page.run(f"document.getElementById('{name}').value = {json.dumps(value)}")
    page.run("document.querySelector('#form button').click()")


def saved(page: Chromium, folder: Path) -> Path:
    page.run("document.getElementById('by').value = 'kim, \"k\"'")
    page.run("document.getElementById('save').click()")
    path = folder / "COMMENTS.csv"
    until = time.monotonic() + 20
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.1)
    return path


def choose(page: Chromium, student: str) -> None:
    while not page.run("document.getElementById('file').selectedOptions[0].textContent").startswith(
        student
    ):
        page.run("document.getElementById('after').click()")


def test_what_was_written_is_what_comment_reads(page: Chromium, tmp_path: Path) -> None:
    choose(page, "amber")
    say(page, 3, 'Why "three";\nand, not 3? <b>ü')
    say(page, 1, "", item="naming")
    say(page, 1, "", item="naming", points="-2,5")
    choose(page, EVIL)
    say(page, 1, "=1+1", points="3")
    say(page, 1, "gone")
    page.run("document.getElementById('remove').click()")
    say(page, 0, EVIL, item="evil")
    assert page.run("document.getElementById('count').textContent") == "3 comments, not saved"
    assert page.run("document.title") == "Comments: The class"
    comment(saved(page, tmp_path), out=tmp_path, course_file=tmp_path / "course.toml")
    assert page.run("document.getElementById('count').textContent") == "3 comments"
    remarks = {one.result.student: one.remarks for one in Store.existing(tmp_path).grades()}
    assert [(one.line, one.text, one.points) for one in remarks["amber"]] == [
        (1, "Names say what a thing is for.", -2.5),
        (3, 'Why "three";\nand, not 3? <b>ü', 0),
    ]
    assert [(one.line, one.text) for one in remarks[EVIL]] == [(0, EVIL)]
    assert {one.by for several in remarks.values() for one in several} == {'kim, "k"'}


def test_what_says_nothing_is_not_taken(page: Chromium) -> None:
    say(page, 1, "", points="3")
    assert page.run("document.getElementById('count').textContent") == "0 comments"
    say(page, 1, "Well.", points="many")
    assert page.run("document.getElementById('count').textContent") == "0 comments"


def test_what_others_said_is_there(browser: Chromium, page: Chromium, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("student,lab,line,comment,points,by\namber,diff,3,Old.,2,lee\n")
    comment(tmp_path / "a.csv", out=tmp_path)
    comment(out=tmp_path, page=tmp_path / "again.html")
    browser.open((tmp_path / "again.html").as_uri(), Screen(390, 780))
    choose(page, "amber")
    assert page.run("document.querySelector('#source p').textContent") == "lee: Old. (2)"
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.run(overflow) <= 0
