"""Slips that compilers answer with errors about something else."""

from __future__ import annotations

import pytest

from tilelab.pipeline.texts import braces, meant, slips
from tilelab.pipeline.texts.tokens import parse


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("_global_ void f();", 1, "did you mean '__global__'?"),
        ("void f() {\n_syncthreads();\n}", 2, "did you mean '__syncthreads'?"),
        ("k<<b, t>>>(n);", 1, "begins with <<<"),
        ("k<<<b,\nt> >>(n);", 2, "stand together"),
        ("k<<<b, t> > >(n);", 1, "stand together"),
        ("if (a\n b = c; }", 1, "the ( after this if has no )"),
        ("if (int i = 0; i < (a { b = c; } }", 1, "the ( after this if has no )"),
        ("{ while (f(a, b) { c(); } }", 1, "the ( after this while has no )"),
    ],
)
def test_a_slip_is_named(text: str, line: int, says: str) -> None:
    slip = slips.first(parse(text))
    assert slip is not None and slip.line == line and says in slip.says


@pytest.mark.parametrize(
    "text",
    [
        "int _shared = 1; _shared += 2; f(_device);",
        "std::vector<std::vector<std::vector<int> > > v(n);",
        "std::vector<std::vector<std::vector<int>>> v(n);",
        "x = a << b, c; y = (d >> e)(f);",
        "std::cout << a << b; k<<<b, t>>>(n);",
        "k<<<b, t, bytes << 2>>>(n);",
        "k<tile<a>><<<b, t>>>(n);",
        "if (const int i = f(); i < n) g();",
        "if (f([] { return 1; })) { for (int i = 0; i < n; ++i) g(); }",
        "do { f(); } while (a && (b || c)); switch (a) { case 1: f(); }",
    ],
)
def test_what_is_right_is_no_slip(text: str) -> None:
    assert slips.first(parse(text)) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("namespace {\nvoid f() {\n  a();\n\nvoid g() {\n  b();\n}\n}\n", 2),
        ("void f() {\n  for (;;) {\n    a();\n  for (;;) {\n    b();\n  }\n}\n", 2),
        # What takes two lines begins in the first.
        ("void g(int a,\n       int b) {\n  a();\n}\nvoid f() {\n  b();\n", 5),
    ],
)
def test_the_brace_without_a_partner_is_named(text: str, line: int) -> None:
    found = braces.problem(text, parse(text))
    assert found is not None and found.line == line


def test_a_name_in_other_letters_is_suggested() -> None:
    text = parse("int block_size, y; // kernelName\n")
    unknown = "k.cu:9: error: '{}' was not declared in this scope"
    for name, near in (("blockSize", "block_size"), ("BLOCK_SIZE", "block_size"), ("Y", "y")):
        message = unknown.format(name)
        assert meant.told(message, text) == f"{message}; did you mean '{near}'?"
    for name in ("z", "kernel_name", "block"):
        assert meant.told(unknown.format(name), text) == unknown.format(name)


def test_what_is_missing_is_missing_in_the_line_before() -> None:
    text = parse("int i = 1 // one\n\nif (i) f();\nint j = 2 int k;\n")
    message = "k.cu:3: error: expected ',' or ';' before 'if'"
    assert meant.told(message, text) == message.replace(":3:", ":1:")
    for other in (
        "k.cu:4: error: expected ',' or ';' before 'int'",  # j is in front of it
        "k.cu:3: error: expected primary-expression before 'if'",
        "k.cu:9: error: expected ';' before 'if'",
    ):
        expected = other.replace(":4:", ":3:") if ":4:" in other else other
        assert meant.told(other, text) == expected
