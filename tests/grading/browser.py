"""Headless Chromium, which shows a page as a person would see it."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chromium import PROGRAM

needs_chromium = pytest.mark.skipif(not PROGRAM, reason="Chromium is not installed")

# In a page: how light a color is, and the ground that an element is on.
LIGHT = """
const parts = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => {
  const [r, g, b] = parts(color).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor;
    if ((parts(color)[3] ?? 1) > 0.9) return light(color);
  }
  return 1;
};
"""


def _run(profile: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            PROGRAM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=3000",
            "--enable-logging=stderr",
            *words,
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )


def show(page: Path, profile: Path, state: str = "", width: int = 1280) -> str:
    """The page's elements after its script has run. Fails if the page complains."""
    address = page.resolve().as_uri() + (f"#{state}" if state else "")
    finished = _run(profile, f"--window-size={width},900", "--dump-dom", address)
    complaints = [line for line in finished.stderr.splitlines() if "CONSOLE" in line]
    assert complaints == []
    return finished.stdout


class Seen(HTMLParser):
    """The elements of a page by name, with their texts, and the text of all of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.texts: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        self._inside.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._inside):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def with_script(path: Path, script: str) -> Path:
    """A copy of a page with one more script, which does what a person would."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = path.read_text(encoding="utf-8")
    text = text.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    copy = path.with_name(f"acting_{path.name}")
    copy.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    return copy
