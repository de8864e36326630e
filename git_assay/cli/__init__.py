"""The command line: click lives here only."""
