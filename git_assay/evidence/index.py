"""Which notes were verified before, under the same keyring?

A SQLite file in the common git directory. Nothing in it depends on time or on other records (settle.py does that anew
each time). It may be deleted at any moment; one that is damaged, of another version or not writable is not used, and
everything is verified again. A row is named by note blob, log and keyring, never by a record id: a bad signature over
the same payload has the same id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from git_assay.evidence.model import Refusal
from git_assay.evidence.verify import Verdict
from git_assay.values.ids import Digest, LogId, ObjectId, RecordId

# To be raised whenever steps 1 to 10 of the verification change.
_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, blob TEXT, log TEXT, keyring TEXT, UNIQUE (blob, log,
keyring)); CREATE TABLE IF NOT EXISTS line (note INTEGER, i INTEGER, id TEXT, reason TEXT, detail TEXT, key TEXT,
payload BLOB,
    PRIMARY KEY (note, i)) WITHOUT ROWID;
"""
_BUSY_S = 2.0

NoteKey = tuple[ObjectId, LogId]


@dataclass(frozen=True, slots=True)
class VerdictIndex:
    """path: of the file, which need not exist.  keyring: only verdicts under this one are given back."""

    path: Path
    keyring: Digest

    def known(self) -> dict[NoteKey, tuple[Verdict, ...]]:
        """Returns the verdicts of every note that is in the index; an empty mapping when it cannot be read."""
        if not self.path.exists():
            return {}
        try:
            with closing(self._open()) as db:
                return _read(db, self.keyring)
        except (sqlite3.Error, KeyError):  # KeyError: a refusal of another version
            return {}

    def add(self, verdicts: Mapping[NoteKey, Sequence[Verdict]], *, keep: Iterable[NoteKey]) -> None:
        """Stores verdicts, forgets what is not in `keep`. Does nothing where it cannot write; removes a bad file."""
        try:
            self.path.parent.mkdir(exist_ok=True)
            with closing(self._open()) as db, db:
                _write(db, self.keyring, verdicts)
                _forget(db, set(keep))
        except sqlite3.OperationalError:
            return  # locked or read-only: the next command verifies again
        except sqlite3.Error:
            with suppress(OSError):
                self.path.unlink()
        except OSError:
            return

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=_BUSY_S)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _VERSION):
                raise sqlite3.DatabaseError("another version")
            if version == 0:
                db.executescript(f"{_SCHEMA} PRAGMA user_version = {_VERSION};")
        except sqlite3.Error:
            db.close()
            raise
        return db


def _read(db: sqlite3.Connection, keyring: Digest) -> dict[NoteKey, tuple[Verdict, ...]]:
    rows = db.execute(
        "SELECT note.blob, note.log, line.id, line.reason, line.detail, line.key, line.payload FROM note"
        " LEFT JOIN line ON line.note = note.id WHERE note.keyring = ? ORDER BY note.id, line.i",
        (keyring,),
    )
    found: dict[NoteKey, list[Verdict]] = {}
    for blob, log, name, reason, detail, key, payload in rows:
        verdicts = found.setdefault((ObjectId(blob), LogId(log)), [])
        if detail is not None:  # None: a note without lines
            refusal = None if reason is None else Refusal[reason]
            verdicts.append(Verdict(None if name is None else RecordId(name), refusal, detail, key, payload))
    return {note: tuple(verdicts) for note, verdicts in found.items()}


def _write(db: sqlite3.Connection, keyring: Digest, verdicts: Mapping[NoteKey, Sequence[Verdict]]) -> None:
    for (blob, log), lines in verdicts.items():
        done = db.execute("INSERT OR IGNORE INTO note (blob, log, keyring) VALUES (?, ?, ?)", (blob, log, keyring))
        if done.rowcount != 1:
            continue  # another process was faster
        note = done.lastrowid
        rows = [
            (note, i, one.id, one.reason.name if one.reason else None, one.detail, one.key, one.payload)
            for i, one in enumerate(lines)
        ]
        db.executemany("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _forget(db: sqlite3.Connection, keep: set[NoteKey]) -> None:
    """Notes grow by being replaced, so most old blobs never come back."""
    gone = [(row[0],) for row in db.execute("SELECT id, blob, log FROM note") if (row[1], row[2]) not in keep]
    db.executemany("DELETE FROM line WHERE note = ?", gone)
    db.executemany("DELETE FROM note WHERE id = ?", gone)
