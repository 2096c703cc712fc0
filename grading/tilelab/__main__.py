"""Runs the command line: the launcher starts `python -m tilelab`."""

from tilelab.commands.app import main

main()
