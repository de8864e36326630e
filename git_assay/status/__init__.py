"""Freshness, blast radius and the survey: values in, values out, no I/O."""
