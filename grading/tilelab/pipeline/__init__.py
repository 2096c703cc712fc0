"""The pipeline from a file to a result: intake, rules, build, object check, judge."""
