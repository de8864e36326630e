"""The only door to git: the git command line is the authority."""
