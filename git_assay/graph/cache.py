"""What did an earlier run already extract? One SQLite file, shared by all worktrees, that may vanish at any time.

The key of a row is (tier, language, its facts version, object id); object ids of the two object formats differ in
length. A file with another application id, another layout or a bad page is replaced; one that cannot be written is
read; one that cannot be read does not exist.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from git_assay.graph.encoding import Tier
from git_assay.syntax.languages import facts_version
from git_assay.values.ids import ObjectId

APPLICATION_ID = 0x61737359  # "assY"
LAYOUT = 2
# Another process holds the lock for one small transaction only; after this long we go on without the cache.
_WAIT_S = 2.0
# SQLite's own limit on parameters of one statement is 999 in old builds.
_ASK_AT_ONCE = 900

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {LAYOUT};
CREATE TABLE IF NOT EXISTS facts (tier TEXT, oid BLOB, value BLOB, PRIMARY KEY (tier, oid)) WITHOUT ROWID;
"""


class FactCache:
    """Rows of encoded facts. Every method works without a file: reads find nothing, writes do nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._tried = False

    def read(self, tier: Tier, language: str, oids: Sequence[ObjectId]) -> dict[ObjectId, bytes]:
        """Returns the cached values of those ids that have one."""
        found: dict[ObjectId, bytes] = {}
        connection = self._connect() if oids else None
        if connection is None:
            return found
        try:
            for start in range(0, len(oids), _ASK_AT_ONCE):
                asked = [bytes.fromhex(oid) for oid in oids[start : start + _ASK_AT_ONCE]]
                marks = ",".join("?" * len(asked))
                rows: Iterable[tuple[object, object]] = connection.execute(
                    f"SELECT oid, value FROM facts WHERE tier = ? AND oid IN ({marks})", [_key(tier, language), *asked]
                )
                for oid, value in rows:
                    if isinstance(oid, bytes) and isinstance(value, bytes):
                        found[ObjectId(oid.hex())] = value
        except sqlite3.OperationalError:
            self.close()
        except sqlite3.DatabaseError:
            self._replace()
        return found

    def write(self, tier: Tier, language: str, values: Mapping[ObjectId, bytes]) -> None:
        """Commits the values in one transaction, or gives up on writing."""
        connection = self._connect() if values else None
        if connection is None:
            return
        rows = [(_key(tier, language), bytes.fromhex(oid), value) for oid, value in values.items()]
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)
        except sqlite3.OperationalError:
            return  # locked for too long, read-only or full: the facts are recomputed next time
        except sqlite3.DatabaseError:
            self._replace()

    def close(self) -> None:
        """Lets go of the file; a later read finds nothing."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection | None:
        if self._connection is None and not self._tried and self._path is not None:
            self._tried = True
            self._connection = _open(self._path) or _open_again(self._path)
        return self._connection

    def _replace(self) -> None:
        """The file is damaged: drop it, and go on with an empty one."""
        self.close()
        if self._path is not None:
            self._connection = _open_again(self._path)


def _key(tier: Tier, language: str) -> str:
    return f"{tier.value}/{language}/{facts_version(language)}" if tier is not Tier.EXACT else tier.value


def _open(path: Path) -> sqlite3.Connection | None:
    """Returns an open cache; None when the file is damaged, foreign or of another layout, or cannot be opened."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_WAIT_S)
    except (OSError, sqlite3.Error):
        return None
    try:
        if _is_new(connection):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
        elif not _is_ours(connection):
            connection.close()
            return None
        # A lost last transaction costs a few parses; a damaged file is replaced.
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except sqlite3.Error:
        connection.close()
        return None


def _open_again(path: Path) -> sqlite3.Connection | None:
    """Removes what cannot be used and opens an empty cache. None when that is not possible."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT_S)
        try:
            if _is_ours(connection):  # sound, only not for writing
                return connection
        except sqlite3.OperationalError:
            connection.close()
            return None  # locked or unreadable: somebody else's, leave it
        except sqlite3.DatabaseError:
            pass
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    except (OSError, sqlite3.Error):
        return None
    return _open(path)


def _is_new(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,))


def _is_ours(connection: sqlite3.Connection) -> bool:
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [layout] = connection.execute("PRAGMA user_version").fetchone()
    if (application, layout) != (APPLICATION_ID, LAYOUT):
        return False
    columns = [row[1] for row in connection.execute("PRAGMA table_info(facts)")]
    return columns == ["tier", "oid", "value"]
