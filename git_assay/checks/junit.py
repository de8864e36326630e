"""How many tests passed, failed, erred and were skipped, by a JUnit XML report?

The report is written by the code under test, so it is hostile input: no document type, no entities, bounded size and
depth. Test cases are counted, the totals in attributes are not believed. Both families in use (xunit1, xunit2) and
nested suites are the same to this reader.
**Source:** the JUnit XML of Ant and of Maven Surefire; `status="notrun"` is GoogleTest's.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.parsers import expat

REPORT_LIMIT = 64 * 1024 * 1024  # bytes; a case with its output is a few KiB, so this is far over 10,000 cases
_DEPTH_LIMIT = 64  # suites nest a few levels in practice
_OUTCOMES = {"failure": "failed", "error": "errors", "skipped": "skipped"}


class BadReportError(ValueError):
    """The report is not JUnit XML that this reader accepts; the text says why."""


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """Test cases of one report, by outcome."""

    passed: int
    failed: int
    errors: int
    skipped: int


def count_cases(data: bytes) -> CaseCounts:
    """Returns the counts of one report. Raises BadReportError when it is not well-formed, too large or not JUnit."""
    if len(data) > REPORT_LIMIT:
        raise BadReportError(f"report is larger than {REPORT_LIMIT} bytes")
    return _Reader().read(data)


class _Reader:
    """Follows the elements of one document. depth: open elements.  outcome: of the open test case, None outside one."""

    def __init__(self) -> None:
        self.depth = 0
        self.case_depth = 0
        self.outcome: str | None = None
        self.counts = {"passed": 0, "failed": 0, "errors": 0, "skipped": 0}

    def read(self, data: bytes) -> CaseCounts:
        parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.EntityDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BadReportError(f"not well-formed XML: {error}") from error
        except (
            LookupError,
            ValueError,
        ) as error:  # an encoding that Python does not know, or one that expat cannot use
            raise (
                error if isinstance(error, BadReportError) else BadReportError(f"unreadable report: {error}")
            ) from error
        return CaseCounts(**self.counts)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self.depth == 0 and name not in ("testsuites", "testsuite"):
            raise BadReportError("the root element is neither testsuites nor testsuite")
        self.depth += 1
        if self.depth > _DEPTH_LIMIT:
            raise BadReportError(f"elements are nested more than {_DEPTH_LIMIT} deep")
        if name == "testcase" and self.outcome is None:
            self.case_depth = self.depth
            self.outcome = "skipped" if attributes.get("status") in ("notrun", "disabled") else "passed"
        elif self.outcome is not None and self.depth == self.case_depth + 1 and name in _OUTCOMES:
            self.outcome = _worse(self.outcome, _OUTCOMES[name])

    def _end(self, _name: str) -> None:
        if self.outcome is not None and self.depth == self.case_depth:
            self.counts[self.outcome] += 1
            self.outcome = None
        self.depth -= 1


def _worse(first: str, second: str) -> str:
    order = ("passed", "skipped", "errors", "failed")
    return max(first, second, key=order.index)


def _refuse_doctype(*_: object) -> None:
    raise BadReportError("document types and entities are refused")
