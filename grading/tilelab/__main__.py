"""`python -m tilelab`, which the launcher runs."""

from tilelab.cli import main

main()
