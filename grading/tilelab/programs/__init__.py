"""CUDA programs of their own, with a main(): compiles them, runs them, and says what was found."""
