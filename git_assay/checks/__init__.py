"""Running checks: limits, verdicts, counts. Knows nothing of evidence."""
