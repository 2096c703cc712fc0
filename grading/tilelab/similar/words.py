"""The names that a file does not choose: those of C++ and CUDA."""

from __future__ import annotations

_KEYWORDS = """
alignas alignof asm auto bool break case catch char char16_t char32_t char8_t class const
const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast
else enum explicit extern false float for friend goto if inline int long mutable namespace new
noexcept nullptr operator private protected public register reinterpret_cast return short signed
sizeof static static_assert static_cast struct switch template this throw true try typedef typeid
typename union unsigned using virtual void volatile wchar_t while
"""

_TYPES = """
dim3 half half2 int8_t int16_t int32_t int64_t intptr_t ptrdiff_t size_t uint8_t uint16_t uint32_t
uint64_t uintptr_t
"""

_CUDA = """
__constant__ __device__ __forceinline__ __global__ __grid_constant__ __host__ __launch_bounds__
__managed__ __noinline__ __restrict__ __shared__ blockDim blockIdx gridDim threadIdx warpSize
"""

_VECTORS = {
    f"{sign}{name}{size}"
    for sign in ("", "u")
    for name in ("char", "short", "int", "long", "longlong")
    for size in range(1, 5)
} | {f"{name}{size}" for name in ("float", "double") for size in range(1, 5)}

WORDS = frozenset(f"{_KEYWORDS}{_TYPES}{_CUDA}".split()) | _VECTORS
