"""Do the three lines in docs/formats/records.md verify a record with ssh-keygen alone?"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from git_assay.evidence.publish import publish
from git_assay.git.repository import Repository
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, BOB
from tests.repos import Repo

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "records.md"


def test_the_documented_lines_verify_a_record(tmp_path: Path) -> None:
    block = re.search(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert block is not None
    assert len(block[1].splitlines()) == 3
    repo = Repo(tmp_path / "repo").init()
    listed = "".join(f'{who} namespaces="git-assay" {workshop.signer(who).public_key.text}\n' for who in (ALICE, BOB))
    repo.write(".assay/allowed_signers", listed)
    repo.commit("first")
    publish(Repository.discover(repo.path, dict(os.environ)), [workshop.unsigned()], workshop.signer(ALICE))
    log = workshop.signer(ALICE).public_key.log
    for who, expected in ((ALICE, 0), (BOB, 255)):
        env = {**os.environ, "LOG": log, "COMMIT": workshop.PLACE, "WHO": who}
        done = subprocess.run(["sh", "-c", block[1]], cwd=repo.path, env=env, capture_output=True, check=False)
        assert done.returncode == expected, done.stderr
