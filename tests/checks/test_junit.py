"""Are JUnit reports counted rightly, and hostile ones refused?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.checks import junit
from git_assay.checks.junit import BadReportError, CaseCounts, count_cases

XUNIT2 = b"""<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="9" tests="99">
<testcase classname="t" name="a"/><testcase name="b"><failure message="m">text</failure></testcase>
<testcase name="c"><error message="m"/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>"""


def test_cases_are_counted_and_totals_are_not_believed() -> None:
    assert count_cases(XUNIT2) == CaseCounts(passed=1, failed=1, errors=1, skipped=1)


def test_a_single_suite_may_be_the_root_and_suites_may_nest() -> None:
    nested = b"<testsuite><testsuite><testcase/></testsuite><testcase/><testsuite><testcase/></testsuite></testsuite>"
    assert count_cases(nested) == CaseCounts(passed=3, failed=0, errors=0, skipped=0)


def test_a_case_with_a_failure_and_an_error_is_one_failure() -> None:
    assert count_cases(b"<testsuite><testcase><error/><failure/></testcase></testsuite>").failed == 1


def test_a_case_that_was_not_run_did_not_pass() -> None:
    assert count_cases(b'<testsuite><testcase status="notrun"/></testsuite>').skipped == 1


def test_a_failure_inside_printed_output_is_no_failure() -> None:
    data = b"<testsuite><testcase><system-out><failure/></system-out></testcase></testsuite>"
    assert count_cases(data) == CaseCounts(passed=1, failed=0, errors=0, skipped=0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not xml",
        b"<html/>",
        b"<testsuite><testcase></testsuite>",
        b"<testsuite/>trailing",
        b'<!DOCTYPE t [<!ENTITY a "x">]><testsuite><testcase name="&a;"/></testsuite>',
        b'<!DOCTYPE t SYSTEM "file:///etc/passwd"><testsuite/>',
        b"<testsuite>" * 65 + b"</testsuite>" * 65,
        b'<?xml version="1.0" encoding="no-such"?><testsuite/>',
        b"<testsuite>&undefined;</testsuite>",
    ],
    ids=["empty", "text", "html", "open", "trailing", "entity", "external", "deep", "encoding", "undefined"],
)
def test_hostile_or_broken_reports_are_refused(data: bytes) -> None:
    with pytest.raises(BadReportError):
        count_cases(data)


def test_an_oversized_report_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "REPORT_LIMIT", 10)
    with pytest.raises(BadReportError, match="larger"):
        count_cases(XUNIT2)


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda data: XUNIT2[:150] + data)))
def test_any_bytes_are_counted_or_refused(data: bytes) -> None:
    try:
        counts = count_cases(data)
    except BadReportError:
        return
    assert min(counts.passed, counts.failed, counts.errors, counts.skipped) >= 0
