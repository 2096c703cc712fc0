"""What is in a compiled object: ELF, symbols, their names in the source."""
