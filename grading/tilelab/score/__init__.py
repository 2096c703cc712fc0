"""From what a judge says to points. Pure: it reads lab.toml and starts nothing."""
