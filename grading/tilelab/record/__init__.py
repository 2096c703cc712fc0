"""The record of a class: what was found out about every file, and the grades."""
