"""One file per command, named as the command is typed."""
