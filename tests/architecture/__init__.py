"""Does the code keep the shape that the design gives it? Rules over the syntax tree of the sources."""
