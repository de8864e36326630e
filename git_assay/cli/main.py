"""Which verb was asked for? Lazy: `--version` imports neither git nor tree-sitter nor click."""

from __future__ import annotations

import sys


def run() -> None:
    """Console entry point; exits with the codes of design 40-gate §4."""
    sys.exit(128)
