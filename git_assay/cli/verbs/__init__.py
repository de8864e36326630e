"""One file per verb; its command's docstring is the help."""
