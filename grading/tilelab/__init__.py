"""The package behind the `tilelab` command, which checks submissions and grades classes."""
