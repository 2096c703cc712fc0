"""Families of repairs: each file derives edits of one sort from a submission."""
