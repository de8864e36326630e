"""Which files would make a repository adopt git assay? A proposal, worked out in memory; nothing is written here.

1. areas of the tree become cards, with goals from package docstrings, owners from CODEOWNERS, checks from the tests
   that lie beside them;
2. config with a random repository id and the files that are open today;
3. policy with rules that can be satisfied today, signers, empty revocation and retired ids;
4. exemptions for all that exists, so that only what is touched from now on needs evidence.

**Source:** design 10-modules §7, 40-gate §3, 45-teams "Joining".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from git_assay.adopt import texts
from git_assay.adopt.areas import Area, find_areas
from git_assay.adopt.cards import ProposedCard, card_text
from git_assay.adopt.codeowners import CodeOwners, read_codeowners
from git_assay.adopt.overlay import overlay
from git_assay.adopt.set_up import SetUp
from git_assay.cones.analysis import Analysis, analyze
from git_assay.cones.assemble import undeclared_graph
from git_assay.gate.exempting import exemptions_for
from git_assay.gate.load import load_policy
from git_assay.git.snapshot import Snapshot
from git_assay.graph.store import FactStore
from git_assay.modules.config import Config
from git_assay.modules.load import load_declarations
from git_assay.modules.scope import is_card, source_files
from git_assay.syntax.languages import EXTRACTOR_VERSION
from git_assay.values.ids import ModuleId, ObjectId, TreePath

# A module's docstring: after comments and blank lines, up to the quotes that opened it (or the end of a cut file).
_DOCSTRING = re.compile(rb"\A(?:\s|#[^\n]*\n)*[rRuU]?(\"\"\"|\'\'\'|\"|\')(.*?)(?:\1|\Z)", re.DOTALL)
_SENTENCE = re.compile(r".*?[.!?](?= [^a-z]|$)")
_GOAL_LIMIT = 160  # characters
_EXEMPT_DAYS = (180, 210, 240)  # spread by owner, so that not everything ends on one day
_REASON = "existed before adoption"


@dataclass(frozen=True, slots=True)
class Adopter:
    """Who adopts. repository: 32 random hex digits.  public_key: `ssh-ed25519 AAAA...`, None = no key."""

    principal: str
    repository: str
    public_key: str | None
    today: date


@dataclass(frozen=True, slots=True)
class Proposal:
    """files: path -> content of what would be written, sorted; none of them exists.

    cards: (id, path, goal), exemptions, opens: for the plan that is shown.  advice: what is left to do by hand.
    """

    files: Mapping[TreePath, bytes]
    cards: tuple[tuple[ModuleId, TreePath, str], ...]
    exemptions: int
    opens: int
    advice: tuple[str, ...] = ()


def propose(snapshot: Snapshot, adopter: Adopter, store: FactStore) -> Proposal:
    """Returns what adopting would write into a tree. The tree must not have `.assay/` yet.

    store: facts of the tree's own blobs; the proposed files are never asked of it, since no module owns them.
    Raises DocumentProblems when cards that are there already are wrong.
    """
    cards = _cards(snapshot, adopter)
    files = {path: card_text(card).encode() for path, card in cards}
    opens = tuple(sorted(undeclared_graph(snapshot, store).opens))
    files |= _governing(adopter, open_accepted=opens)
    if TreePath(b".gitattributes") not in snapshot.entries:
        files[TreePath(b".gitattributes")] = texts.ATTRIBUTES.encode()
    analysis = analyze(overlay(snapshot, files), store)
    policy, _ = load_policy(analysis.snapshot)
    if policy is None:
        raise ValueError("the proposed policy does not load")
    _digest_all(analysis, store)
    until = [adopter.today + timedelta(days=days) for days in _EXEMPT_DAYS]
    exempt = exemptions_for(analysis, policy, reason=_REASON, until=until)
    files[TreePath(b".assay/exemptions.yml")] = texts.exemptions_text(exempt).encode()
    shown = tuple((card.id, path, card.goal) for path, card in cards)
    return Proposal(dict(sorted(files.items())), shown, len(exempt), len(opens), _advice(snapshot))


def _advice(snapshot: Snapshot) -> tuple[str, ...]:
    """Returns what an existing `.gitattributes` lacks: it is not ours to edit."""
    path = TreePath(b".gitattributes")
    if path not in snapshot.entries or not snapshot.entries[path].is_file:
        return ()
    present = {line.strip() for line in snapshot.read(path).decode("utf-8", "replace").splitlines()}
    lacking = [line for line in texts.ATTRIBUTES.splitlines() if line not in present]
    return tuple(f"add to .gitattributes: {line}" for line in lacking)


def _digest_all(analysis: Analysis, store: FactStore) -> None:
    """Asks for all code digests at once, so that the store works in several processes; exemptions ask by module."""
    oids: dict[str, list[ObjectId]] = {}
    for path, language in analysis.graph.files.items():
        oids.setdefault(language, []).append(analysis.snapshot.entries[path].oid)
    for language, wanted in oids.items():
        store.definitions(language, wanted)


def with_key(proposal: Proposal, principal: str, public_key: str) -> Proposal:
    """Returns the proposal with a key that was made after it: signers, and rules that can now be satisfied."""
    changed = {
        TreePath(b".assay/allowed_signers"): texts.signers_text(principal, public_key).encode(),
        TreePath(b".assay/policy.yml"): texts.policy_text(principal, signed=True).encode(),
    }
    return replace(proposal, files={**proposal.files, **changed})


def _governing(adopter: Adopter, *, open_accepted: tuple[TreePath, ...]) -> dict[TreePath, bytes]:
    signers = texts.signers_text(adopter.principal, adopter.public_key) if adopter.public_key else ""
    contents = {
        b"config.yml": texts.config_text(adopter.repository, EXTRACTOR_VERSION, open_accepted=open_accepted),
        b"policy.yml": texts.policy_text(adopter.principal, signed=adopter.public_key is not None),
        b"exemptions.yml": texts.exemptions_text(()),
        b"retired.yml": texts.RETIRED,
        b"revoked_keys": texts.REVOKED,
        b"allowed_signers": signers,
    }
    return {TreePath(b".assay/" + name): text.encode() for name, text in contents.items()}


def _cards(snapshot: Snapshot, adopter: Adopter) -> list[tuple[TreePath, ProposedCard]]:
    plain = Config(format="assay-config/1", repository=adopter.repository, extractor=EXTRACTOR_VERSION)
    sources = source_files(snapshot, plain)
    present = {path for path in snapshot.entries if is_card(path)}
    taken = frozenset(_existing_ids(snapshot, adopter)) if present else frozenset()
    owners = read_codeowners(snapshot)
    areas = find_areas(sources, taken=taken)
    ids = {area.directory: area.id for area in areas}
    openings = _openings(snapshot, areas)
    tests = SetUp(snapshot, areas)
    found = []
    for area in areas:
        path = TreePath(area.directory + b"/assay.yml" if area.directory else b"assay.yml")
        if path not in present:
            card = _card(area, ids, openings, owners, adopter)
            check = tests.check_of(area)
            found.append((path, card if check is None else replace(card, labels=("tested",), checks=(check,))))
    return found


def _existing_ids(snapshot: Snapshot, adopter: Adopter) -> list[ModuleId]:
    """Returns the ids of cards that stand in the tree before `.assay/` does."""
    return list(load_declarations(overlay(snapshot, _governing(adopter, open_accepted=()))).cards)


def _card(
    area: Area,
    ids: Mapping[TreePath, ModuleId],
    openings: Mapping[TreePath, bytes],
    owners: CodeOwners,
    adopter: Adopter,
) -> ProposedCard:
    named = owners.of(TreePath(area.directory + b"/x.py" if area.directory else b"x.py"))
    return ProposedCard(
        area.id,
        _goal(area, openings.get(area.directory)),
        owners=named or (adopter.principal,),
        parent=ids[area.parent] if area.parent is not None else None,
    )


def _openings(snapshot: Snapshot, areas: tuple[Area, ...]) -> Mapping[TreePath, bytes]:
    inits = {area.directory: TreePath(area.directory + b"/__init__.py") for area in areas if area.directory}
    wanted = {d: path for d, path in inits.items() if path in snapshot.entries and snapshot.entries[path].is_file}
    texts_of = snapshot.read_many(wanted.values())
    return {directory: texts_of[path] for directory, path in wanted.items()}


def _goal(area: Area, opening: bytes | None) -> str:
    match = _DOCSTRING.match(opening) if opening else None
    words = _first_sentence(match[2].decode("utf-8", "replace")) if match else ""
    if words:
        return words
    where = area.directory.decode("utf-8", "replace")
    return f"Hold what lies under {where}/." if where else "Hold what lies at the root."


def _first_sentence(text: str) -> str:
    """Returns the first sentence of the first paragraph (a title's underline ends one), cut at a word; "" for none."""
    lines: list[str] = []
    for line in text.splitlines():
        if any(char.isalpha() for char in line):
            lines.append(line)
        elif lines:
            break
    words = " ".join(" ".join(lines).split())
    sentence = _SENTENCE.match(words)
    words = sentence[0] if sentence else words
    return words if len(words) <= _GOAL_LIMIT else words[:_GOAL_LIMIT].rpartition(" ")[0] + " ..."
