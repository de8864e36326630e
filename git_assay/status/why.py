"""Why is a record stale: what entered, left or changed since, and which imports carry it?

Needs the tree that the record names; where that is gone it says so. **Source:** design 40-gate §1, 00-overview
principle 5.
"""

from __future__ import annotations

from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError
from git_assay.evidence.model import Record
from git_assay.modules.card import Check
from git_assay.status.input_changes import changed_inputs
from git_assay.status.model import Carried, Why
from git_assay.values.digests import Mode, Reach, check_name
from git_assay.values.ids import ModuleId, TreePath

_SHOWN = 10  # paths of one explanation; the rest is counted
_ALL_KINDS = frozenset({"static", "build"})  # design 20-graph §2: these follow every edge


def explain_stale(record: Record, module: ModuleId, check: Check, *, now: Analysis, then: Analysis | None) -> Why:
    """Returns why a record about `check` does not hold for `now`. then: the tree that the record names, if present."""
    if record.statement.predicate.assay.extractor != now.declarations.config.extractor:
        return Why(reason="extractor changed")
    if then is None:
        return Why(reason="the tree that the record names is not in this clone")
    if module not in then.declarations.cards:
        return Why(reason="the record's tree has no such module")
    if not _reproduces(record, module, then):
        return Why(reason="the record does not match the tree that it names")
    return explain_difference(module, check, now=now, then=then)


def explain_difference(module: ModuleId, check: Check, *, now: Analysis, then: Analysis) -> Why:
    """Returns why the digest of `check`, a check of `now`, is another one in `then`; both have the module."""
    old = {each.name: each for each in then.declarations.cards[module].card.checks}.get(check.name)
    reach = Reach.ALL if check.kind in _ALL_KINDS else Reach.RUN
    carried = _carried(module, reach, now=now, then=then)
    if old is not None:
        seen = {each.path for each in carried}
        inputs = changed_inputs(module, check, reach, now=now, then=then)
        carried = (*carried, *(each for each in inputs if each.path not in seen))
    reason = _definition(old, check)
    if reason is None and not carried:
        reason = "an import leads elsewhere, although no file of the cone changed"
    return Why(carried[:_SHOWN], max(0, len(carried) - _SHOWN), reason)


def _reproduces(record: Record, module: ModuleId, then: Analysis) -> bool:
    known = set(then.digests(module, Mode.EXACT).checks.values())
    name = check_name(Mode.EXACT)
    return any(s.digest.get(name) in known for s in record.statement.subject if s.name == module)


def _definition(old: Check | None, new: Check) -> str | None:
    if old is None:
        return "the record's tree has no check of that name"
    for word in ("run", "kind", "inputs", "verdicts", "scope"):
        if getattr(old, word) != getattr(new, word):
            return f"the check's {word} changed"
    return None


def _carried(module: ModuleId, reach: Reach, *, now: Analysis, then: Analysis) -> tuple[Carried, ...]:
    old, new = then.members(module, reach), now.members(module, reach)
    before, after = then.snapshot.entries, now.snapshot.entries
    found = [_one(now, module, path, "entered", reach) for path in new - old]
    found += [_one(then, module, path, "left", reach) for path in old - new]
    found += [_one(now, module, path, "changed", reach) for path in old & new if before.get(path) != after.get(path)]
    return tuple(sorted(found, key=lambda each: (len(each.chain), each.path)))


def _one(side: Analysis, module: ModuleId, path: TreePath, how: str, reach: Reach) -> Carried:
    try:
        chain = side.chain(module, path, reach)
    except AssayError:  # an asset or an input: in the digest, reached by no import
        chain = ()
    return Carried(path, how, chain)
