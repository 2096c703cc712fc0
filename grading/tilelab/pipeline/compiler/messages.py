"""Says in terms of a kernel's text what compilers say in theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilelab.pipeline.compiler import host_compiler

# Part of nvcc's message, and what usually helps.
_ADVICE = (
    ('calling a __host__ function("cuda', "Call it in host code, after or before the launch."),
    ("a host function call cannot be configured", "Is the function's __global__ missing?"),
    (
        "a __global__ function call must be configured",
        "Launch it: kernel<<<blocks, threads>>>(...).",
    ),
    ("calling a __host__ function", "Is that function's __device__ missing?"),
    ("calling a constexpr __host__ function", "Device code may call __device__ functions only."),
    ('namespace "std" has no member', "Is its #include missing?"),
    ("calling a __device__ function", "Is the caller's __global__ or __device__ missing?"),
    ("is undefined in device code", "Is its __device__ or __constant__ missing?"),
    ("is not allowed inside a host function body", "Is that function's __global__ missing?"),
)

# What g++ and clang++ say of a call of tilelab::emulator::Launch<the kernel's call, parameters...>.
_GCC = re.compile(
    r"no match for call to .\(tilelab::emulator::Launch<.*<lambda\([^)]*\)>(?:, (?P<takes>.*))?>\)"
    r" \((?P<given>.*)\).$"
)
_CLANG = re.compile(
    r"no matching function for call to object of type '(?:tilelab::emulator::)?"
    r"Launch<\(lambda at [^)]*\)(?:, (?P<takes>.*))?>'"
)

# The same in the words that are printed instead.
_LAUNCH = re.compile(r"the launch passes \((.*)\), but the kernel takes \((.*)\)$")

# What the rewriter adds to the name of an `extern __shared__` array.
_SHARED = "tilelab_extern_shared_"
_TWO_TYPES = re.compile(
    rf"(?:conflicting declaration|redeclaration of) .*\b{_SHARED}(?P<name>\w+).*"
)


# How compilers write a namespace without a name, and an error that an option makes a warning.
_NOISE = re.compile(
    r"_NV_ANON_NAMESPACE::|\{anonymous\}::|\(anonymous namespace\)::| \[-fpermissive\]"
)

# g++'s, for which not every terminal has a character.
_QUOTES = str.maketrans("\u2018\u2019", "''")


def explained(message: str, notes: Sequence[str] = ()) -> str:
    """An error about a submission in plain words, with advice at its end where there is some.

    `notes` are what the compiler adds to it.
    """
    message = host_compiler.better(of_launches(_NOISE.sub("", message.translate(_QUOTES))))
    found = next((advice for part, advice in _ADVICE if part in message), None)
    found = found or _of_const(message) or host_compiler.advice(message, notes)
    return f"{message}. {found}" if found else message


def of_launches(message: str) -> str:
    """An error about what the emulator adds in terms of the source; any other one as it is."""
    if match := _TWO_TYPES.search(message):
        says = (
            f"extern __shared__ {match['name']} has another type here than before: a file has one "
            "array of that name, so use two names or one type"
        )
        return message[: match.start()] + says
    if match := _GCC.search(message):
        says = f"the launch passes ({_types(match['given'])}), but the kernel takes "
    elif match := _CLANG.search(message):
        says = "the launch's arguments do not fit: the kernel takes "
    else:
        return message.replace(_SHARED, "")
    return message[: match.start()] + says + f"({_types(match['takes'] or '')})"


def _of_const(message: str) -> str:
    """A sentence about the first pointer that a launch passes and whose const a kernel lacks."""
    match = _LAUNCH.search(message)
    given, taken = ([] if match is None else match[i].split(", ") for i in (1, 2))
    if len(given) != len(taken) or sorted(given) == sorted(taken):
        return ""
    lost = next((new for old, new in zip(given, taken, strict=True) if old == f"const {new}"), "")
    return f"A kernel that only reads it takes const {lost}." if lost else ""


def _types(text: str) -> str:
    """The types without the references that the launch adds."""
    return re.sub(r"\s*&+(?=,|$)", "", text).replace(" *", "*")
