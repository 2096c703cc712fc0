"""The figures of the handouts and of the architecture page, and what draws them."""
