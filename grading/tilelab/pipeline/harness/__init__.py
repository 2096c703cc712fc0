"""Builds the harness with CMake, or finds that the owner of a shared repository has built it."""
