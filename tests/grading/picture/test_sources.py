"""What a picture reads from a source: constants, the block size, shared arrays."""

from __future__ import annotations

import pytest

from tilelab.picture.blocks import with_block
from tilelab.picture.constants import values
from tilelab.picture.shared_arrays import SharedArray, shared_arrays


def test_constants_are_computed_from_others() -> None:
    text = """
    #define WIDTH 16
    constexpr int halo = 4, tile = 2 * (WIDTH + halo);  // constexpr int comment = 1;
    static const unsigned half = tile / 2u;
    const int i = blockIdx.x * tile;
    """
    assert values(text) == {"WIDTH": 16, "halo": 4, "tile": 40, "half": 20}


@pytest.mark.parametrize(
    "declaration",
    [
        "constexpr int block = 256;",
        "const int BLOCK_SIZE = 256;",
        "#define THREADS_PER_BLOCK 256",
        "constexpr int tile = 8, block = 256, blocks = 4, elements_per_thread = 2;",
    ],
)
def test_the_one_constant_for_the_block_size_is_changed(declaration: str) -> None:
    copy = with_block(f"{declaration}\nint f() {{ return 256; }}\n", 4, "my.cu")
    assert copy.text == f"{declaration.replace('256', '4')}\nint f() {{ return 256; }}\n"
    assert copy.size == 4
    assert copy.note.startswith("This is a copy of my.cu with ")
    assert copy.note.endswith(" = 4 instead of 256.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("int n = 256;\n", "no constant in it is the size of a block by itself"),
        ("constexpr int block_x = 32, block_y = 8;\n", "no constant in it is the size"),
        ("constexpr int warps = 4, block = 32 * warps;\n", "block is computed from other"),
        ("constexpr int block = 256, threads = 64;\n", "block and threads"),
        ("constexpr int block = 2048;\n", "at most 1024 threads"),
        ("// constexpr int block = 256;\n", "no constant"),
    ],
)
def test_no_other_constant_is_changed(text: str, why: str) -> None:
    copy = with_block(text, 4, "my.cu")
    assert (copy.text, copy.size, copy.change) == (text, None, "")
    assert why in copy.note


def test_a_block_that_has_the_size_already_is_no_copy() -> None:
    copy = with_block("constexpr int block = 4;\n", 4, "my.cu")
    assert (copy.note, copy.size, copy.change) == ("", 4, "")


def test_shared_arrays_have_a_type_and_rows() -> None:
    text = """
    constexpr int halo = 4, tile_y = 8;
    __shared__ float tile[halo + tile_y + halo][32];
    __shared__ unsigned int counts[64];
    extern __shared__ float4 bodies[];
    __shared__ float rows[2][UNKNOWN];
    __shared__ alignas(16) float slots[2][8];
    """
    assert shared_arrays(text) == [
        SharedArray("tile", "float", 32),
        SharedArray("counts", "unsigned int", 0),
        SharedArray("bodies", "float4", 0, dynamic=True),
        SharedArray("rows", "float", 0),
        SharedArray("slots", "float", 8),
    ]


def test_a_declaration_may_have_several_shared_arrays() -> None:
    text = "__shared__ alignas(16) float a[2][16], b[8], c; __shared__ int d[4][4] = {}, e[4][4];"
    assert [(one.name, one.columns) for one in shared_arrays(text)] == [
        ("a", 16),
        ("b", 0),
        ("d", 4),
    ]
