"""Tests of what people and machines read."""
