"""What do all statements of one command have in common: who speaks, when, about which commit?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from git_assay import __version__
from git_assay.evidence.records import CONE_VERSION, Common, PredicateType, Subject
from git_assay.evidence.statement import Body, Unsigned
from git_assay.values.ids import ObjectId, Principal, RecordId, RepositoryId
from git_assay.values.moments import format_moment


@dataclass(frozen=True, slots=True)
class Occasion:
    """commit, tree: what the writer saw; hints for people, never identity.  extractor: as the tree's config pins it."""

    repository: RepositoryId
    principal: Principal
    time: datetime
    commit: ObjectId
    tree: ObjectId
    extractor: int

    def draft(
        self,
        type: PredicateType,
        subjects: Iterable[Subject],
        body: Body,
        *,
        supersedes: Iterable[RecordId] = (),
    ) -> Unsigned:
        """Returns a statement to be written at this commit."""
        common = Common(
            version=1,
            repository=self.repository,
            by=self.principal,
            time=format_moment(self.time),
            prev=(),
            observed="ran",
            tool=__version__,
            cone=CONE_VERSION,
            extractor=self.extractor,
            commit=self.commit,
            tree=self.tree,
            supersedes=tuple(supersedes),
        )
        return Unsigned(type=type, place=self.commit, common=common, body=body, subjects=tuple(subjects))
