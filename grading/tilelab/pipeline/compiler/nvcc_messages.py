"""What to do about errors that nvcc words for people who know it well."""

from __future__ import annotations

# Part of nvcc's message, and what usually helps.
_ADVICE = (
    ("a host function call cannot be configured", "Is the function's __global__ missing?"),
    ("a __global__ function call must be configured", "Launch it: kernel<<<grid, block>>>(...)."),
    ("calling a __host__ function", "Is that function's __device__ missing?"),
    ("calling a constexpr __host__ function", "Device code may call __device__ functions only."),
    ("calling a __device__ function", "Is the caller's __global__ or __device__ missing?"),
    ("is undefined in device code", "Is its __device__ or __constant__ missing?"),
    ("is not allowed inside a host function body", "Is that function's __global__ missing?"),
)


def explained(message: str) -> str:
    """The message with advice at its end, and without nvcc's name for unnamed namespaces."""
    message = message.replace("_NV_ANON_NAMESPACE::", "")
    found = next((advice for words, advice in _ADVICE if words in message), None)
    return f"{message}. {found}" if found else message
