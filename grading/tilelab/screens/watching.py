"""The screen of `watch`: the last verdict, and below it a line that changes."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

_KEYS = (
    ("h", "hint"),
    ("a", "all"),
    ("p", "profile"),
    ("v", "picture"),
    ("l", "list"),
    ("r", "rerun"),
    ("q", "quit"),
)


class Screen:
    """Prints pages, and a last line that is overwritten. Without a terminal there is no such line.

    `has_keys` says whether somebody can press the keys that the last line offers.
    """

    def __init__(self, console: Console, *, has_keys: bool) -> None:
        self._console = console
        self._is_live = console.is_terminal and not console.is_dumb_terminal
        self._has_keys = has_keys
        self._line = ""

    @property
    def is_live(self) -> bool:
        """Whether what is printed can be replaced."""
        return self._is_live

    def page(self, show: Callable[[], None]) -> None:
        """Replaces the screen by what `show` prints."""
        self._erase()
        if self._is_live:
            self._console.clear()
        show()

    def below(self, show: Callable[[], None]) -> None:
        """Adds what `show` prints below the page."""
        self._erase()
        show()

    def line(self, text: str) -> None:
        """Replaces the last line."""
        if not self._is_live or text == self._line:
            return
        self._erase()
        with self._console.capture() as styled:
            self._console.print(text[: self._console.width - 1], style="dim", end="", markup=False)
        self._write(styled.get())
        self._line = text

    def idle(self) -> None:
        """Says that the next save is awaited, and which keys there are."""
        keys = " · ".join(f"{key} {what}" for key, what in _KEYS)
        self.line(f"Watching. {keys if self._has_keys else 'Ctrl-C quits'}")

    def _erase(self) -> None:
        if self._line:
            self._write("\r\x1b[K")
            self._line = ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
