"""The symbols that a compiled submission may need. Any other is refused by name."""

from __future__ import annotations

import functools
import re

from tilelab.backends import BACKENDS
from tilelab.backends.base import SymbolRules

_DENIED = (
    # These load code compiled elsewhere, reach the driver, or share other processes' memory.
    r"cudaLibrary\w*",
    r"cudaGetDriverEntryPoint\w*",
    r"cudaGetExportTable",
    r"cudaIpc\w*",
)

_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log "
    "log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder "
    "remquo rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc "
    "j0 j1 jn y0 y1 yn"
).split()

_ALLOWED = (
    # Mathematics, in float, double and long double, with the compilers' own variants.
    rf"({'|'.join(_MATH)})[fl]?",
    rf"__({'|'.join(_MATH)})[fl]?_finite",
    r"__(fpclassify|isinf|isnan|finite|signbit)[fl]?",
    r"signgam|fegetround|fesetround",
    # CUDA's fast forms. If the host's library has them too, a kernel calls them by this name.
    r"__(exp|exp10|log|log2|log10|pow|sin|cos|tan|sincos)f",
    # Memory and strings; the checked forms come from _FORTIFY_SOURCE.
    r"(mem(cpy|move|set|cmp|chr|rchr)|mempcpy|bcmp|bzero)",
    r"str(len|nlen|cmp|ncmp|cpy|ncpy|cat|ncat|chr|rchr|str|spn|cspn|pbrk|tok|error)",
    r"__(mem|str|stp)\w+_chk",
    r"malloc|calloc|realloc|free|aligned_alloc|posix_memalign",
    # operator new and delete
    r"_Zn[wa][jm]\w*|_Zd[la]Pv\w*",
    # Numbers from text, sorting, plain arithmetic of <cstdlib>
    r"ato[ifl]|atoll|strto(l|ll|ul|ull|f|d|ld)|__isoc\d\d_strto\w+|l?l?abs|l?l?div|qsort|bsearch",
    r"rand|srand",
    # Printing; the compilers turn printf into some of the others.
    r"v?f?printf|v?sn?printf|__v?f?printf_chk|__v?sn?printf_chk|f?puts|f?putc|putchar|_IO_putc",
    r"fwrite|fflush|perror|stdout|stderr",
    # C++: exceptions, guards of static variables, run-time type information
    r"__cxa_\w+|_Unwind_Resume|__gxx_personality_v0|__clang_call_terminate|atexit",
    r"_ZSt\d+__throw_\w+|_ZSt9terminatev|_ZSt17__istream\w+",
    r"_ZT[VIS]N10__cxxabiv1\w+|_ZT[VIS]S[a-z]\w*|_ZT[VIS]St\w+|_ZT[IS][a-z]|_ZTIP\w+",
    r"_ZN?K?St\w*(exception|bad_\w+|error|length_error|out_of_range)\w*",
    r"_ZSt7nothrow|_ZSt19piecewise_construct",
    r"_ZNSt15__exception_ptr\w+",
    # What compilers add by themselves
    r"abort|__assert_fail|__assert_perror_fail|__stack_chk_(fail|guard)|_GLOBAL_OFFSET_TABLE_",
    r"__dso_handle|__tls_get_addr|_TLS_MODULE_BASE_|__gmon_start__|_ITM_\w+|__errno_location",
    r"__(add|sub|mul|div|mod|udiv|umod|ash[lr]|lshr)[a-z]*[dt]i[34]|__fix\w+|__float\w+",
    r"__(popcount|ffs|clz|ctz|parity|bswap)[sdt]i2|__powi[sd]f2",
    r"__mulsc3|__muldc3|__divsc3|__divdc3|__aarch64_\w+",
    # It ends a call, which the judge sees. The host side of nvcc's device functions has it, too.
    r"exit",
    # Printing with streams: std::cout and the like, their operators, and what these inline
    r"_ZSt4(cout|cerr|clog)|_ZStls\w*|_ZNSo\w*|_ZSt(4endl|4ends|5flush)\w*",
    r"_ZSt16__ostream_insert\w*|_ZNKSt5ctypeIcE13_M_widen_initEv",
    r"_ZNK?St9basic_iosIcSt11char_traitsIcEE(5clear|8setstate|4fill|5widen|4good|4fail)\w*",
    r"__libc_single_threaded|__pthread_key_create",
    # With it, <iostream> of g++ 13 names what starts the streams. The library does so itself.
    r"_ZSt21ios_base_library_initv",
)

# The forms of _FORTIFY_SOURCE. A checked build compiles without it, and observes the plain forms.
_UNOBSERVED = re.compile(r"__(mem|str|stp)\w+_chk|__v?sn?printf_chk")

_ADVICE = {
    "_exit": "return from the function instead",
    "quick_exit": "return from the function instead",
    "clock": "in a kernel, call clock64() instead, and on the host, the tests measure time",
    "clock_gettime": "the tests measure time",
}


def is_allowed(symbol: str, rules: SymbolRules, *, checked: bool = False) -> bool:
    """Whether a submission in its fast or checked build may need this symbol."""
    if checked and _any_of(rules.checked).fullmatch(symbol):
        return True
    if checked and _UNOBSERVED.fullmatch(symbol):
        return False
    known = _any_of(_ALLOWED).fullmatch(symbol) or _any_of(rules.runtime).fullmatch(symbol)
    return bool(known) and not _any_of(_DENIED).fullmatch(symbol)


def is_taken(name: str) -> bool:
    """Whether some backend already has a function of this name."""
    return any(is_allowed(name, backend.symbols()) for backend in BACKENDS)


@functools.cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def advice(symbol: str) -> str:
    """What to do instead, as the end of a sentence. Often empty."""
    return f": {_ADVICE[symbol]}" if symbol in _ADVICE else ""
