"""Pictures of a kernel's own run: a page made from the emulator's trace."""
