"""Making a worker: which failures are the submission's fault, and which are not."""

from __future__ import annotations

import dataclasses
import re
import subprocess
from pathlib import Path

import pytest

from support import SAMPLE_CLASS, inspected
from tilelab.base.errors import CompileError
from tilelab.labs import lab
from tilelab.pipeline import compiler, submission
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.workers import making

HONEST = (SAMPLE_CLASS / "hazel" / "diff.cu").read_text()


def compile_errors(text: str, session: Session, work: Path) -> CompileError:
    with pytest.raises(CompileError) as caught:
        making.make_one(inspected(text), session.toolchains[0], work)
    return caught.value


def test_errors_name_the_file_and_line(emulator: Session, work: Path) -> None:
    error = compile_errors(HONEST + "int a = b;\n", emulator, work)
    (message,) = error.messages
    assert error.located
    assert message.startswith(f"diff.cu:{HONEST.count(chr(10)) + 1}: error: ")
    assert str(work) not in message


def test_few_errors_are_shown_of_many(emulator: Session, work: Path) -> None:
    text = HONEST + "".join(f"int a{i} = b{i};\n" for i in range(100))
    assert len(compile_errors(text, emulator, work).messages) <= 10


def test_all_errors_are_those_of_all_lines(emulator: Session, work: Path) -> None:
    text = HONEST + "".join(f"int a{i} = b;\n" for i in range(20))
    assert len(compile_errors(text, emulator, work).messages) == 1
    (work / "all").mkdir()
    with pytest.raises(CompileError) as caught:
        compiler.compile_text(
            inspected(text), emulator.toolchains[0], work / "all", all_errors=True
        )
    assert len(caught.value.messages) == 20


def test_errors_hold_no_control_characters(emulator: Session, work: Path) -> None:
    error = compile_errors(HONEST + "#error \x1b[31m </b>\n", emulator, work)
    assert "\x1b" not in "".join(error.messages)
    assert "\\x1b[31m" in error.messages[0]


def test_a_warning_is_no_error(emulator: Session, work: Path) -> None:
    text = HONEST + "int unused(int a) { int b; }\n#warning error: this is none\n"
    assert making.make_one(inspected(text), emulator.toolchains[0], work).program.is_file()


def test_functions_shared_with_the_worker_stay_the_worker_s(emulator: Session, work: Path) -> None:
    # Inline functions of both sides, and one that would replace the worker's.
    text = HONEST + (
        "#include <vector>\n#include <functional>\n"
        "#define JOIN(a, b) a##b\n"
        "namespace JOIN(tile, lab)::worker { int entries() { return 0; } }\n"
        "std::vector<unsigned> numbers(int n) {\n"
        "  std::vector<unsigned> v; v.resize(n); v.resize(2 * n); return v; }\n"
        "int shared() { std::vector<int> v(3); std::function<int()> f = [&] { return v.at(1); };\n"
        "  try { return f(); } catch (...) { return 0; } }\n"
    )
    worker = making.make_one(inspected(text), emulator.toolchains[0], work)
    assert worker.program.is_file()


def test_the_precompiled_header_is_used_and_makes_no_difference(
    emulator: Session, work: Path
) -> None:
    tool = emulator.toolchains[0]
    template = tool.build.compile
    assert template[-1] == "-fpch-preprocess"
    objects = []
    # -H lists what the compiler reads, and puts an exclamation mark before a precompiled header.
    for name, words, is_used in (("with", template, True), ("without", template[:-3], False)):
        (work / name).mkdir()
        compiled, output = compiler.run(
            HONEST, lab.load("diff"), [*words, "-H"], tool.read_only, work / name
        )
        assert bool(re.search(r"^! .*cuda_runtime\.h\.gch$", output, re.MULTILINE)) is is_used
        subprocess.run(["objcopy", "--strip-debug", str(compiled)], check=True)
        objects.append(compiled.read_bytes())
    assert objects[0] == objects[1]


def test_a_compiler_that_does_not_work_is_not_the_submission_s_fault(
    emulator: Session, tmp_path: Path
) -> None:
    tools = emulator.toolchains[0]
    useless = dataclasses.replace(tools.build, compile=["/usr/bin/env", "false"])
    broken = dataclasses.replace(tools, build=useless)
    session = Session([broken], seed=1)
    result = submission.grade(SAMPLE_CLASS / "hazel" / "diff.cu", lab.load("diff"), session)
    assert (result.verdict, result.score) == ("infra_error", None)
    assert "even the lab's baseline does not compile" in result.messages[0]


def test_a_compiler_that_a_submission_kills_is_its_fault(emulator: Session, cu) -> None:  # type: ignore[no-untyped-def]
    path = cu(HONEST + "char much[1u << 31] = {1};\n")
    result = submission.grade(path, lab.load("diff"), emulator)
    assert result.verdict == "compile_error"
    assert result.messages == ["The compiled file would be larger than 256 MiB."]


def test_a_link_that_only_the_submission_breaks_is_its_fault(emulator: Session, cu) -> None:  # type: ignore[no-untyped-def]
    path = cu(HONEST + "__device__ float big[3u << 28];\nfloat* where() { return big; }\n")
    result = submission.grade(path, lab.load("diff"), emulator)
    assert result.verdict == "compile_error"
    assert "the global arrays take too much memory" in result.messages[0]


def test_a_linker_that_does_not_work_is_not_the_submission_s_fault(emulator: Session) -> None:
    tools = emulator.toolchains[0]
    useless = dataclasses.replace(tools.build, link=["/usr/bin/env", "false"])
    session = Session([dataclasses.replace(tools, build=useless)], seed=1)
    result = submission.grade(SAMPLE_CLASS / "hazel" / "diff.cu", lab.load("diff"), session)
    assert (result.verdict, result.score) == ("infra_error", None)
    assert "even the lab's baseline does not compile" in result.messages[0]


INTRINSICS = """
#include "diff.h"
__global__ void everything(const int* in, int* out, float x, double y, int n) {
  float s, c;
  __sincosf(x, &s, &c);
  s += __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x) + __powf(x, c) + __sinf(x) +
       __cosf(x) + __tanf(x) + __fdividef(x, c) + rsqrtf(x) + expf(x) + powf(x, c) + sinpif(x);
  y += exp10(y) + rsqrt(y) + hypot(y, 2.0) + norm3d(y, y, y) + cospi(y);
  unsigned u = in[0];
  unsigned long long w = u;
  out[0] = __popc(u) + __popcll(w) + __clz(u) + __clzll(w) + __ffs(u) + __ffsll(w) + __brev(u) +
           static_cast<int>(s + y) + n;
}
void diff(const int* in, int* out, int n) { everything<<<1, 1>>>(in, out, 1.0f, 2.0, n); }
"""


def test_a_kernel_may_call_what_the_toolkit_s_mathematics_offers(
    emulator: Session, work: Path
) -> None:
    worker = making.make_one(inspected(INTRINSICS), emulator.toolchains[0], work)
    assert worker.program.is_file()
