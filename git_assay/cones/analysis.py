"""What is declared, what imports what, and which digests follow, for one tree?

Everything that depends on the tree alone comes from here: declarations, ownership, import graph and digests. The
digests of code mode need every file parsed in full, so they are made when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from git_assay.cones.model import ModuleDigests
from git_assay.git.snapshot import Snapshot
from git_assay.graph.model import Edge, ImportGraph
from git_assay.modules.model import Declarations, Ownership
from git_assay.syntax.facts import OpenImport
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import Digest, ModuleId, ObjectId, TreePath

if TYPE_CHECKING:
    from git_assay.graph.store import FactStore


class Analysis:
    """All answers about one tree. Immutable to its users; what is costly is made on first use and kept."""

    snapshot: Snapshot
    declarations: Declarations
    ownership: Ownership
    graph: ImportGraph

    @property
    def tree(self) -> ObjectId:
        """The id of the tree."""
        return self.snapshot.tree

    @property
    def modules(self) -> tuple[ModuleId, ...]:
        """The declared modules, in order of id (the reserved subjects are not among them)."""
        return tuple(self.declarations.cards)

    def digests(self, module: ModuleId, mode: Mode) -> ModuleDigests:
        """Returns the digests of a module or of `.assay`. Raises AssayError for an unknown module."""
        raise NotImplementedError

    def members(self, module: ModuleId, reach: Reach = Reach.RUN) -> frozenset[TreePath]:
        """Returns the files of the module's cone, its own files included. Raises AssayError for an unknown module."""
        raise NotImplementedError

    def chain(self, module: ModuleId, path: TreePath, reach: Reach = Reach.RUN) -> tuple[Edge, ...]:
        """Returns the shortest chain of imports from the module's own files to `path`, () for an own file.

        An edge to a hub is followed by one of kind `implicit` whose source is the hub's name. Raises AssayError when
        the path is not in the cone.
        """
        raise NotImplementedError

    def pieces(self, module: ModuleId) -> Mapping[str, Digest]:
        """Returns piece text -> exact digest of what the module owns and of its assets, sorted.

        For `.assay`: every file under `.assay/` and every `.gitattributes`.
        """
        raise NotImplementedError

    def piece_owner(self, path: TreePath) -> ModuleId | None:
        """Returns the module that owns the file at `path` (`.assay` included), else the first that has it as asset."""
        raise NotImplementedError

    def exact(self, paths: Iterable[TreePath]) -> Mapping[TreePath, Digest]:
        """Returns SHA-256 of the bytes of each path (of a submodule: its commit id). Missing paths raise KeyError."""
        raise NotImplementedError

    def opens(self, module: ModuleId, reach: Reach = Reach.RUN) -> Mapping[TreePath, tuple[OpenImport, ...]]:
        """Returns the open files of the module's cone with their open imports, by path; `graph.accepted` says which

        of them were not widened.
        """
        raise NotImplementedError


def analyze(snapshot: Snapshot, store: FactStore) -> Analysis:
    """Returns the analysis of one tree. Raises NotAdopted without `.assay/`, DocumentProblems when cards are wrong."""
    raise NotImplementedError
