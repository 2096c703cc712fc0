"""What stands behind the `tilelab` command: checking one submission, grading a class."""
