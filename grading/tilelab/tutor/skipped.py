"""Says which lines of a file lead threads past a barrier that a warning names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilelab.pipeline.records.stages import Token
from tilelab.pipeline.texts import tokens

_SKIPPED = re.compile(r" skip the \S+ in \w+\.cu:(\d+)")
_FLAT = ("namespace", "extern")  # what is around functions


def reason(warning: str, text: str) -> str:
    """A sentence about the if that the barrier is in, or the return before it. Else ""."""
    found = _SKIPPED.search(warning)
    code = tokens.parse(text).code
    lines = [token.line for token in code]
    if found is None or int(found[1]) not in lines:
        return ""
    first = lines.index(int(found[1]))
    at = next((i for i in range(first, len(code)) if code[i].line != code[first].line), len(code))
    around = _around(code[:at])
    if guards := [one.line for one in around if one.text in ("if", "else")]:
        return f"It is in the if of line {guards[-1]}."
    function = next((one for one in around if one.text not in _FLAT), None)
    body = code[code.index(function) : first] if function else []
    returns = [token.line for token in body if token.text == "return"]
    return f"The return in line {returns[-1]} comes before it." if returns else ""


def _around(code: Sequence[Token]) -> list[Token]:
    """The first tokens of the statements that are open before the end, or end there."""
    opened: list[Token] = []
    first = last = None
    for token in code:
        if token.text == "}":
            opened = opened[:-1]
        elif token.text == "{":
            opened.append(first or token)
        else:
            last = first = first or token
        if token.text in ("{", "}", ";"):
            first = None
    return [*opened, last] if last and code[-1].text == ";" else opened
