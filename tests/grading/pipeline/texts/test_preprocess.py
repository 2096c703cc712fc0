"""Whether all compilers read the same program, and the names that it may use."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from support import inspected, needs_nvcc, unbuilt
from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.pipeline.texts import language, preprocess, rules
from tilelab.pipeline.texts.preprocess import Reading
from tilelab.pipeline.texts.tokens import parse

PASTE = "#define JOIN(a, b) a##b\n"
TEXT = f"{PASTE}#define WORD(x) #x\n#define TEXT(x) WORD(x)\n"

needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def problems(text: str) -> list[str]:
    return [f"{line}: {sentence}" for line, sentence in language.check(parse(text))]


def read(text: str, work: Path) -> Reading:
    return preprocess.check(inspected(text), unbuilt("emulator", work), work)


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void __launch_bounds__(32) k(const int* __restrict__ p) { __syncthreads(); }",
        "__device__ __forceinline__ float f(float x) { return __fmaf_rn(x, __expf(x), 1); }",
        "__device__ void f() { __pipeline_commit(); __pipeline_wait_prior(0); }",
        "int a = __popc(1) + __float2int_rn(2.f) + __vimin3_u32(1, 2, 3) + __dp4a(1, 2, 3);",
        "int a[2]; int b = a[[] { return 0; }()]; std::vector<::dim3> v; v[a[0]] = 1;",
        "[[nodiscard]] int f(); [[gnu::aligned(16), maybe_unused]] int a; alignas(16) int b;",
        "int __helper(int a); int c = __helper(1); struct __Mine { int x; };",
        "#pragma unroll 4\n#pragma GCC unroll 8\n#pragma once\n#pragma nv_diag_suppress 177\n",
        "#if __GNUC__ > 4\n#endif\n#ifdef __CUDA_ARCH__\n#endif\n",  # compared, not forbidden
        "const char* s = __FILE__; int n = __LINE__; const char* f = __func__;",
        "template <class T> requires std::integral<T> T f(T a) noexcept { return __popc(a); }",
        "template <class T> concept C = requires(T t) { t + t; { t.x } -> std::same_as<int>; };",
        "using T = decltype(make_float4(1, 2, 3, 4)); const decltype(threadIdx.x) a = 1;",
        "#define LOAD __ldg\n__device__ int __attribute__((noinline)) f(int* __restrict__ p);",
        "template <class T> int f(T a) requires (sizeof(T) == 4) { return __popc(a); }",
        "#define __MY_GUARD__ 1\nint a = __MY_GUARD__;",
    ],
)
def test_words_of_kernels_pass(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[gnu::no_sanitize_thread]] void f();", "the attribute no_sanitize_thread"),
        ("[[maybe_unused, gnu::optimize(0)]] void f();", "the attribute optimize"),
        ("[[using gnu: naked]] void f();", "the attribute naked"),
        ("<:<:gnu::weak:>:> void f();", "the attribute weak"),
        ("[ [gnu::weak] ] void f();", "the attribute weak"),
        ('__attribute__((__section__("x"))) int a;', "the attribute section"),
        ('__attribute__((noinline, alias("f"))) void g();', "the attribute alias"),
        ('#pragma GCC target("avx2")\n', "#pragma GCC target"),
        ("#pragma weak malloc = mine\n", "#pragma weak"),
        ('#pragma push_macro("x")\n', "#pragma push_macro"),
        ("#define LOAD(p) __atomic_load_n(p, 0)\n", "__atomic_load_n"),
        ("int a = __builtin_ia32_rdtsc();", "__builtin_ia32_rdtsc"),
        ("int a = __sync_fetch_and_add(p, 1);", "__sync_fetch_and_add"),
        ("void* p = __libc_malloc(3);", "__libc_malloc"),
        ("__declspec(noinline) void f();", "__declspec"),
        ("__typeof__(1) a;", "__typeof__"),
        ("int a = __CUDA_ARCH__;", "can tell compilers apart"),
        ("const char* s = __TIME__;", "can tell compilers apart"),
        ("#undef __CUDA_ARCH__\n", "belongs to the compiler"),
        ("#if __has_builtin(x)\n#endif\n", "__has_builtin is not allowed"),
        ("template <class T> constexpr bool a = requires(T t) { __vabs4(t); };", "must not ask"),
        ("constexpr bool a = requires { float4{.x = 1}; };", "must not ask for float4"),
        ("using F = decltype(&__syncthreads);", "must not ask for __syncthreads"),
        ("bool a = ask(__syncthreads);", "__syncthreads can only be called"),
        ("bool a = noexcept(cudaDeviceReset());", "must not ask for cudaDeviceReset"),
        ("static_assert(__is_aggregate(float4));", "__is_aggregate is not allowed"),
    ],
)
def test_other_words_are_refused(text: str, sentence: str) -> None:
    assert any(sentence in problem for problem in problems(text)), problems(text)


@needs_nvcc
def test_every_intrinsic_of_cuda_may_be_used() -> None:
    compiler = nvidia.nvcc()
    assert compiler is not None
    include = compiler.resolve().parent.parent / "include"
    names = set()
    for pattern in ("crt/device_functions.h", "crt/sm_*.h", "sm_*.h", "device_*functions.h"):
        for header in include.glob(pattern):
            tokens = parse(header.read_text(encoding="utf-8", errors="replace"))
            for before, token, after in zip(
                tokens.code, tokens.code[1:], tokens.code[2:], strict=False
            ):
                if token.text.startswith("__") and before.kind == "name" and after.text == "(":
                    names.add(token.text)
    private = "nv NV builtin host_ libcpp cuda internal is device_func DEPRECATED".split()
    refused = {name for name in names if problems(f"int a = {name}(1);")}
    odd = {name for name in refused if not name.startswith(tuple(f"__{word}" for word in private))}
    assert len(names) > 200
    assert odd <= {
        "__pow_helper",
        "__asm__",
        "__attribute__",
        "__cmath_power",
        "__declspec",
        "__has_trivial_copy",
    }


@needs_gxx
@pytest.mark.parametrize(
    "text",
    [
        '#include "diff.h"\nint a;\n',
        "#define TILE 32\nint a[TILE];\n",
        "#ifndef TILE\n#define TILE 32\n#endif\n#if TILE > 16\nint a[TILE];\n#endif\n",
        "#include <cfloat>\n#ifndef FLT_MAX\n#define FLT_MAX 3\n#endif\nfloat a = FLT_MAX;\n",
        "#ifdef __INTELLISENSE__\n#define __syncthreads()\n#endif\n",
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n#error too old\n#endif\n",
        "#ifdef __CUDACC__\n#define BOTH __device__\n#else\n#define BOTH\n#endif\nBOTH int f();\n",
        "#include <cuda/barrier>\n#include <cuda/pipeline>\n#define TWO 2\nint a = TWO;\n",
        "#include <vector>\n#ifdef DEBUG\nint a;\n#endif\n",
        f"{TEXT}#define TILE 8\nconst char* a = TEXT(TILE); __device__ int JOIN(b, 1);\n",
        "#define CHECK(x) f(x, #x)\nint a = CHECK(cudaHostAlloc(p, 1, cudaHostAllocDefault));\n",
        f"{PASTE}int JOIN(tile, _size) = NULL == 0 ? INT_MAX : __LINE__;\n",
        '#if 1\nconst char* s = R"(\n#if 1\n# 7 "other.cu"\n)";\n#endif\n',
    ],
)
def test_the_same_program_for_all(text: str, work: Path) -> None:
    assert read(text, work) == Reading([])


@needs_gxx
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("int a;\n#ifdef __NVCC__\nint b;\n#endif\n", 3),
        ("#ifndef __CUDA_ARCH__\nint a;\n#else\nint b;\n#endif\n", 2),
        ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 890\nint a;\n#endif\n", 2),
        ("#if defined(__NVCC__) && !defined(__clang__)\nint a;\n#endif\n", 2),
        (f"{PASTE}#if JOIN(_, _clang__)\nint a;\n#endif\n", 3),
        (f"{PASTE}#if JOIN(TILE, LAB_CHECKED)\nint a;\n#endif\n", 3),
        ("#ifdef __OPTIMIZE__\n#define N 1\n#else\n#define N 2\n#endif\nint a = N;\n", 2),
        ("#if __cplusplus > 1 && __GNUC__ < 9\n#else\nint a;\n#endif\n", 3),
        ("#ifdef EOF\nint a;\n#endif\n", 2),
        ("#ifdef __SM_90_RT_H__\nint a;\n#endif\n", 2),
        ("#ifdef __CUDACC_DEVICE_ATOMIC_BUILTINS__\n#error nvcc\n#endif\n", 2),
        # Their values differ between installations.
        ("\n#if __CUDACC_VER_MAJOR__ == 12\nint a;\n#endif\n", 2),
        ("\n#if defined(__clang__) && __clang_major__ == 17\nint a;\n#endif\n", 2),
        ("#include <cuda_runtime.h>\n#if CUDART_VERSION == 12040\nint a;\n#endif\n", 2),
        # Headers that only some compilers include
        ("#ifdef __NVCC__\n#include <vector>\n#endif\n", 2),
        # Conditions on what all headers define hide nothing.
        (f'#ifdef M_PI\n{PASTE}\nvoid f() {{ JOIN(as, m)(""); }}\n#endif\n', 4),
        ("#include <cuda_runtime.h>\n#ifdef EOF\nint a;\n#endif\n", 3),
        # The text of a macro that each compiler writes in its own way
        (f"{TEXT}\nint a = sizeof(TEXT(__global__));\n", 5),
        (f"{PASTE}#define MORE(a, b) JOIN(a, b)\n\nint MORE(a_, __constant__);\n", 4),
        ("#define IS(x, ...) __VA_OPT__(1 +) 0\n\nint a = IS(1, __device__);\n", 3),
        ("#define JOIN(a, b) a##b\n#define B(x) JOIN(x, 1)\n\nint a = B(cudaEventDefault);\n", 4),
        # A marker in a raw string hides nothing.
        ('const char* s = R"(\n# 9 "other.h"\n)";\n#ifdef __NVCC__\nint a;\n#endif\n', 0),
        (f"{PASTE}\nvoid f() {{ JOIN(_, _builtin_trap)(); }}\n", 3),
        ('#define LOUD _Pragma("GCC optimize(3)")\n\nLOUD\nint a;\n', 3),
    ],
)
def test_another_program_is_refused_with_its_line(text: str, line: int, work: Path) -> None:
    (problem,) = read(text, work).problems
    assert line == 0 or problem.startswith(f"diff.cu:{line}: "), problem


@needs_gxx
@pytest.mark.parametrize("text", ["#if 1\n", "#endif\n", "#error no\n#if 1\n#endif\n"])
def test_an_error_of_the_preprocessor_is_a_compile_error(text: str, work: Path) -> None:
    reading = read(text, work)
    assert reading.problems == []
    assert reading.error is not None
    assert reading.error.messages[0].startswith("diff.cu:1: error: ")


@needs_gxx
def test_a_text_without_macros_needs_no_preprocessor(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "run", None)
    assert read('#include "diff.h"\n#pragma unroll\nint a;\n', work) == Reading([])


@pytest.mark.parametrize(
    "text", ["[[" * 120_000, "__attribute__((" * 16_000, "#define a [[\n" * 16_000, "__a " * 60_000]
)
def test_hostile_words_cost_no_time(text: str) -> None:
    start = time.process_time()
    rules.check(parse(text), "diff")
    assert time.process_time() - start < 5
