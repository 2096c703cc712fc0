"""What is kept of a run: a file here for each format."""
