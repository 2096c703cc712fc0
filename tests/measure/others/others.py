"""Times other libraries on the labs' problems.

    ./tilelab bench --peers "./tilelab measure others [LAB...]"

And our kernels that are not submissions. Needs a GPU, nvcc and PyTorch, and uses CuPy and KeOps if
they are installed. nbody needs --cuda-samples DIR, a checkout of NVIDIA/cuda-samples. derivatives
can use --finite-difference FILE from NVIDIA-developer-blog/code-samples. The last line that it
prints is a JSON object, {lab: {problem: {name: milliseconds}}}.
Times are medians over rounds of batches, between CUDA events. Buffers take turns, so the L2 cache
has nothing useful.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import derivatives
import diff
import histogram
import matmul
import nbody
import nearest_neighbor
import pipeline
import reduction
import scan
import tables
import transpose
from timing import Places

TIMERS = {
    "diff": diff.times,
    "transpose": transpose.times,
    "reduction": reduction.times,
    "scan": scan.times,
    "nearest_neighbor": nearest_neighbor.times,
    "matmul": matmul.times,
    "nbody": nbody.times,
    "histogram": histogram.times,
    "derivatives": derivatives.times,
    "pipeline": pipeline.times,
}


def main() -> None:
    parser = tables.parser(__doc__)
    parser.add_argument("--cuda-samples", type=Path, help="checkout of NVIDIA/cuda-samples")
    parser.add_argument("--finite-difference", type=Path, help="NVIDIA's finite-difference.cu")
    parser.add_argument("labs", nargs="*", metavar="LAB")
    options = parser.parse_args()
    if unknown := set(options.labs) - set(TIMERS):
        parser.error(f"nothing to time for {', '.join(unknown)}")
    if "nbody" in options.labs and not options.cuda_samples:
        parser.error("nbody needs --cuda-samples")
    samples = options.cuda_samples.resolve() if options.cuda_samples else None
    with tempfile.TemporaryDirectory() as folder:
        places = Places(Path(folder), samples, options.finite_difference)
        found = {one: TIMERS[one](places) for one in options.labs or TIMERS}
    print(json.dumps({lab: times for lab, times in found.items() if times}))


if __name__ == "__main__":
    main()
