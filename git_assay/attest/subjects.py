"""Which digests of a module does a record carry?

All reaches and both modes, so that a stricter policy, made later, can still use the record.
**Source:** design 30-evidence §1.
"""

from __future__ import annotations

from git_assay.cones.analysis import Analysis
from git_assay.evidence.records import Subject
from git_assay.values.digests import Mode, check_name, cone_name, own_name
from git_assay.values.ids import ModuleId


def check_subject(analysis: Analysis, module: ModuleId, check: str) -> Subject:
    """Returns the subject of a record about one check of a module: its digest in each mode that its kind has.

    Raises KeyError when there is no such check.
    """
    subject = module_subject(analysis, module)
    by_mode = {mode: analysis.digests(module, mode).checks for mode in Mode}
    checks = {check_name(mode): str(found[check]) for mode, found in by_mode.items() if check in found}
    if not checks:
        raise KeyError(check)
    return Subject(subject.name, {**subject.digest, **checks})


def module_subject(analysis: Analysis, module: ModuleId) -> Subject:
    """Returns the subject of a record about a module or about `.assay`: own and cone digests, every reach and mode."""
    digest: dict[str, str] = {}
    for mode in Mode:
        found = analysis.digests(module, mode)
        digest[own_name(mode)] = found.own
        digest |= {cone_name(reach, mode): value for reach, value in found.cone.items()}
    return Subject(str(module), digest)
