"""What does a read cost when the index knows every note?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from git_assay.evidence.publish import publish
from git_assay.git.repository import Repository
from tests.evidence import workshop
from tests.repos import Repo

ROOT = Path(__file__).parents[2]
READ = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from git_assay.evidence.keyring import make_keyring
from git_assay.evidence.read import read_evidence
from git_assay.git.repository import Repository
path, repository = Path(sys.argv[1]), sys.argv[2]
ring = make_keyring(allowed_signers=(path / "signers").read_bytes(), revoked_keys=b"", repository=repository)
now = datetime(2026, 11, 30, 12, tzinfo=UTC)
repo = Repository.discover(path, dict(os.environ))
found = read_evidence(repo, ring, now=now, index=path / ".git" / "assay" / "index.sqlite")
print(len(found.records), "cryptography" in sys.modules)
"""


def test_cached_read_does_not_import_cryptography(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    repo.write("signers", f"{workshop.ALICE} {workshop.signer(workshop.ALICE).public_key.text}\n")
    repo.commit("first")
    here = Repository.discover(repo.path, dict(os.environ))
    publish(here, [workshop.unsigned()], workshop.signer(workshop.ALICE))
    command = [sys.executable, "-c", READ, str(repo.path), workshop.REPOSITORY]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = [subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert said == ["1 True\n", "1 False\n"]
