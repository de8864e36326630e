"""How is git assay started without its console script? `python -m git_assay`."""

from git_assay.cli.main import run

run()
