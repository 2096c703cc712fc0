"""Runs a program that times other libraries."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from tilelab.base import process
from tilelab.base.errors import UserError
from tilelab.base.fields import Number
from tilelab.base.records import decoded
from tilelab.base.text import printable, shorten

_SECONDS = 1800
_BYTES = 1024 * 1024


Peers = dict[str, dict[str, dict[str, Number]]]


def read(command: str, env: Mapping[str, str]) -> Peers:
    """Reads the last line that COMMAND prints: {lab: {title: {name: milliseconds}}}."""
    try:
        words = shlex.split(command)
        finished = process.run(words, seconds=_SECONDS, env=env, keep=_BYTES)
        if finished.timed_out or finished.status != 0:
            said = shorten(printable(finished.output.strip())[-500:], 500)
            raise UserError(f"'{command}' failed: {said}")
        return decoded(finished.output.splitlines()[-1], Peers)
    except (OSError, ValueError, IndexError) as error:
        raise UserError(
            f"'{command}' did not print a JSON object as its last line: {error}"
        ) from error
