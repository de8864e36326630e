"""Tests of the git door against real repositories of every ordinary kind."""
