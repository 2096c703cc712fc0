"""Control characters in text are escaped."""

from __future__ import annotations

from tilelab.base import text


def test_control_characters_are_escaped() -> None:
    assert text.printable("a\x1b[31m\x07\x9b\u202eb\ud800\r") == (
        "a\\x1b[31m\\x07\\x9b\\u202eb\\ud800\\r"
    )
    assert text.printable("line\n\ttab Grüße …") == "line\n\ttab Grüße …"
    assert text.one_line("a\nb\tc") == "a\\nb\\tc"
