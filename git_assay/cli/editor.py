"""What does the user write when a message is missing? Opens the editor that git would open.

**Source:** git-var(1) GIT_EDITOR; git-commit(1) for the comment lines.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from git_assay.cli.session import Session
from git_assay.errors import AssayError


def edit(session: Session, *, shown: str) -> str:
    """Returns what the user wrote, comment lines taken out. shown: appended as comment lines.

    Raises AssayError when the editor fails or nothing is left.
    """
    editor = session.repository().git.line(["var", "GIT_EDITOR"])
    with tempfile.TemporaryDirectory(prefix="git-assay-") as folder:
        path = Path(folder) / "ASSAY_EDITMSG"
        comments = "".join(f"# {line}\n" for line in shown.splitlines())
        path.write_text(f"\n{comments}", encoding="utf-8")
        # As git does it: the editor is a command line of the shell, the file its argument.
        done = subprocess.run(["/bin/sh", "-c", f'{editor} "$@"', editor, str(path)], env=session.env, check=False)
        if done.returncode != 0:
            raise AssayError(f"the editor ended with exit code {done.returncode}", hint=session.again("-m", "WHY"))
        text = path.read_text(encoding="utf-8", errors="replace")
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith("#")]
    words = "\n".join(lines).strip()
    if not words:
        raise AssayError("nothing was written, so nothing is signed", hint=session.again("-m", "WHY"))
    return words
