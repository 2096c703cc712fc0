"""The files that a run of `grade` writes: one module for each format."""
