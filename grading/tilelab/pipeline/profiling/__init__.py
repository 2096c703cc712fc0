"""What a submission's kernels do with memory, and what nvcc makes of them."""
