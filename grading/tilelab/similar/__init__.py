"""Which files of a class are alike. It reports, and gives or takes no points."""
