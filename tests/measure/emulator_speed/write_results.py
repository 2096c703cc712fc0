"""Measures what running and observing kernels costs, and writes docs/results/emulator_speed.md.

python tests/measure/emulator_speed/write_results.py    (after: cmake --build --preset emulator
--target observer_benchmark; with the Debian package oclgrind, which takes minutes, it is compared)
"""

from __future__ import annotations

import datetime
import platform
import shutil
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
PAGE = REPO / "docs" / "results" / "emulator_speed.md"
BENCHMARK = REPO / "build" / "emulator" / "bin" / "observer_benchmark"
OCLGRIND = Path(__file__).with_name("time_oclgrind.py")


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> None:
    ours = output_of(BENCHMARK).splitlines()
    table = "\n".join(line for line in ours if not line.startswith("{"))
    text = f"""# What running and observing kernels costs on a CPU

Written by `python tests/measure/emulator_speed/write_results.py` on {datetime.date.today()},
on one core of "{processor()}". Times on a shared machine vary,
so only compare times of one run.

All pairs nearest neighbor through shared tiles, blocks of 128 threads. `serial` is the plain
C++ loop, `fast` the emulator's fast build, `counts` its checked build with memory traffic,
`everything` with data races and uninitialized reads as well:

```
{table}
```
"""
    if shutil.which("oclgrind"):
        text += f"""
The same kernel in OpenCL under Oclgrind with its data race detector:

```
{output_of(sys.executable, OCLGRIND, "--n", "4096", "--runs", "1")}
```
"""
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
