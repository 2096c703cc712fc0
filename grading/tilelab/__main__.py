"""`python -m tilelab`, which the launcher runs."""

from tilelab.commands.app import main

main()
