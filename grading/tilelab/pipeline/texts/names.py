"""The names that a submission may use, and what to say of the others.

Names that begin with two underscores belong to the compiler. With them a program can leave the
observer's view, tell one build from another or reach what no lab needs. So the ones that CUDA code
uses are listed, and the others are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tilelab.base.text import nearest
from tilelab.pipeline.records.stages import Token

_ASSEMBLY = frozenset(("asm", "__asm", "__asm__"))
# exit() is allowed: the error-check macros of most courses call it, and the judge sees it.
_EXITS = frozenset(("_exit", "_Exit", "quick_exit"))
# The way from a stream to its buffer, which other functions read and write.
_STREAMS = frozenset(("rdbuf", "streambuf", "basic_streambuf", "sync_with_stdio"))
# The harness's own names, and the names of the hooks that compilers call in a checked build.
_HARNESS = re.compile(
    r"\w*tilelab|__(\w?[tamhl]san|ubsan|sanitizer|gcov|llvm|cyg_profile)_", re.IGNORECASE
)
_PROBES = re.compile(r"__(has|is)_[a-z]+\w*|__is_identifier")

_RESERVED = re.compile(r"__\w+|_GLIBCXX\w*|_LIBCPP\w*|_GNU_SOURCE|_FORTIFY_SOURCE")

_ALLOWED = re.compile(
    "__(?:"
    + "|".join(
        (
            # The language, and what the preprocessor knows of a place
            r"func__|FUNCTION__|FILE__|LINE__|VA_ARGS__|VA_OPT__|cplusplus|CUDACC__|attribute(__)?",
            r"u?int128(_t)?|alignof(__)?|signed__|(restrict|inline|volatile|const)(__)?",
            # CUDA's specifiers
            r"(global|device|host|shared|constant|managed|forceinline|noinline|align)__",
            r"(launch_bounds|maxnreg|block_size|grid_constant|cluster_dims)__",
            # Barriers, fences, warps, clusters
            r"syncthreads(_(and|or|count))?|syncwarp|barrier_sync(_count)?|uni_sync|activemask",
            r"threadfence(_(block|system|cluster))?|(all|any|ballot|shfl|shfl_(up|down|xor))(_sync)?",
            r"match_(all|any)_sync|reduce_(add|and|max|min|or|xor)_sync|cluster\w+",
            r"nanosleep|trap|brkpt|prof_trigger|pm[0-3]",
            # Asynchronous copies, and barriers as objects
            r"pipeline_(memcpy_async|commit|wait_prior|arrive_on)|mbarrier_\w+",
            # Memory
            r"pipeline_(memcpy_async|commit|wait_prior)",
            r"ld(g|ca|cg|cs|cv|lu)|st(cg|cs|wb|wt)|cvta_\w+",
            r"is(Global|Shared|Constant|Local|GridConstant|ClusterShared|CtaShared)",
            r"[a-zA-Z]\w*Atomic[A-Z]\w*",
            # Bits and integers
            r"brev(ll)?|byte_perm|clz(ll)?|ffs(ll)?|fns|popc(ll)?|funnelshift_[lr]c?|dp[24]a\w*",
            r"u?(hadd|rhadd|sad|mul24|mulhi|mul64hi)|urhadd|uhadd|usad|v[a-z]+[24]|vi\w+",
            # Floating point
            r"(exp|exp10|log|log2|log10|pow|sin|cos|tan|tanh|sincos|saturate)f|fdividef",
            r"[fd](add|sub|mul|div|fma|ma|maf|maf_ieee|rcp|sqrt|rsqrt)2?_r[nzud]|fma_r[nzud]",
            r"(double|float|int|uint|ll|ull|hiloint|long)\w*2\w+|\w+_as_(int|uint|float|\w*long|double)",
            r"(finite|isfinite|isinf|isnan|signbit)[fdl]?",
            # Bare instructions that CUDA gives no other name
            r"nvvm_rsqrt_approx_ftz_f",
            # What compilers can be told, and functions without side effects
            r"builtin_(assume|assume_aligned|expect|unreachable|align__)",
            r"builtin_(popcount|clz|ctz|ffs|parity)l{0,2}|builtin_bswap(16|32|64)",
            r"builtin_(inf|nan|huge_val|fabs|sqrt|fma|isnan|isinf|isfinite|signbit)[fl]?",
        )
    )
    + ")"
)

# Those that are easily misspelled.
_FREQUENT = (
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
    "__forceinline__ __launch_bounds__ __syncthreads __syncthreads_count __syncwarp "
    "__threadfence __threadfence_block __shfl_sync __shfl_up_sync __shfl_down_sync "
    "__shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __reduce_add_sync "
    "__popc __ldg __pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior "
    "__float_as_int __int_as_float"
).split()

_COMPILERS = re.compile(
    r"__(CUDA_(ARCH|API_VER|RUNTIME|INTERNAL|PREC|FTZ)|CUDACC_|CUDABE|NVCC|NV_|GNU|GXX|clang|llvm|apple|ARM|INTEL|MINGW|EDG|PGI|SANITIZE|SSE|AVX|FMA|OPTIMIZE"
    r"|NO_INLINE|NO_MATH|FAST_MATH|FINITE|VERSION|REGISTER_PREFIX|USER_LABEL|GCC|GLIBC|cpp_|PIC"
    r"|pic|PIE|pie|CET|STRICT_ANSI|DEPRECATED|EXCEPTIONS|OPENMP|COUNTER|INCLUDE_LEVEL|BASE_FILE"
    r"|DATE|TIME|PRETTY_FUNCTION|FUNCSIG)\w*|_GLIBCXX\w*|_LIBCPP\w*|_GNU_SOURCE|_FORTIFY_SOURCE"
    r"|CUDART?_VERSION|CUDART_(API|CB|DEVICE)\w*|CUDARTAPI\w*"
)
_FUNCTIONS = re.compile(
    r"__(builtin|sync|atomic|c11_atomic|scoped_atomic|hip|opencl|nv|nvvm|cuda|cudart)_?\w*"
)
# Internals of libraries and compilers, which a declaration of the submission does not make its own.
_INTERNALS = re.compile(
    r"__(cxa|gxx|libc|glibc|gthread|gnu|emutls|tls|dl|fatbin|sti|device_stub|declspec|typeof"
    r"|thread|label|real|imag|complex|transaction|extension|attribute|pragma|restrict_arr|decltype"
    r"|underlying|bases|direct_bases|integer_pack|constinit|auto_type|null|asm|errno|environ|stack"
    r"|register|dso|gmon|init|fini|start|main)\w*|__\w+_chk"
)
_ONE_PROGRAM = "a submission must be the same program for all of them"
_STATEMENTS = frozenset(
    "return throw goto case new delete else do not and or co_return co_yield typename using".split()
)


def assembly(name: str) -> str | None:
    """What to say of `name` wherever it stands, even in a condition of the preprocessor."""
    if name in _ASSEMBLY:
        return "inline assembly is not allowed: write plain CUDA C++"
    if _PROBES.fullmatch(name):
        return f"{name} is not allowed"
    if _HARNESS.match(name):
        return f"the name {name} is reserved for the harness"
    return None


def explain(name: str, own: frozenset[str]) -> str | None:
    """What to say of a name in the program itself. None if it may be used."""
    if problem := assembly(name):
        return problem
    if name in ("is_constant_evaluated", "source_location"):
        return f"std::{name} is not allowed: it can tell compilers apart, and {_ONE_PROGRAM}"
    if name in _STREAMS:
        return f"{name} is not allowed: print with << or printf()"
    if is_known(name):
        return None
    if is_compiler_macro(name):
        return f"{name} is not allowed: it can tell compilers apart, and {_ONE_PROGRAM}"
    if not _RESERVED.fullmatch(name):
        return None
    is_function = _FUNCTIONS.fullmatch(name)
    if name in own and not is_function and not _INTERNALS.fullmatch(name):
        return None
    if near := nearest(name, _FREQUENT):
        return f"{name} is not allowed: the nearest name that is allowed is {near}"
    if is_function:
        return f"{name} is not allowed: use the functions of CUDA and C++"
    return (
        f"the name {name} is not allowed: names that begin with two underscores belong to the "
        "compiler, and labs need only those of CUDA"
    )


def with_underscores(name: str) -> str:
    """The frequent name that differs only in the underscores around it. Else ""."""
    return next((one for one in _FREQUENT if one.strip("_") == name.strip("_")), "")


def is_known(name: str) -> bool:
    """Whether it is one of the names with two underscores that CUDA code uses."""
    return _ALLOWED.fullmatch(name) is not None


def is_compiler_macro(name: str) -> bool:
    """Whether it is a macro whose value depends on the compiler."""
    return name != "__CUDACC__" and _COMPILERS.fullmatch(name) is not None


def is_exit(name: str) -> bool:
    return name in _EXITS


def declared(code: list[Token]) -> Iterable[str]:
    """The names of the compiler's kind that the code seems to declare."""
    for before, token, after in zip(code, code[1:], code[2:], strict=False):
        if token.kind != "name" or not token.text.startswith("__"):
            continue
        is_typed = before.kind == "name" and before.text not in _STATEMENTS
        if (is_typed or before.text in ("*", "&", ">")) and after.text in tuple("(;=[,){:>"):
            yield token.text
