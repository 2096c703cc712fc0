"""What the stages of the pipeline hand each other, and what they work with."""
