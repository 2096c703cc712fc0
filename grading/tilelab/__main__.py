"""Runs the command line: the launcher starts `python -m tilelab`."""

from tilelab.app import main

main()
