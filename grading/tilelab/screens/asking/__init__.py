"""Prints questions, and what their answers are."""
