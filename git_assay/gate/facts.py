"""What does the gate know about a change beyond its two trees?

Values only; `gate/ask.py` makes them. Author, committer and trailers are anyone's word, so they only ever *add*
requirements or exclude reviewers; a signature by a listed key is the one thing that is proved.
**Source:** design 40-gate §3 ("Unproved facts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from git_assay.values.ids import LogId, ObjectId, Principal


@dataclass(frozen=True, slots=True)
class RangeCommit:
    """A commit of the change's side. author, committer, coauthors: e-mail addresses as written.

    trailers: keys, lower case.  signer: the listed principal whose signature over the commit holds, else None.
    """

    oid: ObjectId
    author: str
    committer: str
    coauthors: tuple[str, ...] = ()
    trailers: frozenset[str] = frozenset()
    signer: Principal | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RangeFacts:
    """target, head: commits judged; None where a tree (index, working directory) was.

    commits: of the change's side; complete: whether all of them could be read (False in a shallow clone).
    left: piece text -> when the target's first-parent history last left exactly the content that the result has there.
    past_known: whether that history was there to be read.
    unseen: logs whose evidence here does not contain what the newest valid witness saw.  witnessed: when it was made.
    """

    target: ObjectId | None
    head: ObjectId | None
    commits: tuple[RangeCommit, ...] = ()
    complete: bool = True
    left: Mapping[str, datetime] = field(default_factory=dict)
    past_known: bool = True
    unseen: tuple[LogId, ...] = ()
    witnessed: datetime | None = None

    @property
    def identities(self) -> frozenset[str]:
        """Returns every written author, committer and co-author."""
        found: set[str] = set()
        for commit in self.commits:
            found |= {commit.author, commit.committer, *commit.coauthors}
        return frozenset(found)

    @property
    def signers(self) -> frozenset[Principal]:
        """Returns every principal who signed a commit of the change."""
        return frozenset(commit.signer for commit in self.commits if commit.signer is not None)
