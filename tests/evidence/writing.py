"""A process of its own that writes one record: `python -m tests.evidence.writing REPOSITORY NUMBER`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from git_assay.evidence.publish import publish
from git_assay.git.repository import Repository
from tests.evidence import workshop

if __name__ == "__main__":
    repository = Repository.discover(Path(sys.argv[1]), dict(os.environ))
    statement = workshop.unsigned(workshop.run(f"check-{sys.argv[2]}"))
    publish(repository, [statement], workshop.signer(workshop.ALICE), deadline_s=120)
