"""Tests of policies and of the gate."""
