"""Whose records count? The trusted side's signers, revocations and repository id.

Read from the tip of the target branch by the caller, never from the change that is judged. **Source:** design
30-evidence §4.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from git_assay.signing.allowed_signers import Signers, parse_allowed_signers
from git_assay.signing.revoked import RevokedKeys, parse_revoked_keys
from git_assay.values.canonical import digest
from git_assay.values.ids import Digest, RepositoryId


@dataclass(frozen=True, slots=True, eq=False)
class Keyring:
    """digest: names everything that a verdict depends on; a cached verdict is only good under the same one."""

    signers: Signers
    revoked: RevokedKeys
    repository: RepositoryId
    digest: Digest

    @property
    def standing(self) -> Signers:
        """The signers without revoked keys: whoever holds one proves nothing, on commits neither."""
        lines = tuple(line for line in self.signers.lines if self.revoked.why_revoked(line.key) is None)
        return Signers(lines, self.signers.problems)


def make_keyring(*, allowed_signers: bytes, revoked_keys: bytes | None, repository: RepositoryId) -> Keyring:
    """Returns the keyring of the two files. revoked_keys: None when that file is missing; nothing counts then."""
    revoked = None if revoked_keys is None else hashlib.sha256(revoked_keys).hexdigest()
    return Keyring(
        signers=parse_allowed_signers(allowed_signers),
        revoked=parse_revoked_keys(revoked_keys),
        repository=repository,
        digest=digest("assay-keyring/1", hashlib.sha256(allowed_signers).hexdigest(), revoked, repository),
    )
