"""Which of three answers does an exit code give? **Source:** design 10-modules §2 `verdicts`, 60-flow §1."""

from __future__ import annotations

from enum import Enum

from git_assay.checks.processes import Ended
from git_assay.modules.card import VerdictMap


class Verdict(Enum):
    """Outcome of a check; the value stands in records. A pass means checked, not proved."""

    PASS = "pass"
    RETRY = "retry"
    FATAL = "fatal"


def verdict_of(ended: Ended, verdicts: VerdictMap) -> Verdict:
    """Returns the verdict: 0 passes, a listed retry is retry, all else (signals, limits, unlisted codes) is fatal."""
    if ended.timed_out or ended.flooded or ended.stopped:
        return Verdict.FATAL
    if ended.exit == 0:
        return Verdict.PASS
    return Verdict.RETRY if ended.exit in verdicts.retry and ended.exit not in verdicts.fatal else Verdict.FATAL
