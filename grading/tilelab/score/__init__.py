"""Turns what a judge found into points. Pure functions, except that lab.toml is read."""
