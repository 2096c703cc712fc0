"""The names that the standard library has for the limits of numbers, such as INT_MAX.

So has numeric_limits<short>::max() and some other members of it.
"""

from __future__ import annotations

from collections.abc import Sequence

# How many bits the magnitude of each type has, by its names in macros and in C++.
_MACROS = {"SCHAR": 7, "CHAR": 7, "UCHAR": 8, "SHRT": 15, "USHRT": 16, "INT": 31, "UINT": 32}
_MACROS |= dict.fromkeys(("LONG", "LLONG", "PTRDIFF", "INTMAX", "INTPTR"), 63)
_MACROS |= dict.fromkeys(("ULONG", "ULLONG", "SIZE", "UINTMAX", "UINTPTR"), 64)
_TYPES = {"char": 7, "signed char": 7, "unsigned char": 8, "short": 15, "unsigned short": 16}
_TYPES |= {"int": 31, "unsigned": 32, "unsigned int": 32, "float": 24, "double": 53}
_TYPES |= dict.fromkeys(("long", "long long", "ptrdiff_t"), 63)
_TYPES |= dict.fromkeys(("unsigned long", "unsigned long long", "size_t"), 64)
_SIZED = [(kind, bits) for kind in ("", "_LEAST") for bits in (8, 16, 32, 64)]
_MACROS |= {f"INT{kind}{bits}": bits - 1 for kind, bits in _SIZED}
_MACROS |= {f"UINT{kind}{bits}": bits for kind, bits in _SIZED}
_TYPES |= {f"int{kind}{bits}_t".lower(): bits - 1 for kind, bits in _SIZED}
_TYPES |= {f"uint{kind}{bits}_t".lower(): bits for kind, bits in _SIZED}

_LARGEST = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308}
_LONGEST = 12  # tokens of a member

NAMES: dict[str, int | float] = {
    **{f"{name}_MAX": 2**digits - 1 for name, digits in _MACROS.items()},
    **{f"{name}_MIN": -(2**digits) for name, digits in _MACROS.items() if name[0] != "U"},
    "CHAR_BIT": 8,
    "RAND_MAX": 2**31 - 1,
    "FLT_MAX": _LARGEST["float"],
    "FLT_MANT_DIG": 24,
    "FLT_EPSILON": 2**-23,
    "DBL_MAX": _LARGEST["double"],
    "DBL_MANT_DIG": 53,
    "DBL_EPSILON": 2**-52,
}


def of_type(code: Sequence[str], at: int) -> tuple[int | float, int] | None:
    """The value of a member of numeric_limits that begins at this token, and where it ends."""
    if code[at : at + 2] != ["numeric_limits", "<"]:
        return None
    tail = code[at + 2 : at + _LONGEST]
    if ">" not in tail:
        return None
    close = tail.index(">")
    name = " ".join(word for word in tail[:close] if word not in ("std", "::"))
    member = tail[close + 1 : close + 3]
    value = _member(name, member[1]) if member[:1] == ["::"] and member[1:] else None
    if value is None:
        return None
    end = at + 2 + close + 3
    return value, end + 2 * (code[end : end + 2] == ["(", ")"])


def _member(name: str, member: str) -> int | float | None:
    digits = _TYPES.get(name)
    if digits is None:
        return None
    values = {
        "max": _LARGEST.get(name, 2**digits - 1),
        "digits": digits,
        "epsilon": 2.0 ** (1 - digits),
    }
    return values.get(member)
