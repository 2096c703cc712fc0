"""Tests and linters, for maintainers."""
