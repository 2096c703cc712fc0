"""Builds the wheel: the command line, and a harness that nobody else has to build."""
