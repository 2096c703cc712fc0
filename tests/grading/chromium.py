"""Headless Chromium, told what to do through a pipe: its size, light or dark, and what to draw.

The flag --screenshot draws windows of at least 500 pixels, in light colors. A phone is narrower.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


# Of keys without a character of their own: the code that Windows has for them, and what they type.
_KEYS = {"Tab": (9, ""), "Enter": (13, "\r")}


@dataclass(frozen=True)
class Screen:
    """What a page is seen on. `density` is how many pixels a picture has for one of CSS."""

    width: int
    height: int
    is_dark: bool = False
    density: float = 1

    @property
    def is_phone(self) -> bool:
        return self.width < 500


class Chromium:
    """A browser with one tab."""

    def __init__(self, pipe: subprocess.Popen[bytes]) -> None:
        self._pipe = pipe
        self._number = 0
        self._tab: dict[str, str] = {}
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._tab = {"sessionId": session}
        self._ask("Page.enable")

    def open(self, address: str, screen: Screen) -> None:
        """Loads a page. Returns when it is complete."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=screen.width,
            height=screen.height,
            deviceScaleFactor=screen.density,
            mobile=screen.is_phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if screen.is_dark else "light"}
        self._ask("Emulation.setEmulatedMedia", media="", features=[scheme])
        # From another page, because a step within the same one loads nothing.
        for url in ("about:blank", address):
            self._ask("Page.navigate", url=url)
            self._wait_for("Page.loadEventFired")
        self.run("new Promise((go) => setTimeout(go, 500))")

    def run(self, script: str) -> Any:
        """What an expression gives in the page, after it has settled."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key: "Tab", "Enter", or a character."""
        code, text = _KEYS.get(key, (ord(key.upper()[0]), key))
        words = {"key": key, "windowsVirtualKeyCode": code}
        self._ask(
            "Input.dispatchKeyEvent", type="keyDown", **words, **({"text": text} if text else {})
        )
        self._ask("Input.dispatchKeyEvent", type="keyUp", **words)

    def download_to(self, folder: Path) -> None:
        """Where files go that the page lets a person save."""
        self._ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def emulate_paper(self) -> None:
        """Shows the page as a printer would get it, until the next one is opened."""
        self._ask("Emulation.setEmulatedMedia", media="print")

    def draw(self, clip: dict[str, float] | None = None) -> bytes:
        """A PNG of what the screen shows, or of a part of the page."""
        part = {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True} if clip else {}
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png", **part)["data"])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        words = {"id": self._number, "method": method, "params": parameters, **self._tab}
        assert self._pipe.stdin is not None
        self._pipe.stdin.write(json.dumps(words).encode() + b"\0")
        self._pipe.stdin.flush()
        answer = next(one for one in self._answers() if one.get("id") == self._number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _wait_for(self, event: str) -> None:
        next(one for one in self._answers() if one.get("method") == event)

    def _answers(self) -> Iterator[dict[str, Any]]:
        assert self._pipe.stdout is not None
        while True:
            text = bytearray()
            while not text.endswith(b"\0"):
                byte = self._pipe.stdout.read(1)
                if not byte:
                    raise RuntimeError("Chromium has ended")
                text += byte
            yield json.loads(text[:-1])


@contextmanager
def chromium() -> Iterator[Chromium]:
    if not PROGRAM:
        raise SystemExit("Chromium is not installed")
    # Chromium may still write to its profile when it is told to end.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # It listens to descriptor 3 and answers on 4.
        words = [PROGRAM, *_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        pipe = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1', "sh", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Chromium(pipe)
        finally:
            pipe.terminate()
            pipe.wait()
