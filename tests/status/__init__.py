"""Tests of the judgement of one tree and of changes."""
