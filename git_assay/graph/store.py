"""What is already known about these blobs, and what must still be extracted?

Facts depend on the blob alone, so they are computed once per blob, ever. What is not in the cache is extracted (in
several processes when there is much of it) and written in small transactions, so that a killed run keeps what it had.
The cache may be missing, foreign, corrupt, locked or read-only: then it is a miss, never an error.
**Source:** design 20-graph §1, §4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from git_assay.git.snapshot import BlobReader
from git_assay.graph.cache import FactCache
from git_assay.graph.encoding import Tier, decode_facts
from git_assay.syntax.facts import DefinitionFacts, ImportFacts, PartDigest
from git_assay.syntax.languages import get
from git_assay.values.canonical import digest_bytes
from git_assay.values.ids import Digest, ObjectId

if TYPE_CHECKING:
    from git_assay.graph.extraction import Batch

T = TypeVar("T")

# Blobs read and written together: large enough for one transaction, small enough to lose little when killed.
_BATCH_BLOBS = 64
_BATCH_BYTES = 2 << 20


class FactStore:
    """Facts of blobs by object id.

    cache: the SQLite file, None for none.  reader: opens a blob reader; called when something must be read.
    workers: processes for a cold run; None for one per core.
    """

    def __init__(self, cache: Path | None, reader: Callable[[], BlobReader], *, workers: int | None = None) -> None:
        self._cache = FactCache(cache)
        self._open_reader = reader
        self._reader: BlobReader | None = None
        self._workers = workers
        self._exact: dict[ObjectId, Digest] = {}
        self._facts: dict[tuple[Tier, str], dict[ObjectId, ImportFacts | DefinitionFacts]] = {}

    def exact(self, oids: Iterable[ObjectId]) -> Mapping[ObjectId, Digest]:
        """Returns SHA-256 of the bytes of each blob. Raises AssayError when a blob cannot be read."""
        wanted = list(dict.fromkeys(oids))
        missing = [oid for oid in wanted if oid not in self._exact]
        for oid, value in self._cache.read(Tier.EXACT, "", missing).items():
            if len(value) == 32:
                self._exact[oid] = Digest(value.hex())
        for batch in self._batches([oid for oid in missing if oid not in self._exact]):
            self._keep_exact(batch)
        return {oid: self._exact[oid] for oid in wanted}

    def imports(self, language: str, oids: Iterable[ObjectId]) -> Mapping[ObjectId, ImportFacts]:
        """Returns the first tier of facts of each blob."""
        found = self._tier(Tier.IMPORTS, language, list(dict.fromkeys(oids)))
        return {oid: facts for oid, facts in found.items() if isinstance(facts, ImportFacts)}

    def definitions(self, language: str, oids: Iterable[ObjectId]) -> Mapping[ObjectId, DefinitionFacts]:
        """Returns the second tier of facts of each blob: definitions, code digest, lines of code."""
        found = self._tier(Tier.DEFINITIONS, language, list(dict.fromkeys(oids)))
        return {oid: facts for oid, facts in found.items() if isinstance(facts, DefinitionFacts)}

    def parts(
        self, language: str, oid: ObjectId, symbols: Iterable[str]
    ) -> tuple[Mapping[str, PartDigest], PartDigest]:
        """Returns the digests of the symbols that the blob defines, and of the rest of it. Not cached: few blobs."""
        [(_, data)] = self._blobs().read_blobs((oid,))
        return get(language).parts(data, symbols)

    def close(self) -> None:
        """Closes the cache; what was extracted is already committed."""
        self._cache.close()

    def _tier(
        self, tier: Tier, language: str, wanted: Sequence[ObjectId]
    ) -> dict[ObjectId, ImportFacts | DefinitionFacts]:
        known = self._facts.setdefault((tier, language), {})
        missing = [oid for oid in wanted if oid not in known]
        for oid, value in self._cache.read(tier, language, missing).items():
            facts = decode_facts(tier, value)
            if facts is not None:
                known[oid] = facts
        missing = [oid for oid in missing if oid not in known]
        if missing:
            self._extract(tier, language, missing, known)
        return {oid: known[oid] for oid in wanted}

    def _extract(
        self,
        tier: Tier,
        language: str,
        missing: Sequence[ObjectId],
        known: dict[ObjectId, ImportFacts | DefinitionFacts],
    ) -> None:
        """Adds to `known` what is not in the cache. Apart, since a warm run needs neither processes nor parsers."""
        from git_assay.graph.extraction import extract_all

        for batch, encoded in extract_all(self._batches(missing), tier, language, workers=self._worker_count(missing)):
            self._keep_exact(batch)
            self._cache.write(tier, language, encoded)
            for oid, value in encoded.items():
                facts = decode_facts(tier, value)
                if facts is None:
                    raise ValueError("facts that were just encoded do not decode")
                known[oid] = facts

    def _worker_count(self, missing: Sequence[ObjectId]) -> int | None:
        return self._workers if len(missing) > 2 * _BATCH_BLOBS or self._workers is not None else 1

    def _keep_exact(self, batch: Batch) -> None:
        fresh = {oid: digest_bytes(data) for oid, data in batch if oid not in self._exact}
        self._exact.update(fresh)
        self._cache.write(Tier.EXACT, "", {oid: bytes.fromhex(value) for oid, value in fresh.items()})

    def _batches(self, oids: Sequence[ObjectId]) -> Iterator[Batch]:
        if not oids:
            return
        batch: list[tuple[ObjectId, bytes]] = []
        size = 0
        for oid, data in self._blobs().read_blobs(oids):
            batch.append((oid, data))
            size += len(data)
            if len(batch) >= _BATCH_BLOBS or size >= _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _blobs(self) -> BlobReader:
        if self._reader is None:
            self._reader = self._open_reader()
        return self._reader
