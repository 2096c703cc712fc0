"""Says what is wrong with a launch's arguments, where a compiler names the emulator's template."""

from __future__ import annotations

import re

# What g++ and clang++ say of a call of tilelab::emulator::Launch<the kernel's call, parameters...>.
_GCC = re.compile(
    r"no match for call to .\(tilelab::emulator::Launch<.*<lambda\([^)]*\)>(?:, (?P<takes>.*))?>\)"
    r" \((?P<given>.*)\).$"
)
_CLANG = re.compile(
    r"no matching function for call to object of type '(?:tilelab::emulator::)?"
    r"Launch<\(lambda at [^)]*\)(?:, (?P<takes>.*))?>'"
)


def explained(message: str) -> str:
    """The message in terms of the launch; any other message as it is."""
    if match := _GCC.search(message):
        says = f"the launch passes ({_types(match['given'])}), but the kernel takes "
    elif match := _CLANG.search(message):
        says = "the launch's arguments do not fit: the kernel takes "
    else:
        return message
    return message[: match.start()] + says + f"({_types(match['takes'] or '')})"


def _types(text: str) -> str:
    """The types without the references that the launch adds."""
    return re.sub(r"\s*&+(?=,|$)", "", text).replace(" *", "*")
