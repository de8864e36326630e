"""Which bytes does each digest of a module hash? **Source:** design 20-graph §3; reference: docs/formats/digests.md.

    scc(S)      = H("assay-scc/1", [file items of S], [edges of S], [scc(T) for T imported from S])
    own(M)      = H("assay-own/1", id, H("assay-contract/1", contract part), [piece items])
    cone(M)     = H("assay-cone/1", own(M), [scc() of all files that contain something of M, and of all they reach])
    check(M, k) = H("assay-check/1", cone(M), kind, run, inputs, verdicts, scope, [file items], [scc() of inputs])
    tree        = H("assay-tree/1", [file items of the whole tree], [scc() of all source files])
    gov(M)      = H("assay-gov/1", id, everything that the card says)

Every bracketed list is a set, sorted by the encoding of its items. A check without `inputs` carries `tree` and None in
the place of its last two parts: the same list for every such check of a tree, hashed once instead of once per check.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

from git_assay.cones.network import Network
from git_assay.cones.scc import Components, find_components
from git_assay.values.canonical import Canonical, digest, digest_encoded, encode, encode_sequence
from git_assay.values.digests import Reach
from git_assay.values.ids import Digest, ModuleId, TreePath

if TYPE_CHECKING:
    from git_assay.modules.card import Check

CONE_VERSION = 2
"""Changes whenever the same tree could get another digest from this folder. Part of records and of cache keys."""

_BITS = bytes.maketrans(b"01", b"\x00\x01")


@dataclass(frozen=True, slots=True)
class PieceItem:
    """What of one owned piece or asset is hashed. symbol: None for a whole file.  mode: git's mode bits."""

    path: TreePath
    symbol: str | None
    mode: int
    digest: Digest


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The components of one reach with their digests in one mode.

    ranked: the distinct component digests, encoded, ascending.  masks: per component, bit r set when it reaches the
    component of ranked[r] (itself included): shared bit sets instead of one set of files per module.
    """

    components: Components
    digests: Sequence[Digest]
    ranked: Sequence[bytes]
    masks: Sequence[int]

    def of(self, nodes: Iterable[int]) -> list[bytes]:
        """Returns the encoded digests of the components of these nodes, a sorted set."""
        return sorted({encode(self.digests[self.components.of[node]]) for node in nodes})

    def reached(self, nodes: Iterable[int]) -> list[bytes]:
        """Returns the encoded digests of the components of these nodes and of all that they reach, a sorted set."""
        mask = 0
        for node in nodes:
            mask |= self.masks[self.components.of[node]]
        return list(compress(self.ranked, f"{mask:b}"[::-1].encode().translate(_BITS)))


def close(network: Network, reach: Reach, items: Sequence[bytes | None]) -> Closure:
    """Returns the closure. items: the encoded file item of each node, None for a hub.

    Linear in edges, times the width of the bit sets (one bit for each component).
    """
    components = find_components(network.targets(reach))
    digests: list[Digest] = []
    for nodes, successors in zip(components.members, components.successors, strict=True):
        files = sorted(item for node in nodes if (item := items[node]) is not None)
        edges = sorted({edge for node in nodes for edge in network.written(node, reach)})
        imported = sorted({encode(digests[successor]) for successor in successors})
        digests.append(digest_encoded("assay-scc/1", *map(encode_sequence, (files, edges, imported))))
    ranked = sorted(set(digests))
    rank = {value: index for index, value in enumerate(ranked)}
    masks: list[int] = []
    for value, successors in zip(digests, components.successors, strict=True):
        mask = 1 << rank[value]
        for successor in successors:
            mask |= masks[successor]
        masks.append(mask)
    return Closure(components, digests, [encode(value) for value in ranked], masks)


def file_item(path: TreePath, mode: int, value: Digest) -> bytes:
    """Returns the encoded (path, mode bits, digest)."""
    return encode((path, mode, value))


def own_digest(module: ModuleId, contract: Canonical, pieces: Iterable[PieceItem]) -> Digest:
    """Returns own(M). contract: the card's contract part, None for a reserved subject."""
    items = sorted({encode((piece.path, piece.symbol, piece.mode, piece.digest)) for piece in pieces})
    part = None if contract is None else digest("assay-contract/1", contract)
    return digest_encoded("assay-own/1", encode(module), encode(part), encode_sequence(items))


def cone_digest(own: Digest, reached: Collection[bytes]) -> Digest:
    """Returns cone(M). reached: encoded component digests, a sorted set."""
    return digest_encoded("assay-cone/1", encode(own), encode_sequence(reached))


def tree_digest(items: Iterable[bytes], components: Collection[bytes]) -> Digest:
    """Returns the digest of a whole tree as the input of checks. items: file items, in any order."""
    return digest_encoded("assay-tree/1", encode_sequence(sorted(items)), encode_sequence(components))


@dataclass(frozen=True, slots=True)
class NamedInputs:
    """The inputs of a check that has `inputs`: file items in any order, component digests as a sorted set."""

    items: frozenset[bytes]
    components: tuple[bytes, ...]


def check_digest(cone: Digest, check: Check, inputs: NamedInputs | Digest) -> Digest:
    """Returns check(M, k). inputs: what the check names, or the tree digest of a check that names nothing."""
    verdicts = (check.verdicts.retry, check.verdicts.fatal)
    written = (cone, check.kind, check.run, check.inputs, verdicts, check.scope)
    if isinstance(inputs, NamedInputs):
        last = (encode_sequence(sorted(inputs.items)), encode_sequence(inputs.components))
    else:
        last = (encode(inputs), encode(None))
    return digest_encoded("assay-check/1", *map(encode, written), *last)


def gov_digest(module: ModuleId, governance: Canonical) -> Digest:
    """Returns gov(M). governance: everything that the card says, None for a reserved subject."""
    return digest("assay-gov/1", module, governance)
