"""Prints the results of commands."""
