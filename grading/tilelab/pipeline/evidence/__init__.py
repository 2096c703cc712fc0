"""What the tests and the times of a submission say, as evidence."""
