"""Notices that a file was saved, and checks it in the background."""
