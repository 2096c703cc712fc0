"""Tests labs: whether each file of a lab gets the verdict that it should."""
