"""Completes a file that has a kernel and its configuration, but nothing that launches it."""

from __future__ import annotations

import re

_CONFIGURATION = re.compile(r"^//\s*--(?P<options>.*)$", re.MULTILINE)
_OPTION = re.compile(r"(blockDim|gridDim)=(\[[\d,\s]+\]|\d+)")
_KERNEL = re.compile(
    r"__global__\s+(?:\w+\s+)*?void\s+(?:__\w+__\s*(?:\([^)]*\))?\s*)?(\w+)\s*\(([^)]*)\)"
)
_UNKNOWN = re.compile(r"\b(?:struct|texture|curandState|template)\b")
_BYTES = 1 << 22
_NUMBER = 64  # what a kernel gets for a number, so that most loops end

_MAIN = """
int main() {{
{arrays}
  {kernel}<<<dim3({grid}), dim3({block})>>>({arguments});
  return cudaDeviceSynchronize() != cudaSuccess;
}}
"""


def with_main(text: str) -> str | None:
    """The file with a main() that launches its kernel once, or None if it is not known how."""
    configuration = _CONFIGURATION.search(text)
    kernels = _KERNEL.findall(_without_comments(text))
    if configuration is None or len(kernels) != 1 or re.search(r"\bmain\s*\(", text):
        return None
    options = {name: value.strip("[]") for name, value in _OPTION.findall(configuration["options"])}
    name, parameters = kernels[0]
    if _UNKNOWN.search(text) or set(options) != {"blockDim", "gridDim"}:
        return None
    arrays, arguments = [], []
    for index, parameter in enumerate(filter(None, map(str.strip, parameters.split(",")))):
        if parameter == "void":
            continue
        if "*" in parameter or "[" in parameter:
            arrays.append(f"  void* a{index};\n  cudaMalloc(&a{index}, {_BYTES});")
            arrays.append(f"  cudaMemset(a{index}, 0, {_BYTES});")
            kind = re.sub(r"\w*\s*(?:\[[^\]]*\])?$", "", parameter.replace("__restrict__", ""))
            arguments.append(f"({kind.rstrip()}{'' if '*' in kind else '*'})a{index}")
        else:
            arguments.append(str(_NUMBER))
    return text + _MAIN.format(
        arrays="\n".join(arrays),
        kernel=name,
        grid=options["gridDim"],
        block=options["blockDim"],
        arguments=", ".join(arguments),
    )


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
