"""The only door to YAML: strict, with file:line:column in every problem."""
