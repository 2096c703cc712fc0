"""Compares the emulator's counts with a GPU's.

    ./tilelab measure calibration/compare

Needs no GPU: `./tilelab measure calibration` counted on one, and calibration_test holds the
emulator to these counts. Writes docs/results/calibration_h200.md.
"""

from __future__ import annotations

import tables
from targets import write_printed

if __name__ == "__main__":
    tables.parser(__doc__).parse_args()
    write_printed("write_calibration_results", tables.RESULTS / "calibration_h200.md")
