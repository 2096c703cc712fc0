"""Counts what the labs' techniques save, on the emulator.

    ./tilelab measure loads

Writes docs/results/loads_per_element.md, which loads_test compares with the counts of each build.
"""

from __future__ import annotations

import tables
from targets import write_printed

if __name__ == "__main__":
    tables.parser(__doc__).parse_args()
    write_printed("write_loads", tables.RESULTS / "loads_per_element.md")
