"""What a picture knows of a run: every access, and input, tile, output and expected output."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from support import REPO, Write
from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.picture import run, text
from tilelab.picture.run import Picture
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="pictures of runs", count=3)

TILE = REPO / "solutions" / "diff" / "ladder" / "02_tile.cu"


def draw(path: Path, session: Session, name: str = "diff", block: int = 4) -> Picture:
    return run.draw(path, lab.load(name), session, None, block)


def test_each_access_is_there(emulator: Session) -> None:
    picture = draw(TILE, emulator)
    (call,) = picture.own.calls
    (launch,) = call.launches
    trace = launch.trace
    assert (launch.grid, launch.block) == ((3, 1, 1), (4, 1, 1))
    names = [array.name for array in trace.arrays]
    steps = [
        (
            step.kind,
            [
                f"{lane}:{names[array]}[{offset // 4}]"
                for lane, array, offset in zip(
                    step.lanes or (), step.arrays or (), step.offsets or (), strict=True
                )
            ],
        )
        for step in trace.steps
        if step.block == 1 and not step.barrier
    ]
    # Thread 0 of block 1 takes its neighbor from global memory, the others from the tile.
    assert sorted(steps) == sorted(
        [
            ("load", ["0:in[4]", "1:in[5]", "2:in[6]", "3:in[7]"]),
            ("store", ["0:tile[0]", "1:tile[1]", "2:tile[2]", "3:tile[3]"]),
            ("load", ["1:tile[0]", "2:tile[1]", "3:tile[2]"]),
            ("load", ["0:in[3]"]),
            ("load", ["0:tile[0]", "1:tile[1]", "2:tile[2]", "3:tile[3]"]),
            ("store", ["0:out[4]", "1:out[5]", "2:out[6]", "3:out[7]"]),
        ]
    )


def test_the_text_has_input_tile_output_and_expected(emulator: Session) -> None:
    picture = draw(TILE, emulator)
    (call,) = picture.own.calls
    values = [int(value) for value in call.inputs[0].values]
    expected = [values[0], *(b - a for a, b in itertools.pairwise(values))]
    rows = {line[:20].strip(): line[20:].split() for line in text.lines(picture)}
    assert rows["in"] == [str(value) for value in values]
    assert rows["tile of block 1"] == [str(value) for value in values[4:8]]
    assert rows["out"] == rows["expected"] == [str(value) for value in expected]
    assert max(map(len, text.lines(picture))) <= 80


def test_a_wrong_element_is_named(emulator: Session) -> None:
    mistake = REPO / "solutions" / "diff" / "mistakes" / "block_edges_forgotten.cu"
    picture = draw(mistake, emulator)
    assert picture.own.calls[0].outputs[0].wrong == (4, 8)
    assert any(line.split() == ["wrong", "out[4]", "out[8]"] for line in text.lines(picture))
    # One block of 256 threads has no such edge.
    assert "block_edges_forgotten.cu itself gets this input right" in picture.own.note


def test_both_sides_of_a_data_race_are_there(emulator: Session) -> None:
    mistake = REPO / "solutions" / "diff" / "mistakes" / "missing_barrier.cu"
    launch = draw(mistake, emulator).own.calls[0].launches[0]
    (race,) = (one for one in launch.findings if one.kind == "data_race")
    assert (race.space, race.name, race.bytes) == ("shared", "tile", 4)
    assert [access.kind for access in race.accesses] == ["store", "load"]
    assert race.accesses[0].thread != race.accesses[1].thread


def test_a_file_that_needs_its_block_size_is_shown_with_it(emulator: Session, cu: Write) -> None:
    # The tile has 256 slots whatever the constant says, and the launch does not use it at all.
    source = TILE.read_text().replace("n + block - 1) / block, block>>>", "n + 255) / 256, 256>>>")
    picture = draw(cu(source), emulator)
    assert picture.own.text == source
    assert "a copy with block = 4 does not run so" in picture.own.note
    assert picture.own.calls[0].launches[0].block == (256, 1, 1)


def test_a_block_with_two_directions_has_the_size_in_both(emulator: Session) -> None:
    step = REPO / "solutions" / "transpose" / "ladder" / "03_padded.cu"
    picture = draw(step, emulator, "transpose")
    assert picture.own.note == "This is a copy of 03_padded.cu with block = 4 instead of 32."
    (call,) = picture.own.calls
    assert call.launches[0].block == (4, 4, 1) and not call.outputs[0].wrong
    assert [axis.count for axis in call.axes] == [8, 8]


def test_a_file_that_launches_nothing_has_a_picture(emulator: Session) -> None:
    picture = draw(REPO / "labs" / "diff" / "diff.cu", emulator)
    assert "No kernel was launched." in list(text.lines(picture))


def test_a_launch_that_fails_says_why(emulator: Session) -> None:
    mistake = REPO / "solutions" / "diff" / "mistakes" / "block_too_large.cu"
    said = " ".join(text.lines(draw(mistake, emulator)))
    assert "cudaErrorInvalidConfiguration" in said
    assert "2048 x 1 x 1 threads" in said


def test_a_size_that_no_page_can_show_is_refused(emulator: Session) -> None:
    with pytest.raises(UserError, match="--n must be from 1 to 1000"):
        run.draw(TILE, lab.load("diff"), emulator, 1001, 4)


SCRATCH = """\
#include "diff.h"
namespace {
constexpr int block = 256;
__global__ void fill(const int* in, int* temp, int* sevens, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) temp[i] = in[i];
  if (i < n) sevens[i] = 7;
}
__global__ void subtract(const int* temp, int* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = i > 0 ? temp[i] - temp[i - 1] : temp[i];
}
}  // namespace
void diff(const int* in, int* out, int n) {
  int *temp = nullptr, *sevens = nullptr;
  if (n == 0) return;
  cudaMalloc(&temp, n * sizeof(int));
  cudaMalloc(&sevens, n * sizeof(int));
  fill<<<(n + block - 1) / block, block>>>(in, temp, sevens, n);
  subtract<<<(n + block - 1) / block, block>>>(temp, out, n);
  cudaFree(temp);
  cudaFree(sevens);
}
"""


def test_arrays_of_the_submission_have_names_of_their_own(emulator: Session, cu: Write) -> None:
    fill, subtract = draw(cu(SCRATCH), emulator).own.calls[0].launches
    names = [[array.name for array in one.trace.arrays] for one in (fill, subtract)]
    assert names == [["in", "temp", "sevens"], ["temp", "out"]]
    assert {array.bytes for array in fill.trace.arrays} == {40}
