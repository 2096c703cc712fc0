"""What a GPU would do with a kernel, worked out from its machine code."""
