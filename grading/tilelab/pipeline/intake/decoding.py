"""Bytes as text, also where comments and strings are not UTF-8.

What those say changes no kernel, so it need not cost the work. A name or a character in another
encoding may be another one, so it is not guessed.
"""

from __future__ import annotations

import codecs
import re

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Each piece ends with the text at the latest, so none is tried twice.
_QUOTED = re.compile(
    r"""//(?:\\\r?\n|[^\n])*
      | /\*.*?(?:\*/|\Z)
      | R"(?P<mark>[^()\\\s"]{0,16})\(.*?(?:\)(?P=mark)"|\Z)
      | "(?:\\.|[^"\\\n])*"?
      | (?<!\w)\d(?:'?[\w.])*  # its apostrophes quote nothing
      | '(?:\\.|[^'\\\n\x80-\xff])*'?""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
# Chinese and Japanese encodings have characters that end with a backslash. Here it would matter
# whether it is one: to the end of a line or of a string.
_DOUBTFUL = re.compile(rb"[\x80-\xff]\\[\r\n\"'\\]")


class Undecodable(ValueError):
    """Bytes that may mean several things. `offset` is where the first of them is."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"byte {offset}")
        self.offset = offset


def decode(data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding if that is not UTF-8. Raises Undecodable."""
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16"), "UTF-16"
        except UnicodeDecodeError as error:
            raise Undecodable(error.start) from error
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return _of_single_bytes(data)


def _of_single_bytes(data: bytes) -> tuple[str, str]:
    text = data.decode("latin-1")  # a character for each byte
    if doubt := _DOUBTFUL.search(data):
        raise Undecodable(doubt.start())
    code = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    if foreign := re.search(r"[^\x00-\x7f]", code):
        raise Undecodable(foreign.start())
    try:
        windows = data.decode("cp1252")
    except UnicodeDecodeError:
        return text, "Latin-1"
    return windows, "Latin-1" if windows == text else "Windows-1252"
