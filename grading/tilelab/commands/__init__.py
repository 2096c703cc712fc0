"""The commands: one file for each, named like the command, in a folder for whom it is."""
