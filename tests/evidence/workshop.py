"""How do tests make records, good ones and one for each refusal? Keys are fixed, so that the same bytes come out."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from git_assay.evidence.envelope import pae
from git_assay.evidence.keyring import Keyring, make_keyring
from git_assay.evidence.model import Refusal
from git_assay.evidence.records import (
    CONE_VERSION,
    PAYLOAD_TYPE,
    Batch,
    Common,
    PredicateType,
    Run,
    Subject,
    Withdrawal,
)
from git_assay.evidence.statement import Body, Unsigned, build_payloads
from git_assay.signing.public_key import ED25519, PublicKey
from git_assay.signing.signer import FileSigner
from git_assay.signing.sshsig import build_sshsig, signed_data
from git_assay.signing.wire import wire_string
from git_assay.values.ids import ObjectId, RepositoryId

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
EARLIER = "2026-11-30T11:00:00Z"
REPOSITORY = RepositoryId("11111111-2222-3333-4444-555555555555")
PLACE = ObjectId("c" * 40)
ALICE, BOB = "alice@example.com", "bob@example.com"


def signer(name: str) -> FileSigner:
    """Returns a fixed key for a name."""
    private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
    blob = wire_string(ED25519.encode()) + wire_string(private.public_key().public_bytes_raw())
    return FileSigner(PublicKey(blob), private)


def keyring(*, revoked: bytes | None = b"", options: str = 'namespaces="git-assay"') -> Keyring:
    """Returns a keyring of Alice and Bob, each with the key of their name, and of Alice's second key."""
    listed = ((ALICE, ALICE), (ALICE, "alice-second"), (BOB, BOB))
    lines = "".join(f"{who} {options} {signer(key).public_key.text}\n" for who, key in listed)
    return make_keyring(allowed_signers=lines.encode(), revoked_keys=revoked, repository=REPOSITORY)


def common(by: str = ALICE, **changes: Any) -> Common:
    base = Common(
        version=1,
        repository=REPOSITORY,
        by=by,
        time=EARLIER,
        prev=(),
        observed="ran",
        tool="0.1.0",
        cone=CONE_VERSION,
        extractor=1,
    )
    values = {field: getattr(base, field) for field in base.__struct_fields__} | changes
    return Common(**values)


def run(check: str = "unit", verdict: str = "pass") -> Run:
    ended = 0 if verdict == "pass" else 1
    digest = hashlib.sha256(check.encode()).hexdigest()
    return Run(
        check=check,
        kind="tests",
        command=f"pytest {check}",
        exit=ended,
        verdict="pass" if verdict == "pass" else "fatal",
        duration_ms=4100,
        environment=digest,
        log=digest,
    )


def unsigned(body: Body | None = None, *, by: str = ALICE, subjects: int = 1, **changes: Any) -> Unsigned:
    body = run() if body is None else body
    kind = PredicateType.WITHDRAWAL if isinstance(body, Withdrawal) else PredicateType.TESTS
    names = tuple(Subject(f"module-{i}", {"assayOwnExact": f"{i:064x}"}) for i in range(subjects))
    return Unsigned(type=kind, place=PLACE, common=common(by, **changes), body=body, subjects=names)


def payload(**changes: Any) -> bytes:
    return build_payloads(unsigned(**changes), ())[0]


def envelope(data: bytes, signature: bytes, *, payload_type: str = PAYLOAD_TYPE) -> dict[str, Any]:
    return {
        "payload": base64.b64encode(data).decode(),
        "payloadType": payload_type,
        "signatures": [{"keyid": "", "sig": base64.b64encode(signature).decode()}],
    }


def line(data: bytes | None = None, *, key: str = ALICE, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """Returns the line of a payload, signed by the key of a name."""
    data = payload() if data is None else data
    signature = signer(key).sign(pae(payload_type, data))
    return compact(envelope(data, signature, payload_type=payload_type))


def compact(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def resign(change: Callable[[bytes], bytes]) -> bytes:
    """Returns a good line whose signature blob was changed afterwards."""
    data = payload()
    return compact(envelope(data, change(signer(ALICE).sign(pae(PAYLOAD_TYPE, data)))))


def with_namespace(namespace: str) -> bytes:
    """Returns a line whose signature holds, in another namespace."""
    data, who = payload(), signer(ALICE)
    raw = who.private.sign(signed_data(pae(PAYLOAD_TYPE, data), namespace=namespace))
    inner = wire_string(ED25519.encode()) + wire_string(raw)
    return compact(envelope(data, build_sshsig(who.public_key, inner, namespace=namespace)))


def edited(change: Callable[[dict[str, Any]], None]) -> bytes:
    """Returns a properly signed line over a payload that was changed before."""
    value = json.loads(payload())
    change(value)
    return line(compact(value))


def _set(*keys: str, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        for key in keys[:-1]:
            value = value[key]
        value[keys[-1]] = to

    return change


def _replay_payload() -> bytes:
    value = json.loads(line())
    value["payload"] = base64.b64encode(payload().replace(b"module-0", b"module-9")).decode()
    return compact(value)


def _two_signatures() -> bytes:
    value = json.loads(line())
    value["signatures"] *= 2
    return compact(value)


def _reserved(blob: bytes) -> bytes:
    namespace = wire_string(b"git-assay")
    at = blob.index(namespace) + len(namespace)
    return blob[:at] + wire_string(b"xyz") + blob[at + 4 :]


def _wrong_inner_algorithm(blob: bytes) -> bytes:
    at = blob.rindex(b"ssh-ed25519")
    return blob[:at] + b"ssh-ed25510" + blob[at + 11 :]


@dataclasses.dataclass(frozen=True, slots=True)
class Defect:
    """A line that must be refused for this reason."""

    reason: Refusal
    line: bytes


def defects() -> dict[str, Defect]:
    """Returns one line for each defect, by the defect's name."""
    good, data = line(), payload()
    reencoded = json.dumps(json.loads(data), indent=1).encode()
    made: dict[str, tuple[Refusal, bytes]] = {
        "not-json": (Refusal.ENVELOPE, b"pass tests module-0"),
        "truncated": (Refusal.ENVELOPE, good[: len(good) // 2]),
        "empty-object": (Refusal.ENVELOPE, b"{}"),
        "trailing-data": (Refusal.ENVELOPE, good + b"{}"),
        "double-keyed-envelope": (Refusal.ENVELOPE, good.replace(b'{"payload"', b'{"payload":"","payload"', 1)),
        "no-signature": (Refusal.ENVELOPE, compact({**json.loads(good), "signatures": []})),
        "two-signatures": (Refusal.ENVELOPE, _two_signatures()),
        "payload-not-base64": (Refusal.ENVELOPE, compact({**json.loads(good), "payload": "*"})),
        "line-too-long": (Refusal.ENVELOPE, compact({**json.loads(good), "more": "x" * 17000})),
        "nested-too-deeply": (Refusal.ENVELOPE, b"[" * 15000),
        "unknown-payload-type": (Refusal.PAYLOAD_TYPE, line(payload_type="text/plain")),
        "sshsig-cut-short": (Refusal.SSHSIG, resign(lambda blob: blob[:-1])),
        "sshsig-trailing-bytes": (Refusal.SSHSIG, resign(lambda blob: blob + b"\0")),
        "sshsig-version-0": (Refusal.SSHSIG, resign(lambda blob: b"SSHSIG\0\0\0\0" + blob[10:])),
        "sshsig-version-2": (Refusal.SSHSIG, resign(lambda blob: b"SSHSIG\0\0\0\2" + blob[10:])),
        "sshsig-reserved-bytes": (Refusal.SSHSIG, resign(_reserved)),
        "sshsig-unknown-hash": (Refusal.SSHSIG, resign(lambda blob: blob.replace(b"sha512", b"sha999"))),
        "sshsig-wrong-algorithm": (Refusal.SSHSIG, resign(_wrong_inner_algorithm)),
        "namespace-git": (Refusal.SSHSIG, with_namespace("git")),
        "forged-signature": (Refusal.SIGNATURE, resign(lambda blob: blob[:-1] + bytes([blob[-1] ^ 1]))),
        "replayed-for-other-module": (Refusal.SIGNATURE, _replay_payload()),
        "re-encoded-payload": (Refusal.SIGNATURE, compact({**json.loads(good), "payload": _b64(reencoded)})),
        "log-of-other-key": (Refusal.LOG, line(key=BOB)),
        "payload-not-json": (Refusal.PAYLOAD, line(b"pass")),
        "payload-not-object": (Refusal.PAYLOAD, line(b"[]")),
        "payload-double-keyed": (Refusal.PAYLOAD, line(data.replace(b'{"_type"', b'{"_type":"x","_type"', 1))),
        "payload-trailing-data": (Refusal.PAYLOAD, line(data + b" {}")),
        "payload-nan": (Refusal.PAYLOAD, line(data.replace(b'"duration_ms":4100', b'"duration_ms":NaN'))),
        "payload-huge-number": (Refusal.PAYLOAD, line(data.replace(b"4100", b"9007199254740993"))),
        "payload-infinite-number": (Refusal.PAYLOAD, line(data.replace(b"4100", b"1e999"))),
        "payload-not-utf8": (Refusal.PAYLOAD, line(data.replace(b"module-0", b"module-\xff"))),
        "payload-lone-surrogate": (Refusal.PAYLOAD, line(data.replace(b"module-0", b"module-\\ud800"))),
        "payload-local-time": (Refusal.PAYLOAD, edited(_set("predicate", "assay", "time", to="2026-11-30T11:00:00"))),
        "payload-without-common-part": (Refusal.PAYLOAD, edited(_set("predicate", "assay", to=None))),
        "payload-without-run": (Refusal.PAYLOAD, edited(_set("predicate", "run", to=None))),
        "payload-other-version": (Refusal.PAYLOAD, edited(_set("predicate", "assay", "version", to=2))),
        "unknown-statement-type": (Refusal.STATEMENT, edited(_set("_type", to="https://in-toto.io/Statement/v2"))),
        "unknown-predicate-type": (Refusal.STATEMENT, edited(_set("predicateType", to="urn:other:v1"))),
        "other-repository": (Refusal.REPOSITORY, edited(_set("predicate", "assay", "repository", to="elsewhere"))),
        "other-principal": (Refusal.SIGNER, edited(_set("predicate", "assay", "by", to=BOB))),
        "unknown-critical-field": (Refusal.CRITICAL, edited(_set("predicate", "assay", "critical", to=["quorum"]))),
        "from-the-future": (Refusal.FUTURE, edited(_set("predicate", "assay", "time", to="2026-11-30T12:05:01Z"))),
    }
    return {name: Defect(reason, data) for name, (reason, data) in made.items()}


def batch_part(batch: Batch) -> bytes:
    return edited(_set("predicate", "assay", "batch", to={"id": batch.id, "i": batch.i, "n": batch.n}))


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()
