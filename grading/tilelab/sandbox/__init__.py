"""Sandboxes for submissions, while they are compiled and while they run."""
