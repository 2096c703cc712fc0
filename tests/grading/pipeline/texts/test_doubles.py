"""Arithmetic in double in kernels whose data is float."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import PRESENTED_LABS
from tilelab.labs import lab
from tilelab.pipeline.texts import doubles
from tilelab.pipeline.texts.tokens import parse

CONTRACT = "void f(const float* in, float* out, int n);\n"


def remark(body: str, kind: str = "__global__") -> str:
    text = f"{kind} void k(float x, float* out) {{\n{body}\n}}\n"
    return doubles.remark(parse(text), CONTRACT)


@pytest.mark.parametrize(
    "body",
    [
        "out[0] = 0.5 * x;",
        "out[0] = x / 2.;",
        "out[0] = out[1] - 1e-3;",
        "double sum = 0;",
        "out[0] = pow(x, 2);",
        "out[0] = pow(x * x, 1.5);",
    ],
)
def test_arithmetic_in_double_is_found(body: str) -> None:
    assert remark(body).startswith("Line 2 computes in double: ")
    assert remark(body, "__device__ inline")
    assert not remark(body, "static")
    text = f"__global__ void k(float x, float* out) {{ {body} }}"
    assert not doubles.remark(parse(text), "void f(const double* in);")


@pytest.mark.parametrize(
    "body",
    [
        "out[0] = 0.5f * x;",
        "float sum = 0.0;",
        "const float c = 4.0 / 5.0;",
        "out[0] = -1.0;",
        "out[0] = 2 * x; // 0.5 * x",
        "out[0] = pow(x, 2.0f);",
        'printf("%f", 0.5 + 1.0);',
    ],
)
def test_what_stays_float_is_not(body: str) -> None:
    assert not remark(body)


@pytest.mark.parametrize(
    "path",
    [path for name in PRESENTED_LABS for path in lab.load(name).ladder],
    ids=lambda path: f"{path.parts[-3]}/{path.name}",
)
def test_our_own_kernels_compute_in_float(path: Path) -> None:
    contract = lab.load(path.parts[-3]).header.read_text()
    assert not doubles.remark(parse(path.read_text()), contract)
