"""What every other package may use: errors, text, files, processes, locks."""
