"""Turns what a judge found into points. Pure functions."""
