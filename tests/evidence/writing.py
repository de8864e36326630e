"""A process of its own that writes one record: `python -m tests.evidence.writing REPOSITORY NUMBER`.

It says `ready` once everything is loaded and writes when a line comes on its standard input: so processes that were
started one after the other write at the same moment.
"""

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
    signer = workshop.signer(workshop.ALICE)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    publish(repository, [statement], signer, deadline_s=120)
