"""Is the cache a help that can never do harm?"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from git_assay.git.snapshot import Snapshot
from git_assay.graph.store import FactStore
from git_assay.values.canonical import digest_bytes
from git_assay.values.ids import ObjectId
from tests.snapshots import MemoryReader, memory_snapshot


def tree(count: int = 5) -> tuple[Snapshot, MemoryReader, list[ObjectId]]:
    snapshot = memory_snapshot({f"m{i}.py": f"import m{i + 1}\ndef f{i}(a, b): pass\n" for i in range(count)})
    reader = snapshot.reader
    assert isinstance(reader, MemoryReader)
    return snapshot, reader, [entry.oid for entry in snapshot.entries.values()]


def test_a_second_run_reads_no_blob(tmp_path: Path) -> None:
    _, reader, oids = tree()
    first = FactStore(tmp_path / "c.sqlite", lambda: reader)
    imports, definitions, exact = first.imports("python", oids), first.definitions("python", oids), first.exact(oids)
    first.close()
    reader.reads.clear()
    second = FactStore(tmp_path / "c.sqlite", lambda: reader)
    assert second.imports("python", oids) == imports
    assert second.definitions("python", oids) == definitions
    assert second.exact(oids) == exact == {oid: digest_bytes(reader.blobs[oid]) for oid in oids}
    assert not reader.reads
    second.close()


def test_facts_are_the_same_with_one_process_and_with_two() -> None:
    _, reader, oids = tree(200)
    one = FactStore(None, lambda: reader, workers=1)
    two = FactStore(None, lambda: reader, workers=2)
    assert one.imports("python", oids) == two.imports("python", oids)


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.commit()
    connection.close()


def _old(path: Path) -> None:
    _, reader, oids = tree()
    store = FactStore(path, lambda: reader)
    store.imports("python", oids)
    store.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()


def _damaged_values(path: Path) -> None:
    _, reader, oids = tree()
    store = FactStore(path, lambda: reader)
    store.imports("python", oids)
    store.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE facts SET value = x'00ff'")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [lambda p: p.write_bytes(b"not a database" * 100), lambda p: p.write_bytes(b""), _foreign, _old, _damaged_values],
    ids=["noise", "empty", "foreign", "old-layout", "damaged-values"],
)
def test_a_bad_cache_is_a_miss_and_is_replaced(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "c.sqlite"
    damage(path)
    _, reader, oids = tree()
    expected = FactStore(None, lambda: reader).imports("python", oids)
    store = FactStore(path, lambda: reader)
    assert store.imports("python", oids) == expected
    store.close()
    reader.reads.clear()
    again = FactStore(path, lambda: reader)
    assert again.imports("python", oids) == expected
    assert not reader.reads
    again.close()


def test_a_cache_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    _, reader, oids = tree()
    store = FactStore(tmp_path / "file" / "c.sqlite", lambda: reader)
    assert len(store.imports("python", oids)) == len(set(oids))


def test_a_locked_cache_blocks_no_one(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    _old_store = FactStore(path, lambda: tree()[1])
    _old_store.exact(tree()[2])
    holder = sqlite3.connect(path)
    holder.execute("BEGIN IMMEDIATE")
    _, reader, oids = tree(2)
    store = FactStore(path, lambda: reader)
    assert len(store.imports("python", oids)) == 2
    holder.rollback()
    holder.close()
    store.close()
    _old_store.close()
