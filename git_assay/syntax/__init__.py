"""The only door to tree-sitter: facts of one blob, whatever tree it is in."""
