"""Counts on a GPU how far the blocks of `scan` look back.

    ./tilelab measure look_back

Builds look_back.cu with nvcc and runs it. Writes docs/results/look_back_GPU.csv, and the page of
it.
"""

from __future__ import annotations

import datetime
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import tables
from tables import Row, Table, line
from tilelab.backends import nvidia
from tilelab.bench import results_file

SOURCE = Path(__file__).with_suffix(".cu")
COLUMNS = ("step", "blocks", "ms", "looks", "loads", "cycles")

HEAD = """\
# How far blocks look back

Steps 7 and 8 of the ladder of [`scan`](../../labs/scan/FURTHER.md), for 2^26 elements, with tiles
of 256. One thread of a block looks back, and here it also counts what it does.

- *blocks*: how many the GPU runs at the same time. Shared memory that nobody uses keeps others out.
- *looks*: at how many tiles a block looks, one after the other, on average. *Expected*: the square
  root of twice the blocks. If they all begin together, the s-th look of a block goes s tiles to the
  left, and meets a total there if that tile's block took fewer looks. So after s looks, s more
  blocks have their total than after s - 1 looks, which makes about s * s / 2 in all.
- *loads per look*: of the state. A block that has to wait loads it again.
- *cycles per look*: until the next look begins.

`./tilelab measure look_back` measures this, and writes a CSV file of the page's name.

"""


def main() -> None:
    tables.parser(__doc__, page).parse_args()
    gpu, nvcc = nvidia.gpu(), nvidia.nvcc()
    if gpu is None or nvcc is None:
        sys.exit("look_back.py: this needs an NVIDIA GPU and nvcc")
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        program = Path(folder) / "look_back"
        words = [nvcc, "-O3", "-std=c++20", "-arch=native", SOURCE, "-o", program]
        subprocess.run(words, check=True)
        done = subprocess.run([program], check=True, capture_output=True, text=True)
    rows = [dict(zip(COLUMNS, row.split(";"), strict=True)) for row in done.stdout.splitlines()]
    facts = {
        "machine": f"{gpu.name}, driver {gpu.driver}, nvcc {nvidia.nvcc_version()}",
        "date": datetime.date.today().isoformat(),
    }
    name = f"look_back_{results_file.slug(gpu.name)}.csv"
    tables.publish(tables.RESULTS / name, Table(facts, rows), page)


def page(table: Table) -> str:
    names = ("step", "blocks", "time", "looks", "expected", "loads per look", "cycles per look")
    text = HEAD + line(*names) + "\n" + line("---", *["---:"] * 6) + "\n"
    text += "".join(map(_line, table.rows))
    return text + "".join(f"\n- {name}: {what}" for name, what in table.facts.items()) + "\n"


def _line(row: Row) -> str:
    expected = math.sqrt(2 * int(row["blocks"]))
    cells = (row["step"], row["blocks"], f"{row['ms']} ms", f"{float(row['looks']):.1f}")
    return line(*cells, f"{expected:.1f}", row["loads"], row["cycles"]) + "\n"


if __name__ == "__main__":
    main()
