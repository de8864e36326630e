"""Cards, config and the ownership map of one tree."""
