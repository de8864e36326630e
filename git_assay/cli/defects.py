"""Where does the report of our own defect go, and what stands in it?

Nothing of the environment and no file content is written: a report is meant to be sent on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from git_assay import __version__


def write_report(trace: str, args: Sequence[str], *, directory: Path | None) -> Path | None:
    """Writes the report into `directory`, or the temporary directory; returns its path, None when neither works."""
    import platform
    import tempfile

    text = "\n".join(
        (
            "git assay defect report",
            f"git assay {__version__}, Python {sys.version.split()[0]}, {platform.platform()}",
            f"command: git assay {' '.join(args)}",
            "",
            trace,
        )
    )
    for place in (directory, Path(tempfile.gettempdir())):
        if place is None:
            continue
        try:
            place.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix="git-assay-defect-", suffix=".txt", dir=place)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            continue
        return Path(name)
    return None
