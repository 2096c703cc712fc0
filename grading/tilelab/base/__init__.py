"""What every other room may use: errors, text, files, programs, locks."""
