"""From a submitted file to a result: intake, rules, build, object check, judge."""
