"""Adopting a repository: init, join, hooks. Proposes, asks, never overwrites."""
