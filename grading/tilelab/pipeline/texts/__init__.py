"""The text of a submission as a program: its words, and that all compilers read the same one."""
