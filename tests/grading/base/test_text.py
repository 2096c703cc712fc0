"""Control characters in text are escaped."""

from __future__ import annotations

from tilelab.base import text


def test_names_with_commas_are_listed_with_semicolons() -> None:
    assert text.listed([]) == ""
    assert text.listed(["amber", "basil"]) == "amber, basil"
    assert text.listed(["Lee, Kim", "amber", "Lee, Jo"]) == "Lee, Kim; amber; Lee, Jo"


def test_control_characters_are_escaped() -> None:
    assert text.printable("a\x1b[31m\x07\x9b\u202eb\ud800\r") == (
        "a\\x1b[31m\\x07\\x9b\\u202eb\\ud800\\r"
    )
    assert text.printable("line\n\ttab Grüße …") == "line\n\ttab Grüße …"
    assert text.one_line("a\nb\tc") == "a\\nb\\tc"
