"""git assay: who answers for each part of a repository, and what evidence stands behind it."""

__version__ = "0.1.0"
