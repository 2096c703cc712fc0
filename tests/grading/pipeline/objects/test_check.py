"""The check of compiled objects, on real ones."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest

from support import needs_nvcc
from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base.errors import InfraError, Rejected
from tilelab.pipeline.objects import check, elf

ENTRY = "_Z4diffPKiPii"
HONEST = "void diff(const int* in, int* out, int n) { if (n) *out = *in; }\n"
# What begins a comment for the assembler, which hides the rest of a line that g++ writes.
COMMENT = "//" if platform.machine() == "aarch64" else "#"


def compile_cpp(folder: Path, text: str) -> Path:
    source, compiled = folder / "diff.cpp", folder / "diff.o"
    source.write_text(text)
    subprocess.run(["g++", "-std=c++20", "-O2", "-c", source, "-o", compiled], check=True)
    return compiled


def problems(compiled: Path, preset: str = "emulator", written: str = "") -> list[str]:
    try:
        rules = backends.named(preset).symbols()
        check.check(compiled, [ENTRY], "diff.cu", rules, text=written)
    except Rejected as error:
        return error.messages
    return []


@pytest.mark.parametrize(
    "text",
    [
        HONEST,
        "#include <cstdio>\n#include <cmath>\n#include <vector>\n#include <algorithm>\n"
        "void diff(const int* in, int* out, int n) {\n"
        "  std::vector<double> v(in, in + n); std::sort(v.begin(), v.end());\n"
        '  std::printf("%f %s\\n", std::sin(v.at(3)), "x"); std::puts("done");\n'
        '  if (v.empty()) throw 3;  static int calls = std::atoi("4"); *out = ++calls;\n'
        '  std::fprintf(stderr, "%d\\n", n);\n}\n',
        "#include <cassert>\n#include <functional>\n#include <memory>\n"
        "struct Base { virtual ~Base() = default; virtual int f(int) = 0; };\n"
        "struct Derived : Base { int f(int i) override { return i; } };\n"
        "void diff(const int* in, int* out, int n) {\n"
        "  assert(n >= 0); std::function<int(int)> g = [in](int i) { return in[i]; };\n"
        "  Base* b = new Derived; *out = b->f(g(n)); delete b;\n}\n",
    ],
)
def test_honest_objects_pass(tmp_path: Path, text: str) -> None:
    assert problems(compile_cpp(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "void diff(float* a, int n) { a[n] = 0; }",
            "diff.cu defines diff(float*, int), but the tests call diff(int const*, int*, int).",
        ),
        (
            'extern "C" void diff(const int*, int*, int) {}',
            "diff.cu defines diff, but the tests call diff(int const*, int*, int).",
        ),
        (
            "namespace mine { void diff(const int*, int*, int) {} }",
            "diff.cu defines mine::diff(int const*, int*, int), but the tests call "
            "diff(int const*, int*, int).",
        ),
        (
            "[[gnu::used]] static void diff(const int*, int*, int) {}",
            "diff.cu defines diff(int const*, int*, int) (static), but the tests call "
            "diff(int const*, int*, int).",
        ),
        (
            "[[gnu::used]] inline void diff(const int*, int*, int) {}",
            "diff.cu defines diff(int const*, int*, int) (inline or a template), but the "
            "tests call diff(int const*, int*, int).",
        ),
        ("int a;", "diff.cu does not define diff(int const*, int*, int)."),
        (
            HONEST + "int main() {}",
            "diff.cu defines main: remove it, because the tests call the lab's functions.",
        ),
        (
            "int helper(int);\nvoid diff(const int*, int* out, int n) { *out = helper(n); }",
            "diff.cu declares helper(int) and uses it, but does not define it.",
        ),
    ],
)
def test_mistakes_are_explained(tmp_path: Path, text: str, sentence: str) -> None:
    assert problems(compile_cpp(tmp_path, text)) == [sentence]


@pytest.mark.parametrize(
    ("function", "declaration", "call"),
    [
        ("system", "int system(const char*);", 'system("id")'),
        ("fork", "int fork();", "fork()"),
        ("execve", "int execve(const char*, char**, char**);", 'execve("/", 0, 0)'),
        ("open", "int open(const char*, int, ...);", 'open("/etc/passwd", 0)'),
        ("fopen", "void* fopen(const char*, const char*);", 'fopen("/etc/passwd", "r")'),
        ("socket", "int socket(int, int, int);", "socket(2, 1, 0)"),
        ("kill", "int kill(int, int);", "kill(1, 9)"),
        ("ptrace", "long ptrace(int, ...);", "ptrace(0)"),
        ("syscall", "long syscall(long, ...);", "syscall(60, 0)"),
        ("_exit", "void _exit(int);", "_exit(0)"),
        ("quick_exit", "void quick_exit(int);", "quick_exit(0)"),
        ("dlopen", "void* dlopen(const char*, int);", "dlopen(0, 2)"),
        ("dlsym", "void* dlsym(void*, const char*);", 'dlsym(0, "exit")'),
        ("getenv", "char* getenv(const char*);", 'getenv("HOME")'),
        ("clock_gettime", "int clock_gettime(int, void*);", "clock_gettime(0, 0)"),
        ("pthread_create", "int pthread_create(...);", "pthread_create(0, 0, 0, 0)"),
        ("cuInit", "int cuInit(unsigned);", "cuInit(0)"),
        ("cuModuleLoadData", "int cuModuleLoadData(void*, void*);", "cuModuleLoadData(0, 0)"),
        ("nvrtcVersion", "int nvrtcVersion(int*, int*);", "nvrtcVersion(0, 0)"),
        ("cudaLibraryLoadData", "int cudaLibraryLoadData(...);", "cudaLibraryLoadData(0)"),
        ("mprotect", "int mprotect(void*, unsigned long, int);", "mprotect(0, 0, 0)"),
        ("__libc_start_main", "int __libc_start_main(...);", "__libc_start_main(0)"),
    ],
)
@pytest.mark.parametrize("attribute", ["", "__attribute__((weak)) "])
def test_forbidden_functions_are_named(
    tmp_path: Path, function: str, declaration: str, call: str, attribute: str
) -> None:
    text = f'extern "C" {{ {attribute}{declaration} }}\n'
    text += f"void diff(const int*, int*, int) {{ {call}; }}\n"
    (problem,) = problems(compile_cpp(tmp_path, text))
    assert problem.startswith(f"diff.cu uses `{function}`, which is not allowed")


def test_a_clock_in_a_kernel_has_another_name(tmp_path: Path) -> None:
    text = "#include <ctime>\nvoid diff(const int*, int* out, int) { out[0] = (int)clock(); }\n"
    (problem,) = problems(compile_cpp(tmp_path, text))
    assert "`clock`, which is not allowed: in a kernel, call clock64()" in problem


def test_std_thread_is_refused(tmp_path: Path) -> None:
    text = "#include <thread>\nvoid diff(const int*, int*, int) { std::thread([] {}).join(); }\n"
    assert any("std::thread" in problem for problem in problems(compile_cpp(tmp_path, text)))


@pytest.mark.parametrize(
    "text",
    [
        '__attribute__((constructor)) static void early() { __builtin_printf("x"); }\n',
        '__attribute__((destructor)) static void late() { __builtin_printf("x"); }\n',
        'struct S { S() { __builtin_printf("x"); } } global;\n',
        'void early() {}\n[[gnu::section(".init_array"), gnu::used]] static void (*p)() = early;\n',
        "void early() {}\n"
        '[[gnu::section(".preinit_array"), gnu::used]] static void (*p)() = early;\n',
        '[[gnu::section(".init")]] void early() {}\n',
        # The name that is nvcc's, in an object that is not.
        "__attribute__((constructor)) static void __sti____cudaRegisterAll() "
        '{ __builtin_printf("x"); }\n',
    ],
)
def test_code_that_runs_before_the_tests_is_refused(tmp_path: Path, text: str) -> None:
    (problem,) = problems(compile_cpp(tmp_path, HONEST + text))
    assert "code that runs before the tests" in problem


def test_indirect_functions_are_refused(tmp_path: Path) -> None:
    text = (
        'extern "C" { static void f() {} static void (*choose())() { return f; }\n'
        'void chosen() __attribute__((ifunc("choose"))); }\n'
    )
    text = text.replace("static void (*choose", "void (*choose")
    (problem,) = problems(compile_cpp(tmp_path, HONEST + text))
    assert "ifunc" in problem


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("malloc", 'extern "C" void* malloc(unsigned long) { return nullptr; }\n'),
        ("printf", 'extern "C" int printf(const char*, ...) { return 0; }\n'),
        ("cudaMalloc", 'extern "C" int cudaMalloc(void**, unsigned long) { return 0; }\n'),
        ("__tsan_read4", 'extern "C" void __tsan_read4(void*) {}\n'),
        ("__memcpy_chk", 'extern "C" void __memcpy_chk(void*, void*, long, long) {}\n'),
        ("_init", 'extern "C" void _init() {}\n'),
        ("threadIdx", "int threadIdx;\n"),
        ("free", 'extern "C" [[gnu::weak]] void free(void*) {}\n'),
        ("operator new(unsigned long)", "void* operator new(unsigned long) { return nullptr; }\n"),
        ("operator delete(void*)", "void operator delete(void*) noexcept {}\n"),
        ("std::terminate()", "namespace std { void terminate() noexcept { for (;;) {} } }\n"),
        (
            "malloc",
            'void* mine() { return nullptr; }\nvoid* malloc(unsigned long) __asm__("malloc");\n'
            "void* malloc(unsigned long) { return mine(); }\n",
        ),
        (
            "malloc",
            '[[gnu::used]] static void* mine(long) __asm__("malloc");\n'
            "static void* mine(long) { return nullptr; }\n",
        ),
    ],
)
def test_functions_of_libraries_are_not_replaced(tmp_path: Path, name: str, text: str) -> None:
    found = problems(compile_cpp(tmp_path, HONEST + text))
    assert found == [f"diff.cu defines `{name}`, which a library has already: choose another name."]


@pytest.mark.parametrize(
    "text",
    [
        '[[gnu::section("mine"), gnu::used]] static int a = 1;\n',
        '[[gnu::section("tilelab_constants"), gnu::used]] static int a = 1;\n',
        f'[[gnu::section(".data.x,\\"awx\\"{COMMENT}"), gnu::used]] static int a = 1;\n',
        '[[gnu::section(".mine.text"), gnu::used]] static void f() {}\n',
        '__asm__(".section .text.x,\\"awx\\"\\n.byte 1\\n.text");\n',
    ],
)
def test_sections_of_its_own_are_refused(tmp_path: Path, text: str) -> None:
    (problem,) = problems(compile_cpp(tmp_path, HONEST + text))
    assert problem.startswith("diff.cu has a section of its own (")


def test_a_checked_build_does_not_call_what_is_not_observed(tmp_path: Path) -> None:
    text = (
        'extern "C" void* __memcpy_chk(void*, const void*, unsigned long, unsigned long);\n'
        "void diff(const int* in, int* out, int n) { __memcpy_chk(out, in, n, n); }\n"
    )
    compiled, rules = compile_cpp(tmp_path, text), backends.named("emulator").symbols()
    check.check(compiled, [ENTRY], "diff.cu", rules)
    with pytest.raises(Rejected, match="__memcpy_chk"):
        check.check(compiled, [ENTRY], "diff.cu", rules, checked=True)


def test_wanted_entries_are_the_contract(tmp_path: Path) -> None:
    text = (
        "void diff(const int*, int*, int);\nnamespace tilelab { void helper(); }\n"
        '#include <cstdio>\nint f(int* p) { diff(p, p, 1); tilelab::helper(); std::puts("");'
        " return 0; }\n"
    )
    assert check.wanted_entries(compile_cpp(tmp_path, text)) == [ENTRY]
    with pytest.raises(InfraError):
        check.wanted_entries(compile_cpp(tmp_path, "int a;\n"))


GIGABYTE = "template <class A, class B> struct P;\nusing T0 = int;\n" + "".join(
    f"using T{i + 1} = P<T{i}, T{i}>;\n" for i in range(26)
)


def test_a_name_that_stands_for_a_gigabyte_stays_short(tmp_path: Path) -> None:
    text = f"{GIGABYTE}void undefined(T26*);\n{HONEST[:-2]} undefined(nullptr); }}\n"
    (problem,) = problems(compile_cpp(tmp_path, text))
    assert len(problem) < 1000
    assert "does not define it" in problem


def test_a_candidate_that_stands_for_a_gigabyte_stays_short(tmp_path: Path) -> None:
    text = f"{GIGABYTE}void diff(T26*) {{}}\n"
    assert all(len(problem) < 1000 for problem in problems(compile_cpp(tmp_path, text)))


def test_few_names_are_shown_of_many(tmp_path: Path) -> None:
    calls = "".join(f"void f{i}(); void g{i}() {{ f{i}(); }}\n" for i in range(40))
    found = problems(compile_cpp(tmp_path, calls + HONEST))
    assert found[-1] == "30 more names are undefined or not allowed."
    assert len(found) == 11


def test_an_object_with_too_many_symbols_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "many.s"
    source.write_text(
        ".altmacro\n.macro one i\n.globl s\\i\ns\\i:\n.endm\n"
        ".set i, 0\n.rept 200001\none %i\n.set i, i+1\n.endr\n"
    )
    subprocess.run(["as", source, "-o", tmp_path / "many.o"], check=True)
    (problem,) = problems(tmp_path / "many.o")
    assert problem.startswith("diff.cu becomes an object file with 200,00")
    assert problem.endswith("symbols; 200,000 are enough.")


def test_a_damaged_object_is_no_crash(tmp_path: Path) -> None:
    compiled = compile_cpp(tmp_path, HONEST)
    whole = compiled.read_bytes()
    for size in (0, 3, 63, 64, len(whole) // 2, len(whole) - 1):
        compiled.write_bytes(whole[:size])
        with pytest.raises(ValueError):
            elf.read(compiled)


@pytest.mark.thorough
@needs_nvcc
def test_nvcc_objects(tmp_path: Path) -> None:
    source, compiled = tmp_path / "diff.cu", tmp_path / "diff.o"

    def check(text: str) -> list[str]:
        source.write_text(text)
        subprocess.run([nvidia.nvcc(), "-c", source, "-o", compiled], check=True)  # type: ignore[list-item]
        return problems(compiled, "cuda", text)

    kernel = (
        "#include <cstdio>\n__constant__ int c;\n"
        "__global__ void k(const int* in, int* out, int n) {\n"
        "  int left = __shfl_up_sync(0xffffffffu, in[threadIdx.x], 1);\n"
        '  if (n > 3) printf("%d", n); out[threadIdx.x] = left + c; }\n'
        "void diff(const int* in, int* out, int n) {\n"
        "  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
        "  k<<<1, 32, 8>>>(in, out, n);\n"
        '  if (cudaGetLastError() != cudaSuccess) std::fprintf(stderr, "failed\\n"); }\n'
    )
    assert check(kernel) == []
    shared = "extern __shared__ __align__(16) int left_over[];\n"
    assert check(f"{shared}{kernel}int other() {{ return left_over[0]; }}\n") == [
        "diff.cu: host code uses `left_over`, which is shared memory: only kernels can."
    ]
    (problem,) = check(kernel + 'struct S { S() { printf("x"); } } s;\n')
    assert "code that runs before the tests" in problem
    (problem,) = check(
        kernel + 'void other() { void* p; cudaGetDriverEntryPoint("cuInit", &p, 0, 0); }\n'
    )
    assert "cudaGetDriverEntryPoint" in problem
