"""Says in a few words why pip could not install something."""

from __future__ import annotations

from tilelab.base.text import one_line, shorten

_NO_CONNECTION = (
    "NewConnectionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Name or service not known",
    "ConnectTimeoutError",
    "Read timed out",
    "ProxyError",
    "Connection aborted",
    "RemoteDisconnected",
)
_CAUSES = (
    (("No space left on device", "Disk quota exceeded"), "the disk is full"),
    (("DO NOT MATCH THE HASHES",), "the files that arrived are not those that TileLab pins"),
    (("CERTIFICATE_VERIFY_FAILED", "SSLError"), "the package index has an untrusted certificate"),
    (_NO_CONNECTION, "there is no connection to the package index"),
    (("from versions: none",), "what answers as the package index has no such packages"),
)


def problem(output: str) -> str:
    """The cause of a failure, from what pip printed. Its last line if we do not know it."""
    for signs, cause in _CAUSES:
        if any(sign in output for sign in signs):
            return cause
    return last_line(output)


def last_line(output: str) -> str:
    """What a program said last, where there is no better explanation."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return shorten(one_line(lines[-1]), 200) if lines else "without a message"
